#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{Exponential, Gaussian, Grid, Kernel, Matern};
use dpfda_release::PenalizedMean;
use ndarray::{Array1, Array2, Axis};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;

use super::smoother::{Basis, honest};
use super::{Band, Target};
use crate::band::critical::{path_length, sidak, tube};
use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;
use crate::posterior::seen::between;
use crate::posterior::unmapped::Unmapped;
use crate::psd::square_root;
use crate::sampling::SamplingCovariance;
use dpfda_release::SecondMoments;

fn golden() -> Value {
    serde_json::from_str(include_str!("../../tests/golden/bands.json")).unwrap()
}

fn one_rung() -> Ladder {
    Ladder::new(vec![vec![Matern::new(1.5, 0.3).unwrap().into()]], vec![0.1], -1.0, 0.7).unwrap()
}

/// A posterior of coordinates on an even grid of `[0, 1]` about 1/2, with radius 1/4.
fn posterior_of(y: Array1<f64>, sigma: f64, records: f64, ladder: &Ladder) -> Posterior {
    let grid = Grid::uniform(0.0, 1.0, y.len()).unwrap();
    let center = Array1::from_elem(y.len(), 0.5);
    Posterior::new(Observation::isonormal(grid, center, 0.25, y, sigma, records).unwrap(), ladder).unwrap()
}

fn wave(points: usize, sigma: f64) -> Posterior {
    let grid = Grid::uniform(0.0, 1.0, points).unwrap();
    let y = grid.points().into_iter().zip(grid.weights()).map(|(t, w)| w.sqrt() * 0.1 * (6.0 * t).sin());
    posterior_of(y.collect(), sigma, 100.0, &one_rung())
}

fn smoother(penalty: f64) -> PenalizedMean {
    PenalizedMean::new(Matern::new(1.5, 0.2).unwrap().into(), penalty, 1.0).unwrap()
}

fn all() -> [Band; 7] {
    [
        Band::Population,
        Band::Posterior,
        Band::Smoothed(smoother(1e-3)),
        Band::Undersmoothed(smoother(1e-3)),
        Band::Unsmoothed,
        Band::Honest { roughness: 1.0 },
        Band::Noise,
    ]
}

#[test]
fn critical_values_of_smoothers_meet_the_golden_values() {
    let posterior = wave(93, 0.01);
    for (name, expected) in golden()["critical_values"].as_object().unwrap() {
        let mut parts = name.split('|');
        let family = parts.next().unwrap();
        let [range, penalty] = [(); 2].map(|()| parts.next().unwrap().split('=').nth(1).unwrap().parse().unwrap());
        let kernel: Kernel = match family {
            "C1" => Gaussian::new(range).unwrap().into(),
            "C3" => Matern::new(1.5, range).unwrap().into(),
            _ => Exponential::new(range).unwrap().into(),
        };
        let smoother = PenalizedMean::new(kernel.clone(), penalty, 1.0).unwrap();
        let linear = Basis::new(&kernel, &posterior).unwrap().smoother(&smoother);
        let length = path_length(linear.rows.view());
        let number = |field: &str| expected[field].as_f64().unwrap();
        assert_abs_diff_eq!(linear.rows.diag().sum(), number("df"), epsilon = 1e-8);
        assert_abs_diff_eq!(length, number("kappa0"), epsilon = 1e-7);
        assert_abs_diff_eq!(tube(length, 0.05), number("tube"), epsilon = 1e-9);
        let band = Band::Smoothed(smoother).around(&posterior, &SamplingCovariance::Body, 0.95).unwrap();
        assert_abs_diff_eq!(band.critical, number("crit"), epsilon = 1e-9);
    }
}

#[test]
fn the_unsmoothed_band_has_the_golden_width() {
    let golden = golden();
    for (budget, widths) in golden["unsmoothed_privacy_only_mean_halfwidth"].as_object().unwrap() {
        let mu = golden["mu"][budget].as_f64().unwrap();
        for (records, expected) in widths.as_object().unwrap() {
            let records: f64 = records.parse().unwrap();
            let sigma = 2.0 * 0.25 / (records * mu);
            let posterior = posterior_of(Array1::zeros(93), sigma, records, &one_rung());
            let band = Band::Unsmoothed.around(&posterior, &SamplingCovariance::TotalVariance(0.0), 0.95).unwrap();
            let half = posterior.grid().integrate((&band.upper - &band.lower).view()) / 2.0;
            assert_abs_diff_eq!(half, expected.as_f64().unwrap(), epsilon = 1e-9);
        }
    }
}

