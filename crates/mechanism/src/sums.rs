//! Exact sums of records, by one thread or several.

use std::thread;

use dpfda_privacy::{Body, ExactSum, LatticeError};

/// The exact sum of records, each written into a vector of nothing.
pub fn sum_records<B: Body, R>(
    body: &B,
    records: impl IntoIterator<Item = R>,
    encode: impl FnMut(R, &mut B::Vector),
) -> Result<ExactSum<B>, LatticeError> {
    let mut sum = ExactSum::new(body.clone());
    add_records(body, &mut sum, records, encode)?;
    Ok(sum)
}

/// Adds records to a sum in this body.
pub fn add_records<B: Body, R>(
    body: &B,
    sum: &mut ExactSum<B>,
    records: impl IntoIterator<Item = R>,
    mut encode: impl FnMut(R, &mut B::Vector),
) -> Result<(), LatticeError> {
    let mut vector = body.vector();
    for record in records {
        body.reset(&mut vector);
        encode(record, &mut vector);
        sum.add(&vector)?;
    }
    Ok(())
}

/// The exact sum of records in shares, each added by a thread of its own: the sum is the same for every division.
pub fn sum_shares<B, I>(
    body: &B,
    shares: Vec<I>,
    add: impl Fn(I, &mut ExactSum<B>) -> Result<(), LatticeError> + Sync,
) -> Result<ExactSum<B>, LatticeError>
where
    B: Body + Send + Sync,
    B::Sum: Send,
    I: Send,
{
    let mut shares = shares.into_iter();
    let Some(mine) = shares.next() else { return Ok(ExactSum::new(body.clone())) };
    let sum_of = |share: I| {
        let mut sum = ExactSum::new(body.clone());
        add(share, &mut sum).map(|()| sum)
    };
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
