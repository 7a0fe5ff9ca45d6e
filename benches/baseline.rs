//! The least time of a release with its estimate in Rust alone, in microseconds: what a call from Python is compared with.
//!
//! `cargo run --profile wheel -p dpfda-benches --bin baseline -- 376 93 200`: curves, points, repetitions.

use std::error::Error;
use std::time::Instant;

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::kernels::Grid;
use dpfda::privacy::{PrivacyBudget, SeededRandomness};
use dpfda::release::PrivateMean;
use dpfda::smoothing::{Ball, CurveSet};
use ndarray::Array2;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let [curves, points, repetitions] = numbers[..] else { return Err("give curves, points and repetitions".into()) };
    let values = Array2::from_shape_fn((curves, points), |(i, k)| 0.5 + 0.1 * ((i % 7 + k) as f64 / 9.0).sin());
    let mut times = Vec::new();
    for _ in 0..repetitions {
        let start = Instant::now();
        // as Python does it: a grid, settings, a copy of the curves, a release and its estimate
        let set = CurveSet::new(Grid::uniform(0.0, 1.0, points)?, values.clone())?;
        let mean = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
        let release = mean.release(&set, &mut SeededRandomness::from_seed(1))?;
        Estimated::<dpfda::release::Mean>::new(release, &Band::Population, DEFAULT_LEVEL)?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    println!("{}", times.into_iter().fold(f64::INFINITY, f64::min));
    Ok(())
}
