#![allow(clippy::unwrap_used, reason = "tests")]

use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{EXACT_PRODUCTS, Emphasis, MomentBall, MomentSum, Moments, Products};
use crate::body::lattice::{LatticeError, LatticeVector, MAX_RECORDS, RADIUS, SQUARED_RADIUS};
use crate::body::{Block, Body, RunningSum};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

const CASES: [(Emphasis, NeighbouringRelation); 4] = [
    (Emphasis::Mean, SubstituteOne),
    (Emphasis::Mean, AddRemoveOne),
    (Emphasis::Covariance, SubstituteOne),
    (Emphasis::Covariance, AddRemoveOne),
];

fn ball(dimension: usize, emphasis: Emphasis, coordinates: usize) -> MomentBall {
    MomentBall::new(dimension, Some(Moments { emphasis, coordinates })).unwrap()
}

/// The theorems of `docs/proofs/moments.md` in integers: `sum_b weight_b |d_b|^2 <= bound` with
///
/// ```text
/// weight_b = common / unit_b^2,    bound = common * (joint sensitivity)^2
/// ```
#[derive(Debug)]
struct Theorem {
    common: i128,
    /// Of the mean and the count, of products, of squares and of the energy.
    weights: [i128; 4],
    bound: i128,
}

/// For vectors of squared norm at most `q`.
fn theorem(emphasis: Emphasis, relation: NeighbouringRelation, q: i128) -> Theorem {
    let (common, weights, bound) = match (emphasis, relation) {
        // a^2 = 1/2, c = 3/2
        (Emphasis::Mean, SubstituteOne) => (4 * q, [4 * q, 4, 2, 9], 16 * q * q),
        (Emphasis::Mean, AddRemoveOne) => (4 * q, [4 * q, 4, 2, 6], 7 * q * q),
        // r = 1/10
        (Emphasis::Covariance, SubstituteOne) => (10 * q, [10 * q, 100, 50, 60], 121 * q * q),
        (Emphasis::Covariance, AddRemoveOne) => (4 * q, [4 * q, 40, 20, 24], 25 * q * q),
    };
    Theorem { common, weights, bound }
}

impl Theorem {
    fn square(&self, lengths: &[usize], difference: &[i128]) -> i128 {
        let [mean, products, squares, energy] = self.weights;
        let mut rest = difference;
        let weights = [mean, products, squares, energy, mean];
        lengths
            .iter()
            .zip(weights)
            .map(|(length, weight)| {
                let (mine, others) = rest.split_at(*length);
                rest = others;
                weight * mine.iter().map(|d| d * d).sum::<i128>()
            })
            .sum()
    }
}

/// The square of the joint norm of a difference, and the square of the bound, in the same units.
pub(crate) fn exact_joint_square(
    body: &MomentBall,
    relation: NeighbouringRelation,
    difference: &[i128],
) -> (i128, i128) {
    let lengths: Vec<usize> = body.blocks(relation).iter().map(|block| block.length).collect();
    assert_eq!(lengths.iter().sum::<usize>(), difference.len());
    let q = i128::from(SQUARED_RADIUS);
    let Some(moments) = body.moments() else {
        let bound = if relation == SubstituteOne { 4 * q } else { q + q / 4 };
        return (difference.iter().map(|d| d * d).sum(), bound);
    };
    let theorem = theorem(moments.emphasis, relation, q);
    (theorem.square(&lengths, difference), theorem.bound)
}

/// `number <= factor * root^2` exactly, for a double with few places.
fn at_most(number: i128, factor: i128, root: f64) -> bool {
    let scaled = root * 2.0_f64.powi(54);
    assert_eq!(scaled.fract(), 0.0);
    #[allow(clippy::cast_possible_truncation, reason = "an integer below 2^56")]
    let scaled = scaled as i128;
    number.checked_mul(1 << 108).unwrap() <= factor.checked_mul(scaled * scaled).unwrap()
}

