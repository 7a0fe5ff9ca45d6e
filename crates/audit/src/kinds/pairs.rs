//! Synthetic data sets that are as bad as data sets can be, and which of them are neighbours.

use std::f64::consts::SQRT_2;

use dpfda_privacy::NeighbouringRelation;

/// A curve on two points, in units of the radius about the centre.
pub(crate) type Curve = [f64; 2];

/// One record: the curves of one subject.
pub(crate) type Record = &'static [Curve];

/// Two neighbouring data sets, as lists of records.
#[derive(Debug, Clone)]
pub(crate) struct Pair<T> {
    pub(crate) name: &'static str,
    pub(crate) left: Vec<T>,
    pub(crate) right: Vec<T>,
}

#[cfg(test)]
#[path = "pairs_tests.rs"]
mod tests;

const MAX: f64 = f64::MAX;
const NAN: f64 = f64::NAN;
const TINY: f64 = 5e-324;

const PLUS: Record = &[[1.0, 1.0]];
/// For a record in two groups.
pub(crate) const PLUS_TWICE: Record = &[[1.0, 1.0], [1.0, 1.0]];
pub(crate) const MINUS_TWICE: Record = &[[-1.0, -1.0], [-1.0, -1.0]];
/// The same outside every ball that is bought, in another cell.
pub(crate) const HALFWAY_TWICE: Record = &[[-0.5, -0.5], [-0.5, -0.5]];
const MINUS: Record = &[[-1.0, -1.0]];
const FIRST: Record = &[[SQRT_2, 0.0]];
const FIRST_MINUS: Record = &[[-SQRT_2, 0.0]];
const SECOND: Record = &[[0.0, SQRT_2]];
const SECOND_MINUS: Record = &[[0.0, -SQRT_2]];
/// At the angle to `FIRST` whose cosine is -1/10, where second moments are farthest apart.
const WIDE: Record = &[[-0.1 * SQRT_2, 0.994_987_437_106_62 * SQRT_2]];
const ACROSS: Record = &[[1.0, -1.0]];
const ACROSS_MINUS: Record = &[[-1.0, 1.0]];
const MISSING: Record = &[[NAN, NAN]];
/// Beside a subject of several curves: the unit is public, so both data sets are of subjects.
const MISSING_TWICE: Record = &[[NAN, NAN], [NAN, NAN]];
const CENTRE: Record = &[[0.0, 0.0]];
const NEGATIVE_ZERO: Record = &[[-0.0, -0.0]];

/// The pairs for records that are curves on two points, of norm `sqrt((x^2 + y^2) / 2)`.
pub(crate) fn of_curves(neighbours: NeighbouringRelation) -> Vec<Pair<Record>> {
    let pairs = match neighbours {
        NeighbouringRelation::SubstituteOne => substituted_curves(),
        NeighbouringRelation::AddRemoveOne => added_curves(),
    };
    pairs.into_iter().map(|(name, left, right)| Pair { name, left: left.to_vec(), right: right.to_vec() }).collect()
}

/// What the other records are where a ball is bought: the centre comes near them, and then the radius is small.
pub(crate) const OTHERS: Record = &[[-0.35, -0.35]];
/// Near enough to the others to be counted in another cell than [`PLUS`], and outside every ball that is bought.
const HALFWAY: Record = &[[-0.5, -0.5]];
/// As far from the others, on the other side.
const NEAR: Record = &[[0.3, -0.35]];

