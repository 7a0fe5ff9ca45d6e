#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::collection::vec;
use proptest::prelude::*;

use super::ExactSum;
use crate::body::cosine::CosineBasis;
use crate::body::lattice::{LatticeError, LatticeVector, MAX_RECORDS};
use crate::body::{Body, Cosine, EuclideanBall, OneHot, RunningSum};
use crate::budget::PrivacyBudget;
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use crate::draw::law::Law;
use crate::draw::noise::{Noise, NormalBlock};
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_normal::RoundedNormal;

fn ball(dimension: usize) -> EuclideanBall {
    EuclideanBall::new(dimension).unwrap()
}

fn encoded(z: &[f64]) -> LatticeVector {
    let mut vector = LatticeVector::zero(z.len()).unwrap();
    vector.encode(z).unwrap();
    vector
}

/// The sum of records in a body, each written by this function.
fn sum_of<B: Body, T>(body: &B, records: &[T], write: impl Fn(&T, &mut B::Vector)) -> ExactSum<B> {
    let (mut sum, mut vector) = (ExactSum::new(body.clone()), body.vector());
    for record in records {
        body.reset(&mut vector);
        write(record, &mut vector);
        sum.add(&vector).unwrap();
    }
    sum
}

/// Normal noise of this scale for so many coordinates.
fn normal(scale: u64, length: usize) -> Noise {
    Noise::Gaussian(vec![NormalBlock { length, unit: 1.0, normal: RoundedNormal::new(scale).unwrap() }])
}

/// Whether sums over the whole, over the whole backwards and over two parts in both orders are the same integers.
fn has_no_order<B: Body, T: Clone>(body: &B, records: &[T], cut: usize, write: impl Fn(&T, &mut B::Vector)) -> bool {
    let sum = |records: &[T]| sum_of(body, records, &write);
    let backwards: Vec<T> = records.iter().rev().cloned().collect();
    let (whole, backwards) = (sum(records), sum(&backwards));
    let (mut left, mut right) = (sum(&records[..cut]), sum(&records[cut..]));
    left.merge(&sum(&records[cut..])).unwrap();
    right.merge(&sum(&records[..cut])).unwrap();
    [backwards, left, right]
        .iter()
        .all(|other| other.totals.exact() == whole.totals.exact() && other.records == whole.records)
}

proptest! {
    #[test]
    fn sums_do_not_depend_on_order_or_partition(rows in vec(vec(-1.0..1.0_f64, 5), 2..30), cut in 1..29_usize) {
        let cut = cut.min(rows.len() - 1);
        prop_assert!(has_no_order(&ball(5), &rows, cut, |row, vector| vector.encode(row).unwrap()));
        let cosine = Cosine::new(CosineBasis::new(2, 9).unwrap());
        prop_assert!(has_no_order(&cosine, &rows, cut, |row, vector| vector.encode(row)));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 9")]
        let cell = |x: f64| (5.0 + 4.9 * x) as usize;
        let histogram = OneHot::new(10, 1 << 20).unwrap();
        prop_assert!(has_no_order(&histogram, &rows, cut, |row, vector| vector.place(cell(row[0]))));
    }
}

#[test]
fn the_largest_sum_that_is_allowed_does_not_overflow() {
    let mut sum = sum_of(&ball(1), &[1.0], |z, vector| vector.encode(&[*z]).unwrap());
    let one = sum.totals[0];
    for _ in 0..40 {
        let half = ExactSum { body: sum.body, totals: sum.totals.clone(), records: sum.records };
        sum.merge(&half).unwrap();
    }
    assert_eq!(sum.records(), MAX_RECORDS);
    assert_eq!((one, sum.totals[0]), ((1 << 22) - 2, ((1 << 22) - 2) << 40));
    assert_eq!(sum.add(&encoded(&[1.0])), Err(LatticeError::TooManyRecords));
    assert_eq!(sum.totals[0], one << 40, "nothing was added");
    let noisy = sum.perturb(&normal(1 << 56, 2), AddRemoveOne, &mut SeededRandomness::from_seed(0));
    assert!(noisy.count.is_some());
}

#[test]
fn the_largest_record_of_every_body_fits_into_a_sum_of_the_most_records() {
    let mut corner = Cosine::new(CosineBasis::new(3, 512).unwrap()).vector();
    corner.encode(&[0.0; 3]);
    let largest = corner.coordinates().iter().map(|k| k.unsigned_abs()).max().unwrap();
    for coordinate in [largest, 1 << 22, Cosine::STEPS.unsigned_abs()] {
        assert!(coordinate.checked_mul(MAX_RECORDS).is_some_and(|sum| i64::try_from(sum).is_ok()), "{coordinate}");
    }
}

