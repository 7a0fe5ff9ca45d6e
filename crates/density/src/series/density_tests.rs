#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::{PI, SQRT_2};

use dpfda_privacy::{BasisError, SeededRandomness};

use super::SeriesDensity;
use crate::bounds::Bounds;
use crate::piecewise::DensityError;

fn density(axes: &[(f64, f64)], coefficients: &[f64]) -> SeriesDensity {
    SeriesDensity::new(Bounds::new(axes.to_vec()).unwrap(), coefficients.to_vec()).unwrap()
}

/// Coefficients with several changes of sign.
const WILD: [f64; 7] = [0.9, -1.1, 0.4, 0.8, -0.6, 0.3, 0.5];

/// A midpoint sum of the density over `[lower, upper]`.
fn integral(density: &SeriesDensity, lower: f64, upper: f64) -> f64 {
    const POINTS: u32 = 200_000;
    let step = (upper - lower) / f64::from(POINTS);
    (0..POINTS).map(|i| density.at(&[lower + (f64::from(i) + 0.5) * step]) * step).sum()
}

#[test]
fn without_coefficients_it_is_the_uniform_density() {
    for axes in [&[(-1.0, 3.0)][..], &[(-1.0, 3.0), (0.0, 2.0)], &[(-1.0, 3.0), (0.0, 2.0), (5.0, 6.0)]] {
        let uniform = density(axes, &[]);
        let volume = uniform.bounds().volume();
        let inside: Vec<f64> = axes.iter().map(|(lower, upper)| 0.25 * lower + 0.75 * upper).collect();
        assert!((uniform.at(&inside) - 1.0 / volume).abs() < 1e-12);
        let expected = 0.75_f64.powi(i32::try_from(axes.len()).unwrap());
        assert!((uniform.cumulative(&inside) - expected).abs() < 1e-12);
    }
}

#[test]
fn a_series_without_negative_parts_is_left_as_it_is() {
    let density = density(&[(2.0, 4.0)], &[0.3, -0.2]);
    assert!((density.integral() - 1.0).abs() < 1e-12);
    for u in [0.0, 0.2, 0.77, 1.0] {
        let series = 1.0 + SQRT_2 * (0.3 * (PI * u).cos() - 0.2 * (2.0 * PI * u).cos());
        assert!((density.at(&[2.0 + 2.0 * u]) - series / 2.0).abs() < 1e-12);
    }
}

#[test]
fn negative_parts_are_cut_and_the_rest_integrates_to_one() {
    let density = density(&[(-1.0, 1.0)], &WILD);
    assert!(density.integral() > 1.1, "there is something to cut");
    assert!((integral(&density, -1.0, 1.0) - 1.0).abs() < 1e-7);
    assert!((0..1000).any(|i| density.at(&[f64::from(i) / 500.0 - 1.0]) == 0.0));
    for x in [-0.9, -0.31, 0.0, 0.2, 0.57, 1.0] {
        assert!((density.cumulative(&[x]) - integral(&density, -1.0, x)).abs() < 1e-7, "{x}");
    }
    assert_eq!((density.cumulative(&[-5.0]), density.at(&[-5.0])), (0.0, 0.0));
    assert!((density.cumulative(&[5.0]) - 1.0).abs() < 1e-12);
}

#[test]
fn quantiles_invert_the_distribution_function() {
    let density = density(&[(-1.0, 1.0)], &WILD);
    let mut previous = -1.0;
    for i in 0..=200 {
        let p = f64::from(i) / 200.0;
        let x = density.quantile(p).unwrap();
        assert!(x >= previous && (density.cumulative(&[x]) - p).abs() < 1e-12, "{p}");
        previous = x;
    }
    assert_eq!(density.quantile(0.0), Ok(-1.0));
    assert_eq!(density.quantile(1.5), Err(DensityError::Quantile { value: 1.5 }));
    assert!(density.quantile(f64::NAN).is_err());
}

