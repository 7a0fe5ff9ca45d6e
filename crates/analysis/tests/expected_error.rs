//! The expected error against the errors of real releases of simulated curves.

use std::f64::consts::TAU;

use dpfda_analysis::{Band, BayesRisk, DEFAULT_LEVEL, Estimated, Ladder, Posterior};
use dpfda_kernels::{CovarianceKernel, Grid, eigenpairs};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, Mean, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2};
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

const POINTS: usize = 40;
const RADIUS: f64 = 0.5;

fn grid() -> Grid {
    Grid::uniform(0.0, 1.0, POINTS).unwrap()
}

fn settings(epsilon: f64) -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.0), RADIUS).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(epsilon, 1e-5).unwrap()).buying(BallShares::NONE)
}

fn norm(values: &Array1<f64>) -> f64 {
    grid().weights().dot(&values.mapv(|v| v * v)).sqrt()
}

/// Roots of the prior covariances of the ladder, one for each kernel.
fn roots() -> Vec<Array2<f64>> {
    let points = grid().points().to_owned();
    let root = |kernel: &dpfda_kernels::Kernel| {
        let matrix = Array2::from_shape_fn((POINTS, POINTS), |(i, j)| kernel.covariance(points[i], points[j]));
        let pairs = eigenpairs(&matrix).unwrap();
        &pairs.vectors * &pairs.values.mapv(|v| v.max(0.0).sqrt()).insert_axis(ndarray::Axis(0))
    };
    Ladder::default().rungs().map(root).collect()
}

/// A mean from the prior of the default ladder, in the ball.
fn mean_from_the_prior(roots: &[Array2<f64>], generator: &mut ChaCha20Rng) -> Array1<f64> {
    let amplitudes: Vec<f64> = Ladder::default().amplitudes().to_vec();
    let weights: Vec<f64> = amplitudes.iter().map(|a| (-0.5 * ((a.log10() + 1.0) / 0.7).powi(2)).exp()).collect();
    let mut left: f64 = generator.random::<f64>() * weights.iter().sum::<f64>();
    let mut place = 0;
    while place + 1 < weights.len() && left >= weights[place] {
        left -= weights[place];
        place += 1;
    }
    let root = &roots[generator.random_range(0..roots.len())];
    let normals: Array1<f64> = (0..POINTS).map(|_| StandardNormal.sample(generator)).collect();
    let mean = root.dot(&normals) * (amplitudes[place].sqrt() * RADIUS);
    // a mean of curves in the ball lies in the ball
    let length = norm(&mean);
    if length > 0.999 * RADIUS { mean * (0.999 * RADIUS / length) } else { mean }
}

/// People who all have the same curve: the error is that of privacy and smoothing alone.
fn curves(mean: &Array1<f64>, records: usize) -> CurveSet {
    CurveSet::new(grid(), Array2::from_shape_fn((records, POINTS), |(_, k)| mean[k])).unwrap()
}

/// The root-mean-square error of the default estimate over releases of these means.
fn measured(settings: &PrivateMean, means: &[Array1<f64>], records: usize, seed: u64) -> f64 {
    let mut randomness = SeededRandomness::from_seed(seed);
    let squares = means.iter().map(|mean| {
        let release = settings.release(&curves(mean, records), &mut randomness).unwrap();
        let posterior = Posterior::of(&release, &Ladder::default()).unwrap();
        norm(&(&posterior.values() - mean)).powi(2)
    });
    (squares.sum::<f64>() / means.len() as f64).sqrt()
}

#[test]
fn real_releases_of_means_from_the_prior_have_the_expected_error_to_a_factor_of_1_2() {
    let (roots, mut generator) = (roots(), ChaCha20Rng::seed_from_u64(1));
    let risk = BayesRisk::new(&grid(), &Ladder::default()).unwrap();
    for (epsilon, records) in [(1.0, 60), (0.3, 200), (3.0, 1000)] {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            let settings = settings(epsilon).neighbours(neighbours);
            let means: Vec<_> = (0..200).map(|_| mean_from_the_prior(&roots, &mut generator)).collect();
            let found = measured(&settings, &means, records, 7);
            let ratio = found / risk.error(&settings.noise_law().unwrap(), records as u64).unwrap();
            println!("prior means, epsilon {epsilon}, N {records}, {neighbours}: measured over expected {ratio:.3}");
            assert!((0.85..1.2).contains(&ratio), "epsilon {epsilon}, N {records}: {ratio}");
        }
    }
}

