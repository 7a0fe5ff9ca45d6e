//! Noise of a random scale in function space: one path gives the scale away, so it buys no pure privacy.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::plotting::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::prelude::*;
use dpfda::privacy::{MixedGaussianPrivacy, MixingLaw, relative_variance};
use rand_distr::{Distribution, StandardNormal};

/// The range of the exponential kernel `exp(-|t - s| / rho)` of the paths.
const RANGE: f64 = 0.3;

fn main() -> Result<(), Box<dyn Error>> {
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    for (name, law) in
        [("t, 5 degrees of freedom", MixingLaw::student_t(5.0)?), ("Laplace", MixingLaw::gamma_root(1.0)?)]
    {
        let privacy = MixedGaussianPrivacy::calibrated(law.clone(), &budget)?;
        let ratio = relative_variance(&law, &budget)?;
        println!(
            "{name} process: sensitivity / sigma = {:.4}, {ratio:.1} times the variance of a Gaussian",
            privacy.distance()
        );
    }
    let pure = PrivacyBudget::new(1.0, 0.0)?;
    match MixedGaussianPrivacy::calibrated(MixingLaw::student_t(5.0)?, &pure) {
        Err(refused) => println!("with delta = 0: {refused}"),
        Ok(_) => return Err("no elliptical process is purely private".into()),
    }

    // What an observer of one path does: estimate V on ever finer grids. (Paths for a picture: no data, no privacy.)
    let law = MixingLaw::student_t(3.0)?;
    let mut randomness = SeededRandomness::from_seed(8);
    let mut lines = Vec::new();
    for path in 1..=5 {
        let v = law.draw(&mut randomness);
        let finest = path_on_grid(v, 1 << 14, &mut randomness);
        let steps: Vec<usize> = (2..=14).map(|level| 1 << level).collect();
        let estimates = steps.iter().map(|n| estimated_v(&finest, *n) / v).collect();
        let x = steps.iter().map(|n| *n as f64).collect();
        let label = format!("path {path}, V = {v:.2}");
        lines.push(Series { label, x, y: estimates, style: SeriesStyle::Both });
    }
    let panel =
        LinePanel::new("", AxisScale::Log10, AxisScale::Linear, lines)?.reference(1.0, "the V that was drawn")?;
    let figure = LineFigure::new(vec![panel])?
        .title("The scale of elliptical noise, recovered from one path")
        .axes("grid points", "estimate of V / V");
    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("elliptical-process.svg"), figure.to_svg()?)?;
    fs::write(folder.join("elliptical-process.png"), figure.to_png()?)?;
    println!("wrote {}", folder.display());
    Ok(())
}

/// `V Z` at `n + 1` equally spaced points, `Z` with covariance `exp(-|t - s| / rho)`: a Markov process.
fn path_on_grid(v: f64, n: usize, randomness: &mut SeededRandomness) -> Vec<f64> {
    let decay = (-1.0 / (RANGE * n as f64)).exp();
    let mut normal = || -> f64 { StandardNormal.sample(randomness) };
    let mut z = normal();
    let mut path = vec![v * z];
    for _ in 0..n {
        z = decay * z + (1.0 - decay * decay).sqrt() * normal();
        path.push(v * z);
    }
    path
}

/// The root of the mean square of the path's standardised innovations on every `k`-th point, of which there are `n`.
fn estimated_v(path: &[f64], n: usize) -> f64 {
    let stride = (path.len() - 1) / n;
    let decay = (-1.0 / (RANGE * n as f64)).exp();
    let innovation = |i: usize| (path[i * stride] - decay * path[(i - 1) * stride]).powi(2) / (1.0 - decay * decay);
    ((1..=n).map(innovation).sum::<f64>() / n as f64).sqrt()
}