#[test]
fn the_bias_of_the_honest_band_meets_the_golden_values() {
    let posterior = wave(93, 0.01);
    let kernel = Kernel::from(Matern::new(1.5, 0.2).unwrap());
    let basis = Basis::new(&kernel, &posterior).unwrap();
    for (penalty, expected) in golden()["honest_band_C3_rho0.2"].as_object().unwrap() {
        let bias = basis.smoother(&smoother(penalty.parse().unwrap())).bias;
        let mean = posterior.grid().integrate(bias.view());
        let most = bias.iter().fold(0.0_f64, |m, b| m.max(*b));
        assert_abs_diff_eq!(mean, expected["mean_bias_halfwidth_per_unit_B"].as_f64().unwrap(), epsilon = 1e-9);
        assert_abs_diff_eq!(most, expected["max_bias_per_unit_B"].as_f64().unwrap(), epsilon = 1e-9);
        let places = &expected["bias_at_first_mid_grid_point_per_unit_B"];
        assert_abs_diff_eq!(bias[0], places[0].as_f64().unwrap(), epsilon = 1e-9);
        assert_abs_diff_eq!(bias[46], places[1].as_f64().unwrap(), epsilon = 1e-9);
    }
}

#[test]
fn the_penalty_of_the_honest_band_depends_on_no_noise_and_falls_with_the_bound() {
    let by_path = |linear: &super::smoother::Linear| tube(path_length(linear.rows.view()), 0.05);
    let bias = |posterior: &Posterior, roughness| {
        honest(roughness, (posterior, &Unmapped::of(posterior).unwrap().unwrap()), by_path).unwrap().0.bias.sum()
    };
    let (silent, loud) = (posterior_of(Array1::zeros(50), 0.01, 100.0, &one_rung()), wave(50, 0.01));
    assert_eq!(bias(&silent, 1.0), bias(&loud, 1.0));
    assert!(bias(&loud, 10.0) < bias(&loud, 1.0) && bias(&loud, 1.0) < bias(&loud, 0.1));
}

#[test]
fn every_band_says_what_it_is_and_lies_around_its_middle() {
    let posterior = wave(40, 0.01);
    for band in all() {
        let found = band.around(&posterior, &SamplingCovariance::Body, 0.9).unwrap();
        assert!(found.band == band && found.level == 0.9 && found.target == band.target());
        let inside = found.lower.iter().zip(&found.values).zip(&found.upper).all(|((l, m), u)| l < m && m < u);
        assert!(inside && found.critical > 1.6, "{}", band.name());
        assert!(band.promises().ends_with('.') && band.does_not_promise().ends_with('.'));
        let wider = band.around(&posterior, &SamplingCovariance::Body, 0.99).unwrap();
        assert!(wider.critical > found.critical, "{}", band.name());
    }
    assert_eq!(Band::default(), Band::Population);
}

#[test]
fn bands_read_back_from_their_files() {
    for band in all() {
        let json = serde_json::to_string(&band).unwrap();
        assert_eq!(serde_json::from_str::<Band>(&json).unwrap(), band);
    }
    assert_eq!(serde_json::to_string(&Band::Population).unwrap(), "\"population\"");
    assert_eq!(serde_json::to_string(&Target::SmoothedPopulationMean).unwrap(), "\"smoothed-population-mean\"");
    assert!(serde_json::from_str::<Band>("\"widest\"").is_err());
}

#[test]
fn levels_and_bounds_outside_their_range_are_refused() {
    let posterior = wave(20, 0.01);
    for level in [0.5, 0.9999, 0.0, 1.0, -1.0, f64::NAN] {
        for band in all() {
            let refused = band.around(&posterior, &SamplingCovariance::Body, level);
            assert!(matches!(refused, Err(AnalysisError::Level { .. })), "{level}");
        }
    }
    for roughness in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = Band::Honest { roughness }.around(&posterior, &SamplingCovariance::Body, 0.95);
        assert!(matches!(refused, Err(AnalysisError::Number { .. })));
    }
    for total in [-1.0, f64::NAN] {
        let refused = Band::Population.around(&posterior, &SamplingCovariance::TotalVariance(total), 0.95);
        assert!(matches!(refused, Err(AnalysisError::Number { .. })));
    }
}

