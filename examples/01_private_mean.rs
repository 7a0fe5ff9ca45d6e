//! The shortest private mean: curves in, a function that may be published out.

use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One record is one person, however many scans they had.
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;

    // Known before looking: fractional anisotropy lies in [0, 1], and tracts stay near 0.5.
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let budget = PrivacyBudget::new(1.0, 1e-5)?;

    let release = PrivateMean::isonormal(ball, budget).release(&curves, &mut SystemRandomness::new()?)?;
    println!("mean at 0, 0.5, 1: {:.3}", release.function().evaluate(&[0.0, 0.5, 1.0])?);
    println!("privacy noise, sd: {:.3}", release.function().noise_sd_at(&[0.0, 0.5, 1.0])?);
    Ok(())
}
