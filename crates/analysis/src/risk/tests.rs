#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::{Gaussian, Grid, Kernel, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, NoiseLaw, PrivateMean, PrivateRows};
use dpfda_smoothing::{Ball, Center};
use ndarray::Array1;

use super::{BayesRisk, RiskError};
use crate::band::Band;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;
use crate::posterior::observed_rows::ObservedRows;
use crate::sampling::SamplingCovariance;

fn settings() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap())
}

fn law() -> NoiseLaw {
    settings().noise_law().unwrap()
}

fn grid(points: usize) -> Grid {
    Grid::uniform(2.0, 7.0, points).unwrap()
}

fn one_rung() -> Ladder {
    let kernel = Kernel::from(Matern::new(1.5, 0.2).unwrap());
    Ladder::new(vec![vec![kernel]], vec![0.1], -1.0, 0.7).unwrap()
}

/// The posterior of an observation of nothing but the centre, with the noise that the settings have.
fn posterior(law: &NoiseLaw, ladder: &Ladder, points: usize, records: f64) -> Posterior {
    let nothing = Array1::zeros(points);
    let sigma = law.whitened_sd(records);
    let observed = Observation::isonormal(grid(points), nothing.clone(), 0.25, nothing, sigma, records).unwrap();
    let counted = observed.with_relative_count_sd(law.relative_count_sd(records)).unwrap();
    Posterior::new(counted, ladder).unwrap()
}

fn root_mean_square(posterior: &Posterior, values: &Array1<f64>) -> f64 {
    posterior.grid().to_unit().unwrap().weights().dot(&values.mapv(|x| x * x)).sqrt()
}

#[test]
fn with_one_kernel_and_one_amplitude_error_and_noise_are_those_of_every_posterior() {
    for points in [40, 93] {
        let expected = BayesRisk::new(&grid(points), &one_rung()).unwrap().of(&law(), 142, 0.95).unwrap();
        let posterior = posterior(&law(), &one_rung(), points, 142.0);
        let sd = root_mean_square(&posterior, &posterior.sd().to_owned());
        assert_relative_eq!(expected.error, sd, max_relative = 1e-9);
        let noise = root_mean_square(&posterior, &posterior.noise_sd().to_owned());
        assert_relative_eq!(expected.estimate_sd, noise, max_relative = 1e-9);
        assert_relative_eq!(expected.center_error, 0.25 * 0.1_f64.sqrt(), max_relative = 1e-12);
    }
}

#[test]
fn with_one_kernel_and_one_amplitude_the_half_width_is_that_of_the_default_band() {
    let law = settings().buying(BallShares::NONE).noise_law().unwrap();
    let expected = BayesRisk::new(&grid(40), &one_rung()).unwrap().of(&law, 142, 0.9).unwrap();
    let posterior = posterior(&law, &one_rung(), 40, 142.0);
    let band = Band::Population.around(&posterior, &SamplingCovariance::Body, 0.9).unwrap();
    let half = root_mean_square(&posterior, &((&band.upper - &band.lower) / 2.0));
    assert_relative_eq!(expected.half_width, half, max_relative = 1e-9);
}

#[test]
fn a_large_grid_in_bins_has_nearly_the_error_of_all_its_points() {
    let at = |points| BayesRisk::new(&grid(points), &Ladder::default()).unwrap().of(&law(), 500, 0.95).unwrap();
    let (binned, dense) = (at(400), at(256));
    assert_relative_eq!(binned.error, dense.error, max_relative = 0.01);
    assert_relative_eq!(binned.half_width, dense.half_width, max_relative = 0.01);
    assert_relative_eq!(binned.unsmoothed_sd, dense.unsmoothed_sd * (400.0_f64 / 256.0).sqrt(), max_relative = 1e-9);
}

