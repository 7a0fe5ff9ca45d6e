#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Grid, KernelName};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::{Array1, Array2};

use super::{Payable, PreparedPath, PrivatePath};
use crate::coordinates::encode::CurveRecord;
use crate::functionals::functional::LinearFunctional;

fn at(t: f64) -> LinearFunctional {
    LinearFunctional::Evaluation { t }
}

#[test]
fn a_path_in_two_steps_has_the_law_of_one_drawn_at_once() {
    const DRAWS: u32 = 100_000;
    let kernel = KernelName::Matern(2.5).with_range(0.4).unwrap();
    let smoother = PenalizedMean::new(kernel, 1e-2, 1.0).unwrap();
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let first = [at(0.2), at(0.65)];
    let second =
        [at(0.3), LinearFunctional::Derivative { t: 0.5 }, LinearFunctional::Integral { weight: vec![1.0; 9] }];
    let all: Vec<LinearFunctional> = first.iter().chain(&second).cloned().collect();
    let settings = PrivatePath::new(Ball::new(Center::Constant(0.5), 1.0).unwrap(), budget, smoother);
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 9).unwrap(), Array2::from_elem((2, 9), 0.5)).unwrap();
    let mechanism = settings.prepare(&curves).unwrap().0.mechanism().clone();
    let basis = mechanism.statistic().basis();
    let (begins, wholes) = (basis.map(&first).unwrap(), basis.map(&all).unwrap());
    let bounded = settings.ball.bound(&curves).unwrap();
    let (mut in_steps, mut at_once) = (Moments::new(5), Moments::new(5));
    let mut randomness = SeededRandomness::from_seed(21);
    for _ in 0..DRAWS {
        // what `release` does, calibrated once
        let mut draw = || {
            let prepared = mechanism.prepare_all(CurveRecord::all(&bounded)).unwrap();
            PreparedPath(prepared).draw(None, &mut randomness).unwrap()
        };
        let kept = draw();
        let extended = kept.extend(&kept.read_off(&first, &begins), &second).unwrap();
        in_steps.add(&(&extended.values() - &center(&all)));
        let whole = draw().read_off(&all, &wholes);
        at_once.add(&(&whole.values() - &center(&all)));
        assert_eq!(whole.noise_sd(), extended.noise_sd());
    }
    let noise_sd = settings.release(&curves, &all, &mut randomness).unwrap().0.noise_sd()[0];
    let coordinate_variance = noise_sd * noise_sd / wholes.rows.row(0).dot(&wholes.rows.row(0));
    for i in 0..5 {
        for j in 0..=i {
            let (steps, once) = (in_steps.covariance(i, j), at_once.covariance(i, j));
            // var of a product of two jointly normal variables: s_ii s_jj + s_ij^2; two independent samples
            let variance = at_once.covariance(i, i) * at_once.covariance(j, j) + once * once;
            let standard_error = (2.0 * variance / f64::from(DRAWS)).sqrt();
            // 30 comparisons at a rate of 1e-6 in all: 5.4 standard errors
            assert!((steps - once).abs() < 5.4 * standard_error, "{i}, {j}: {steps} and {once}");
            // and with the closed form, B B' times the variance of a coordinate
            let exact = wholes.rows.row(i).dot(&wholes.rows.row(j)) * coordinate_variance;
            assert!((steps - exact).abs() < 5.4 * standard_error, "{i}, {j}: {steps} and {exact}");
        }
    }
    // the same comparison sees the residual of the second step drawn a second time
    let kriged = in_steps.explained_by_first_two(2);
    assert!(kriged > 0.5 * in_steps.covariance(2, 2), "the second step must depend on the first");
}

fn center(functionals: &[LinearFunctional]) -> Array1<f64> {
    functionals.iter().map(|g| if matches!(g, LinearFunctional::Derivative { .. }) { 0.0 } else { 0.5 }).collect()
}

/// Second moments of vectors of mean zero.
struct Moments {
    products: Array2<f64>,
    count: f64,
}

impl Moments {
    fn new(dimension: usize) -> Self {
        Self { products: Array2::zeros((dimension, dimension)), count: 0.0 }
    }

    fn add(&mut self, x: &Array1<f64>) {
        for ((i, j), product) in self.products.indexed_iter_mut() {
            *product += x[i] * x[j];
        }
        self.count += 1.0;
    }

    fn covariance(&self, i: usize, j: usize) -> f64 {
        self.products[[i, j]] / self.count
    }

    /// How much of the variance of coordinate `k` the first two explain: the variance of its kriging mean.
    fn explained_by_first_two(&self, k: usize) -> f64 {
        let (a, b, c) = (self.covariance(0, 0), self.covariance(0, 1), self.covariance(1, 1));
        let (x, y) = (self.covariance(k, 0), self.covariance(k, 1));
        (c * x * x - 2.0 * b * x * y + a * y * y) / (a * c - b * b)
    }
}
