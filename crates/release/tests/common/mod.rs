//! What the tests of this crate share.

use dpfda_kernels::{Grid, KernelName};
use dpfda_mechanism::{FingerprintKey, Mechanism, Partial};
use dpfda_privacy::PrivacyBudget;
use dpfda_release::{CurveRecord, Mean};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::Array2;
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};

pub fn ball() -> Ball {
    Ball::new(Center::Constant(0.5), 0.25).unwrap()
}

pub fn budget() -> PrivacyBudget {
    PrivacyBudget::new(1.0, 1e-5).unwrap()
}

pub fn smoother(name: KernelName, range: f64, penalty: f64) -> PenalizedMean {
    PenalizedMean::new(name.with_range(range).unwrap(), penalty, 1.0).unwrap()
}

/// Smooth random curves around 1/2 on `[2, 7]`.
pub fn curves(rows: usize, points: usize) -> CurveSet {
    let mut generator = ChaCha20Rng::seed_from_u64(42);
    let grid = Grid::uniform(2.0, 7.0, points).unwrap();
    let mut values = Array2::zeros((rows, points));
    for mut row in values.rows_mut() {
        let (level, slope) = (generator.random_range(-0.1..0.1), generator.random_range(-0.1..0.1));
        for (i, value) in row.iter_mut().enumerate() {
            let u = i as f64 / (points - 1) as f64;
            *value = 0.5 + level + slope * (6.0 * u).sin() + generator.random_range(-0.01..0.01);
        }
    }
    CurveSet::new(grid, values).unwrap()
}

/// A part of the curves, with the ids of their subjects tagged where there are any.
pub fn encode(mechanism: &Mechanism<Mean>, id: &str, curves: &CurveSet, key: &FingerprintKey) -> Partial<Mean> {
    let bounded = mechanism.statistic().ball().bound(curves).unwrap();
    let mut partial = mechanism.partial(id.parse().unwrap());
    for (index, record) in CurveRecord::all(&bounded).enumerate() {
        match curves.subject(index) {
            Some(subject) => partial.add_of(key, subject, record).unwrap(),
            None => partial.add(record).unwrap(),
        }
    }
    partial
}