#[test]
fn more_people_a_larger_budget_and_a_smaller_ball_mean_a_smaller_error() {
    let risk = BayesRisk::new(&grid(40), &Ladder::default()).unwrap();
    let of = |radius: f64, epsilon: f64, records| {
        let ball = Ball::new(Center::Constant(0.0), radius).unwrap();
        let settings = PrivateMean::isonormal(ball, PrivacyBudget::new(epsilon, 1e-5).unwrap());
        risk.of(&settings.noise_law().unwrap(), records, 0.95).unwrap()
    };
    let usual = of(0.25, 1.0, 200);
    for better in [of(0.25, 1.0, 400), of(0.25, 2.0, 200), of(0.125, 1.0, 200)] {
        assert!(better.error < usual.error && better.half_width < usual.half_width);
        assert!(better.estimate_sd < usual.estimate_sd && better.unsmoothed_sd < usual.unsmoothed_sd);
    }
    assert!(usual.estimate_sd < usual.error && usual.error < usual.center_error && usual.error < usual.unsmoothed_sd);
    // the units of the data pass through
    let scaled = of(250.0, 1.0, 200);
    assert_relative_eq!(scaled.error, 1000.0 * usual.error, max_relative = 1e-9);
    assert_relative_eq!(scaled.half_width, 1000.0 * usual.half_width, max_relative = 1e-9);
}

#[test]
fn the_number_of_records_for_an_error_is_the_least_that_reaches_it() {
    let risk = BayesRisk::new(&grid(40), &Ladder::default()).unwrap();
    for settings in [settings(), settings().neighbours(NeighbouringRelation::AddRemoveOne)] {
        let law = settings.noise_law().unwrap();
        for error in [0.05, 0.01, 1e-4] {
            let records = risk.records_for(&law, error).unwrap();
            assert!(risk.error(&law, records).unwrap() <= error);
            let is_least = Some(records) == law.least_records_for_radius();
            assert!(is_least || risk.error(&law, records - 1).unwrap() > error, "{error}: {records}");
        }
    }
    // where a radius was asked for, what the centre alone reaches still takes as many records as one is bought from
    let least = settings().least_records_for_radius().unwrap().unwrap();
    let stated = settings().buying(BallShares::NONE).noise_law().unwrap();
    let asked = settings().buying(BallShares::new(None, Some(0.05)).unwrap()).noise_law().unwrap();
    assert_eq!(risk.records_for(&asked, 10.0).unwrap(), least);
    assert_eq!(risk.records_for(&stated, 10.0).unwrap(), 2);
    assert_eq!(risk.records_for(&law(), 10.0).unwrap(), 2);
    // the default keeps the stated radius of fewer, and foretells what a release is worth that buys nothing
    let few = least - 1;
    assert_eq!(risk.error(&law(), few).unwrap(), risk.error(&stated, few).unwrap());
    assert_eq!(law().share_outside(few as f64), 0.0);
    assert!(risk.error(&law(), least).unwrap() > risk.error(&stated, least).unwrap());
}

#[test]
fn at_the_resolvable_distance_the_evidence_against_the_centre_is_10_on_average() {
    let (amplitude, sigma) = (0.01, 0.05);
    let kernel = Kernel::from(Matern::new(1.5, 0.2).unwrap());
    let ladder = Ladder::new(vec![vec![kernel]], vec![amplitude], -1.0, 0.7).unwrap();
    let risk = BayesRisk::new(&grid(40), &ladder).unwrap();
    // the log evidence is linear in the squared coordinates, whose mean under the prior is v_j
    let theta = risk.rungs[0].eigenvalues().to_owned();
    let expected: f64 = theta
        .iter()
        .map(|theta| {
            let (noise, v) = (sigma * sigma, amplitude * theta + sigma * sigma);
            0.5 * ((noise / v).ln() + v * (1.0 / noise - 1.0 / v))
        })
        .sum();
    let distance = risk.resolvable(sigma).unwrap();
    let at_distance: f64 = theta
        .iter()
        .map(|theta| {
            let x = distance * distance * theta / (sigma * sigma);
            0.5 * (x - x.ln_1p())
        })
        .sum();
    assert_relative_eq!(at_distance, 10.0_f64.ln(), max_relative = 1e-9);
    assert_eq!(expected > 10.0_f64.ln(), amplitude.sqrt() > distance);
    let silent = BayesRisk::new(&grid(40), &Ladder::default()).unwrap();
    assert_eq!(silent.of(&law(), 3, 0.95).unwrap().resolvable, None);
}

