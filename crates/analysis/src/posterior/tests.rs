#![allow(clippy::unwrap_used, reason = "tests")]

use approx::{assert_abs_diff_eq, assert_relative_eq};
use dpfda_kernels::{DEFAULT_TOLERANCE, Gaussian, Grid, Kernel, Matern, Spectrum};
use ndarray::{Array1, Array2};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

use super::Posterior;
use crate::error::AnalysisError;
use crate::posterior::ladder::{Ladder, LadderEnd};
use crate::posterior::observed::Observation;

fn smooth_ladder() -> Ladder {
    let rungs = [0.02, 0.1, 0.5].map(|range| Kernel::from(Gaussian::new(range).unwrap()));
    let rough = [0.2, 0.5].map(|range| Kernel::from(Matern::new(1.5, range).unwrap()));
    Ladder::new(vec![rungs.to_vec(), rough.to_vec()], vec![0.01, 0.1, 1.0], -1.0, 0.7).unwrap()
}

fn one_rung(kernel: impl Into<Kernel>, amplitude: f64) -> Ladder {
    Ladder::new(vec![vec![kernel.into()]], vec![amplitude], -1.0, 0.7).unwrap()
}

/// A noisy wave on this grid, `amplitude` high.
fn wave(grid: &Grid, amplitude: f64, sigma: f64) -> Observation {
    let unit = grid.to_unit().unwrap();
    let mut generator = ChaCha20Rng::seed_from_u64(5);
    let y = unit.points().into_iter().zip(unit.weights()).map(|(&t, w)| {
        let noise: f64 = StandardNormal.sample(&mut generator);
        w.sqrt() * amplitude * (6.0 * t + t * t).sin() + sigma * noise
    });
    let center = grid.points().mapv(|t| 0.5 + 0.1 * t);
    Observation::isonormal(grid.clone(), center, 0.25, y.collect(), sigma, 100.0).unwrap()
}

fn uneven() -> Grid {
    Grid::new((0..40).map(|i| 2.0 + 5.0 * (f64::from(i) / 39.0).powf(1.3)).collect()).unwrap()
}

#[test]
fn a_release_seen_through_the_identity_is_the_release_itself() {
    let observation = wave(&uneven(), 0.2, 0.01);
    let direct = Posterior::new(observation.clone(), &smooth_ladder()).unwrap();
    let identity = (observation.coordinates.clone(), Array2::eye(40));
    let mapped = Observation::through(uneven(), observation.center.clone(), 0.25, identity, 0.01, 100.0).unwrap();
    let mapped = Posterior::new(mapped, &smooth_ladder()).unwrap();
    assert_abs_diff_eq!(mapped.log_evidence(), direct.log_evidence(), epsilon = 1e-7);
    assert_abs_diff_eq!(mapped.values(), direct.values(), epsilon = 1e-10);
    assert_abs_diff_eq!(mapped.sd(), direct.sd(), epsilon = 1e-9);
    assert_abs_diff_eq!(mapped.noise_sd(), direct.noise_sd(), epsilon = 1e-10);
    assert_abs_diff_eq!(mapped.covariance(), direct.covariance(), epsilon = 1e-10);
}

#[test]
fn more_coordinates_than_points_are_reduced_without_loss() {
    // every coordinate twice, each with noise sqrt(2) as large, is the same observation
    let observation = wave(&uneven(), 0.2, 0.01);
    let direct = Posterior::new(observation.clone(), &smooth_ladder()).unwrap();
    let twice = Array2::from_shape_fn((40, 80), |(i, j)| f64::from(u8::from(j % 40 == i)));
    let coordinates = Array1::from_shape_fn(80, |j| observation.coordinates[j % 40]);
    let sigma = 0.01 * 2.0_f64.sqrt();
    let center = observation.center.clone();
    let doubled = Observation::through(uneven(), center, 0.25, (coordinates, twice), sigma, 100.0).unwrap();
    let doubled = Posterior::new(doubled, &smooth_ladder()).unwrap();
    assert_abs_diff_eq!(doubled.values(), direct.values(), epsilon = 1e-9);
    assert_abs_diff_eq!(doubled.sd(), direct.sd(), epsilon = 1e-9);
}