#[test]
fn real_releases_of_typical_means_have_the_expected_error_to_a_factor_of_1_5() {
    let points = grid().points().to_owned();
    let of = |f: &dyn Fn(f64) -> f64| points.mapv(f);
    let means = [
        ("wave", of(&|t| 0.2 * (TAU * t).sin())),
        ("slope", of(&|t| 0.3 * (t - 0.5))),
        ("bump", of(&|t| 0.3 * (-((t - 0.4) / 0.1).powi(2)).exp() - 0.05)),
        ("fast wave", of(&|t| 0.1 * (4.0 * TAU * t).cos())),
        ("shift", of(&|t| 0.25 + 0.05 * (TAU * t).cos())),
    ];
    let risk = BayesRisk::new(&grid(), &Ladder::default()).unwrap();
    for (epsilon, records) in [(1.0, 200), (3.0, 1000)] {
        let settings = settings(epsilon);
        let expected = risk.error(&settings.noise_law().unwrap(), records as u64).unwrap();
        let mut squares = 0.0;
        for (name, mean) in &means {
            let ratio = measured(&settings, &vec![mean.clone(); 40], records, 11) / expected;
            println!("{name}, epsilon {epsilon}, N {records}: measured over expected {ratio:.3}");
            assert!((0.4..1.5).contains(&ratio), "{name}, epsilon {epsilon}, N {records}: {ratio}");
            squares += ratio * ratio / means.len() as f64;
        }
        assert!((0.6..1.2).contains(&squares.sqrt()), "{squares}");
    }
}

#[test]
fn below_the_resolvable_distance_hardly_any_release_tells_mean_and_centre_apart_and_at_twice_it_nearly_all_do() {
    let (roots, mut generator) = (roots(), ChaCha20Rng::seed_from_u64(9));
    let settings = settings(1.0);
    let risk = BayesRisk::new(&grid(), &Ladder::default()).unwrap();
    let law = settings.noise_law().unwrap();
    let distance = risk.of(&law, 300, DEFAULT_LEVEL).unwrap().resolvable.unwrap();
    let mut randomness = SeededRandomness::from_seed(13);
    let mut share = |factor: f64| {
        let told = (0..100).filter(|_| {
            let mean = mean_from_the_prior(&roots, &mut generator);
            let mean = &mean * (factor * distance / norm(&mean));
            let release = settings.release(&curves(&mean, 300), &mut randomness).unwrap();
            Posterior::of(&release, &Ladder::default()).unwrap().tells_mean_and_centre_apart()
        });
        told.count() as f64 / 100.0
    };
    let (half, at, twice) = (share(0.5), share(1.0), share(2.0));
    println!("told apart at half the distance {half}, at the distance {at}, at twice the distance {twice}");
    assert!(half < 0.15 && (0.1..0.6).contains(&at) && twice > 0.8, "{half} {at} {twice}");
}

#[test]
fn the_default_band_has_the_expected_half_width_to_a_factor_of_1_3() {
    let (roots, mut generator) = (roots(), ChaCha20Rng::seed_from_u64(3));
    let risk = BayesRisk::new(&grid(), &Ladder::default()).unwrap();
    let add_remove = settings(1.0).neighbours(NeighbouringRelation::AddRemoveOne);
    for records in [200, 2000] {
        // without second moments the sampling part is that of the ball, as in the expectation
        let mut randomness = SeededRandomness::from_seed(5);
        let squares = (0..40).map(|_| {
            let mean = mean_from_the_prior(&roots, &mut generator);
            let release = add_remove.release(&curves(&mean, records), &mut randomness).unwrap();
            let estimated = Estimated::<Mean>::new(release, &Band::Population, DEFAULT_LEVEL).unwrap();
            norm(&((&estimated.estimate().upper - &estimated.estimate().lower) / 2.0)).powi(2)
        });
        let found = (squares.sum::<f64>() / 40.0).sqrt();
        let expected = risk.of(&add_remove.noise_law().unwrap(), records as u64, DEFAULT_LEVEL).unwrap().half_width;
        println!("N {records}: half-width measured over expected {:.3}", found / expected);
        assert!((0.77..1.3).contains(&(found / expected)), "{}", found / expected);
    }
}