#[test]
fn a_band_that_needs_what_the_release_does_not_hold_is_refused_by_name() {
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    let center = Array1::zeros(20);
    let seen = (Array1::zeros(3), Array2::from_elem((20, 3), 0.1));
    let mapped = Observation::through(grid, center, 1.0, seen, 0.1, 100.0).unwrap();
    let mapped = Posterior::new(mapped, &one_rung()).unwrap();
    let single = posterior_of(Array1::zeros(20), 0.01, 1.0, &one_rung());
    for band in all() {
        let needs_white = !matches!(band, Band::Population | Band::Posterior | Band::Noise);
        let found = band.around(&mapped, &SamplingCovariance::Body, 0.95);
        assert_eq!(found.is_err(), needs_white, "{}", band.name());
        if let Err(error) = found {
            assert_eq!(error, AnalysisError::NeedsIsonormal { band: band.name() });
        }
        let needs_people = !matches!(band, Band::Posterior | Band::Noise);
        let found = band.around(&single, &SamplingCovariance::Body, 0.95);
        assert_eq!(found.is_err(), needs_people, "{}", band.name());
    }
}

#[test]
fn sampling_widens_the_population_band_and_only_that() {
    let posterior = wave(40, 0.01);
    let width = |band: Band, total| {
        let found = band.around(&posterior, &SamplingCovariance::TotalVariance(total), 0.95).unwrap();
        (&found.upper - &found.lower).sum()
    };
    for band in all() {
        let is_wider = width(band.clone(), 0.02) > width(band.clone(), 0.0) + 1e-6;
        assert_eq!(is_wider, !matches!(band, Band::Posterior | Band::Noise), "{}", band.name());
    }
    let body = Band::Population.around(&posterior, &SamplingCovariance::Body, 0.95).unwrap();
    assert_abs_diff_eq!((&body.upper - &body.lower).sum(), width(Band::Population, 0.0625), epsilon = 1e-9);
}

#[test]
fn a_large_grid_has_bands_too() {
    let (large, small) = (wave(1201, 0.01), wave(241, 0.01));
    for band in all() {
        let found = band.around(&large, &SamplingCovariance::Body, 0.95).unwrap();
        let reference = band.around(&small, &SamplingCovariance::Body, 0.95).unwrap();
        assert_eq!(found.lower.len(), 1201);
        if band == Band::Unsmoothed {
            // point by point on the grid that it is solved on, which is not the same grid
            continue;
        }
        let thinned = found.upper.select(Axis(0), &(0..241).map(|i| 5 * i).collect::<Vec<_>>());
        let width = (&reference.upper - &reference.lower).mean().unwrap();
        assert_abs_diff_eq!(thinned, reference.upper, epsilon = 0.03 * width);
    }
}

/// Shares of `count` simulated releases whose band holds the mean that was drawn from the prior.
fn coverage(band: &Band, sigma: f64, count: usize) -> f64 {
    let ladder = one_rung();
    let grid = Grid::uniform(0.0, 1.0, 25).unwrap();
    let roots = grid.weights().mapv(f64::sqrt);
    let prior = square_root(&between(ladder.rungs().next().unwrap(), &grid.points().to_owned())).unwrap();
    let mut generator = ChaCha20Rng::seed_from_u64(11);
    let mut normals = |n| Array1::from_shape_simple_fn(n, || StandardNormal.sample(&mut generator));
    let held = (0..count).filter(|_| {
        let mean = prior.dot(&normals(25)) * (0.1_f64.sqrt() * 0.25);
        let y = &mean * &roots + normals(25) * sigma;
        let posterior = posterior_of(y, sigma, 100.0, &ladder);
        let found = band.around(&posterior, &SamplingCovariance::TotalVariance(0.0), 0.9).unwrap();
        let inside = |((m, l), u): ((&f64, &f64), &f64)| (*l..=*u).contains(&(m + 0.5));
        mean.iter().zip(&found.lower).zip(&found.upper).all(inside)
    });
    held.count() as f64 / count as f64
}

#[test]
fn bands_hold_means_from_the_prior_as_often_as_they_say() {
    // 90% bands, 200 releases each: standard error 0.021, so five of them below 0.9
    for sigma in [0.003, 0.03] {
        assert!(coverage(&Band::Posterior, sigma, 200) > 0.795, "{sigma}");
        assert!(coverage(&Band::Unsmoothed, sigma, 200) > 0.795, "{sigma}");
    }
    // the planted fault: the privacy noise alone does not hold the mean
    assert!(coverage(&Band::Noise, 0.03, 200) < 0.7);
}

