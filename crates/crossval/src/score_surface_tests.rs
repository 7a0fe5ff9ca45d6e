#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::KernelName;

use super::*;
use crate::candidates::KernelFamily;

fn candidates(ranges: &[f64], penalties: &[f64], powers: &[f64]) -> Candidates {
    let families =
        [KernelName::Gaussian, KernelName::Exponential].map(|name| KernelFamily::new(name, ranges.to_vec()).unwrap());
    Candidates::new(families.to_vec(), penalties.to_vec(), powers.to_vec()).unwrap()
}

/// Scores each candidate by how far its leading shrinkage is from a wanted one.
fn surface(candidates: &Candidates, wanted: f64) -> Result<ScoreSurface, SurfaceError> {
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    ScoreSurface::over(candidates, &grid, None, |_, shrinkages| each(shrinkages, |s| (s[0] - wanted).abs()))
}

#[test]
fn the_optimum_is_the_least_of_all_scores_and_comes_as_its_smoother() {
    let candidates = candidates(&[0.05, 0.1, 0.2], &[0.01, 0.1, 1.0], &[1.0, 2.0]);
    let found = surface(&candidates, 0.6).unwrap();
    let all = (0..2).flat_map(|family| found.scores(family).unwrap().iter().copied().collect::<Vec<_>>());
    assert_eq!(found.least(), all.fold(f64::INFINITY, f64::min));
    assert_eq!(found.score(found.optimum()), Some(found.least()));
    assert_eq!(candidates.smoother(found.optimum()).as_ref(), Some(found.chosen()));
    for family in 0..2 {
        assert!(found.score(found.optimum_of(family).unwrap()).unwrap() >= found.least());
    }
    assert_eq!(found.optimum_of(2), None);
}

#[test]
fn an_optimum_at_the_end_of_a_list_is_told() {
    let candidates = candidates(&[0.05, 0.1, 0.2], &[0.01, 0.1, 1.0], &[1.0, 2.0]);
    let found = surface(&candidates, 1.0).unwrap();
    assert!(found.edges(found.optimum()).contains(&Edge::LeastPenalty));
    let inside = Position { family: 0, range: 1, penalty: 1, power: 0 };
    assert_eq!(found.edges(inside), []);
    let corner = Position { family: 0, range: 2, penalty: 2, power: 1 };
    assert_eq!(found.edges(corner), [Edge::LargestRange, Edge::LargestPenalty, Edge::LargestPower]);
}

#[test]
fn a_list_of_one_has_no_edge() {
    let found = surface(&candidates(&[0.1], &[0.1], &[1.0]), 0.5).unwrap();
    assert_eq!(found.edges(found.optimum()), []);
    assert_eq!(found.neighbours(found.optimum()), []);
}

#[test]
fn neighbours_are_one_step_away_with_the_same_kernel_and_power() {
    let found = surface(&candidates(&[0.05, 0.1, 0.2], &[0.01, 0.1, 1.0], &[1.0, 2.0]), 0.5).unwrap();
    let at = Position { family: 1, range: 0, penalty: 1, power: 1 };
    let expected = [(1, 1), (0, 0), (0, 2)].map(|(range, penalty)| Position { range, penalty, ..at });
    assert_eq!(found.neighbours(at), expected);
}

#[test]
fn scores_that_are_no_numbers_are_never_chosen() {
    let candidates = candidates(&[0.1], &[0.01, 0.1, 1.0], &[1.0]);
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    let scored = |score: fn(f64) -> f64| {
        ScoreSurface::over(&candidates, &grid, None, |_, shrinkages| each(shrinkages, |s| score(s[0])))
    };
    let found = scored(|s| if s > 0.8 { f64::NAN } else { -s }).unwrap();
    assert!(found.least() > -0.8);
    assert_eq!(scored(|_| f64::NAN), Err(SurfaceError::NotFinite));
    assert_eq!(scored(|_| f64::INFINITY), Err(SurfaceError::NotFinite));
}

#[test]
fn progress_counts_every_spectrum() {
    let seen = std::cell::RefCell::new(Vec::new());
    let report = |progress: Progress| seen.borrow_mut().push((progress.done, progress.total));
    let candidates = candidates(&[0.1, 0.2], &[0.1], &[1.0]);
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    ScoreSurface::over(&candidates, &grid, Some(&report), |_, s| each(s, |s| s[0])).unwrap();
    assert_eq!(seen.into_inner(), [(1, 4), (2, 4), (3, 4), (4, 4)]);
}

#[test]
fn scores_of_another_shape_are_refused() {
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    let candidates = candidates(&[0.1], &[0.01, 0.1, 1.0], &[1.0]);
    let refused = ScoreSurface::over(&candidates, &grid, None, |_, _| Array2::zeros((1, 3))).unwrap_err();
    assert_eq!(refused, SurfaceError::Shape { wanted: (3, 1), found: (1, 3) });
}
