#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;

use super::*;
use crate::published::{TABLE_1, TABLE_2};

fn of(entry: usize) -> PublishedPrivacy {
    PublishedPrivacy::of(&TABLE_2[entry], &Grid::uniform(0.0, 1.0, 93).unwrap()).unwrap()
}

#[test]
fn the_published_gaussian_kernel_release_was_not_1_and_a_tenth_private() {
    let gaussian = of(0);
    assert_abs_diff_eq!(gaussian.mu, 1.785, epsilon = 5e-4);
    assert_abs_diff_eq!(gaussian.delta, 0.43, epsilon = 5e-3);
    assert_abs_diff_eq!(gaussian.epsilon, 3.15, epsilon = 5e-3);
}

#[test]
fn nor_was_the_matern_release_but_the_exponential_one_was_for_a_known_radius_and_weights_1_over_n() {
    let (matern, exponential) = (of(1), of(2));
    assert_abs_diff_eq!(matern.epsilon, 1.88, epsilon = 5e-3);
    assert_abs_diff_eq!(exponential.epsilon, 0.89, epsilon = 5e-3);
    assert!(matern.delta > 0.1 && exponential.delta < 0.1);
    // in the norm in which the package reads the radius off, not quite
    let trapezoid = GaussianPrivacy::new(exponential.mu_trapezoid).unwrap();
    assert!(trapezoid.delta(1.0) > 0.1);
}

/// The noise is a Gaussian vector of covariance `sigma^2 K / n`: `mu` is the norm of a difference whitened by it.
#[test]
fn the_stated_mu_is_attained_by_two_curves_in_the_ball() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    for entry in TABLE_2 {
        let found = PublishedPrivacy::of(&entry, &grid).unwrap();
        let convention = PaperConvention::new(entry.kernel.with_range(entry.range).unwrap(), &grid).unwrap();
        let sigma = convention.sigma(entry.penalty, 1.0, 376, &published_budget().unwrap());
        let spectrum = convention.spectrum();
        let mu_of = |column: usize| {
            // two curves +-v_j of norm 1 in place of one another: the means differ by 2 v_j / N
            let difference = spectrum.eigenfunctions().column(column).mapv(|v| 2.0 * v / 376.0);
            let moved = spectrum.coefficients(convention.fit(difference.view(), entry.penalty).unwrap().view());
            // in the unit vectors u = v / sqrt(n), whose noise has the variances sigma^2 lambda_j
            let whitened = moved * 93.0_f64.sqrt() / spectrum.eigenvalues().mapv(|l| l.sqrt() * sigma);
            whitened.dot(&whitened).sqrt()
        };
        let attained = (0..spectrum.rank()).map(mu_of).fold(0.0, f64::max);
        assert_abs_diff_eq!(attained, found.mu, epsilon = 1e-9);
        assert!(found.mu_trapezoid > found.mu && found.mu_trapezoid < 1.1 * found.mu);
    }
}

/// From the singular value decomposition of another program; some of the largest singular vectors are antisymmetric.
#[test]
fn in_the_trapezoid_norm_mu_is_that_of_an_independent_decomposition() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    let expected = [
        0.5545, 0.5979, 0.8519, 1.3071, 0.6779, 1.0184, 1.2362, 1.6889, 1.7532, 1.6346, 1.8142, 1.8553, 1.9033, 1.3883,
        0.9239,
    ];
    for (entry, expected) in TABLE_1.iter().chain(&TABLE_2).zip(expected) {
        let found = PublishedPrivacy::of(entry, &grid).unwrap().mu_trapezoid;
        assert_abs_diff_eq!(found, expected, epsilon = 1e-4);
    }
}
