//! The isonormal and the Cameron-Martin mechanism side by side at the same guarantee, with their errors.
//!
//! The error is the root-mean-square distance between release and raw mean over repeated releases. Only synthetic data
//! may be treated so: every repetition spends the budget again.

use std::error::Error;

use dpfda::prelude::*;
use ndarray::Array1;

const REPETITIONS: u32 = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    let truth = curves.raw_mean().into_revealed();
    let mut randomness = SystemRandomness::new()?;

    println!("mechanism        calibration  RMS distance to the raw mean ({REPETITIONS} releases)");
    let isonormal = PrivateMean::isonormal(ball.clone(), budget);
    let cameron_martin = PrivateMean::cameron_martin(ball, budget);
    let settings = [
        ("isonormal", "tight", isonormal),
        ("Cameron-Martin", "tight", cameron_martin.clone()),
        ("Cameron-Martin", "classical", cameron_martin.calibration(Calibration::Classical)),
    ];
    for (mechanism, calibration, private_mean) in settings {
        let mut total = 0.0;
        for _ in 0..REPETITIONS {
            let release = private_mean.release(&curves, &mut randomness)?;
            total += mean_square(curves.grid(), &(&release.function().values() - &truth));
        }
        println!("{mechanism:<16} {calibration:<12} {:.4}", (total / f64::from(REPETITIONS)).sqrt());
    }
    Ok(())
}

fn mean_square(grid: &Grid, difference: &Array1<f64>) -> f64 {
    grid.integrate(difference.mapv(|x| x * x).view()) / grid.length()
}
