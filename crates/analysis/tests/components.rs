//! Components and synthetic curves of releases.

use std::f64::consts::{PI, SQRT_2};

use approx::assert_abs_diff_eq;
use dpfda_analysis::{Band, Components, ComponentsError, DEFAULT_LEVEL, Estimated, SyntheticCurves};
use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, Mean, MomentsChoice, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2, Axis, array};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

const POINTS: usize = 61;

/// Smooth orthonormal functions.
fn function(k: usize, t: f64) -> f64 {
    SQRT_2 * (PI * (k + 1) as f64 * t).cos()
}

/// Curves with these standard deviations along the functions.
fn curves(records: usize, sds: &[f64]) -> CurveSet {
    let grid = Grid::uniform(0.0, 1.0, POINTS).unwrap();
    let points = grid.points().to_owned();
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let mut values = Array2::zeros((records, POINTS));
    for mut row in values.rows_mut() {
        let scores: Vec<f64> =
            sds.iter().map(|sd| sd * Distribution::<f64>::sample(&StandardNormal, &mut generator)).collect();
        for (value, &t) in row.iter_mut().zip(&points) {
            let along: f64 = scores.iter().enumerate().map(|(k, score)| score * function(k, t)).sum();
            *value = 0.5 + 0.05 * (3.0 * t).sin() + along;
        }
    }
    CurveSet::new(grid, values).unwrap()
}

fn settings() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.3).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-2).unwrap())
        .buying(BallShares::NONE)
        .moments(MomentsChoice::Covariance)
}

fn estimated(settings: &PrivateMean, curves: &CurveSet, seed: u64) -> Estimated<Mean> {
    let release = settings.release(curves, &mut SeededRandomness::from_seed(seed)).unwrap();
    Estimated::<Mean>::new(release, &Band::Posterior, DEFAULT_LEVEL).unwrap()
}

fn components(settings: &PrivateMean, curves: &CurveSet, seed: u64) -> Components {
    Components::new(estimated(settings, curves, seed).population()).unwrap()
}

const SDS: [f64; 3] = [0.08, 0.04, 0.02];

/// `sin` of the angle between an eigenfunction and a true one.
fn sine(components: &Components, k: usize) -> f64 {
    let weights = components.grid().weights().to_owned();
    let truth: Array1<f64> = components.grid().points().iter().map(|t| function(k, *t)).collect();
    let cosine = (&components.all()[k].function * &truth).dot(&weights);
    (1.0 - cosine * cosine).max(0.0).sqrt()
}

#[test]
fn components_of_every_kind_of_release_are_those_of_the_curves() {
    let curves = curves(4000, &SDS);
    let add_remove = settings().neighbours(NeighbouringRelation::AddRemoveOne);
    let all = [
        ("covariance", settings()),
        ("mean", settings().moments(MomentsChoice::Mean)),
        ("slope", settings().slope(1.5)),
        ("bought", settings().buying(BallShares::new(Some(0.1), Some(0.1)).unwrap())),
        ("add-remove", add_remove),
    ];
    for (name, settings) in all {
        let found = components(&settings, &curves, 3);
        assert!(found.rank() >= 2, "{name}: {}", found.rank());
        for (k, component) in found.all().iter().enumerate().take(2) {
            let truth = SDS[k].powi(2);
            let sd = component.eigenvalue_sd.hypot(component.eigenvalue_sampling_sd);
            // the ball pulls the farthest curves in a little
            let error = (component.eigenvalue - truth).abs();
            assert!(error < 5.0 * sd + 0.04 * truth, "{name} {k}: {} {truth} {sd}", component.eigenvalue);
            assert!(sine(&found, k) < 0.3, "{name} {k}: {}", sine(&found, k));
            assert!(component.is_separately_identified, "{name}");
        }
        let total = SDS.iter().map(|sd| sd * sd).sum::<f64>();
        let sd = found.total_variance_sd().hypot(found.total_variance_sampling_sd());
        assert!((found.total_variance() - total).abs() < 5.0 * sd + 0.04 * total, "{name}");
        let shares: f64 = found.all().iter().filter_map(|component| component.explained).sum();
        assert!((0.8..1.2).contains(&shares), "{name}: {shares}");
    }
}

