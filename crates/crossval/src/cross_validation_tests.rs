#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::{DEFAULT_TOLERANCE, KernelName, Spectrum};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_smoothing::PenalizedMean;
use ndarray::{Array1, Axis};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::candidates::{KernelFamily, Position};

const POINTS: usize = 25;
const RECORDS: usize = 23;

/// Waves of random height on an uneven grid, some with a gap, some outside the ball of [`ball`].
fn curves() -> CurveSet {
    let points: Vec<f64> = (0..POINTS).map(|i| (i as f64 / (POINTS - 1) as f64).powf(1.3)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut values = Array2::zeros((RECORDS, POINTS));
    for mut row in values.rows_mut() {
        let (height, shift) = (rng.random_range(-0.4..1.0), rng.random_range(-0.1..0.3));
        row.assign(&points.iter().map(|t| shift + height * (5.0 * t).sin()).collect::<Array1<f64>>());
    }
    values[[3, 4]] = f64::NAN;
    values.row_mut(5).fill(f64::NAN);
    CurveSet::new(Grid::new(points).unwrap(), values).unwrap()
}

fn ball() -> Ball {
    Ball::new(Center::Constant(0.1), 0.4).unwrap()
}

fn candidates() -> Candidates {
    let family = |name, ranges: &[f64]| KernelFamily::new(name, ranges.to_vec()).unwrap();
    let families = vec![family(KernelName::Gaussian, &[0.05, 0.2]), family(KernelName::Exponential, &[0.5])];
    Candidates::new(families, vec![1e-3, 0.05], vec![1.0, 1.5]).unwrap()
}

fn folds(records: usize, folds: usize) -> Folds {
    Folds::random(records, folds, &mut ChaCha8Rng::seed_from_u64(5)).unwrap()
}

fn positions(candidates: &Candidates) -> Vec<(Position, PenalizedMean)> {
    let mut all = Vec::new();
    for (family, kernel) in candidates.families().iter().enumerate() {
        for range in 0..kernel.ranges().len() {
            for penalty in 0..candidates.penalties().len() {
                for power in 0..candidates.powers().len() {
                    let at = Position { family, range, penalty, power };
                    all.push((at, candidates.smoother(at).unwrap()));
                }
            }
        }
    }
    all
}

fn distance(grid: &Grid, f: ArrayView1<'_, f64>, g: ArrayView1<'_, f64>) -> f64 {
    grid.integrate((&f - &g).mapv(|d| d * d).view()).sqrt()
}

/// The score by its definition: fit without the fold, compare, average.
fn by_definition(curves: &CurveSet, folds: &Folds, smoother: &PenalizedMean, loss: Loss, target: Target) -> f64 {
    let spectrum = Spectrum::new(smoother.kernel().clone(), curves.unit_grid().clone(), DEFAULT_TOLERANCE).unwrap();
    let center = ball().center_at(curves.grid()).unwrap();
    let records = curves.record_means(center.view()).into_revealed();
    let scores = folds.members().map(|members| {
        let outside: Vec<usize> = (0..records.nrows()).filter(|i| !members.contains(i)).collect();
        let mean = records.select(Axis(0), &outside).mean_axis(Axis(0)).unwrap();
        let fit = smoother.fit(&spectrum, center.view(), mean.view());
        let inside = records.select(Axis(0), members);
        let targets = match target {
            Target::Records => inside,
            Target::FoldMean => inside.mean_axis(Axis(0)).unwrap().insert_axis(Axis(0)),
        };
        let losses = targets.rows().into_iter().map(|x| {
            let distance = distance(curves.unit_grid(), fit.view(), x);
            if loss == Loss::Norm { distance } else { distance * distance }
        });
        losses.sum::<f64>() / targets.nrows() as f64
    });
    scores.sum::<f64>() / folds.count() as f64
}

#[test]
fn scores_without_noise_are_those_of_the_definition() {
    let (curves, candidates) = (curves(), candidates());
    for folds in [folds(RECORDS, 5), Folds::leave_one_out(RECORDS).unwrap()] {
        for (loss, target) in [
            (Loss::SquaredNorm, Target::Records),
            (Loss::SquaredNorm, Target::FoldMean),
            (Loss::Norm, Target::Records),
            (Loss::Norm, Target::FoldMean),
        ] {
            let plan = CrossValidation::new(&folds, &candidates).loss(loss).target(target);
            let surface = cross_validate(&curves, &Center::Constant(0.1), &plan).unwrap().into_revealed();
            for (at, smoother) in positions(&candidates) {
                let expected = by_definition(&curves, &folds, &smoother, loss, target);
                assert_relative_eq!(surface.score(at).unwrap(), expected, max_relative = 1e-10);
            }
        }
    }
}

/// Mean and standard error of the score of actual releases made without each fold.
fn of_releases(
    settings: &PrivateMean,
    curves: &CurveSet,
    folds: &Folds,
    smoother: &PenalizedMean,
    loss: Loss,
) -> (f64, f64) {
    const DRAWS: u64 = 400;
    let center = ball().center_at(curves.grid()).unwrap();
    let records = curves.record_means(center.view()).into_revealed();
    let settings = settings.clone().smoother(smoother);
    let mut scores = vec![0.0; usize::try_from(DRAWS).unwrap()];
    for (fold, members) in folds.members().enumerate() {
        let outside: Vec<usize> = (0..curves.len()).filter(|i| !members.contains(i)).collect();
        let kept = CurveSet::new(curves.grid().clone(), curves.values().select(Axis(0), &outside)).unwrap();
        let mut randomness = SeededRandomness::from_seed(1000 + fold as u64);
        for score in &mut scores {
            let release = settings.release(&kept, &mut randomness).unwrap();
            let losses = members.iter().map(|&member| {
                let distance = distance(curves.unit_grid(), release.function().values(), records.row(member));
                if loss == Loss::Norm { distance } else { distance * distance }
            });
            *score += losses.sum::<f64>() / members.len() as f64 / folds.count() as f64;
        }
    }
    let scores = Array1::from(scores);
    (scores.mean().unwrap(), scores.std(1.0) / (DRAWS as f64).sqrt())
}

#[test]
fn private_scores_are_the_mean_scores_of_actual_releases() {
    let (curves, candidates, folds) = (curves(), candidates(), folds(RECORDS, 4));
    let budget = PrivacyBudget::new(2.0, 0.05).unwrap();
    for settings in [
        PrivateMean::isonormal(ball(), budget).buying(dpfda_release::BallShares::NONE),
        PrivateMean::cameron_martin(ball(), budget),
    ] {
        for loss in [Loss::SquaredNorm, Loss::Norm] {
            let plan = CrossValidation::new(&folds, &candidates).loss(loss);
            let mut rng = ChaCha8Rng::seed_from_u64(11);
            let surface = private_cross_validate(&curves, &settings, &plan, &mut rng).unwrap().into_revealed();
            for (at, smoother) in positions(&candidates).into_iter().step_by(3) {
                let (mean, error) = of_releases(&settings, &curves, &folds, &smoother, loss);
                let found = surface.score(at).unwrap();
                // both sides of the norm score are means over draws; the squared score has no error of its own.
                // 5.5 standard errors: fewer than one failure in 1e6 over the 16 comparisons
                let error = if loss == Loss::Norm { error * 1.2 } else { error };
                assert!((found - mean).abs() < 5.5 * error, "{loss:?} {at:?}: {found} against {mean} +- {error}");
            }
        }
    }
}

#[test]
fn the_norm_score_is_somewhat_below_the_root_of_the_squared_score() {
    let (curves, candidates, folds) = (curves(), candidates(), folds(RECORDS, 4));
    let settings =
        PrivateMean::isonormal(ball(), PrivacyBudget::new(2.0, 0.05).unwrap()).buying(dpfda_release::BallShares::NONE);
    let score = |loss| {
        let plan = CrossValidation::new(&folds, &candidates).loss(loss).target(Target::FoldMean);
        private_cross_validate(&curves, &settings, &plan, &mut ChaCha8Rng::seed_from_u64(2)).unwrap().into_revealed()
    };
    let (norm, squared) = (score(Loss::Norm), score(Loss::SquaredNorm));
    for (at, _) in positions(&candidates) {
        let ratio = norm.score(at).unwrap() / squared.score(at).unwrap().sqrt();
        assert!((0.7..1.0).contains(&ratio), "Jensen: {ratio}");
    }
}

#[test]
fn all_curves_of_a_person_are_left_out_together() {
    let curves = curves();
    let ids: Vec<usize> = (0..curves.len()).map(|row| row / 2).collect();
    let grouped = curves.clone().with_subjects(&ids).unwrap();
    // the same people with one curve each, their mean
    let means = grouped.record_means(Array1::from_elem(POINTS, 0.1).view()).into_revealed();
    let averaged = CurveSet::new(curves.grid().clone(), means).unwrap();
    let (candidates, folds) = (candidates(), folds(grouped.units(), 4));
    let plan = CrossValidation::new(&folds, &candidates);
    let center = Center::Constant(0.1);
    let (a, b) =
        (cross_validate(&grouped, &center, &plan).unwrap(), cross_validate(&averaged, &center, &plan).unwrap());
    for (at, _) in positions(&candidates) {
        assert_relative_eq!(a.reveal().score(at).unwrap(), b.reveal().score(at).unwrap(), max_relative = 1e-12);
    }
}

#[test]
fn folds_of_other_records_and_expectations_over_nothing_are_refused() {
    let (curves, candidates, folds) = (curves(), candidates(), folds(10, 5));
    let plan = CrossValidation::new(&folds, &candidates);
    let refused = cross_validate(&curves, &Center::Constant(0.0), &plan).unwrap_err();
    assert_eq!(refused, CrossValidationError::Records { folds: 10, records: RECORDS });
    let folds = self::folds(RECORDS, 5);
    let plan = CrossValidation::new(&folds, &candidates).draws(0);
    assert_eq!(cross_validate(&curves, &Center::Constant(0.0), &plan).unwrap_err(), CrossValidationError::NoDraws);
}

#[test]
fn nothing_of_a_private_surface_shows_when_it_is_printed() {
    let (curves, candidates, folds) = (curves(), candidates(), folds(RECORDS, 5));
    let surface = cross_validate(&curves, &Center::Constant(0.0), &CrossValidation::new(&folds, &candidates)).unwrap();
    assert_eq!(format!("{surface:?}"), "NonPrivate(..)");
}
