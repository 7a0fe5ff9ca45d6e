use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let curves = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let mean = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
    let release = mean.release(&curves, &mut SystemRandomness::new()?)?;

    let estimated = Estimated::<Mean>::new(release, &Band::Population, 0.95)?;
    for point in estimated.at(&[0.25, 0.5])? {
        println!("{:.3} to {:.3} at {}", point.lower, point.upper, point.at);
    }
    Ok(())
}