/// The pairs for curves in a ball that is bought: records that differ in their cells and in their values, beside those of a stated
/// ball.
pub(crate) fn of_bought(neighbours: NeighbouringRelation) -> Vec<Pair<Record>> {
    let own: Vec<Named<Record>> = match neighbours {
        NeighbouringRelation::SubstituteOne => vec![
            ("opposite points, one in another cell", &[PLUS, MISSING], &[HALFWAY, MISSING]),
            ("another cell, reversed", &[HALFWAY, MISSING], &[PLUS, MISSING]),
            ("the smallest cell for the largest", &[OTHERS, MISSING], &[PLUS, MISSING]),
            ("another cell, the same values in the ball", &[MINUS, MISSING], &[HALFWAY, MISSING]),
            ("another cell, across", &[ACROSS, MISSING], &[NEAR, MISSING]),
        ],
        NeighbouringRelation::AddRemoveOne => vec![
            ("one in a cell within", &[MISSING], &[MISSING, HALFWAY]),
            ("one like the others", &[MISSING], &[MISSING, OTHERS]),
            ("one near the others", &[MISSING], &[MISSING, NEAR]),
        ],
    };
    let own = own.into_iter().map(|(name, left, right)| Pair { name, left: left.to_vec(), right: right.to_vec() });
    own.chain(of_curves(neighbours)).collect()
}

