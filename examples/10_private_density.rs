//! Points of people as a private density: quantiles, synthetic points, and a figure.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::density::{Bounds, Cells, PerturbedHistogram, Points};
use dpfda::plotting::DensityFigure;
use dpfda::prelude::*;
use ndarray::Array2;
use rand_distr::{Beta, Distribution};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    let mut randomness = SystemRandomness::new()?;

    // 5000 scores from 0 to 100, which everybody knows they are; in place of people's, points of Beta(10, 10).
    let law = Beta::new(10.0, 10.0)?;
    let scores = Array2::from_shape_simple_fn((5000, 1), || 100.0 * law.sample(&mut randomness));
    let bounds = Bounds::new(vec![(0.0, 100.0)])?;
    let points = Points::new(scores, bounds.clone())?;

    // Fine cells are released once. Everything after that is free, the choice of coarser cells included.
    let histogram = PerturbedHistogram::new(Cells::new(bounds, 60)?, PrivacyBudget::new(0.5, 0.0)?);
    let release = histogram.release(&points, &mut randomness)?;
    let chosen = release.merged_by_risk();
    let density = chosen.density();
    println!("noise of {:.1} records in a count; {} of 60 cells chosen", release.noise_sd(), density.cells().count());
    println!("median {:.1}, first decile {:.1}", density.quantile(0.5)?, density.quantile(0.1)?);
    println!("up to 40: {:.3} of all", density.cumulative(&[40.0]));
    println!("synthetic scores: {:.1}", density.draw(5, &mut randomness).column(0));
    fs::write(folder.join("density.json"), chosen.to_json()?)?;
    density.write_csv(&[], fs::File::create(folder.join("density.csv"))?)?;

    let figure = DensityFigure::new(density).with_density("60 cells, as released", release.density())?;
    let figure = figure.with_distribution()?.title("Scores").axes(&["score"])?;
    fs::write(folder.join("density.svg"), figure.to_svg()?)?;
    fs::write(folder.join("density.png"), figure.to_png()?)?;
    println!("wrote {}", folder.display());
    Ok(())
}
