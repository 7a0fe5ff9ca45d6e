#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::Grid;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{MeanRelease, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Array2;

use super::*;
use crate::defaults::NOISY;

fn family(ranges: &[f64]) -> Result<KernelFamily, CandidateError> {
    KernelFamily::new(KernelName::Gaussian, ranges.to_vec())
}

fn release_of(records: usize, points: usize) -> MeanRelease {
    let grid = Grid::uniform(0.0, 1.0, points).unwrap();
    let curves = CurveSet::new(grid, Array2::zeros((records, points))).unwrap();
    let ball = Ball::new(Center::Constant(0.0), 2.0).unwrap();
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    PrivateMean::isonormal(ball, budget)
        .buying(dpfda_release::BallShares::NONE)
        .release(&curves, &mut SeededRandomness::from_seed(1))
        .unwrap()
}

#[test]
fn empty_lists_are_refused_by_name() {
    let some = || vec![family(&[0.1]).unwrap()];
    assert_eq!(family(&[]), Err(CandidateError::NoRanges));
    assert_eq!(Candidates::new(vec![], vec![1.0], vec![1.0]), Err(CandidateError::NoKernels));
    assert_eq!(Candidates::new(some(), vec![], vec![1.0]), Err(CandidateError::NoPenalties));
    assert_eq!(Candidates::new(some(), vec![1.0], vec![]), Err(CandidateError::NoPowers));
}

#[test]
fn candidates_that_no_smoother_can_have_are_refused_with_their_value() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(family(&[0.1, bad]), Err(CandidateError::Kernel(_))), "range {bad}");
        let some = || vec![family(&[0.1]).unwrap()];
        assert!(matches!(Candidates::new(some(), vec![0.1, bad], vec![1.0]), Err(CandidateError::Penalty(_))), "{bad}");
        assert!(matches!(Candidates::new(some(), vec![0.1], vec![1.0, bad]), Err(CandidateError::Penalty(_))), "{bad}");
    }
    let message = Candidates::new(vec![family(&[0.1]).unwrap()], vec![-0.5], vec![1.0]).unwrap_err().to_string();
    assert!(message.contains("-0.5"), "{message}");
}

#[test]
fn lists_are_sorted_without_repetition() {
    let candidates =
        Candidates::new(vec![family(&[0.3, 0.1, 0.3]).unwrap()], vec![1.0, 0.1, 1.0], vec![2.0, 1.0]).unwrap();
    assert_eq!(candidates.families()[0].ranges(), [0.1, 0.3]);
    assert_eq!((candidates.penalties(), candidates.powers()), (&[0.1, 1.0][..], &[1.0, 2.0][..]));
    assert_eq!((candidates.spectra(), candidates.count()), (2, 8));
    let smoother = candidates.smoother(Position { family: 0, range: 1, penalty: 0, power: 1 }).unwrap();
    assert_eq!((smoother.penalty(), smoother.power()), (0.1, 2.0));
    assert_eq!(candidates.smoother(Position { family: 0, range: 2, penalty: 0, power: 0 }), None);
}

#[test]
fn candidates_at_equal_ratios_end_where_they_should() {
    let candidates = geometric(1e-4, 1.0, 5);
    for (found, expected) in candidates.iter().zip([1e-4, 1e-3, 1e-2, 1e-1, 1.0]) {
        assert_relative_eq!(*found, expected, max_relative = 1e-12);
    }
    assert_eq!(candidates[4], 1.0);
    assert_eq!(geometric(0.3, 2.0, 1), [0.3]);
    assert!(geometric(0.3, 2.0, 0).is_empty());
}

#[test]
fn the_default_candidates_begin_where_the_noise_of_the_release_says() {
    let (few, many) = (release_of(20, 30), release_of(2000, 30));
    assert!(few.relative_noise() > NOISY && many.relative_noise() < NOISY);
    let (short, long) = (Candidates::for_release(&few), Candidates::for_release(&many));
    assert_relative_eq!(short.penalties()[0], (2.0 * few.relative_noise()).powi(2), max_relative = 1e-12);
    assert_relative_eq!(long.penalties()[0], many.relative_noise().powi(2), max_relative = 1e-12);
    assert_relative_eq!(*long.penalties().last().unwrap(), 100.0);
    // every one of them is a smoother
    assert_eq!(Candidates::new(long.families().to_vec(), long.penalties().to_vec(), long.powers().to_vec()), Ok(long));
}

#[test]
fn a_release_of_nothing_but_noise_still_has_candidates() {
    let grid = Grid::uniform(0.0, 1.0, 30).unwrap();
    let curves = CurveSet::new(grid, Array2::zeros((2, 30))).unwrap();
    let ball = Ball::new(Center::Constant(0.0), 2.0).unwrap();
    let budget = PrivacyBudget::new(1e-6, 1e-15).unwrap();
    let release = PrivateMean::isonormal(ball, budget)
        .buying(dpfda_release::BallShares::NONE)
        .release(&curves, &mut SeededRandomness::from_seed(1))
        .unwrap();
    let candidates = Candidates::for_release(&release);
    assert!(candidates.penalties().len() >= 6 && candidates.penalties()[0] > 1e6);
    let surface = crate::select_after_release(&release, &candidates).unwrap();
    // shrunk to the centre, and not the noise itself
    let largest = release.smoothed(surface.chosen()).unwrap().function().values().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert!(largest < 10.0, "{largest}");
}

#[test]
fn many_points_leave_one_spectrum() {
    assert_eq!(Candidates::for_release(&release_of(5, 2001)).spectra(), 1);
}
