#![allow(clippy::unwrap_used, reason = "tests")]

use super::{LONGEST, MOST_RADII, WeightedBall};
use crate::body::Body;
use crate::body::lattice::{LatticeError, RADIUS, steps_to_unit};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

/// The square of the distance of neighbours and of its bound, both times `bound^2`, exactly.
pub(crate) fn exact_joint_square(
    body: &WeightedBall,
    relation: NeighbouringRelation,
    difference: &[i128],
) -> (i128, i128) {
    let [r, q, bound] = [RADIUS, LONGEST, body.bound].map(i128::from);
    let square = match relation {
        SubstituteOne => (4 * r * r + 2 * q * q) * bound * bound - 2 * r * r * q * q,
        AddRemoveOne => (r * r + q * q) * bound * bound,
    };
    (difference.iter().map(|d| d * d).sum::<i128>() * bound * bound, square)
}

#[test]
fn the_bound_is_that_of_the_notes_rounded_up_and_hardly_more() {
    // docs/proofs/rows.md, in radii
    for (radii, relation, expected) in [
        (1, SubstituteOne, 2.0),
        (2, SubstituteOne, 2.091_650_066_335_189),
        (MOST_RADII, SubstituteOne, 2.121_320_343_559_642_4),
        (2, AddRemoveOne, 1.118_033_988_749_895),
    ] {
        let body = WeightedBall::new(20, radii * RADIUS).unwrap();
        let found = body.l2_bound(relation) / RADIUS as f64;
        assert!((found / expected - 1.0).abs() < 2e-7, "{radii} {relation}: {found}");
        let (_, square) = exact_joint_square(&body, relation, &[]);
        let exact = square as f64 / (body.bound as f64).powi(2);
        assert!(body.l2_bound(relation).powi(2) >= exact * (1.0 - 1e-15), "{radii} {relation}");
    }
}

/// All records of a small body, by enumeration: integers in place of `R` and `Q`, as another program did.
fn records(bins: u32, (r, q): (i64, i64), (numerator, denominator): (i64, i64)) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for place in 0..2 * bins as usize {
        let range = if place % 2 == 0 { 0..=q } else { -r..=r };
        all = all.iter().flat_map(|start| range.clone().map(move |x| [start.as_slice(), &[x]].concat())).collect();
    }
    all.retain(|pairs| {
        let squares = |from: usize| pairs[from..].iter().step_by(2).map(|x| x * x).sum::<i64>();
        let fits = pairs.chunks(2).all(|pair| pair[1].abs() * denominator <= numerator * pair[0]);
        fits && squares(0) <= q * q && squares(1) <= r * r
    });
    all
}

#[test]
fn enumerated_records_of_small_bodies_are_no_farther_apart_than_the_formula_says() {
    // bins, (R, Q), rho, number of records, largest squared distance, by another program
    for (bins, sizes, rho, number, largest) in [
        (2, (4, 4), (1, 1), 225, 64),
        (2, (4, 4), (2, 1), 385, 77),
        (2, (6, 4), (2, 1), 585, 149),
        (2, (5, 3), (3, 2), 139, 72),
        (3, (3, 3), (2, 1), 1219, 44),
        (3, (4, 3), (2, 1), 1785, 72),
    ] {
        let all = records(bins, sizes, rho);
        assert_eq!(all.len(), number);
        let distance = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<i64>();
        let found = all.iter().flat_map(|a| all.iter().map(move |b| distance(a, b))).max().unwrap();
        assert_eq!(found, largest);
        let (r, q) = (sizes.0 as f64, sizes.1 as f64);
        let inverse = (f64::from(i32::try_from(rho.1).unwrap()) / rho.0 as f64).powi(2);
        assert!(found as f64 <= 4.0 * r * r + 2.0 * q * q - 2.0 * r * r * inverse + 1e-9);
    }
}

#[test]
fn bodies_without_bins_or_with_a_bound_below_the_radius_are_refused() {
    assert_eq!(WeightedBall::new(0, RADIUS), Err(LatticeError::Dimension { found: 0 }));
    assert_eq!(WeightedBall::new(1 << 18, RADIUS), Err(LatticeError::Dimension { found: 1 << 19 }));
    for found in [RADIUS - 1, MOST_RADII * RADIUS + 1, 0, -RADIUS, i64::MAX] {
        assert_eq!(WeightedBall::new(3, found), Err(LatticeError::Bound { found }));
    }
}

