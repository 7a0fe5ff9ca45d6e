//! One test for every body: no two neighbours are farther apart than its bounds, and some are as far.
#![allow(clippy::unwrap_used, reason = "tests")]

use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{Body, Cosine, CosineVector, EuclideanBall, OneHot, OneHotVector, RunningSum, WeightedBall};
use crate::body::cosine::{CosineBasis, SeriesSensitivity};
use crate::body::lattice::{LatticeError, LatticeVector, MAX_DIMENSION, RADIUS, RecordMean};
use crate::body::word::Word;
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

mod clipped;
mod gram;
mod grouped;
mod orthant;
mod weighted;

const RELATIONS: [NeighbouringRelation; 2] = [SubstituteOne, AddRemoveOne];

/// The norms that noise is calibrated to.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Norm {
    Sum,
    Euclidean,
}

/// How records of a body are made for the test.
trait Records: Body {
    /// Writes a record that is random, or built to be difficult.
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut Self::Vector);

    /// Two records that are as far apart as any; the first alone is as far from no record as any is.
    fn worst(&self, relation: NeighbouringRelation, norm: Norm) -> [Self::Vector; 2];

    /// Bodies whose records are not of this one.
    fn others(&self) -> Vec<Self>;

    /// Whether some neighbours are as far apart in this norm as the bound says.
    fn attains(&self, _: Norm) -> bool {
        true
    }

    /// By how much of the bound the worst pair may stay below it.
    fn slack(&self) -> f64 {
        1e-5
    }

    /// Whether the sum of a record of nothing is zero.
    fn is_zero_of_nothing(&self) -> bool {
        true
    }

    /// Whether a difference is no longer than the bound on the joint norm, exactly.
    fn is_within(&self, relation: NeighbouringRelation, difference: &[i128]) -> bool {
        at_most_squared(square(self, relation, difference), self.l2_bound(relation))
    }

    /// The joint norm of a difference as a part of the bound.
    fn part(&self, relation: NeighbouringRelation, difference: &[i128]) -> f64 {
        (square(self, relation, difference) as f64).sqrt() / self.l2_bound(relation)
    }
}

/// A number that may be anything.
pub(super) fn number(generator: &mut ChaCha20Rng, size: f64) -> f64 {
    const HOSTILE: [f64; 9] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, -0.0, 1e300, -1.0];
    match generator.random_range(0..6) {
        0 => HOSTILE[generator.random_range(0..HOSTILE.len())],
        _ => generator.random_range(-size..size),
    }
}