#[test]
fn evaluation_at_the_grid_is_the_grid_values() {
    let posterior = Posterior::new(wave(&uneven(), 0.2, 0.01), &Ladder::default()).unwrap();
    let points = uneven().points().to_vec();
    assert_abs_diff_eq!(posterior.evaluate(&points).unwrap(), posterior.values(), epsilon = 1e-10);
    assert_abs_diff_eq!(posterior.sd_at(&points).unwrap(), posterior.sd(), epsilon = 1e-9);
    assert_abs_diff_eq!(posterior.covariance_at(&points).unwrap(), posterior.covariance(), epsilon = 1e-9);
    assert_abs_diff_eq!(posterior.covariance().diag().mapv(f64::sqrt), posterior.sd(), epsilon = 1e-12);
    for outside in [1.99, 7.01, f64::NAN] {
        assert!(matches!(posterior.evaluate(&[outside]), Err(AnalysisError::OutsideDomain { .. })));
        assert!(posterior.sd_at(&[outside]).is_err() && posterior.covariance_at(&[outside]).is_err());
    }
}

#[test]
fn between_grid_points_the_posterior_is_that_of_a_grid_with_more_points() {
    // the same coordinates as a map of a finer grid whose other points were not seen
    let coarse = Grid::uniform(0.0, 1.0, 21).unwrap();
    let observation = wave(&coarse, 0.2, 0.01);
    let direct = Posterior::new(observation.clone(), &Ladder::default()).unwrap();
    let fine = Grid::uniform(0.0, 1.0, 41).unwrap();
    let map = Array2::from_shape_fn((41, 21), |(i, j)| {
        if i == 2 * j { (coarse.weights()[j] / fine.weights()[i]).sqrt() } else { 0.0 }
    });
    let center = fine.points().mapv(|t| 0.5 + 0.1 * t);
    let finer = Observation::through(fine.clone(), center, 0.25, (observation.coordinates, map), 0.01, 100.0).unwrap();
    let finer = Posterior::new(finer, &Ladder::default()).unwrap();
    let points = fine.points().to_vec();
    assert_abs_diff_eq!(direct.evaluate(&points).unwrap(), finer.values(), epsilon = 1e-9);
    assert_abs_diff_eq!(direct.sd_at(&points).unwrap(), finer.sd(), epsilon = 1e-9);
}

#[test]
fn integrals_are_sums_of_values_with_the_sd_that_the_covariance_says() {
    let posterior = Posterior::new(wave(&uneven(), 0.2, 0.01), &Ladder::default()).unwrap();
    let grid = uneven();
    let expected = |weights: &Array1<f64>| {
        (weights.dot(&posterior.values()), weights.dot(&posterior.covariance().dot(weights)).sqrt())
    };
    let (value, sd) = expected(&grid.weights().to_owned());
    let integral = posterior.integral();
    assert_relative_eq!(integral.value, value, max_relative = 1e-12);
    assert_relative_eq!(integral.sd, sd, max_relative = 1e-9);
    let weight: Vec<f64> = grid.points().iter().map(|t| t - 4.0).collect();
    let (value, sd) = expected(&(&grid.weights() * &Array1::from(weight.clone())));
    let answer = posterior.integral_with(&weight).unwrap();
    assert_relative_eq!(answer.value, value, max_relative = 1e-12);
    assert_relative_eq!(answer.sd, sd, max_relative = 1e-9);
    assert!(posterior.integral_with(&[1.0]).is_err());
    assert!(posterior.integral_with(&[f64::NAN; 40]).is_err());
}

#[test]
fn the_noise_that_goes_through_is_that_of_the_linear_map() {
    let grid = Grid::uniform(0.0, 1.0, 31).unwrap();
    let (kernel, amplitude, sigma) = (Kernel::from(Matern::new(1.5, 0.3).unwrap()), 0.1, 0.01);
    let posterior = Posterior::new(wave(&grid, 0.2, sigma), &one_rung(kernel.clone(), amplitude)).unwrap();
    let spectrum = Spectrum::new(kernel, grid, DEFAULT_TOLERANCE).unwrap();
    let a = amplitude * 0.25 * 0.25;
    let shrinkage = spectrum.eigenvalues().mapv(|lambda| a * lambda / (a * lambda + sigma * sigma));
    let squares = spectrum.eigenfunctions().mapv(|v| v * v);
    let noise = squares.dot(&shrinkage.mapv(|s| (sigma * s).powi(2))).mapv(f64::sqrt);
    assert_abs_diff_eq!(posterior.noise_sd(), noise, epsilon = 1e-10);
    let sd = squares.dot(&(shrinkage * sigma * sigma)).mapv(f64::sqrt);
    assert_abs_diff_eq!(posterior.sd(), sd, epsilon = 1e-10);
}

