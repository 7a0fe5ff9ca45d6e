#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::{PI, SQRT_2};

use crate::budget::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use proptest::prelude::*;

use super::{SeriesSensitivity, l1_steps, l2_steps};
use crate::body::cosine::CosineBasis;
use crate::body::cosine::encoding::encode;

/// Dimensions and numbers of terms that are looked at.
const SIZES: [(usize, usize); 12] =
    [(1, 1), (1, 2), (1, 3), (1, 10), (1, 64), (2, 1), (2, 5), (2, 20), (2, 44), (3, 4), (3, 9), (3, 34)];

fn basis(dimension: usize, terms: usize) -> CosineBasis {
    CosineBasis::new(dimension, terms).unwrap()
}

fn differences(basis: &CosineBasis, x: &[f64], y: &[f64]) -> Vec<f64> {
    let (mut at_x, mut at_y) = (Vec::new(), Vec::new());
    basis.values_into(x, &mut at_x);
    basis.values_into(y, &mut at_y);
    at_x.iter().zip(&at_y).map(|(a, b)| a - b).collect()
}

/// The distances of two records in the sum of absolute values and in the Euclidean norm.
fn distances(basis: &CosineBasis, x: &[f64], y: &[f64]) -> (f64, f64) {
    let differences = differences(basis, x, y);
    (differences.iter().map(|d| d.abs()).sum(), differences.iter().map(|d| d * d).sum::<f64>().sqrt())
}

#[test]
fn both_suprema_are_attained_by_a_record_and_the_corner() {
    for (dimension, terms) in SIZES {
        let basis = basis(dimension, terms);
        let (l1, l2) = (SeriesSensitivity::l1(&basis), SeriesSensitivity::l2(&basis));
        let corner = vec![0.0; dimension];
        for (found, reached) in
            [(&l1, distances(&basis, &l1.record, &corner).0), (&l2, distances(&basis, &l2.record, &corner).1)]
        {
            assert!(found.record.iter().all(|x| (0.0..=1.0).contains(x)), "{found:?}");
            assert!((reached / found.attained - 1.0).abs() < 1e-12, "{dimension}, {terms}: {found:?}");
            assert!(found.attained <= found.bound && found.bound <= found.attained * (1.0 + 2e-6));
        }
    }
}

#[test]
fn the_suprema_are_those_of_an_independent_search() {
    // a search over pairs of records, both of them free, by another program
    for (dimension, terms, l1, l2) in [
        (1, 1, 2.828_43, 2.828_43),
        (1, 2, 4.419_42, 3.207_68),
        (1, 3, 6.103_13, 4.0),
        (1, 5, 9.515_92, 4.898_98),
        (1, 10, 18.099_76, 6.436_90),
        (1, 20, 35.301_91, 8.987_03),
        (1, 40, 69.724_23, 12.649_11),
        (2, 3, 7.247_84, 4.276_59),
        (2, 5, 10.746_49, 4.944_45),
        (2, 9, 19.313_71, 8.0),
        (2, 20, 42.892_84, 12.0),
        (2, 44, 97.025_66, 16.970_56),
        (3, 4, 10.076_27, 5.127_30),
        (3, 9, 19.038_58, 6.928_20),
        (3, 19, 46.627_42, 13.266_50),
        (3, 34, 77.642_03, 16.0),
        (3, 83, 204.303_61, 27.422_62),
    ] {
        let basis = basis(dimension, terms);
        let found = (SeriesSensitivity::l1(&basis).attained, SeriesSensitivity::l2(&basis).attained);
        assert!((found.0 / l1 - 1.0).abs() < 2e-6 && (found.1 / l2 - 1.0).abs() < 2e-6, "{terms}: {found:?}");
    }
}

#[test]
fn the_printed_laplace_scale_is_insufficient_for_every_number_of_terms() {
    // errata entry 13: c0 m = sqrt(2) m is below the l1 sensitivity; the true factor falls from 2 to 1.2172
    for (terms, factor) in [(1, 2.0), (2, 1.5625), (3, 1.4385), (5, 1.3458), (10, 1.2799), (64, 1.2268), (512, 1.2184)]
    {
        let supremum = SeriesSensitivity::l1(&basis(1, terms));
        let printed = SQRT_2 * terms as f64;
        assert!((supremum.attained / printed - factor).abs() < 1e-4, "{terms}: {}", supremum.attained / printed);
        assert!(supremum.bound <= 2.0 * printed * (1.0 + 2e-6), "2 c0 m always suffices");
    }
}