#[test]
fn units_and_bounds_are_those_of_the_theorems_rounded_up_and_hardly_more() {
    for (emphasis, relation) in CASES {
        let body = ball(9, emphasis, 4);
        let Theorem { common, weights, bound } = theorem(emphasis, relation, 1);
        let radii = |steps: f64| steps / RADIUS as f64;
        let blocks = body.blocks(relation);
        let lengths: Vec<usize> = blocks.iter().map(|block| block.length).collect();
        assert_eq!(lengths, [&[9, 6, 4, 1][..], if relation == AddRemoveOne { &[1] } else { &[] }].concat());
        // a unit below the radius counts no less than it should
        for (Block { unit, .. }, weight) in blocks[1..4].iter().zip(&weights[1..]) {
            assert!(at_most(common, *weight, radii(*unit)), "{emphasis:?} {relation}: {unit}");
            assert!(radii(*unit).powi(2) < common as f64 / *weight as f64 * (1.0 + 2e-15), "{emphasis:?} {relation}");
        }
        assert!(blocks.iter().skip(4).chain(&blocks[..1]).all(|block| block.unit == 1.0));
        let stated = radii(body.l2_bound(relation));
        assert!(at_most(bound, common, stated), "{emphasis:?} {relation}: {stated}");
        assert!(stated.powi(2) < bound as f64 / common as f64 * (1.0 + 2e-15), "{emphasis:?} {relation}");
    }
}

#[test]
fn the_mean_has_the_same_bound_and_unit_with_free_moments_as_without() {
    let (with, without) = (ball(93, Emphasis::Mean, 40), MomentBall::new(93, None).unwrap());
    assert_eq!(with.l2_bound(SubstituteOne), 2.0 * RADIUS as f64);
    assert_eq!(with.l2_bound(SubstituteOne), without.l2_bound(SubstituteOne));
    assert_eq!(with.blocks(SubstituteOne)[0], without.blocks(SubstituteOne)[0]);
    assert_eq!((with.price(SubstituteOne), without.price(AddRemoveOne)), (1.0, 1.0));
    for (emphasis, relation, price) in [
        (Emphasis::Mean, AddRemoveOne, 1.4_f64.sqrt()),
        // golden second_order.json, scales: mean_inflation_vs_mean_only
        (Emphasis::Covariance, SubstituteOne, 1.739_252_713_092_608_8),
        (Emphasis::Covariance, AddRemoveOne, 5.0_f64.sqrt()),
    ] {
        assert!((ball(93, emphasis, 40).price(relation) / price - 1.0).abs() < 1e-14, "{emphasis:?} {relation}");
    }
}

/// The sum of one record, or of none.
fn sum_of(body: &MomentBall, records: &[&LatticeVector]) -> Vec<i128> {
    let mut sum = body.sum();
    for record in records {
        body.add(&mut sum, record);
    }
    sum.exact()
}

fn apart(body: &MomentBall, relation: NeighbouringRelation, here: &LatticeVector, there: &LatticeVector) -> Vec<i128> {
    let there = if relation == SubstituteOne { sum_of(body, &[there]) } else { sum_of(body, &[]) };
    let mut difference: Vec<i128> = sum_of(body, &[here]).iter().zip(there).map(|(a, b)| a - b).collect();
    difference.extend((relation == AddRemoveOne).then(|| body.count_weight().map(i128::from)).flatten());
    difference
}

fn encode(record: &mut LatticeVector, z: &[f64]) {
    record.encode(z).unwrap();
}

/// A direction, near an axis, spread out, within the first coordinates or beyond them.
fn direction(generator: &mut ChaCha20Rng, dimension: usize, coordinates: usize) -> Vec<f64> {
    let kind = generator.random_range(0..4);
    let z: Vec<f64> = (0..dimension)
        .map(|i| {
            let x = generator.random_range(-1.0..1.0_f64);
            match kind {
                0 => x.powi(9),
                1 => x,
                2 if i < coordinates => x,
                3 if i + 1 >= coordinates => x,
                _ => 0.0,
            }
        })
        .collect();
    let norm = z.iter().map(|x| x * x).sum::<f64>().sqrt();
    z.iter().map(|x| x / norm).collect()
}