impl Records for EuclideanBall {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut LatticeVector) {
        let (dimension, size) = (self.dimension(), 10_f64.powf(generator.random_range(-3.0..2.0)));
        let mut encode = |record: &mut LatticeVector| {
            let z: Vec<f64> = match generator.random_range(0..4) {
                0 => vec![number(generator, size); dimension],
                1 => (0..dimension).map(|i| if i == 0 { number(generator, size) } else { 0.0 }).collect(),
                _ => (0..dimension).map(|_| number(generator, size)).collect(),
            };
            record.encode(&z).unwrap();
            generator.random_range(0..3)
        };
        // one vector, or the mean of several
        if encode(record) == 0 {
            let mut mean = RecordMean::new(dimension).unwrap();
            for _ in 0..3 {
                mean.add(record).unwrap();
                encode(record);
            }
            mean.mean_into(record).unwrap();
        }
    }

    fn worst(&self, _: NeighbouringRelation, norm: Norm) -> [LatticeVector; 2] {
        let dimension = self.dimension();
        [1.0, -1.0].map(|sign| {
            let mut record = self.vector();
            let z: Vec<f64> = match norm {
                // the diagonal is where the sum of absolute values is largest
                Norm::Sum => vec![sign / (dimension as f64).sqrt(); dimension],
                Norm::Euclidean => (0..dimension).map(|i| if i == 0 { sign * 1e300 } else { 0.0 }).collect(),
            };
            record.encode(&z).unwrap();
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        [1, 5, 200].map(|dimension| Self::new(dimension).unwrap()).into()
    }
}

impl Records for OneHot {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut OneHotVector) {
        match generator.random_range(0..5) {
            0 => {}
            1 => record.place(usize::MAX),
            // the last place counts
            2 => (0..3).for_each(|_| record.place(generator.random_range(0..self.dimension()))),
            _ => record.place(generator.random_range(0..self.dimension())),
        }
    }

    fn worst(&self, _: NeighbouringRelation, _: Norm) -> [OneHotVector; 2] {
        [0, usize::MAX].map(|cell| {
            let mut record = self.vector();
            record.place(cell);
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        vec![Self::new(1, 1).unwrap(), Self::new(5000, 1 << 22).unwrap()]
    }
}

impl Records for Cosine {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut CosineVector) {
        let length = generator.random_range(0..5);
        let corner = generator.random_range(0..4) == 0;
        let mut coordinate =
            || if corner { f64::from(generator.random_range(0..2_u8)) } else { number(generator, 1.2) };
        let point: Vec<f64> = (0..length).map(|_| coordinate()).collect();
        record.encode(&point);
    }

    fn worst(&self, relation: NeighbouringRelation, norm: Norm) -> [CosineVector; 2] {
        let farthest = match (relation, norm) {
            (AddRemoveOne, _) => vec![0.0; 3],
            (SubstituteOne, Norm::Sum) => SeriesSensitivity::l1(self.basis()).record,
            (SubstituteOne, Norm::Euclidean) => SeriesSensitivity::l2(self.basis()).record,
        };
        [vec![0.0; 3], farthest].map(|point| {
            let mut record = self.vector();
            record.encode(&point);
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        // as many terms in more dimensions are larger
        let of = |dimension| Self::new(CosineBasis::new(dimension, self.dimension()).unwrap());
        (1..=3).filter(|dimension| *dimension != self.basis().dimension()).map(of).collect()
    }
}

fn balls() -> Vec<EuclideanBall> {
    [1, 2, 9, 93, 700].map(|dimension| EuclideanBall::new(dimension).unwrap()).into()
}

fn weighted_balls() -> Vec<WeightedBall> {
    [(1, RADIUS), (3, 2 * RADIUS), (20, 2 * RADIUS), (30, 3 * RADIUS / 2), (93, 4 * RADIUS)]
        .map(|(bins, bound)| WeightedBall::new(bins, bound).unwrap())
        .into()
}

fn one_hots() -> Vec<OneHot> {
    [(2, 1), (7, 1 << 20), (1000, 3), (64, 1 << 22)].map(|(cells, steps)| OneHot::new(cells, steps).unwrap()).into()
}

fn cosines() -> Vec<Cosine> {
    [(1, 1), (1, 12), (2, 9), (2, 44), (3, 4), (3, 19)]
        .map(|(dimension, terms)| Cosine::new(CosineBasis::new(dimension, terms).unwrap()))
        .into()
}

/// What these records add to the sum of a data set, and to the count of records where that gets noise.
fn sum<B: Body>(body: &B, relation: NeighbouringRelation, records: &[&B::Vector]) -> Vec<i128> {
    let mut totals = body.sum();
    for record in records {
        body.add(&mut totals, record);
    }
    let count = body.count_weight().filter(|_| relation == AddRemoveOne);
    let count = count.map(|weight| i128::from(weight) * records.len() as i128);
    totals.exact().into_iter().map(Word::to_i128).chain(count).collect()
}

/// How far apart the sums of these neighbours are, coordinate by coordinate: two records, or one and none.
fn apart<B: Body>(body: &B, relation: NeighbouringRelation, here: &B::Vector, there: &B::Vector) -> Vec<i128> {
    let there = match relation {
        SubstituteOne => sum(body, relation, &[there]),
        AddRemoveOne => sum(body, relation, &[]),
    };
    sum(body, relation, &[here]).iter().zip(there).map(|(a, b)| a - b).collect()
}

fn absolute(difference: &[i128]) -> u128 {
    difference.iter().map(|d| d.unsigned_abs()).sum()
}

/// The square of the joint norm, where every block has the unit 1: an integer.
fn square<B: Body>(body: &B, relation: NeighbouringRelation, difference: &[i128]) -> i128 {
    let blocks = body.blocks(relation);
    assert_eq!(blocks.iter().map(|block| block.length).sum::<usize>(), difference.len());
    assert!(blocks.iter().all(|block| block.unit == 1.0), "other units: divide each block's part by its squared unit");
    difference.iter().map(|d| d * d).sum()
}

/// The squares of `|z|` and of `2 |c|`, for a difference that ends with its count.
fn cylinder(difference: &[i128]) -> (i128, i128) {
    let (count, sum) = difference.split_last().unwrap();
    (sum.iter().map(|d| d * d).sum(), 4 * count * count)
}

/// Whether an integer is at most the square of a double, exactly.
fn at_most_squared(integer: i128, bound: f64) -> bool {
    // bound = mantissa / 2^places with a mantissa below 2^53 and at most 52 places
    let (mut mantissa, mut places) = (bound, 0_u32);
    while mantissa.fract() != 0.0 {
        mantissa *= 2.0;
        places += 1;
    }
    #[allow(clippy::cast_possible_truncation, reason = "an integer below 2^53")]
    let mantissa = mantissa as i128;
    integer
        .checked_shl(2 * places)
        .is_some_and(|shifted| shifted >> (2 * places) == integer && shifted <= mantissa * mantissa)
}

fn holds_its_bounds<B: Records>(body: &B, pairs: u32) {
    let mut generator = ChaCha20Rng::seed_from_u64(3);
    let (mut here, mut there) = (body.vector(), body.vector());
    let others = body.others();
    assert_eq!(body.bytes_of_sums(), (body.sum().kept().len() * B::Word::BYTES) as u64, "{body:?}");
    for relation in RELATIONS {
        let l1 = body.l1_bound(relation);
        let check = |here: &B::Vector, there: &B::Vector| {
            let difference = apart(body, relation, here, there);
            assert!(absolute(&difference) <= u128::from(l1), "{body:?} {relation}");
            assert!(body.is_within(relation, &difference), "{body:?} {relation}");
            if let Some(bound) = body.cylinder_bound(relation) {
                let (sum, count) = cylinder(&difference);
                assert!(at_most_squared(sum, bound) && at_most_squared(count, bound), "{body:?} {relation}");
            }
        };
        for _ in 0..pairs {
            for record in [&mut here, &mut there] {
                body.reset(record);
                body.difficult(&mut generator, record);
            }
            check(&here, &there);
        }
        // records that another body made
        for other in &others {
            for norm in [Norm::Sum, Norm::Euclidean] {
                let [one, another] = other.worst(SubstituteOne, norm);
                check(&one, &another);
                check(&one, &here);
            }
        }
        for norm in [Norm::Sum, Norm::Euclidean].into_iter().filter(|norm| body.attains(*norm)) {
            let [here, there] = body.worst(relation, norm);
            check(&here, &there);
            let difference = apart(body, relation, &here, &there);
            let attained = match norm {
                Norm::Sum => absolute(&difference) as f64 / l1 as f64,
                Norm::Euclidean => body.part(relation, &difference),
            };
            assert!(attained >= 1.0 - body.slack(), "{body:?} {relation} {norm:?}: {attained}");
            if let (Some(bound), Norm::Euclidean) = (body.cylinder_bound(relation), norm) {
                // by the sum and by the count alike
                let (sum, count) = cylinder(&difference);
                let least = (sum.min(count) as f64).sqrt() / bound;
                assert!(least >= 1.0 - 2.0 * body.slack(), "{body:?} {relation}: {least}");
            }
        }
    }
}

#[test]
fn no_body_is_left_by_its_records_and_every_bound_is_attained() {
    for body in balls() {
        holds_its_bounds(&body, 4000);
    }
    for body in clipped::balls() {
        holds_its_bounds(&body, 300);
    }
    for body in grouped::balls() {
        holds_its_bounds(&body, 150);
    }
    for body in gram::balls() {
        holds_its_bounds(&body, 200);
    }
    for body in weighted_balls() {
        holds_its_bounds(&body, 2000);
    }
    for body in orthant::orthants() {
        holds_its_bounds(&body, 2000);
    }
    for body in one_hots() {
        holds_its_bounds(&body, 4000);
    }
    for body in cosines() {
        holds_its_bounds(&body, 4000);
    }
}

#[test]
fn sums_in_balls_with_a_private_count_move_in_a_cylinder_and_no_others() {
    let bounds = |relation| {
        let clipped =
            clipped::balls().into_iter().map(move |body| (body.moments().is_none(), body.cylinder_bound(relation)));
        balls().into_iter().map(move |body| (true, body.cylinder_bound(relation))).chain(clipped)
    };
    assert!(bounds(AddRemoveOne).all(|(is_of_sums, bound)| bound.is_some() == is_of_sums));
    assert!(bounds(AddRemoveOne).any(|(is_of_sums, _)| !is_of_sums), "second moments move otherwise");
    assert!(bounds(SubstituteOne).all(|(_, bound)| bound.is_none()));
}

#[test]
fn the_comparison_with_a_square_is_exact() {
    let bound = 2.0_f64.sqrt().next_up() * f64::from(1 << 20);
    assert!(at_most_squared(2 << 40, bound) && !at_most_squared(2 << 40, bound.next_down().next_down()));
    assert!(at_most_squared(9, 3.0) && !at_most_squared(10, 3.0) && !at_most_squared(i128::MAX, 1.5));
}

fn leaves_nothing_behind<B: Records>(body: &B) {
    let mut generator = ChaCha20Rng::seed_from_u64(5);
    let mut record = body.vector();
    for _ in 0..50 {
        body.difficult(&mut generator, &mut record);
        body.reset(&mut record);
        assert_eq!(sum(body, SubstituteOne, &[&record]), sum(body, SubstituteOne, &[&body.vector()]), "{body:?}");
        if body.is_zero_of_nothing() {
            assert!(sum(body, SubstituteOne, &[&record]).iter().all(|total| *total == 0), "{body:?}");
        }
    }
}

#[test]
fn a_record_that_was_reset_is_one_of_nothing() {
    balls().iter().for_each(leaves_nothing_behind);
    clipped::balls().iter().for_each(leaves_nothing_behind);
    grouped::balls().iter().for_each(leaves_nothing_behind);
    gram::balls().iter().for_each(leaves_nothing_behind);
    weighted_balls().iter().for_each(leaves_nothing_behind);
    orthant::orthants().iter().for_each(leaves_nothing_behind);
    one_hots().iter().for_each(leaves_nothing_behind);
    cosines().iter().for_each(leaves_nothing_behind);
}

#[test]
fn bodies_that_do_not_exist_are_refused() {
    for found in [0, MAX_DIMENSION + 1] {
        assert_eq!(EuclideanBall::new(found), Err(LatticeError::Dimension { found }));
    }
    assert_eq!(OneHot::new(0, 1), Err(LatticeError::Dimension { found: 0 }));
    for found in [0, -1, (1 << 22) + 1, i64::MAX] {
        assert_eq!(OneHot::new(3, found), Err(LatticeError::Steps { found }));
    }
}
