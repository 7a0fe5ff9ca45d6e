#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::cast_possible_truncation, reason = "integers that doubles hold exactly")]

use dpfda_kernels::Grid;
use ndarray::{Array1, Array2};
use proptest::prelude::*;
use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b, Simd, WithSimd as _};

use super::{Apply, BITS, Turn, scales};
use crate::coordinates::rotation::Rotation;

fn grids(n: usize) -> [(Grid, Rotation); 3] {
    let line = Grid::uniform(0.0, 1.0, n).unwrap();
    let uneven = Grid::new((0..n).map(|i| (i as f64 / (n - 1) as f64).powf(1.3)).collect()).unwrap();
    let circle = Grid::periodic((0..n).map(|i| i as f64 / n as f64).collect(), 1.0).unwrap();
    let waves = |grid: &Grid| Rotation::of(Rotation::waves(grid, n.min(128)));
    let turns = Rotation::of(Rotation::smooth_functions(&circle, if n > 127 { 127 } else { n }));
    [(line.clone(), waves(&line)), (uneven.clone(), waves(&uneven)), (circle, turns)]
}

#[test]
fn a_turn_is_the_rotation_up_to_parts_in_millions() {
    for n in [2, 3, 8, 33, 92, 93, 128, 200, 256] {
        for (grid, rotation) in grids(n) {
            let turn = Turn::new(&rotation.columns(n), &grid, &vec![1.0; n]).unwrap();
            let z: Vec<f64> = (0..n).map(|i| ((i * i + 3) as f64 * 0.37).sin() * 1e-3).collect();
            let (mut exact, mut turned) = (z.clone(), z.clone());
            rotation.apply(&mut exact);
            turn.apply(&mut turned);
            let norm = Array1::from(z).mapv(|x| x * x).sum().sqrt();
            let error = exact.iter().zip(&turned).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 2e-6 * norm, "{n}: {error} of {norm}");
        }
    }
}

#[test]
fn a_grid_that_is_its_mirror_image_takes_half_the_products() {
    let [(line, waves), (uneven, others), (circle, turns)] = grids(93);
    let products = |grid: &Grid, rotation: &Rotation| -> usize {
        let turn = Turn::new(&rotation.columns(93), grid, &[1.0; 93]).unwrap();
        turn.matrix.len()
    };
    // in whole registers
    assert_eq!(products(&uneven, &others), 93 * 96);
    assert_eq!(products(&line, &waves), 47 * 96);
    assert_eq!(products(&circle, &turns), 47 * 96);
}

/// Functions that are even or odd in turn, to the last bit, on an interval.
fn mirrored(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| {
        let place = i.min(n - 1 - i);
        let is_middle = 2 * i == n - 1;
        let value = ((place * j) as f64 * std::f64::consts::PI / n as f64).cos() / (n as f64).sqrt();
        match j % 2 {
            0 => value,
            _ if is_middle => 0.0,
            _ if i > place => -value,
            _ => value,
        }
    })
}

#[test]
fn a_result_is_the_sum_of_products_of_integers_folded_or_not() {
    for n in [2, 5, 32, 93, 128, 129, 256] {
        let uneven = Grid::new((0..n).map(|i| (i as f64 / (n - 1) as f64).powi(2)).collect()).unwrap();
        let other = Rotation::of(Rotation::waves(&uneven, n.min(128))).columns(n);
        for (grid, basis) in [(Grid::uniform(0.0, 1.0, n).unwrap(), mirrored(n)), (uneven, other)] {
            let diagonal: Vec<f64> = (0..n).map(|j| 1.0 + j as f64 / 7.0).collect();
            let turn = Turn::new(&basis, &grid, &diagonal).unwrap();
            let z: Vec<f64> = (0..5 * n).map(|i| ((i * i + 3) as f64 * 0.37).sin() * (1.0 + (i / n) as f64)).collect();
            let mut turned = z.clone();
            turn.apply(&mut turned);
            for (z, turned) in z.chunks(n).zip(turned.chunks(n)) {
                let (scale, back) = scales(z.iter().fold(0.0, |most: f64, z| most.max(z.abs())));
                let k: Vec<i128> = z.iter().map(|z| (z * scale).round_ties_even() as i128).collect();
                assert!(k.iter().all(|k| k.abs() <= 1 << BITS) && k.iter().any(|k| k.abs() >= 1 << (BITS - 1)));
                for j in 0..n {
                    let entry = |i: usize| (basis[[i, j]] * f64::from(1 << BITS)).round() as i128;
                    let sum: i128 = (0..n).map(|i| k[i] * entry(i)).sum();
                    assert_eq!(turned[j], sum as f64 * back * diagonal[j], "{n}: {j}");
                }
            }
        }
    }
}