#[test]
fn draws_have_the_mean_and_the_covariance_of_the_posterior() {
    let posterior = Posterior::new(wave(&uneven(), 0.1, 0.05), &Ladder::default()).unwrap();
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let count = 20_000;
    let between = [2.1, 3.33, 5.0, 6.9];
    let on_grid = posterior.draws(count, &mut generator).unwrap();
    let anywhere = posterior.draws_at(&between, count, &mut generator).unwrap();
    let expected = [
        (posterior.values().to_owned(), posterior.covariance()),
        (posterior.evaluate(&between).unwrap(), posterior.covariance_at(&between).unwrap()),
    ];
    for (draws, (mean, covariance)) in [on_grid, anywhere].iter().zip(expected) {
        let found = draws.mean_axis(ndarray::Axis(0)).unwrap();
        let centred = draws - &found;
        let spread = centred.t().dot(&centred) / count as f64;
        let largest = covariance.diag().iter().fold(0.0_f64, |m, v| m.max(*v));
        // 7 standard errors: one false alarm in 10^6 looks for each of about 900 numbers, mixtures' tails allowed for
        let error = largest / (count as f64).sqrt();
        assert_abs_diff_eq!(found, mean, epsilon = 7.0 * (largest / count as f64).sqrt());
        assert_abs_diff_eq!(spread, covariance, epsilon = 7.0 * 2.0 * error);
    }
}

#[test]
fn a_noisy_number_of_records_widens_every_sd_by_its_share_of_the_deviation() {
    let exact = wave(&uneven(), 0.2, 0.01);
    let noisy = exact.clone().with_relative_count_sd(0.1).unwrap();
    let [exact, noisy] = [exact, noisy].map(|o| Posterior::new(o, &smooth_ladder()).unwrap());
    let deviation = &exact.values() - &exact.observation().center;
    let widened = |sd: f64, d: f64| sd.hypot(0.1 * d);
    for (i, &d) in deviation.iter().enumerate() {
        assert_abs_diff_eq!(noisy.sd()[i], widened(exact.sd()[i], d), epsilon = 1e-12);
        assert_abs_diff_eq!(noisy.noise_sd()[i], widened(exact.noise_sd()[i], d), epsilon = 1e-12);
        assert_abs_diff_eq!(noisy.covariance()[[i, i]].sqrt(), noisy.sd()[i], epsilon = 1e-12);
    }
    let mut generator = ChaCha20Rng::seed_from_u64(2);
    let draws = noisy.draws(20_000, &mut generator).unwrap();
    let spread = draws.std_axis(ndarray::Axis(0), 0.0);
    assert!(spread.iter().zip(noisy.sd()).all(|(found, sd)| (found / sd - 1.0).abs() < 0.04));
}

#[test]
fn the_posterior_says_when_mean_and_centre_cannot_be_told_apart() {
    let clear = Posterior::new(wave(&uneven(), 0.2, 0.01), &Ladder::default()).unwrap();
    assert!(clear.tells_mean_and_centre_apart() && clear.error_relative_to_the_centre() < 0.3);
    let nothing = Posterior::new(wave(&uneven(), 0.0, 0.2), &Ladder::default()).unwrap();
    assert!(!nothing.tells_mean_and_centre_apart() && nothing.error_relative_to_the_centre() > 0.7);
    assert!(clear.log_evidence_against_the_centre() > nothing.log_evidence_against_the_centre());
}

#[test]
fn the_evidence_against_the_centre_is_the_ratio_of_two_densities() {
    // a prior of one pair: the ratio of N(y; 0, a K + sigma^2) and N(y; 0, sigma^2)
    let posterior = Posterior::new(wave(&uneven(), 0.2, 0.05), &one_rung(Gaussian::new(0.1).unwrap(), 0.1)).unwrap();
    let y = &posterior.observation().coordinates;
    let noise = 0.05_f64 * 0.05;
    let centre_alone = -0.5 * (40.0 * (std::f64::consts::TAU * noise).ln() + y.dot(y) / noise);
    let expected = posterior.log_evidence()[[0, 0]] - centre_alone;
    assert_relative_eq!(posterior.log_evidence_against_the_centre(), expected, max_relative = 1e-9);
}

#[test]
fn the_end_of_the_ladder_is_seen() {
    let at = |ranges: [f64; 2], amplitudes: Vec<f64>| {
        let family = ranges.map(|range| Kernel::from(Gaussian::new(range).unwrap())).to_vec();
        let ladder = Ladder::new(vec![family], amplitudes, -1.0, 5.0).unwrap();
        Posterior::new(wave(&uneven(), 0.2, 0.01), &ladder).unwrap().at_the_end_of_the_ladder()
    };
    assert_eq!(at([5.0, 50.0], vec![0.1]), [LadderEnd::Shortest]);
    assert_eq!(at([1e-4, 0.1], vec![0.1]), [LadderEnd::Longest]);
    assert_eq!(at([5.0, 50.0], vec![1e-4, 1e-3]), [LadderEnd::Shortest, LadderEnd::Largest]);
    assert_eq!(at([1e-4, 0.1], vec![1e3, 1e4]), [LadderEnd::Longest, LadderEnd::Smallest]);
}