#[test]
fn a_hundred_thousand_random_and_near_worst_pairs_stay_within_the_joint_sensitivity_in_integers() {
    let mut generator = ChaCha20Rng::seed_from_u64(17);
    for (emphasis, relation) in CASES {
        let mut most = 0.0_f64;
        for (dimension, coordinates) in [(2, 2), (3, 2), (5, 5), (8, 3), (12, 12)] {
            let body = ball(dimension, emphasis, coordinates);
            let (mut here, mut there) = (body.vector(), body.vector());
            for _ in 0..20_000 {
                let one = direction(&mut generator, dimension, coordinates);
                let other = direction(&mut generator, dimension, coordinates);
                // near the edge, near sqrt(5) - 2, where the theorem has least to spare, or anywhere
                let length = match generator.random_range(0..3) {
                    0 => 1.1,
                    1 => 5.0_f64.sqrt() - 2.0 + generator.random_range(-0.01..0.01),
                    _ => generator.random_range(0.0..1.0),
                };
                let inner: f64 = one.iter().zip(&other).map(|(a, b)| a * b).sum();
                let across: Vec<f64> = one.iter().zip(&other).map(|(a, b)| b - inner * a).collect();
                let norm = across.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
                let cosine: f64 = match generator.random_range(0..3) {
                    0 => -1.0,
                    1 => -0.1 + generator.random_range(-0.01..0.01),
                    _ => generator.random_range(-1.0..1.0),
                };
                let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
                let at = |(a, b): (&f64, &f64)| length * (cosine * a + sine * b / norm);
                let second: Vec<f64> = one.iter().zip(&across).map(at).collect();
                let first: Vec<f64> = one.iter().map(|x| 1.1 * x).collect();
                encode(&mut here, &first);
                encode(&mut there, &second);
                for (here, there) in [(&here, &there), (&there, &here)] {
                    let (square, bound) = exact_joint_square(&body, relation, &apart(&body, relation, here, there));
                    assert!(square <= bound, "{body:?} {relation}");
                    most = most.max(square as f64 / bound as f64);
                }
            }
        }
        assert!(most > 1.0 - 1e-5, "{emphasis:?} {relation}: {most}");
    }
}

#[test]
fn no_two_points_of_a_small_ball_are_farther_apart_than_the_theorems_say_and_some_are_as_far() {
    // n = 3 with the moments of 2 and of 3 coordinates; squared radius 16 and 25, all integer points
    for (q, coordinates) in [(16_i32, 2_usize), (16, 3), (25, 2)] {
        let reach = -5..=5_i32;
        let mut points = Vec::new();
        for x in reach.clone() {
            for y in reach.clone() {
                points.extend(reach.clone().map(|z| [x, y, z]).filter(|k| k.iter().map(|k| k * k).sum::<i32>() <= q));
            }
        }
        let of = |k: &[i32; 3]| -> Vec<i128> {
            let mut sum = Vec::from(k.map(i128::from));
            let pairs = (0..coordinates).flat_map(|i| (i + 1..coordinates).map(move |j| (i, j)));
            sum.extend(pairs.map(|(i, j)| i128::from(k[i] * k[j])));
            sum.extend(k[..coordinates].iter().map(|k| i128::from(k * k)));
            sum.push(i128::from(q - k.iter().map(|k| k * k).sum::<i32>()));
            sum
        };
        let lengths = [3, coordinates * (coordinates - 1) / 2, coordinates, 1, 1];
        for (emphasis, relation) in CASES {
            let theorem = theorem(emphasis, relation, q.into());
            let nothing = vec![0; of(&[0; 3]).len()];
            let mut most = 0;
            for one in &points {
                let mut see = |other: &[i128]| {
                    let difference: Vec<i128> = of(one).iter().zip(other).map(|(a, b)| a - b).collect();
                    most = most.max(theorem.square(&lengths[..4], &difference));
                };
                if relation == SubstituteOne {
                    for other in &points {
                        see(&of(other));
                    }
                } else {
                    see(&nothing);
                }
            }
            // the count adds (R/2)^2
            let most = if relation == AddRemoveOne { most + theorem.weights[0] * i128::from(q) / 4 } else { most };
            assert!(most <= theorem.bound, "{theorem:?} {most}");
            if (emphasis, relation) != (Emphasis::Covariance, SubstituteOne) {
                assert_eq!(most, theorem.bound);
            }
        }
    }
}

#[test]
fn the_joint_norm_of_pairs_agrees_with_golden_values() {
    // golden second_order.json, integer_example: mahalanobis2 / mu2 for R = 1000, D = 2, n = 3, r = 1/10
    type Case = ([i128; 3], [i128; 3], f64);
    let cases: [Case; 4] = [
        ([1000, 0, 0], [-100, 994, 0], 0.844_891_759_286_667_6),
        ([1000, 0, 0], [0, 0, 0], 0.839_404_958_677_685_9),
        ([600, -300, 200], [-100, 900, -50], 0.415_599_013_223_140_5),
        ([0, 0, 1000], [0, 0, -1000], 0.279_801_652_892_562),
    ];
    let of = |k: [i128; 3]| {
        let energy = 1_000_000 - k.iter().map(|k| k * k).sum::<i128>();
        [k[0], k[1], k[2], k[0] * k[1], k[0] * k[0], k[1] * k[1], energy]
    };
    let theorem = theorem(Emphasis::Covariance, SubstituteOne, 1_000_000);
    for (one, other, expected) in cases {
        let difference: Vec<i128> = of(one).iter().zip(of(other)).map(|(a, b)| a - b).collect();
        let part = theorem.square(&[3, 1, 2, 1], &difference) as f64 / theorem.bound as f64;
        assert!((part - expected / 0.8464).abs() < 1e-12, "{part} {expected}");
    }
}