#[test]
fn second_moments_are_decoded_without_bias() {
    // no noise: y is the mean, the moments are those of records y + e_1 d and y - e_1 d
    let observation = wave(30, 1e-9).observation().clone();
    let y = &observation.coordinates;
    let mut basis = Array2::zeros((30, 2));
    (basis[[0, 0]], basis[[1, 1]]) = (1.0, 1.0);
    let mut matrix = Array2::from_shape_fn((2, 2), |(i, j)| y[i] * y[j]);
    matrix[[0, 0]] += 0.01;
    let moments = SecondMoments {
        to_basis: None,
        beyond: 1.0,
        basis,
        matrix,
        total: y.dot(y) + 0.01,
        matrix_sd_diagonal: 0.0,
        matrix_sd_off_diagonal: 0.0,
        total_sd: 1e-6,
    };
    let decoded = observation.decode(&moments).unwrap();
    let expected = 0.01 * 100.0 / 99.0;
    assert_abs_diff_eq!(decoded.covariance[[0, 0]], expected, epsilon = 1e-12);
    assert_abs_diff_eq!(decoded.positive[[0, 0]], expected, epsilon = 1e-12);
    assert_abs_diff_eq!(decoded.covariance[[0, 1]], 0.0, epsilon = 1e-12);
    assert_abs_diff_eq!(decoded.total, expected, epsilon = 1e-12);
    assert!((decoded.total_upper - decoded.total - 1.645e-6).abs() < 1e-8);

    let mut wrong = moments.clone();
    wrong.total = f64::NAN;
    assert!(observation.decode(&wrong).is_err());
    wrong = moments.clone();
    wrong.basis = Array2::zeros((29, 2));
    assert!(observation.decode(&wrong).is_err());
    let noisy_count = observation.with_relative_count_sd(0.3).unwrap();
    assert!(matches!(noisy_count.decode(&moments), Err(AnalysisError::TooFewRecords { .. })));
}

#[test]
fn moments_put_the_sampling_variance_where_it_is() {
    let posterior = wave(30, 0.001);
    let mut basis = Array2::zeros((30, 2));
    (basis[[3, 0]], basis[[20, 1]]) = (1.0, 1.0);
    let covariance = Array2::from_diag(&Array1::from(vec![0.02, -0.01]));
    let positive = Array2::from_diag(&Array1::from(vec![0.02, 0.0]));
    let decoded = crate::DecodedMoments { basis, covariance, positive, total: 0.03, total_upper: 0.04 };
    let sigma = SamplingCovariance::Moments(decoded.clone()).of_mean(&posterior).unwrap() * 100.0;
    let weights = posterior.grid().weights();
    assert_abs_diff_eq!(sigma[[3, 3]] * weights[3], 0.02, epsilon = 1e-12);
    assert_abs_diff_eq!(sigma[[20, 20]], 0.0, epsilon = 1e-12);
    assert_abs_diff_eq!(sigma.diag().dot(&weights), 0.03, epsilon = 1e-12);
    // forms keep the negative entry, above the pooled floor
    let forms = SamplingCovariance::Moments(decoded).quadratic(&Array2::eye(30), &posterior).unwrap();
    assert_abs_diff_eq!(forms[3], 0.02, epsilon = 1e-12);
    assert!(forms[20] > 0.0 && forms.iter().all(|f| *f >= forms[20]));
}

#[test]
fn on_a_short_grid_moments_shape_the_band_everywhere_and_not_at_the_first_points_alone() {
    let posterior = wave(30, 0.001);
    // all 30 coordinates, in the order of the points: noise in every direction, and a variance of 0.001 in each
    let noise = |i: usize, j: usize| 0.002 * ((i * 31 + j * 17 + i * j) as f64).sin();
    let covariance =
        Array2::from_shape_fn((30, 30), |(i, j)| noise(i.min(j), i.max(j)) + if i == j { 0.001 } else { 0.0 });
    let positive = covariance.clone();
    let decoded =
        crate::DecodedMoments { basis: Array2::eye(30), covariance, positive, total: 0.03, total_upper: 0.04 };
    let sigma = SamplingCovariance::Moments(decoded).of_mean(&posterior).unwrap();
    let neighbours = |i: usize| sigma[[i, i + 1]] / (sigma[[i, i]] * sigma[[i + 1, i + 1]]).sqrt();
    assert!((0..29).all(|i| neighbours(i) > 0.3), "curves of people do not jump from point to point");
}

#[test]
fn the_value_of_all_smoothers_is_the_measured_one() {
    let posterior = wave(93, 0.01);
    let band = Band::Undersmoothed(smoother(1e-3)).around(&posterior, &SamplingCovariance::Body, 0.95).unwrap();
    assert!((band.critical - 3.8333).abs() < 5e-4 && band.critical > sidak(93, 0.05));
}