#[test]
fn with_a_private_number_of_records_its_noise_is_in_the_error() {
    let risk = BayesRisk::new(&grid(40), &Ladder::default()).unwrap();
    let add_remove = settings().neighbours(NeighbouringRelation::AddRemoveOne).noise_law().unwrap();
    let expected = risk.of(&add_remove, 200, 0.95).unwrap();
    assert!(expected.relative_count_sd > 0.0 && expected.least_records.is_none());
    let without = risk.squared_error(expected.in_radii(expected.sigma), 0.0).sqrt() * 0.25;
    let relative = expected.relative_count_sd;
    let count = relative / (1.0 + relative * relative).sqrt() * expected.center_error;
    assert_relative_eq!(expected.error, without.hypot(count), max_relative = 1e-9);
    // however noisy the number of records, the centre alone is never better
    let few = risk.of(&add_remove, 5, 0.95).unwrap();
    assert!(few.relative_count_sd > 1.0 && few.error <= few.center_error);
}

#[test]
fn what_no_release_has_is_refused() {
    let risk = BayesRisk::new(&grid(40), &Ladder::default()).unwrap();
    for found in [0, 1, u64::MAX] {
        assert!(matches!(risk.of(&law(), found, 0.95), Err(RiskError::Records { .. })), "{found}");
    }
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(risk.records_for(&law(), value), Err(RiskError::Error { .. })), "{value}");
    }
    assert!(matches!(risk.records_for(&law(), 1e-15), Err(RiskError::Unreachable { .. })));
    assert!(matches!(risk.of(&law(), 100, 0.3), Err(RiskError::Analysis(_))));
    let smoothed = PrivateMean::cameron_martin(settings().ball().clone(), PrivacyBudget::new(1.0, 1e-5).unwrap());
    assert!(matches!(risk.of(&smoothed.noise_law().unwrap(), 100, 0.95), Err(RiskError::NotIsonormal)));
    let asked = settings().buying(BallShares::new(None, Some(0.05)).unwrap()).noise_law().unwrap();
    for (law, is_default) in [(asked, false), (law(), true)] {
        let (few, enough) = (risk.of(&law, 20, 0.95).unwrap(), risk.of(&law, 200, 0.95).unwrap());
        assert_eq!((few.is_refused(), few.keeps_radius()), (!is_default, is_default));
        assert!(!enough.is_refused() && !enough.keeps_radius());
    }
}

#[test]
fn for_sparse_curves_error_and_band_are_those_of_a_release_of_curves_seen_at_few_times() {
    const PEOPLE: u32 = 20_000;
    let ball = Ball::new(Center::Constant(0.0), 1.0).unwrap();
    let settings = PrivateRows::new(ball, (0.0, 1.0), PrivacyBudget::new(1.0, 1e-5).unwrap());
    // smooth within a bin, and expected at this distance from the centre
    let kernel = Kernel::from(Gaussian::new(0.4).unwrap());
    let ladder = Ladder::new(vec![vec![kernel]], vec![0.1], -1.0, 0.7).unwrap();
    let mean = 0.1_f64.sqrt();
    for values in [1, 3, 10] {
        let law = settings.noise_law(values).unwrap();
        let mechanism = settings.mechanism().unwrap();
        let risk = BayesRisk::of_rows(mechanism.statistic(), &ladder).unwrap();
        let expected = risk.of(&law, PEOPLE.into(), 0.95).unwrap();
        let mut rows = settings.rows().unwrap();
        for row in 0..PEOPLE * values {
            // golden steps: as even as can be, other times for everybody
            rows.push(&(row % PEOPLE).to_le_bytes(), (f64::from(row) * 0.618_033_988_749_895).fract(), mean);
        }
        let release = rows.release(&mut SeededRandomness::from_seed(3)).unwrap();
        let observed = ObservedRows::of(&release);
        let scales = observed.scales(None);
        let posterior = Posterior::new(observed.observation(&scales).unwrap(), &ladder).unwrap();
        let error = root_mean_square(&posterior, &posterior.sd().to_owned());
        assert!((expected.error / error - 1.0).abs() < 0.06, "{values}: {} {error}", expected.error);
        let sampling = observed.sampling(&posterior, &scales).unwrap();
        let band = Band::Population.around(&posterior, &sampling, 0.95).unwrap();
        let half = root_mean_square(&posterior, &((&band.upper - &band.lower) / 2.0));
        assert!((expected.half_width / half - 1.0).abs() < 0.03, "{values}: {} {half}", expected.half_width);
    }
}