#[test]
fn what_is_no_number_spreads_and_nothing_panics() {
    for (grid, rotation) in grids(20) {
        let turn = Turn::new(&rotation.columns(20), &grid, &[1.0; 20]).unwrap();
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut z = vec![0.5; 20];
            z[7] = odd;
            turn.apply(&mut z);
            assert!(z.iter().any(|z| z.is_nan()), "{odd}");
        }
        for size in [0.0, 1e-320, 1e-300, 1e300, f64::MAX] {
            let mut z = vec![size; 20];
            turn.apply(&mut z);
            assert!(z.iter().all(|z| !z.is_nan()), "{size}");
        }
    }
}

#[test]
fn more_coordinates_than_are_exact_are_not_turned() {
    let grid = Grid::uniform(0.0, 1.0, 257).unwrap();
    assert_eq!(Turn::new(&ndarray::Array2::eye(257), &grid, &[1.0; 257]), None);
}

fn turned_in<S: Simd>(registers: S, turn: &Turn, z: &[f64]) -> Vec<f64> {
    let mut records = z.to_vec();
    Apply { turn, records: &mut records }.with_simd(registers);
    records
}

/// Sums of integers below `2^53` are the same in any order: registers of one, two, four and eight doubles give the same bits, wherever results end in them.
#[test]
fn registers_of_every_width_give_the_same_bits() {
    for n in (2..=41).chain([92, 93, 97, 130, 251, 255, 256]) {
        for (grid, rotation) in grids(n) {
            let diagonal: Vec<f64> = (0..n).map(|j| 1.0 + j as f64 / 7.0).collect();
            let turn = Turn::new(&rotation.columns(n), &grid, &diagonal).unwrap();
            let z: Vec<f64> = (0..6 * n).map(|i| ((i * i + 3) as f64 * 0.37).sin()).collect();
            let plain = turned_in(Scalar, &turn, &z);
            assert!(plain.iter().all(|z| *z != 0.0));
            assert_eq!(turned_in(Scalar128b, &turn, &z), plain, "{n}");
            assert_eq!(turned_in(Scalar256b, &turn, &z), plain, "{n}");
            assert_eq!(turned_in(Scalar512b, &turn, &z), plain, "{n}");
            let mut of_this_machine = z.clone();
            turn.apply(&mut of_this_machine);
            assert_eq!(of_this_machine, plain, "{n}");
        }
    }
}

proptest! {
    /// Each record is what it is alone, whatever stands beside it: also what is no number.
    #[test]
    fn a_record_does_not_depend_on_its_neighbours(
        z in prop::collection::vec(-2.0..2.0_f64, 11 * 33), sizes in prop::collection::vec(-300..300_i32, 11), odd in 0..11_usize,
    ) {
        for (grid, rotation) in grids(33) {
            let turn = Turn::new(&rotation.columns(33), &grid, &[1.5; 33]).unwrap();
            let mut records = z.clone();
            for (record, size) in records.chunks_exact_mut(33).zip(&sizes) {
                for z in record {
                    *z *= 10_f64.powi(*size);
                }
            }
            records[odd * 33 + 5] = f64::NAN;
            let mut alone = records.clone();
            alone.chunks_exact_mut(33).for_each(|record| turn.apply(record));
            turn.apply(&mut records);
            // no number is no number, whatever its bits
            let bits = |z: &[f64]| z.iter().map(|z| (!z.is_nan()).then(|| z.to_bits())).collect::<Vec<_>>();
            prop_assert_eq!(bits(&records), bits(&alone));
        }
    }
}