#[test]
fn units_of_the_data_pass_through_unchanged() {
    let small = Posterior::new(wave(&uneven(), 0.2, 0.01), &Ladder::default()).unwrap();
    for scale in [1e-90, 1e-6, 1e6, 1e90] {
        let of = wave(&uneven(), 0.2, 0.01);
        let (center, y) = (&of.center * scale, &of.coordinates * scale);
        let scaled = Observation::isonormal(uneven(), center, 0.25 * scale, y, 0.01 * scale, 100.0).unwrap();
        let scaled = Posterior::new(scaled, &Ladder::default()).unwrap();
        for (a, b) in
            [(scaled.values(), small.values()), (scaled.sd(), small.sd()), (scaled.noise_sd(), small.noise_sd())]
        {
            assert_abs_diff_eq!(&a / scale, b, epsilon = 1e-9);
        }
        assert_abs_diff_eq!(scaled.weights(), small.weights(), epsilon = 1e-8);
    }
}

#[test]
fn no_ratio_of_noise_to_radius_breaks_the_posterior() {
    for sigma in [1e-12, 1e-6, 1.0, 1e6, 1e20] {
        let posterior = Posterior::new(wave(&uneven(), 0.2, sigma), &Ladder::default()).unwrap();
        let numbers = posterior.values().iter().chain(&posterior.sd()).all(|x| x.is_finite());
        assert!(numbers && (posterior.weights().sum() - 1.0).abs() < 1e-9, "{sigma}");
    }
}

#[test]
fn observations_that_make_no_sense_are_refused() {
    let grid = || Grid::uniform(0.0, 1.0, 5).unwrap();
    let ones = || Array1::<f64>::ones(5);
    let isonormal =
        |center, radius, y, sigma, records| Observation::isonormal(grid(), center, radius, y, sigma, records);
    assert!(isonormal(ones(), 1.0, ones(), 0.1, 10.0).is_ok());
    let refused = [
        isonormal(Array1::ones(4), 1.0, ones(), 0.1, 10.0),
        isonormal(ones(), 1.0, Array1::ones(6), 0.1, 10.0),
        isonormal(ones(), 0.0, ones(), 0.1, 10.0),
        isonormal(ones(), f64::NAN, ones(), 0.1, 10.0),
        isonormal(ones(), 1.0, ones(), 0.0, 10.0),
        isonormal(ones(), 1.0, ones(), f64::INFINITY, 10.0),
        isonormal(ones(), 1.0, ones(), 1e-40, 10.0),
        isonormal(ones(), 1.0, ones(), 0.1, 0.0),
        isonormal(ones(), 1.0, ones(), 0.1, f64::NAN),
        isonormal(ones() * f64::NAN, 1.0, ones(), 0.1, 10.0),
        isonormal(ones(), 1.0, ones() * f64::INFINITY, 0.1, 10.0),
        Observation::through(grid(), ones(), 1.0, (ones(), Array2::ones((5, 4))), 0.1, 10.0),
        Observation::through(grid(), ones(), 1.0, (ones(), Array2::ones((4, 5))), 0.1, 10.0),
        Observation::through(grid(), ones(), 1.0, (ones(), Array2::from_elem((5, 5), f64::NAN)), 0.1, 10.0),
        isonormal(ones(), 1.0, ones(), 0.1, 10.0).unwrap().with_relative_count_sd(-0.1),
    ];
    for (index, result) in refused.iter().enumerate() {
        assert!(result.is_err(), "{index}");
    }
}

#[test]
fn a_large_grid_in_bins_has_nearly_the_posterior_of_all_its_points() {
    let largest = |values: Array1<f64>| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for sigma in [0.02, 0.0006] {
        let of = wave(&Grid::uniform(0.0, 1.0, 520).unwrap(), 0.1, sigma);
        let binned = Posterior::new(of.clone(), &Ladder::default()).unwrap();
        let dense = Posterior::at_most(of.clone(), &Ladder::default(), 520).unwrap();
        assert!(largest((&binned.values() - &dense.values()) / dense.sd()) < 0.05, "{sigma}");
        assert!(largest(&binned.sd() / &dense.sd() - 1.0) < 0.01, "{sigma}");
        assert!(largest(&binned.noise_sd() / &dense.noise_sd() - 1.0) < 0.01, "{sigma}");
        let exact = binned.evaluate(of.grid.points().as_slice().unwrap()).unwrap();
        assert!(largest((&binned.values() - &exact) / binned.sd()) < 0.02, "{sigma}");
        let (a, b) = (binned.integral(), dense.integral());
        assert!((a.value - b.value).abs() < 0.01 * b.sd && (a.sd / b.sd - 1.0).abs() < 1e-3, "{sigma}");
    }
}