#[test]
fn cells_have_the_integrals_of_the_density() {
    let density = density(&[(-1.0, 1.0)], &WILD);
    let cells = density.piecewise(50).unwrap();
    for (index, q) in cells.probabilities().iter().enumerate() {
        let from = -1.0 + index as f64 / 25.0;
        assert!((q - integral(&density, from, from + 0.04)).abs() < 1e-7);
    }
    assert!(matches!(density.piecewise(0), Err(DensityError::Cells(_))));
}

#[test]
fn draws_have_the_distribution_function() {
    const DRAWS: usize = 100_000;
    let mut randomness = SeededRandomness::from_seed(4);
    let line = density(&[(-1.0, 1.0)], &WILD);
    let mut draws: Vec<f64> = line.draw(DRAWS, &mut randomness).iter().copied().collect();
    draws.sort_by(f64::total_cmp);
    let gap = |(i, x): (usize, &f64)| (line.cumulative(&[*x]) - i as f64 / DRAWS as f64).abs();
    let distance = draws.iter().enumerate().map(gap).fold(0.0, f64::max);
    // Massart: 2 exp(-2 n d^2) = 1e-6
    assert!(distance < (0.5 * (2e6_f64).ln() / DRAWS as f64).sqrt() + 1e-5, "{distance}");
    let square = density(&[(0.0, 1.0), (0.0, 2.0)], &[0.8, -0.9, 0.3, 0.7]);
    let draws = square.draw(DRAWS, &mut randomness);
    for corner in [[0.3, 0.8], [0.9, 0.4], [0.5, 2.0]] {
        let below = draws.rows().into_iter().filter(|z| z[0] <= corner[0] && z[1] <= corner[1]).count() as f64;
        let p = square.cumulative(&corner);
        assert!((below / DRAWS as f64 - p).abs() < 4.9 * (0.25 / DRAWS as f64).sqrt(), "{corner:?}: {p}");
    }
}

#[test]
fn in_two_and_three_dimensions_it_integrates_to_one_and_its_cells_agree_with_it() {
    for axes in [&[(0.0, 2.0), (-1.0, 1.0)][..], &[(0.0, 2.0), (-1.0, 1.0), (3.0, 4.0)]] {
        let density = density(axes, &WILD);
        assert!(density.integral() > 1.1, "there is something to cut");
        let cells = density.piecewise(40).unwrap();
        let sum: f64 = (0..cells.cells().count())
            .map(|index| {
                let middle = |(a, b): (f64, f64)| f64::midpoint(a, b);
                let ends = cells.cells().lower_corner(index).into_iter().zip(cells.cells().upper_corner(index));
                let centre: Vec<f64> = ends.map(middle).collect();
                let (smooth, constant) = (density.at(&centre), cells.at(&centre));
                assert!((smooth - constant).abs() < 0.03, "{smooth} {constant}");
                smooth * cells.cells().cell_volume()
            })
            .sum();
        assert!((sum - 1.0).abs() < 2e-3, "{sum}");
        assert!(matches!(density.quantile(0.5), Err(DensityError::SeveralAxes { .. })));
    }
}

#[test]
fn bad_points_and_coefficients_fail_quietly_and_too_many_terms_are_refused() {
    let density = density(&[(0.0, 1.0)], &[f64::NAN, 0.2, f64::INFINITY]);
    assert_eq!(density.coefficients(), [0.0, 0.2, 0.0]);
    assert!(density.at(&[f64::NAN]).is_nan() && density.at(&[0.1, 0.2]).is_nan() && density.cumulative(&[]).is_nan());
    let refused = SeriesDensity::new(Bounds::new(vec![(0.0, 1.0)]).unwrap(), vec![0.0; 1025]);
    assert_eq!(refused, Err(BasisError::TooManyTerms { terms: 1025, most: 1024, dimension: 1 }));
}

#[test]
fn huge_coefficients_still_give_a_density() {
    let density = density(&[(0.0, 1.0)], &[1e12, -3e11, 2e12]);
    assert!((integral(&density, 0.0, 1.0) - 1.0).abs() < 1e-6);
    assert!((density.quantile(1.0).unwrap() - 1.0).abs() < 1.0);
}
