#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::{self, Write};
use std::path::Path;

use dpfda::kernels::KernelName;
use dpfda::smoothing::{Center, CurveLayout};
use ndarray::Array2;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::*;

fn ball() -> Ball {
    Ball::new(Center::Constant(0.5), 0.25).unwrap()
}

fn smoother(name: KernelName, range: f64, penalty: f64) -> PenalizedMean {
    PenalizedMean::new(name.with_range(range).unwrap(), penalty, 1.0).unwrap()
}

fn curves() -> CurveSet {
    let value = |(i, j): (usize, usize)| 0.5 + 0.1 * (j as f64 / 5.0 + i as f64).sin();
    CurveSet::new(Grid::uniform(0.0, 1.0, 31).unwrap(), Array2::from_shape_fn((40, 31), value)).unwrap()
}

#[test]
fn two_curves_of_the_ball_attain_the_sensitivity_and_none_exceeds_it() {
    let process =
        IndependentComponents::new(ball(), 1.0, &smoother(KernelName::Matern(1.5), 0.3, 0.02), curves().grid())
            .unwrap();
    let lambda = process.spectrum.eigenvalues().to_owned();
    let norm =
        |coefficients: &Array1<f64>| (coefficients * &process.shrinkages / lambda.mapv(f64::sqrt)).mapv(f64::abs).sum();
    let worst = &process.shrinkages / &lambda.mapv(f64::sqrt);
    let length = worst.dot(&worst).sqrt();
    let moved = 2.0 * ball().radius() / 40.0;
    assert!((norm(&(worst * (moved / length))) / process.scale(40) - 1.0).abs() < 1e-12);
    for j in 0..lambda.len() {
        let other = Array1::from_shape_fn(lambda.len(), |k| moved * ((j * k) as f64).cos());
        let length = other.dot(&other).sqrt();
        assert!(norm(&(other * (moved / length))) <= process.scale(40) * (1.0 + 1e-12));
    }
}

#[test]
fn the_stated_error_is_that_of_draws() {
    let curves = curves();
    let process =
        IndependentComponents::new(ball(), 1.0, &smoother(KernelName::Matern(2.5), 0.3, 0.05), curves.grid()).unwrap();
    let raw = curves.raw_mean().into_revealed();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let squares = (0..4000).map(|_| {
        let release = process.release(&curves, &mut rng).unwrap().into_revealed();
        process.spectrum.grid().integrate((release - &raw).mapv(|d| d * d).view())
    });
    let found = (squares.sum::<f64>() / 4000.0).sqrt();
    let stated = process.error(&curves).unwrap().into_revealed();
    assert!((found / stated - 1.0).abs() < 0.05, "{found} {stated}");
}

/// The line of `docs/results/any.md`: the least error over kernels, ranges and penalties, chosen by looking.
#[test]
fn on_real_curves_its_least_error_is_larger_than_that_of_k_norm_noise() {
    let Some(folder) = std::env::var_os("DPFDA_DATA") else {
        let note = "SKIPPED: a test on real curves; set DPFDA_DATA to the folder of dti_cca.csv (see data/README.md)\n";
        io::stderr().write_all(note.as_bytes()).unwrap();
        return;
    };
    let layout = CurveLayout::new("cca_*").unwrap();
    let curves = CurveSet::read_csv(Path::new(&folder).join("dti_cca.csv"), &layout).unwrap().complete();
    let kernels = [KernelName::Exponential, KernelName::Matern(1.5), KernelName::Matern(2.5)];
    let mut least = f64::INFINITY;
    for name in kernels {
        for range in [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.6] {
            for step in 0..25 {
                let penalty = 10_f64.powf(f64::from(step) / 4.0 - 5.0);
                let process =
                    IndependentComponents::new(ball(), 1.0, &smoother(name, range, penalty), curves.grid()).unwrap();
                least = least.min(process.error(&curves).unwrap().into_revealed());
            }
        }
    }
    println!("independent-component Laplace process, epsilon 1, {} records: {least:.4}", curves.units());
    assert!(least > 0.0177, "{least}: the target of K-norm noise, which is not tuned by looking");
}
