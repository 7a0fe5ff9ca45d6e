//! One budget for several releases: what a ledger pays for, gives back and refuses.

use std::error::Error;

use dpfda::ledger::{Ledger, LedgerError, LedgerTerms, Origin};
use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let total = PrivacyBudget::new(1.0, 1e-5)?;
    let terms = LedgerTerms::new("tracts", PrivacyUnit::Subject, NeighbouringRelation::SubstituteOne, total)?;
    let mut ledger = Ledger::create(&folder.path().join("tracts.ledger"), &terms)?;

    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    // 142 people are too few to buy a radius with so small a budget: state it
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(0.6, 4e-6)?).buying(BallShares::NONE);
    for id in ["first", "second", "second", "third"] {
        // everything that can be refused is refused here; what follows is paid for
        let (prepared, viewer) = (private_mean.prepare(&curves)?, private_mean.viewer(curves.grid())?);
        let outcome = match ledger.release(id.parse()?, prepared, &mut SystemRandomness::new()?) {
            Err(LedgerError::OverTotal(refusal)) => {
                println!("{id}: refused. {refusal}");
                continue;
            }
            paid => paid?,
        };
        let how = if outcome.origin == Origin::Drawn { "drawn" } else { "given back, nothing spent" };
        let mean = viewer.view(outcome.release)?;
        let value = mean.function().evaluate(&[0.5])?;
        println!("{id}: entry {}, {how}, mean {value:.3} at 0.5", outcome.reference.entry());
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