#[test]
fn sums_in_other_bodies_and_of_too_many_records_are_refused_and_nothing_is_added() {
    let of = |body: EuclideanBall, records| ExactSum { body, totals: vec![7; body.dimension()], records };
    let mut sum = of(ball(2), 5);
    assert_eq!(sum.merge(&of(ball(3), 5)), Err(LatticeError::Bodies));
    assert_eq!(sum.merge(&of(ball(2), MAX_RECORDS)), Err(LatticeError::TooManyRecords));
    assert_eq!(sum.merge(&of(ball(2), u64::MAX)), Err(LatticeError::TooManyRecords));
    assert_eq!((&sum.totals[..], sum.records()), (&[7, 7][..], 5));
    sum.merge(&of(ball(2), MAX_RECORDS - 5)).unwrap();
    assert_eq!((&sum.totals[..], sum.records()), (&[14, 14][..], MAX_RECORDS));
    let steps = |steps| ExactSum::new(OneHot::new(4, steps).unwrap());
    assert_eq!(steps(1).merge(&steps(2)), Err(LatticeError::Bodies));
}

#[test]
fn the_count_comes_back_within_its_noise() {
    let body = ball(1);
    let sum = sum_of(&body, &[0.0; 1000], |z, vector| vector.encode(&[*z]).unwrap());
    let noisy = sum.perturb(&normal(1 << 22, 2), AddRemoveOne, &mut SeededRandomness::from_seed(2));
    let weight = body.count_weight().unwrap() as f64;
    let sd = f64::from(1 << 22) / weight;
    assert_eq!(sd, 2.0);
    assert!((noisy.count.unwrap() as f64 / weight - 1000.0).abs() < 5.0 * sd);
}

#[test]
fn the_count_is_noisy_where_it_is_private_and_absent_where_it_is_public() {
    let count = |relation: NeighbouringRelation, seed| {
        let sum = sum_of(&ball(1), &[0.0], |z, vector| vector.encode(&[*z]).unwrap());
        let noise = normal(1 << 22, ball(1).noisy_dimension(relation));
        sum.perturb(&noise, relation, &mut SeededRandomness::from_seed(seed)).count
    };
    let exact = ball(1).count_weight();
    // one draw in ten million is 0
    assert!((0..20).all(|seed| count(AddRemoveOne, seed) != exact));
    assert_eq!(count(SubstituteOne, 0), None);
    // the coordinates of a histogram tell the count
    let sum = ExactSum::new(OneHot::new(3, 1).unwrap());
    assert_eq!(sum.perturb(&normal(5, 3), AddRemoveOne, &mut SeededRandomness::from_seed(0)).count, None);
}

#[test]
fn what_is_made_public_is_the_sum_and_a_draw_of_the_noise_in_the_order_of_the_words() {
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    for relation in [SubstituteOne, AddRemoveOne] {
        let rows = [[0.5, 0.1], [-0.3, 0.9]];
        let noise = Noise::calibrated(&Law::GAUSSIAN, &budget, &ball(2), relation).unwrap();
        let sum = sum_of(&ball(2), &rows, |row, vector| vector.encode(row).unwrap());
        let mut expected = sum.totals.clone();
        expected.extend((relation == AddRemoveOne).then_some(2 * ball(2).count_weight().unwrap()));
        noise.add_to(&mut expected, &mut SeededRandomness::from_seed(4));
        let noisy = sum.perturb(&noise, relation, &mut SeededRandomness::from_seed(4));
        assert_eq!(noisy.words().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_digest_takes_in_the_number_of_records_and_every_total() {
    let absorbed = |rows: &[[f64; 2]]| {
        let mut bytes = Vec::new();
        let sum = sum_of(&ball(2), rows, |row, vector| vector.encode(row).unwrap());
        sum.absorb(|piece| bytes.extend_from_slice(piece));
        bytes
    };
    let one = absorbed(&[[0.5, 0.1], [-0.3, 0.9]]);
    assert_eq!(one.len(), 8 + 2 * (8 + 8));
    assert_eq!(one, absorbed(&[[-0.3, 0.9], [0.5, 0.1]]));
    for other in [absorbed(&[[0.5, 0.1], [-0.3, 0.8]]), absorbed(&[[0.5, 0.1], [-0.3, 0.9], [0.0, 0.0]])] {
        assert_ne!(one, other);
    }
}

#[test]
fn printing_a_sum_shows_nothing_of_it() {
    let sum = sum_of(&ball(1), &[0.123], |z, vector| vector.encode(&[*z]).unwrap());
    let cosine = Cosine::new(CosineBasis::new(1, 3).unwrap());
    let series = sum_of(&cosine, &[0.123], |x, vector| vector.encode(&[*x]));
    assert!(!format!("{sum:?} {series:?}").contains(char::is_numeric));
}
