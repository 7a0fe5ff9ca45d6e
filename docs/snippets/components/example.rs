use dpfda::analysis::{Components, SyntheticCurves};
use dpfda::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let curves = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let ball = Ball::new(Center::Constant(0.5), 0.15)?;
    let release = PrivateMean::isonormal(ball, PrivacyBudget::new(8.0, 1e-5)?)
        .moments(MomentsChoice::Covariance)
        .release(&curves, &mut SystemRandomness::new()?)?;

    // from here on nothing is spent
    let estimated = Estimated::<Mean>::new(release, &Band::default(), 0.95)?;
    let components = Components::new(estimated.population())?;
    for component in components.all() {
        println!("eigenvalue {:.5}", component.eigenvalue);
    }
    let synthetic = SyntheticCurves::new(&components)?.draw(100, &mut ChaCha20Rng::seed_from_u64(1))?;
    println!("{:?}", synthetic.dim());
    Ok(())
}
