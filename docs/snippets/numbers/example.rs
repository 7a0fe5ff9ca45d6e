use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let curves = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.25)?, 1e-2, 1.0)?;
    let asked = [LinearFunctional::Evaluation { t: 0.5 }, LinearFunctional::Derivative { t: 0.5 }];

    let settings = PrivateFunctionals::new(ball, 2.0, smoother)?;
    let release = settings.release(&curves, &asked, &mut SystemRandomness::new()?)?;
    println!("{:.3} with noise of sd {:.3}", Functionals::values(&release), Functionals::noise_sd(&release));
    Ok(())
}
