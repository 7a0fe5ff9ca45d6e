//! One release, smoothed three ways: after the noise is drawn, smoothing costs nothing.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    let release = PrivateMean::isonormal(ball, budget).release(&curves, &mut SystemRandomness::new()?)?;

    let smoothers = [
        ("gaussian, range 0.02", PenalizedMean::new(Gaussian::new(0.02)?.into(), 1e-2, 1.0)?),
        ("matern 3/2, range 0.3", PenalizedMean::new(Matern::new(1.5, 0.3)?.into(), 1e-2, 1.0)?),
        ("exponential, range 0.5", PenalizedMean::new(Exponential::new(0.5)?.into(), 1e-2, 1.0)?),
    ];
    let mut smoothed = Vec::new();
    for (label, smoother) in &smoothers {
        let release = release.smoothed(smoother)?;
        let noise = release.function().noise_sd().mean().unwrap_or(f64::NAN);
        println!(
            "{label:>24}: mean privacy noise sd {noise:.4}, spent mu = {:.4} in all",
            release.mu().unwrap_or(f64::NAN)
        );
        smoothed.push((*label, release));
    }
    match smoothed[0].1.function().derivative(&[0.5]) {
        Ok(slope) => println!("slope at 0.5 with the gaussian kernel: {:.3}", slope[0]),
        Err(reason) => println!("{reason}"),
    }
    if let Err(reason) = smoothed[2].1.function().derivative(&[0.5]) {
        println!("and with the exponential kernel: {reason}");
    }

    let panels: Vec<(&str, &MeanRelease)> = smoothed.iter().map(|(label, release)| (*label, release)).collect();
    let figure = Figure::compare(&panels)?.axes("position along the tract", "fractional anisotropy");
    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("three-smoothers.svg"), figure.to_svg()?)?;
    fs::write(folder.join("three-smoothers.png"), figure.to_png()?)?;
    println!("wrote {}", folder.display());
    Ok(())
}
