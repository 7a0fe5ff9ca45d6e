use std::path::Path;

use dpfda::prelude::*;
use dpfda::release::{Change, ChangeOf, PrivateChange};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let files = TableFiles::find(Path::new("data/dti_like.csv"))?;
    let visits = &files.text_columns(&layout, &["visit"])?[0];
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let of = ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() };
    let (ball, budget) = (Ball::new(Center::Constant(0.0), 0.1)?, PrivacyBudget::new(1.0, 1e-5)?);
    let change = PrivateChange::new(ball, budget, of);
    let release = change.release(&curves, visits, &mut SystemRandomness::new()?)?;

    let estimated = Estimated::<Change>::new(release, &Band::Population, 0.95)?;
    for fact in estimated.facts() {
        println!("{}: {}", fact.name, fact.text);
    }
    Ok(())
}