#[test]
fn eigenfunctions_are_orthonormal_and_their_largest_public_coordinate_is_positive() {
    let found = components(&settings(), &curves(4000, &SDS), 5);
    let weights = found.grid().weights().to_owned();
    for (j, one) in found.all().iter().enumerate() {
        for (k, other) in found.all().iter().enumerate() {
            let product = (&one.function * &other.function).dot(&weights);
            assert_abs_diff_eq!(product, if j == k { 1.0 } else { 0.0 }, epsilon = 1e-9);
        }
        let coordinates = found.public_functions().t().dot(&(&one.function * &weights));
        let largest = coordinates.iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() { *x } else { most });
        assert!(largest > 0.0, "{coordinates}");
        let inside = one.lower.iter().zip(&one.upper).zip(&one.function).all(|((l, u), f)| l <= f && f <= u);
        assert!(inside);
    }
    assert!(found.public_functions().row(0).iter().all(|value| *value >= 0.0));
}

#[test]
fn identical_curves_have_rank_zero_and_no_share_and_no_synthetic_curves() {
    let identical = curves(400, &[]);
    let found: Vec<Components> = (0..40).map(|seed| components(&settings(), &identical, seed)).collect();
    let false_ranks = found.iter().filter(|found| found.rank() > 0).count();
    // at a true rate of 5%, more than 10 of 40 have a probability of 4e-6
    assert!(false_ranks <= 10, "{false_ranks}");
    let typical = found.iter().find(|found| found.rank() == 0 && !found.is_total_variance_distinct()).unwrap();
    assert!(matches!(SyntheticCurves::new(typical), Err(ComponentsError::Indistinct { .. })));
    assert_eq!(typical.scores(typical.mean()).unwrap().len(), 0);
    assert_eq!(typical.first(1).unwrap_err(), ComponentsError::Rank { asked: 1, rank: 0 });
    assert!(typical.covariance().iter().all(|value| value.is_finite()));
}

#[test]
fn equal_eigenvalues_are_not_separately_identified() {
    let found = components(&settings(), &curves(4000, &[0.06, 0.06, 0.01]), 2);
    assert!(found.rank() >= 2);
    assert!(found.all()[..2].iter().all(|component| !component.is_separately_identified));
}

#[test]
fn scores_of_a_new_curve_are_its_coordinates_along_the_components() {
    let found = components(&settings(), &curves(4000, &SDS), 4);
    let mut curve = found.mean().to_owned();
    curve.scaled_add(2.0, &found.all()[0].function);
    curve.scaled_add(-0.5, &found.all()[1].function);
    let mut expected = Array1::zeros(found.rank());
    (expected[0], expected[1]) = (2.0, -0.5);
    assert_abs_diff_eq!(found.scores(curve.view()).unwrap(), expected, epsilon = 1e-9);

    let short = array![1.0, 2.0];
    let error = found.scores(short.view()).unwrap_err();
    assert_eq!(error, ComponentsError::Length { expected: POINTS, found: 2 });
    for gap in [f64::NAN, f64::INFINITY, 1e101] {
        curve[7] = gap;
        assert_eq!(found.scores(curve.view()).unwrap_err(), ComponentsError::Value { place: 7 });
    }
    let rank = found.rank();
    assert_eq!(found.first(rank + 1).unwrap_err(), ComponentsError::Rank { asked: rank + 1, rank });
}

#[test]
fn a_release_without_moments_is_refused_by_the_names_of_the_moments() {
    let curves = curves(400, &SDS);
    for settings in [
        settings().moments(MomentsChoice::None),
        settings().moments(MomentsChoice::Auto).neighbours(NeighbouringRelation::AddRemoveOne),
    ] {
        let error = Components::new(estimated(&settings, &curves, 1).population()).unwrap_err();
        assert_eq!(error, ComponentsError::NoMoments);
        assert!(error.to_string().contains("moments `mean` or `covariance`"));
    }
}

