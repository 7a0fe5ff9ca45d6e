#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use ndarray::Array1;
use proptest::prelude::*;

use super::Turn;
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
        turn.blocks.iter().map(|block| block.rows * block.stride).sum()
    };
    // in whole registers
    assert_eq!(products(&uneven, &others), 93 * 96);
    assert_eq!(products(&line, &waves), 47 * 48 + 46 * 48);
    assert_eq!(products(&circle, &turns), 47 * 48 + 46 * 48);
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

proptest! {
    /// Sums of integers below `2^53` are the same in any order: what wide registers give is what a plain loop gives.
    #[test]
    fn every_machine_gives_the_same_bits(z in prop::collection::vec(-2.0..2.0_f64, 93)) {
        let [(grid, rotation), ..] = grids(93);
        let turn = Turn::new(&rotation.columns(93), &grid, &[1.5; 93]).unwrap();
        let mut wide = z.clone();
        turn.apply(&mut wide);
        let mut plain = z;
        pulp::Arch::Scalar.dispatch(super::Apply { turn: &turn, z: &mut plain });
        prop_assert_eq!(wide, plain);
    }
}
