#![allow(clippy::unwrap_used, reason = "tests")]

use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::Emphasis;
use crate::body::lattice::{COUNT_WEIGHT, LatticeVector, RADIUS, SQUARED_RADIUS};
use crate::body::{Block, Body};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use crate::nested::{ClippedBall, ClippedMoments, ProductsOf, Radii};

const CASES: [(Emphasis, NeighbouringRelation); 4] = [
    (Emphasis::Mean, SubstituteOne),
    (Emphasis::Mean, AddRemoveOne),
    (Emphasis::Covariance, SubstituteOne),
    (Emphasis::Covariance, AddRemoveOne),
];

fn ball(dimension: usize, emphasis: Emphasis, coordinates: usize) -> ClippedBall {
    let moments = ClippedMoments { emphasis, of: ProductsOf::First(coordinates) };
    ClippedBall::new(dimension, Radii::Any, Some(moments)).unwrap()
}

/// What rounding the sums adds to a bound, in radii: `docs/proofs/one-pass.md`.
const ROUNDING: f64 = 513.0 / RADIUS as f64;

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
        let exact = (bound as f64 / common as f64).sqrt() + ROUNDING;
        assert!(stated < exact * (1.0 + 2e-15), "{emphasis:?} {relation}: {stated} {exact}");
    }
}

#[test]
fn the_mean_has_the_same_bound_and_unit_with_free_moments_as_without() {
    let (with, without) = (ball(93, Emphasis::Mean, 40), ClippedBall::new(93, Radii::Any, None).unwrap());
    assert_eq!(with.l2_bound(SubstituteOne), (2.0 * RADIUS as f64 + 513.0).next_up());
    assert_eq!(with.l2_bound(SubstituteOne), without.l2_bound(SubstituteOne));
    assert_eq!(with.blocks(SubstituteOne)[0].unit, without.blocks(SubstituteOne)[0].unit);
    assert_eq!((with.price(SubstituteOne), without.price(AddRemoveOne)), (1.0, 1.0));
    let of_mean = [2.0, 1.25_f64.sqrt()];
    for (emphasis, relation, of_mean, price) in [
        (Emphasis::Mean, AddRemoveOne, of_mean[1], 1.4_f64.sqrt()),
        // golden second_order.json, scales: mean_inflation_vs_mean_only
        (Emphasis::Covariance, SubstituteOne, of_mean[0], 1.739_252_713_092_608_8),
        (Emphasis::Covariance, AddRemoveOne, of_mean[1], 5.0_f64.sqrt()),
    ] {
        let rounded = (price * of_mean + ROUNDING) / (of_mean + ROUNDING);
        assert!((ball(93, emphasis, 40).price(relation) / rounded - 1.0).abs() < 1e-14, "{emphasis:?} {relation}");
    }
}

/// What a record adds: its coordinates, the products and the squares of the first, and the energy that it lacks.
fn added(record: &LatticeVector, coordinates: usize) -> Vec<i128> {
    let k: Vec<i128> = record.coordinates().iter().copied().map(i128::from).collect();
    let pairs = (0..coordinates).flat_map(|i| (i + 1..coordinates).map(move |j| (i, j)));
    let products: Vec<i128> = pairs.map(|(i, j)| k[i] * k[j]).collect();
    let missing = i128::from(SQUARED_RADIUS) - k.iter().map(|k| k * k).sum::<i128>();
    let squares: Vec<i128> = k[..coordinates].iter().map(|k| k * k).collect();
    [k, products, squares, vec![missing]].concat()
}

fn apart(relation: NeighbouringRelation, here: &LatticeVector, there: &LatticeVector, coordinates: usize) -> Vec<i128> {
    let here = added(here, coordinates);
    let there = if relation == SubstituteOne { added(there, coordinates) } else { vec![0; here.len()] };
    let difference = here.iter().zip(there).map(|(a, b)| a - b);
    difference.chain((relation == AddRemoveOne).then_some(i128::from(COUNT_WEIGHT))).collect()
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
            let theorem = theorem(emphasis, relation, SQUARED_RADIUS.into());
            let lengths = [dimension, coordinates * (coordinates - 1) / 2, coordinates, 1, 1];
            let lengths = &lengths[..if relation == AddRemoveOne { 5 } else { 4 }];
            let [mut here, mut there] = [0, 1].map(|_| LatticeVector::zero(dimension).unwrap());
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
                    let square = theorem.square(lengths, &apart(relation, here, there, coordinates));
                    assert!(square <= theorem.bound, "{dimension} {coordinates} {emphasis:?} {relation}");
                    most = most.max(square as f64 / theorem.bound as f64);
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
