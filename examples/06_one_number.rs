//! Which noise one number needs: the family of least variance, and the ratios of variances over (epsilon, delta).
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::plotting::{RatioFigure, RatioPanel};
use dpfda::prelude::*;
use dpfda::privacy::{LogConcavePrivacy, NoiseFamily, RoundedNoise, best_family};
use ndarray::Array2;

fn main() -> Result<(), Box<dyn Error>> {
    // A count changes by at most 1: which noise hides it best?
    for (epsilon, delta) in [(1.0, 0.0), (1.0, 1e-6), (0.1, 1e-2), (0.1, 0.1)] {
        let budget = PrivacyBudget::new(epsilon, delta)?;
        let best = best_family(&budget)?;
        let noise = RoundedNoise::calibrated(best.family(), 1 << 20, &budget)?;
        // in steps of 2^-20, drawn exactly
        let draw = noise.sample(&mut SystemRandomness::new()?) as f64 / f64::from(1 << 20);
        let (family, sd) = (best.family(), best.variance().sqrt());
        println!(
            "({epsilon}, {delta:e}): {family} noise, standard deviation {sd:.3}; a count of 1000 becomes {:.3}",
            1000.0 + draw
        );
    }

    let epsilons: Vec<f64> = (0..=24).map(|i| 10_f64.powf(f64::from(i) / 12.0 - 1.3)).collect();
    let deltas: Vec<f64> = (0..=24).map(|i| 0.5 * 10_f64.powf(-f64::from(i) / 3.0)).collect();
    let ratios = |above: NoiseFamily, below: NoiseFamily| {
        let mut ratios = Array2::zeros((deltas.len(), epsilons.len()));
        for ((row, column), ratio) in ratios.indexed_iter_mut() {
            let budget = PrivacyBudget::new(epsilons[column], deltas[row])?;
            let variance = |family| LogConcavePrivacy::calibrated(family, &budget)?.variance(1.0);
            *ratio = variance(above)? / variance(below)?;
        }
        let label = format!("{above} / {below}");
        Ok::<_, Box<dyn Error>>(RatioPanel::new(&label, epsilons.clone(), deltas.clone(), ratios)?)
    };
    let panels = vec![
        ratios(NoiseFamily::Logistic, NoiseFamily::Laplace)?,
        ratios(NoiseFamily::Laplace, NoiseFamily::Gaussian)?,
        ratios(NoiseFamily::Logistic, NoiseFamily::Gaussian)?,
    ];
    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    let figure = RatioFigure::new(panels)?.title("Which noise has less variance at the same (epsilon, delta)");
    fs::write(folder.join("variance-ratios.svg"), figure.to_svg()?)?;
    fs::write(folder.join("variance-ratios.png"), figure.to_png()?)?;
    println!("wrote {}", folder.display());
    Ok(())
}
