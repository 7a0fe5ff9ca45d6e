//! Made-up people, without a function that differs from machine to machine.

use dpfda_analysis::{Band, DEFAULT_LEVEL, Estimable, Estimated};
use dpfda_kernels::Grid;
use dpfda_mechanism::Labels;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, Mean, MeanRelease, PrivateMean};
use dpfda_smoothing::{Ball, CurveSet};
use ndarray::Array2;

pub const PEOPLE: usize = 4000;

/// A number from -1 to 1 that looks random.
pub fn noise(person: usize, which: usize) -> f64 {
    let mixed = (person * 7919 + which * 104_729 + 17) * 2_654_435_761 % 1_000_003;
    2.0 * mixed as f64 / 1_000_003.0 - 1.0
}

/// Glucose over a day: two meals, a level of each person, and two ways to differ.
pub fn glucose(person: usize, hour: f64) -> f64 {
    let meal = |at: f64, height: f64, width: f64| height / (1.0 + ((hour - at) / width).powi(2));
    let level = 105.0 + 12.0 * noise(person, 1);
    level
        + meal(8.5, 30.0, 1.5) * (1.0 + 0.5 * noise(person, 2))
        + meal(19.0, 40.0, 2.0) * (1.0 + 0.5 * noise(person, 3))
}

pub fn day() -> Grid {
    Grid::uniform(0.0, 24.0, 25).unwrap()
}

pub fn curves(grid: &Grid, value: impl Fn(usize, f64) -> f64) -> CurveSet {
    curves_of(PEOPLE, grid, value)
}

pub fn curves_of(people: usize, grid: &Grid, value: impl Fn(usize, f64) -> f64) -> CurveSet {
    let t = grid.points().to_vec();
    CurveSet::new(grid.clone(), Array2::from_shape_fn((people, t.len()), |(i, j)| value(i, t[j]))).unwrap()
}

pub fn budget(epsilon: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, 1e-5).unwrap()
}

pub fn bounds() -> Ball {
    Ball::within(40.0, 250.0).unwrap()
}

pub fn mean_of(grid: &Grid, epsilon: f64, seed: u64, value: impl Fn(usize, f64) -> f64) -> MeanRelease {
    let mean =
        PrivateMean::isonormal(bounds(), budget(epsilon)).buying(BallShares::new(Some(0.05), Some(0.05)).unwrap());
    mean.release(&curves(grid, value), &mut SeededRandomness::from_seed(seed)).unwrap()
}

pub fn estimated<S: Estimable>(release: S::View) -> Estimated<S> {
    Estimated::new(release, &Band::default(), DEFAULT_LEVEL).unwrap()
}

pub fn mean() -> Estimated<Mean> {
    estimated(mean_of(&day(), 1.0, 1, glucose))
}

pub fn labels() -> Labels {
    Labels::new(Some("hour of the day"), Some("glucose (mg/dL)")).unwrap()
}
