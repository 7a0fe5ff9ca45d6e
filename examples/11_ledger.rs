//! One budget for several releases: what a ledger pays for, gives back and refuses.

use std::error::Error;

use dpfda::ledger::{Digest, Ledger, LedgerError, LedgerTerms, ReleaseRequest};
use dpfda::mechanism::Guarantee;
use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let total = PrivacyBudget::new(1.0, 1e-5)?;
    let terms = LedgerTerms::new("tracts", PrivacyUnit::Subject, NeighbouringRelation::SubstituteOne, total)?;
    let mut ledger = Ledger::create(&folder.path().join("tracts.ledger"), &terms)?;

    let layout = CsvLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let budget = PrivacyBudget::new(0.6, 4e-6)?;
    for id in ["first", "second", "second", "third"] {
        let private_mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.25)?, budget);
        // everything that can be refused is refused here; what follows is paid for
        let prepared = private_mean.prepare(&curves)?;
        let request = ReleaseRequest::new(
            id.parse()?,
            "mean, isonormal",
            Guarantee::new(budget, NeighbouringRelation::SubstituteOne, curves.unit()),
            prepared.spend(),
            Digest::of(serde_json::to_string(private_mean.ball())?.as_bytes()),
        )?;
        let receipt = match ledger.spend(&request) {
            Err(LedgerError::OverTotal(refusal)) => {
                println!("{id}: refused. {refusal}");
                continue;
            }
            paid => paid?,
        };
        if receipt.stored().is_some() {
            println!("{id}: given back, nothing spent");
            continue;
        }
        let release = prepared.draw(&mut SystemRandomness::new()?)?.in_ledger(receipt.reference().clone());
        // stored before anybody sees it: a crash before this line costs nothing but the time to draw again
        ledger.store(&receipt, vec![("release.json".to_owned(), release.to_json()?.into_bytes())])?;
        println!(
            "{id}: entry {}, mean {:.3} at 0.5",
            receipt.reference().entry(),
            release.function().evaluate(&[0.5])?
        );
    }

    let history = ledger.history()?;
    let spent = history.accounts().epsilon(total.delta());
    println!(
        "spent: epsilon {spent:.4} at delta {:e}; left: {:?}",
        total.delta(),
        history.accounts().remaining(&total, None)
    );
    Ok(())
}
