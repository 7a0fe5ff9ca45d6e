use dpfda::prelude::*;
use dpfda::release::{Centiles, PrivateCentiles};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let curves = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let ball = Centiles::ball_within((0.0, 1.0), Some(Center::Constant(0.5)), None, curves.grid())?;
    let chart = PrivateCentiles::new(ball, PrivacyBudget::new(2.0, 1e-3)?);
    let release = chart
        .showing(vec![10.0, 25.0, 50.0, 75.0, 90.0])
        .release(&curves, &mut SystemRandomness::new()?)?;

    let estimated = Estimated::<Centiles>::new(release, &Band::Population, 0.95)?;
    for (centile, curve) in estimated.means().all() {
        println!("{centile}%: {:.3} at the middle", curve.values[46]);
    }
    Ok(())
}