#[test]
fn a_sum_holds_the_coordinates_the_products_the_squares_and_the_missing_energy() {
    let body = ball(4, Emphasis::Mean, 3);
    assert_eq!(body.dimension(), 4 + 3 + 3 + 1);
    let (mut one, mut other) = (body.vector(), body.vector());
    encode(&mut one, &[0.1, -0.2, 0.3, 0.4]);
    encode(&mut other, &[0.5, 0.1, 0.0, -0.7]);
    // more than are summed in doubles at a time
    let times = EXACT_PRODUCTS * 2 + 3;
    let mut sum = body.sum();
    for _ in 0..times {
        body.add(&mut sum, &one);
    }
    body.add(&mut sum, &other);
    let at = |i: usize, j: usize| -> i128 {
        let product = |record: &LatticeVector| i128::from(record.coordinates()[i] * record.coordinates()[j]);
        times as i128 * product(&one) + product(&other)
    };
    let mut expected: Vec<i128> =
        (0..4).map(|i| times as i128 * i128::from(one.coordinates()[i]) + i128::from(other.coordinates()[i])).collect();
    expected.extend([(0, 1), (0, 2), (1, 2), (0, 0), (1, 1), (2, 2)].map(|(i, j)| at(i, j)));
    let energy: i128 = (0..4).map(|i| at(i, i)).sum();
    expected.push(i128::from(SQUARED_RADIUS) * (times as i128 + 1) - energy);
    assert_eq!(sum.exact(), expected);
    // in parts
    let mut parts = body.sum();
    let mut part = body.sum();
    for _ in 0..times {
        body.add(&mut part, &one);
    }
    body.add(&mut parts, &other);
    parts.merge(&part);
    assert_eq!(parts.exact(), expected);
}

#[test]
fn sums_of_the_most_records_do_not_overflow() {
    let body = ball(3, Emphasis::Covariance, 2);
    let mut record = body.vector();
    encode(&mut record, &[-1e300, 0.0, 0.0]);
    // the doubles are fullest just before they are moved
    assert!(EXACT_PRODUCTS as u64 * SQUARED_RADIUS <= 1 << 53);
    let mut products = Products::new(2);
    (1..EXACT_PRODUCTS).for_each(|_| products.add(record.coordinates()));
    assert_eq!(products.recent[0], (EXACT_PRODUCTS - 1) as f64 * SQUARED_RADIUS as f64);
    products.add(record.coordinates());
    assert_eq!((products.records, products.settled[0]), (0, i128::from(SQUARED_RADIUS) * EXACT_PRODUCTS as i128));
    // as if 2^40 - 1 records had been added already, and then one more
    let earlier = i128::from(MAX_RECORDS - 1);
    let settled = [i128::from(SQUARED_RADIUS) * earlier, -i128::from(SQUARED_RADIUS / 2) * earlier, 0].into();
    let products = Products { settled, missing: i128::from(SQUARED_RADIUS) * earlier, ..Products::new(2) };
    let coordinates = vec![-RADIUS * (MAX_RECORDS - 1).cast_signed(), 0, 0];
    let mut sum = MomentSum { coordinates, products: Some(products) };
    body.add(&mut sum, &record);
    let most = i128::from(SQUARED_RADIUS) * i128::from(MAX_RECORDS);
    assert_eq!(most, 1 << 84);
    let exact = sum.exact();
    assert_eq!(exact[..3], [-i128::from(RADIUS) * i128::from(MAX_RECORDS), 0, 0]);
    assert_eq!(exact[4..], [most, 0, most - i128::from(SQUARED_RADIUS)]);
}

#[test]
fn moments_of_too_few_or_too_many_coordinates_are_refused() {
    for (dimension, found) in [(9, 0), (9, 1), (9, 10), (1, 1), (5000, 1025), (9, usize::MAX)] {
        let moments = Moments { emphasis: Emphasis::Mean, coordinates: found };
        assert_eq!(MomentBall::new(dimension, Some(moments)), Err(LatticeError::Moments { found, dimension }));
    }
    assert_eq!(MomentBall::new(0, None), Err(LatticeError::Dimension { found: 0 }));
    assert!(MomentBall::new(1024, Some(Moments { emphasis: Emphasis::Covariance, coordinates: 1024 })).is_ok());
}
