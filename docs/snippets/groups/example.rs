use std::path::Path;

use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let files = TableFiles::find(Path::new("data/dti_like.csv"))?;
    let cases = &files.text_columns(&layout, &["case"])?[0];
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let (ball, budget) = (Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
    let groups = PrivateGroups::new(ball, budget, Grouping::Public);
    let release = groups.release(&curves, cases, &mut SystemRandomness::new()?)?;

    let estimated = Estimated::<Groups>::new(release, &Band::Population, 0.95)?;
    let mean_of = |name| estimated.means().get(name).ok_or("a group of the release");
    let (controls, cases) = (mean_of("0")?, mean_of("1")?);
    let difference = Difference::new(controls.population()?, cases.population()?, 0.95)?;
    println!("p = {:.3} for equal means", difference.equality()?.p_value);
    Ok(())
}
