use std::path::Path;

use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let files = TableFiles::find(Path::new("data/dti_like.csv"))?;
    let cases = files.text_columns(&layout, &["case"])?;
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let levels = ["0", "1"].map(str::to_owned).into();
    let case = Covariate::Category { name: "case".to_owned(), levels };
    let (ball, budget) = (Ball::within(0.0, 1.0)?, PrivacyBudget::new(2.0, 1e-5)?);
    let regression = PrivateRegression::new(ball, budget, vec![case]);
    let release = regression.release(&curves, &cases, &mut SystemRandomness::new()?)?;

    let estimated = Estimated::<Regression>::new(release, &Band::Population, 0.95)?;
    for point in estimated.predict(&["1"])?.at(&[0.25, 0.5])? {
        println!("{:.3} to {:.3} at {}", point.lower, point.upper, point.at);
    }
    Ok(())
}