#[test]
fn no_value_is_larger_than_its_weight_allows_to_the_last_step() {
    for bound in [RADIUS, RADIUS + 1, 3 * RADIUS / 2 + 1] {
        let body = WeightedBall::new(2, bound).unwrap();
        let mut record = body.vector();
        for weight in [0.0, 0.1, 0.3, 0.37] {
            let (values, weights) = record.parts();
            values.encode(&[0.9, -0.4]).unwrap();
            weights.encode(&[weight, weight / 3.0]).unwrap();
            let mut sum = body.sum();
            body.add(&mut sum, &record);
            for (value, weight) in [(sum[0], sum[2]), (-sum[1], sum[3])] {
                assert!(value * LONGEST <= bound * weight, "{bound} {weight}: {value}");
                assert!((value + 1) * LONGEST > bound * weight, "clipped farther than to the bound");
            }
        }
    }
}

#[test]
fn totals_come_back_from_a_part_and_impossible_ones_do_not() {
    let body = WeightedBall::new(3, 2 * RADIUS).unwrap();
    let mut record = body.vector();
    let (values, weights) = record.parts();
    values.encode(&[0.3, -0.2, 0.0]).unwrap();
    weights.encode(&[0.7, 0.7, 0.0]).unwrap();
    let mut sum = body.sum();
    body.add(&mut sum, &record);
    assert_eq!(body.restored(&sum, 1).unwrap(), sum);
    assert!(body.restored(&sum[1..], 1).is_none(), "one total short");
    assert!(body.restored(&sum, 0).is_none(), "totals of no records");
    for (place, value) in [(5, -1), (2, 1), (3, LONGEST + 1)] {
        let mut other = sum.clone();
        other[place] = value;
        assert!(body.restored(&other, 1).is_none(), "{place} {value}");
    }
}

#[test]
fn rounding_moves_no_values_and_weights_by_more_than_their_bound() {
    let (bins, mut nearest) = (5, [0.0_f64; 2]);
    let fraction = |of: f64| of - of.floor();
    for (record, radii) in (0..4000_u32).zip([1, 2, 5, MOST_RADII].into_iter().cycle()) {
        let body = WeightedBall::new(bins, radii * RADIUS).unwrap();
        let steps = steps_to_unit(bins);
        let at = |place: usize, root: f64| fraction(f64::from(record) * root + place as f64 * 0.618_034);
        let weights: Vec<f64> = (0..bins).map(|bin| at(bin, 2.0_f64.sqrt())).collect();
        let norm = weights.iter().map(|q| q * q).sum::<f64>().sqrt();
        let weights: Vec<f64> = weights.iter().map(|q| q / norm).collect();
        // many values are at the bound, where the rounded weight clamps them
        let share = |bin: usize| (4.0 * at(bin, 3.0_f64.sqrt()) - 2.0).clamp(-1.0, 1.0);
        let values: Vec<f64> = (0..bins).map(|bin| share(bin) * weights[bin] * radii as f64).collect();
        let norm = values.iter().map(|v| v * v).sum::<f64>().sqrt().max(1.0);
        let values: Vec<f64> = values.iter().map(|v| v / norm).collect();
        let (mut vector, mut sum) = (body.vector(), body.sum());
        let (of_values, of_weights) = vector.parts();
        of_values.encode(&values).unwrap();
        of_weights.encode(&weights).unwrap();
        body.add(&mut sum, &vector);
        let moved = |real: &[f64], found: &[i64], steps: f64| {
            real.iter().zip(found).map(|(z, k)| (*k as f64 - steps * z).powi(2)).sum::<f64>().sqrt()
        };
        let (in_values, in_weights) = body.rounding_of_record();
        let parts =
            [moved(&values, &sum[..bins], steps) / in_values, moved(&weights, &sum[bins..], steps / 2.0) / in_weights];
        assert!(parts.iter().all(|part| *part <= 1.0), "{record} {radii}: {parts:?}");
        nearest = [nearest[0].max(parts[0]), nearest[1].max(parts[1])];
    }
    assert!(nearest.iter().all(|part| *part > 0.4), "the bounds are not far off: {nearest:?}");
}
