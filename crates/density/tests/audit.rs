//! Attacks on the guarantee of a released histogram: two neighbours, the worst event, a million draws from each.

use dpfda_density::{Bounds, Cells, HistogramRelease, PerturbedHistogram, Points};
use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Calibration, GaussianPrivacy, NeighbouringRelation, PrivacyBudget, SeededRandomness, refuted};
use ndarray::Array2;

/// How often a true claim may be refuted.
const LEVEL: f64 = 1e-6;

/// Draws from each of the two neighbours.
const PAIRS: usize = 1_000_000;

/// In the unit interval one pair of cells for each draw, and one point in the first cell of each pair, the second, or none.
///
/// The noise of cells is independent, so a single release shows what a release of two cells does in so many repetitions.
fn release(budget: PrivacyBudget, neighbours: NeighbouringRelation, place: Option<f64>, seed: u64) -> HistogramRelease {
    let bounds = Bounds::new(vec![(0.0, 1.0)]).unwrap();
    let row_of = |(row, _)| (row as f64 + place.unwrap_or_default()) / PAIRS as f64;
    let values = Array2::from_shape_fn((if place.is_some() { PAIRS } else { 0 }, 1), row_of);
    let points = Points::new(values, bounds.clone()).unwrap();
    let settings = PerturbedHistogram::new(Cells::new(bounds, 2 * PAIRS).unwrap(), budget).neighbours(neighbours);
    settings.release(&points, &mut SeededRandomness::from_seed(seed)).unwrap()
}

/// `epsilon / mu^2`: where the likelihood ratio of normals at distance 1 reaches `e^epsilon`, counted from their middle.
fn normal_level(claimed: &PrivacyBudget) -> f64 {
    let privacy = GaussianPrivacy::calibrated(Calibration::Tight, claimed);
    privacy.map_or(0.0, |privacy| claimed.epsilon() / privacy.mu().powi(2))
}

/// Whether noise made for `spent` refutes the claim of `claimed`.
///
/// Here the first of two cells holds a point. There, under substitute-one, the second holds it instead; under add/remove-one
/// none does.
fn claim_is_refuted(claimed: PrivacyBudget, spent: PrivacyBudget, neighbours: NeighbouringRelation) -> bool {
    let (epsilon, delta) = (claimed.epsilon(), claimed.delta());
    let substituted = neighbours == NeighbouringRelation::SubstituteOne;
    let level = normal_level(&claimed);
    // where the likelihood ratio of the claimed law exceeds e^epsilon
    let event = |first: f64, second: f64| {
        if delta == 0.0 {
            return first >= 1.0 && (!substituted || second <= 0.0);
        }
        if substituted { (first - second) / 2.0 > level } else { first - 0.5 > level }
    };
    let happens = |place, seed| {
        let noisy = release(spent, neighbours, place, seed).noisy_counts();
        noisy.as_chunks::<2>().0.iter().filter(|[first, second]| event(*first, *second)).count() as u64
    };
    let (here, there) = (happens(Some(0.25), 1), happens(substituted.then_some(0.75), 2));
    refuted(here, there, PAIRS as u64, epsilon, delta, LEVEL)
}

fn audit(claimed: PrivacyBudget, of_smaller_scale: PrivacyBudget, neighbours: NeighbouringRelation) {
    assert!(!claim_is_refuted(claimed, claimed, neighbours), "{neighbours}: the guarantee is broken");
    assert!(claim_is_refuted(claimed, of_smaller_scale, neighbours), "{neighbours}: a false claim stands");
}

/// A budget for which Laplace noise has nine tenths of the scale.
fn pure(epsilon: f64) -> (PrivacyBudget, PrivacyBudget) {
    (PrivacyBudget::new(epsilon, 0.0).unwrap(), PrivacyBudget::new(epsilon / 0.9, 0.0).unwrap())
}

/// A budget for which normal noise has nine tenths of the scale.
fn approximate(epsilon: f64, delta: f64) -> (PrivacyBudget, PrivacyBudget) {
    let claimed = PrivacyBudget::new(epsilon, delta).unwrap();
    let mu = GaussianPrivacy::calibrated(Calibration::Tight, &claimed).unwrap().mu();
    let spent = GaussianPrivacy::new(mu / 0.9).unwrap().delta(epsilon);
    (claimed, PrivacyBudget::new(epsilon, spent).unwrap())
}

#[test]
fn two_cells_that_move_stay_within_epsilon_and_a_scale_ten_percent_too_small_does_not() {
    let (claimed, smaller) = pure(1.0);
    audit(claimed, smaller, SubstituteOne);
}

#[test]
fn a_record_more_stays_within_epsilon_and_a_scale_ten_percent_too_small_does_not() {
    let (claimed, smaller) = pure(1.0);
    audit(claimed, smaller, AddRemoveOne);
}

#[test]
fn two_cells_that_move_stay_within_epsilon_and_delta_and_a_scale_ten_percent_too_small_does_not() {
    let (claimed, smaller) = approximate(0.5, 0.01);
    audit(claimed, smaller, SubstituteOne);
}

#[test]
fn a_record_more_stays_within_epsilon_and_delta_and_a_scale_ten_percent_too_small_does_not() {
    let (claimed, smaller) = approximate(0.5, 0.01);
    audit(claimed, smaller, AddRemoveOne);
}
