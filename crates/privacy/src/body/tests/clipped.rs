//! Records clipped at one of the nested radii.

use super::{EuclideanBall, Norm, Records};
use crate::body::{Body, Emphasis};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use crate::nested::{ClippedBall, ClippedMoments, NestedRadius, NestedRecord, ProductsOf, PublicBasis, Radii};
use crate::sum::exact_sum::ExactSum;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

/// The first unit vectors as a basis: what is worst for the theorems is worst along it, but for its scale.
pub(super) fn units(dimension: usize, order: usize) -> ProductsOf {
    let column = |l: usize| (0..dimension).map(|i| f64::from(u8::from(i == l))).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..order).map(column).collect();
    ProductsOf::Along(PublicBasis::new(&columns).unwrap().into())
}

pub(super) fn balls() -> Vec<ClippedBall> {
    let plain = [1, 93].map(|dimension| ClippedBall::new(dimension, Radii::Any, None).unwrap());
    let products = [(9, ProductsOf::First(9)), (93, ProductsOf::First(5)), (93, units(93, 4)), (140, units(140, 4))];
    let of = |(dimension, of): (usize, ProductsOf)| {
        [Emphasis::Mean, Emphasis::Covariance].map(|emphasis| {
            let moments = ClippedMoments { emphasis, of: of.clone() };
            ClippedBall::new(dimension, Radii::Any, Some(moments)).unwrap()
        })
    };
    plain.into_iter().chain(products.into_iter().flat_map(of)).collect()
}

/// 20 times the square of the joint norm times `R^2`, for the units of the theorems: an integer.
fn exact_square(body: &ClippedBall, relation: NeighbouringRelation, difference: &[i128]) -> i128 {
    let squared_radius = 1_i128 << 44;
    let sum = |part: &[i128]| part.iter().map(|d| d * d).sum::<i128>();
    let (vector, rest) = difference.split_at(body.record_dimension());
    let Some(moments) = body.moments() else { return 20 * squared_radius * sum(difference) };
    let k = moments.of.coordinates();
    let (above, rest) = rest.split_at(k * (k - 1) / 2);
    let (squares, rest) = rest.split_at(k);
    let (missing, count) = rest.split_at(1);
    // 20 / unit^2
    let weights = match (moments.emphasis, relation) {
        (Emphasis::Mean, SubstituteOne) => [20, 10, 45],
        (Emphasis::Mean, AddRemoveOne) => [20, 10, 30],
        (Emphasis::Covariance, _) => [200, 100, 120],
    };
    let of_moments = [above, squares, missing].into_iter().zip(weights).map(|(part, weight)| weight * sum(part));
    20 * squared_radius * (sum(vector) + sum(count)) + of_moments.sum::<i128>()
}

impl Records for ClippedBall {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut NestedRecord) {
        let size = (-generator.random_range(-1.0..7.0_f64)).exp2();
        let z: Vec<f64> = match generator.random_range(0..3) {
            0 => (0..record.dimension()).map(|_| super::number(generator, size)).collect(),
            1 => {
                (0..record.dimension()).map(|i| if i < 2 { generator.random_range(-size..size) } else { 0.0 }).collect()
            }
            _ => (0..record.dimension()).map(|_| generator.random_range(-size..size)).collect(),
        };
        record.encode(&z).unwrap();
    }

    fn worst(&self, relation: NeighbouringRelation, norm: Norm) -> [NestedRecord; 2] {
        let dimension = self.record_dimension();
        let emphasis = self.moments().map_or(Emphasis::Mean, |moments| moments.emphasis);
        let mut of_lattice = EuclideanBall::new(dimension).unwrap().worst(relation, norm);
        if norm == Norm::Euclidean && emphasis == Emphasis::Covariance {
            // the cosine of the angle is -1/10
            let z = (0..dimension).map(|i| [-0.1, 0.99_f64.sqrt()].get(i).map_or(0.0, |x| *x));
            of_lattice[1].encode(&z.collect::<Vec<f64>>()).unwrap();
        }
        of_lattice.map(|vector| {
            let z: Vec<f64> = vector.coordinates().iter().map(|k| *k as f64 / 4e6).collect();
            let mut record = self.vector();
            record.encode(&z).unwrap();
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        [1, 200].map(|dimension| Self::new(dimension, Radii::Any, None).unwrap()).into()
    }

    fn attains(&self, norm: Norm) -> bool {
        // along a basis of length 1 - 2^-14
        let is_first = self.moments().is_none_or(|moments| matches!(moments.of, ProductsOf::First(_)));
        is_first && (self.moments().is_none() || norm == Norm::Euclidean)
    }

    /// Sums are rounded.
    fn slack(&self) -> f64 {
        2e-4
    }

    fn is_zero_of_nothing(&self) -> bool {
        self.moments().is_none()
    }

    fn is_within(&self, relation: NeighbouringRelation, difference: &[i128]) -> bool {
        self.part(relation, difference) <= 1.0
    }

    fn part(&self, relation: NeighbouringRelation, difference: &[i128]) -> f64 {
        let bound = self.l2_bound(relation) * f64::from(1 << 22);
        (exact_square(self, relation, difference) as f64 / 20.0).sqrt() / bound
    }
}

#[test]
fn pairs_along_a_basis_and_on_a_long_grid_come_within_a_part_in_ten_thousand_of_the_bound() {
    for body in balls().iter().filter(|body| !body.attains(Norm::Euclidean)) {
        for relation in super::RELATIONS {
            let [here, there] = body.worst(relation, Norm::Euclidean);
            let part = body.part(relation, &super::apart(body, relation, &here, &there));
            assert!(part > 1.0 - 4e-4, "{body:?} {relation}: {part}");
        }
    }
}

#[test]
fn rounded_sums_move_by_no_more_than_the_rounding_lemma_allows_at_every_radius() {
    // many records beside those that differ: the rounding of the sum, and not a sum of roundings
    let mut generator = ChaCha20Rng::seed_from_u64(21);
    for body in balls() {
        let [here, there] = body.worst(SubstituteOne, Norm::Euclidean);
        let mut record = body.vector();
        let mut sums = [here, there].map(|one| {
            let mut sum = ExactSum::new(body.clone());
            sum.add(&one).unwrap();
            sum
        });
        for _ in 0..20 {
            body.difficult(&mut generator, &mut record);
            for sum in &mut sums {
                sum.add(&record).unwrap();
            }
        }
        for radius in NestedRadius::all() {
            sums = sums.map(|sum| sum.at(radius).unwrap());
            let [a, b] = [0, 1].map(|place: usize| sums[place].totals().reveal().clone());
            let difference: Vec<i128> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            assert!(body.is_within(SubstituteOne, &difference), "{body:?} {radius:?}");
            assert!(body.part(SubstituteOne, &difference) > 1.0 - 4e-4 || body.moments().is_some());
        }
    }
}
