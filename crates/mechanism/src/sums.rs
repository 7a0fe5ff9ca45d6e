//! Exact sums of records, by one thread or several.

use std::thread;

use dpfda_privacy::{Body, ExactSum, LatticeError};

/// The exact sum of records, each written into a vector of nothing.
pub fn sum_records<B: Body, R>(
    body: &B,
    records: impl IntoIterator<Item = R>,
    mut encode: impl FnMut(R, &mut B::Vector),
) -> Result<ExactSum<B>, LatticeError> {
    let (mut vector, mut sum) = (body.vector(), ExactSum::new(body.clone()));
    for record in records {
        body.reset(&mut vector);
        encode(record, &mut vector);
        sum.add(&vector)?;
    }
    Ok(sum)
}

/// The same with the records in shares, each encoded by a thread of its own with an encoder of its own: the sum is the same for every
/// division.
pub fn sum_shares<B, I, F>(
    body: &B,
    shares: Vec<I>,
    encoder: impl Fn() -> F + Sync,
) -> Result<ExactSum<B>, LatticeError>
where
    B: Body + Send + Sync,
    B::Sum: Send,
    I: IntoIterator + Send,
    F: FnMut(I::Item, &mut B::Vector),
{
    let mut shares = shares.into_iter();
    let Some(mine) = shares.next() else { return Ok(ExactSum::new(body.clone())) };
    let sum_of = |share: I| sum_records(body, share, encoder());
    let sum_of = &sum_of;
    thread::scope(|scope| {
        let others: Vec<_> = shares.map(|share| scope.spawn(move || sum_of(share))).collect();
        let mut whole = sum_of(mine)?;
        for other in others {
            whole.merge(&other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)?;
        }
        Ok(whole)
    })
}