#[test]
fn the_same_release_has_the_same_components() {
    let curves = curves(1000, &SDS);
    let (one, other) = (components(&settings(), &curves, 6), components(&settings(), &curves, 6));
    assert_eq!((one.all(), one.threshold()), (other.all(), other.threshold()));
}

const RELEASES: f64 = 60.0;

#[test]
fn intervals_of_privacy_noise_cover_what_the_curves_have() {
    let curves = curves(1500, &SDS);
    let values = curves.values();
    let mean = curves.raw_mean().into_revealed();
    let roots = curves.grid().weights().mapv(f64::sqrt);
    let deviations = (&values - &mean) * &roots;
    let covariance = deviations.t().dot(&deviations) / 1499.0;
    let total: f64 = covariance.diag().sum();
    let largest = dpfda_kernels::eigenpairs(&covariance).unwrap().values[POINTS - 1];
    let mut squares = [0.0; 3];
    for seed in 0..60 {
        let found = components(&settings(), &curves, seed);
        let first = &found.all()[0];
        let (share, sd) = (first.explained.unwrap(), first.explained_sd.unwrap());
        let scores = [
            (first.eigenvalue - largest) / first.eigenvalue_sd,
            (found.total_variance() - total) / found.total_variance_sd(),
            (share - largest / total) / sd,
        ];
        scores.iter().zip(&mut squares).for_each(|(score, sum)| *sum += score * score / RELEASES);
    }
    // the chi-square of 60 standard normals leaves this range with a probability below 1e-6; the share's interval is cautious
    assert!(squares[..2].iter().all(|square| (0.35..2.2).contains(square)) && squares[2] < 2.2, "{squares:?}");
}

#[test]
fn synthetic_curves_have_the_mean_the_covariance_and_the_total_variance_of_the_release() {
    let found = components(&settings(), &curves(2000, &SDS), 8);
    let synthetic = SyntheticCurves::new(&found).unwrap();
    let drawn = synthetic.draw(20_000, &mut ChaCha20Rng::seed_from_u64(4)).unwrap();
    let mean = drawn.mean_axis(Axis(0)).unwrap();
    let covariance = synthetic.covariance();
    let deviations = &drawn - &mean;
    let empirical = deviations.t().dot(&deviations) / 19_999.0;
    let largest = covariance.diag().iter().fold(0.0_f64, |most, x| most.max(*x));
    for (i, value) in mean.iter().enumerate() {
        // 6 standard errors
        assert!((value - found.mean()[i]).abs() < 6.0 * (covariance[[i, i]] / 20_000.0).sqrt());
        assert!((0..POINTS).all(|j| (empirical[[i, j]] - covariance[[i, j]]).abs() < 0.07 * largest));
    }
    let total = covariance.diag().dot(&found.grid().weights());
    assert_abs_diff_eq!(total, found.total_variance(), epsilon = 1e-9);
}

#[test]
fn synthetic_curves_stay_within_their_bounds_and_bad_requests_are_refused() {
    let synthetic = SyntheticCurves::new(&components(&settings(), &curves(2000, &SDS), 8)).unwrap();
    let draw = |of: &SyntheticCurves| of.draw(300, &mut ChaCha20Rng::seed_from_u64(4)).unwrap();
    assert_eq!(draw(&synthetic), draw(&synthetic));
    let within = draw(&synthetic.clone().clipped(0.45, 0.55).unwrap());
    assert!(within.iter().all(|value| (0.45..=0.55).contains(value)));
    for (lower, upper) in [(1.0, 0.0), (0.5, 0.5), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(matches!(synthetic.clone().clipped(lower, upper), Err(ComponentsError::Clip { .. })));
    }
    for count in [0, 2_000_000, usize::MAX] {
        let error = synthetic.draw(count, &mut ChaCha20Rng::seed_from_u64(4)).unwrap_err();
        assert!(matches!(error, ComponentsError::Curves { found, .. } if found == count));
    }
}