#[test]
fn in_one_dimension_the_l1_supremum_is_that_of_the_dirichlet_kernel() {
    for terms in [1_u32, 2, 7, 30, 200] {
        let half = f64::from(terms) + 0.5;
        let kernel = |phi: f64| (half * phi).sin() / (2.0 * (phi / 2.0).sin());
        let least = (1..=2_000_000).map(|i| kernel(PI * f64::from(i) / 2e6)).fold(f64::INFINITY, f64::min);
        let supremum = SeriesSensitivity::l1(&basis(1, terms as usize));
        assert!((supremum.attained / (SQRT_2 * (half - least)) - 1.0).abs() < 1e-6, "{terms}");
    }
}

proptest! {
    #[test]
    fn no_two_records_are_farther_apart_than_the_bounds_in_integers(
        size in prop::sample::select(SIZES.to_vec()),
        pairs in prop::collection::vec([prop::collection::vec(-0.1..1.1_f64, 3), prop::collection::vec(-0.1..1.1_f64, 3)], 100),
    ) {
        let basis = basis(size.0, size.1);
        let (sum, euclidean) = (l1_steps(&basis, SubstituteOne), l2_steps(&basis, SubstituteOne));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for [x, y] in &pairs {
            encode(&basis, x, &mut a);
            encode(&basis, y, &mut b);
            let apart: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b)).collect();
            prop_assert!(apart.iter().sum::<u64>() <= sum);
            prop_assert!((apart.iter().map(|d| (*d as f64).powi(2)).sum::<f64>()).sqrt() <= euclidean);
        }
    }
}

#[test]
fn the_integer_bounds_are_attained_to_three_parts_in_a_million() {
    let integers = |basis: &CosineBasis, point: &[f64]| {
        let mut coordinates = Vec::new();
        encode(basis, point, &mut coordinates);
        coordinates
    };
    for (dimension, terms) in SIZES {
        let basis = basis(dimension, terms);
        let at_corner = integers(&basis, &vec![0.0; dimension]);
        let apart = |record: &[f64]| {
            let other = integers(&basis, record);
            at_corner.iter().zip(other).map(|(a, b)| a.abs_diff(b)).collect::<Vec<_>>()
        };
        let farthest = apart(&SeriesSensitivity::l1(&basis).record).iter().sum::<u64>() as f64;
        let bound = l1_steps(&basis, SubstituteOne) as f64;
        assert!((bound * (1.0 - 3e-6)..=bound).contains(&farthest), "{dimension}, {terms}: {farthest} of {bound}");
        let farthest = apart(&SeriesSensitivity::l2(&basis).record).iter().map(|d| (*d as f64).powi(2)).sum::<f64>();
        let bound = l2_steps(&basis, SubstituteOne);
        assert!((bound * (1.0 - 3e-6)..=bound).contains(&farthest.sqrt()), "{dimension}, {terms}");
        // with the count as the coefficient of the constant term
        let with_count = (1 << 20) + at_corner.iter().map(|k| k.unsigned_abs()).sum::<u64>();
        let bound = l1_steps(&basis, AddRemoveOne);
        assert!(with_count <= bound && with_count as f64 >= bound as f64 * (1.0 - 3e-6));
        let with_count = 2.0_f64.powi(40) + at_corner.iter().map(|k| (*k as f64).powi(2)).sum::<f64>();
        let bound = l2_steps(&basis, AddRemoveOne);
        assert!((bound * (1.0 - 3e-6)..=bound).contains(&with_count.sqrt()));
    }
}

#[test]
fn a_ball_about_zero_would_cost_41_percent_more() {
    // 2 sup |psi(x)| against sup |psi(x) - psi(y)|, for 40 terms
    let basis = basis(1, 40);
    let supremum = SeriesSensitivity::l2(&basis).bound;
    let about_zero = 2.0 * (2.0 * 40.0_f64).sqrt();
    assert!((about_zero / supremum - SQRT_2).abs() < 1e-5);
}

#[test]
fn the_largest_bases_are_bounded() {
    for dimension in 1..=3 {
        let basis = basis(dimension, CosineBasis::most_terms(dimension));
        let (l1, l2) = (SeriesSensitivity::l1(&basis), SeriesSensitivity::l2(&basis));
        assert!(l1.bound > l1.attained && l2.bound > l2.attained);
    }
}