type Named<T> = (&'static str, &'static [T], &'static [T]);

fn substituted_curves() -> Vec<Named<Record>> {
    vec![
        ("opposite points of the ball", &[PLUS, MISSING], &[MINUS, MISSING]),
        ("opposite points across", &[ACROSS, MISSING], &[ACROSS_MINUS, MISSING]),
        ("opposite points, first coordinate", &[FIRST, MISSING], &[FIRST_MINUS, MISSING]),
        ("opposite points, second coordinate", &[SECOND, MISSING], &[SECOND_MINUS, MISSING]),
        ("opposite points, reversed", &[MINUS, MISSING], &[PLUS, MISSING]),
        ("huge", &[&[[1e300, 1e300]], MISSING], &[&[[-1e300, -1e300]], MISSING]),
        ("the largest doubles", &[&[[MAX, MAX]], MISSING], &[&[[-MAX, -MAX]], MISSING]),
        ("the largest doubles, across", &[&[[MAX, -MAX]], MISSING], &[&[[-MAX, MAX]], MISSING]),
        ("huge beside subnormal", &[&[[1e300, TINY]], MISSING], &[&[[-1e300, -TINY]], MISSING]),
        ("subnormal", &[&[[TINY, TINY]], MISSING], &[&[[-TINY, -TINY]], MISSING]),
        ("signed zeros", &[NEGATIVE_ZERO, MISSING], &[CENTRE, MISSING]),
        ("missing for the centre", &[MISSING, MISSING], &[CENTRE, MISSING]),
        ("missing for an extreme", &[MISSING, MISSING], &[PLUS, MISSING]),
        ("half missing", &[&[[NAN, 1.0]], MISSING], &[&[[NAN, -1.0]], MISSING]),
        ("half missing, the other half", &[&[[MAX, NAN]], MISSING], &[&[[-MAX, NAN]], MISSING]),
        ("half missing for the other half", &[&[[1.0, NAN]], MISSING], &[&[[NAN, -1.0]], MISSING]),
        ("huge for an extreme", &[&[[1e300, 1e300]], MISSING], &[MINUS, MISSING]),
        ("just outside", &[&[[1.0 + 1e-15, 1.0 + 1e-15]], MISSING], &[&[[-1.0 - 1e-15, -1.0 - 1e-15]], MISSING]),
        ("just inside", &[&[[1.0 - 1e-15, 1.0 - 1e-15]], MISSING], &[&[[-1.0 + 1e-15, -1.0 + 1e-15]], MISSING]),
        ("orthogonal", &[PLUS, MISSING], &[ACROSS, MISSING]),
        (
            "a subject of many curves",
            &[&[[1.0, 1.0], [MAX, MAX], [1e300, 1e300], [1.0, 1.0], [2.0, 2.0]], MISSING_TWICE],
            &[&[[-1.0, -1.0], [-MAX, -MAX], [-1e300, -1e300]], MISSING_TWICE],
        ),
        ("a subject whose curves cancel", &[&[[MAX, MAX], [-MAX, -MAX]], MISSING_TWICE], &[MINUS, MISSING_TWICE]),
        ("a subject with a missing curve", &[&[[1e300, 1e300], [NAN, NAN]], MISSING_TWICE], &[MINUS, MISSING_TWICE]),
        ("at a wide angle", &[FIRST, MISSING], &[WIDE, MISSING]),
        ("beside an extreme", &[PLUS, PLUS], &[MINUS, PLUS]),
        ("beside a huge one", &[PLUS, &[[MAX, MAX]]], &[MINUS, &[[MAX, MAX]]]),
        ("the same records in another order", &[PLUS, MINUS], &[MINUS, PLUS]),
        (
            "the same subject's curves in another order",
            &[&[[1.0, 0.1], [0.3, 0.7]], MISSING_TWICE],
            &[&[[0.3, 0.7], [1.0, 0.1]], MISSING_TWICE],
        ),
    ]
}

fn added_curves() -> Vec<Named<Record>> {
    vec![
        ("the first record", &[], &[PLUS]),
        ("the first record, missing", &[], &[MISSING]),
        ("an extreme one", &[MISSING], &[MISSING, PLUS]),
        ("the opposite one", &[MISSING], &[MISSING, MINUS]),
        ("the first coordinate", &[MISSING], &[MISSING, FIRST]),
        ("the first coordinate, opposite", &[MISSING], &[MISSING, FIRST_MINUS]),
        ("the second coordinate", &[MISSING], &[MISSING, SECOND]),
        ("the second coordinate, opposite", &[MISSING], &[MISSING, SECOND_MINUS]),
        ("across", &[MISSING], &[MISSING, ACROSS]),
        ("across, opposite", &[MISSING], &[MISSING, ACROSS_MINUS]),
        ("a missing one", &[MISSING], &[MISSING, MISSING]),
        ("the centre", &[MISSING], &[MISSING, CENTRE]),
        ("signed zeros", &[MISSING], &[MISSING, NEGATIVE_ZERO]),
        ("subnormal", &[MISSING], &[MISSING, &[[TINY, -TINY]]]),
        ("huge", &[MISSING], &[MISSING, &[[1e300, 1e300]]]),
        ("the largest doubles", &[MISSING], &[MISSING, &[[-MAX, -MAX]]]),
        ("the largest doubles, across", &[MISSING], &[MISSING, &[[MAX, -MAX]]]),
        ("huge beside subnormal", &[MISSING], &[MISSING, &[[1e300, TINY]]]),
        ("half missing", &[MISSING], &[MISSING, &[[NAN, 1.0]]]),
        ("half missing, the other half", &[MISSING], &[MISSING, &[[-MAX, NAN]]]),
        ("just outside", &[MISSING], &[MISSING, &[[1.0 + 1e-15, 1.0 + 1e-15]]]),
        (
            "a subject of many curves",
            &[MISSING_TWICE],
            &[MISSING_TWICE, &[[1.0, 1.0], [MAX, MAX], [1e300, 1e300], [2.0, 2.0]]],
        ),
        ("a subject with a missing curve", &[MISSING_TWICE], &[MISSING_TWICE, &[[1e300, 1e300], [NAN, NAN]]]),
        ("beside extreme ones", &[PLUS, PLUS], &[PLUS, PLUS, PLUS]),
        ("against extreme ones", &[MINUS, MINUS], &[PLUS, MINUS, MINUS]),
        ("put in front", &[PLUS, MINUS], &[ACROSS, PLUS, MINUS]),
    ]
}

const EDGE: f64 = 0.5;
const INFINITY: f64 = f64::INFINITY;

/// The pairs for points on `[0, 1]`, cut at 1/2 or elsewhere, beside other records of two kinds, which lie low or high.
///
/// Values outside, missing and at edges stand beside the corners that they are clamped to.
pub(crate) fn of_points(neighbours: NeighbouringRelation, low: &[f64], high: &[f64]) -> Vec<Pair<f64>> {
    match neighbours {
        NeighbouringRelation::SubstituteOne => substituted_points(low, high),
        NeighbouringRelation::AddRemoveOne => added_points(low, high),
    }
}

fn substituted_points(low: &[f64], high: &[f64]) -> Vec<Pair<f64>> {
    let just_below = EDGE.next_down();
    let beside_high = [
        ("corner to corner", 0.0, 1.0),
        ("corner to corner, reversed", 1.0, 0.0),
        ("the two sides of an edge", just_below, EDGE),
        ("inside", 0.25, 0.75),
        ("missing for a corner", NAN, 0.0),
        ("missing for the other corner", 1.0, NAN),
        ("infinite", f64::NEG_INFINITY, INFINITY),
        ("huge", -1e300, 1e300),
        ("the largest doubles", -MAX, MAX),
        ("subnormal and the upper corner", TINY, 1.0),
        ("signed zeros", -0.0, 0.0),
        ("zero and subnormal", -TINY, TINY),
        ("just inside the upper corner", 1.0_f64.next_down(), 0.0),
        ("just outside", (-1e-300), 1.0_f64.next_up()),
        ("a third", 1.0 / 3.0, 2.0 / 3.0),
        ("the same", 0.3, 0.3),
    ];
    let with = |others: &[f64], x: f64| -> Vec<f64> { std::iter::once(x).chain(others.iter().copied()).collect() };
    let mut pairs: Vec<Pair<f64>> = beside_high
        .into_iter()
        .map(|(name, left, right)| Pair { name, left: with(high, left), right: with(high, right) })
        .collect();
    let beside_low = [
        ("corner to corner, beside the lower", 0.0, 1.0),
        ("edge, beside the lower", EDGE, just_below),
        ("missing, beside the lower", NAN, 1.0),
        ("infinite, beside the lower", INFINITY, f64::NEG_INFINITY),
        ("huge, beside the lower", MAX, -MAX),
    ];
    pairs.extend(beside_low.into_iter().map(|(name, left, right)| Pair {
        name,
        left: with(low, left),
        right: with(low, right),
    }));
    let mut reordered = with(high, 0.0);
    reordered.reverse();
    pairs.push(Pair { name: "the same records in another order", left: with(high, 0.0), right: reordered });
    pairs
}

fn added_points(low: &[f64], high: &[f64]) -> Vec<Pair<f64>> {
    let added = [
        ("the lower corner", 0.0),
        ("the upper corner", 1.0),
        ("below an edge", EDGE.next_down()),
        ("at an edge", EDGE),
        ("missing", NAN),
        ("infinite", INFINITY),
        ("infinite, below", f64::NEG_INFINITY),
        ("the largest double", MAX),
        ("the largest double, below", -MAX),
        ("huge", 1e300),
        ("subnormal", TINY),
        ("negative zero", -0.0),
        ("just outside", 1.0_f64.next_up()),
        ("inside", 0.25),
    ];
    let mut pairs = Vec::new();
    for (name, x) in added {
        let left = high.to_vec();
        let right = left.iter().copied().chain([x]).collect();
        pairs.push(Pair { name, left, right });
    }
    let elsewhere = [
        ("the lower corner, elsewhere", 0.0),
        ("the upper corner, elsewhere", 1.0),
        ("missing, elsewhere", NAN),
        ("infinite, elsewhere", INFINITY),
    ];
    for (name, x) in elsewhere {
        let left = low.to_vec();
        let right = std::iter::once(x).chain(left.iter().copied()).collect();
        pairs.push(Pair { name, left, right });
    }
    pairs.push(Pair { name: "the first record", left: Vec::new(), right: vec![1.0] });
    pairs.push(Pair { name: "the first record, below", left: Vec::new(), right: vec![0.0] });
    pairs.push(Pair { name: "the first record, missing", left: Vec::new(), right: vec![NAN] });
    pairs
}
