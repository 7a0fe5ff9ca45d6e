#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use ndarray::Array2;

use super::*;
use crate::coordinates::sobolev_axes::SobolevAxes;

fn grids() -> Vec<Grid> {
    let uneven = Grid::new((0..60).map(|i| f64::from(i * i) / 3481.0).collect()).unwrap();
    vec![Grid::uniform(0.0, 1.0, 93).unwrap(), Grid::uniform(0.0, 1.0, 300).unwrap(), uneven]
}

fn norms() -> [SobolevNorm; 4] {
    [(SobolevOrder::One, 0.1), (SobolevOrder::One, 5.0), (SobolevOrder::Half, 0.15), (SobolevOrder::Half, 2.0)]
        .map(|(order, length)| SobolevNorm::new(order, length).unwrap())
}

fn some(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 37 + seed * 11) % 17) as f64 / 17.0 - 0.4).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn the_norm_of_order_one_is_distance_and_slope() {
    for grid in grids() {
        let whitening = SobolevWhitening::new(SobolevNorm::new(SobolevOrder::One, 0.3).unwrap(), &grid);
        let mut z = some(grid.len(), 1);
        let roots = grid.weights().mapv(f64::sqrt);
        let values: Vec<f64> = z.iter().zip(&roots).map(|(z, root)| z / root).collect();
        let (points, distance) = (grid.points(), dot(&z, &z));
        let slope: f64 = (1..z.len()).map(|i| (values[i] - values[i - 1]).powi(2) / (points[i] - points[i - 1])).sum();
        whitening.apply(&mut z);
        let seen = dot(&z, &z);
        assert!((seen / (distance + 0.09 * slope) - 1.0).abs() < 1e-11, "{seen}");
    }
}

#[test]
fn the_half_norm_charges_each_wave_of_an_even_grid_by_its_frequency() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    let whitening = SobolevWhitening::new(SobolevNorm::new(SobolevOrder::Half, 0.15).unwrap(), &grid);
    for (j, wave) in Rotation::waves(&grid, 93).enumerate() {
        let mut coordinates = wave.clone();
        whitening.apply(&mut coordinates);
        let frequency = (184.0 * (PI * j as f64 / 184.0).sin()).powi(2);
        let expected = (1.0 + 0.0225 * frequency).sqrt();
        let seen = dot(&coordinates, &coordinates) / dot(&wave, &wave);
        assert!((seen / expected - 1.0).abs() < 1e-10, "{j}: {seen} {expected}");
        // smooth functions come first: one coordinate each
        assert!((coordinates[j].powi(2) / dot(&coordinates, &coordinates) - 1.0).abs() < 1e-10);
    }
}

#[test]
fn no_norm_is_less_than_the_distance() {
    for (grid, norm) in grids().into_iter().flat_map(|grid| norms().map(|norm| (grid.clone(), norm))) {
        let whitening = SobolevWhitening::new(norm, &grid);
        for seed in 0..20 {
            let z = some(grid.len(), seed);
            let mut coordinates = z.clone();
            whitening.apply(&mut coordinates);
            assert!(dot(&coordinates, &coordinates) >= dot(&z, &z) * (1.0 - 1e-12));
        }
    }
}

#[test]
fn inverse_transpose_and_dual_are_those_of_the_map() {
    for (grid, norm) in grids().into_iter().flat_map(|grid| norms().map(|norm| (grid.clone(), norm))) {
        let whitening = SobolevWhitening::new(norm, &grid);
        let (z, form) = (some(grid.len(), 3), some(grid.len(), 5));
        let change = |vector: &[f64], map: &dyn Fn(&mut [f64])| {
            let mut changed = vector.to_vec();
            map(&mut changed);
            changed
        };
        let applied = change(&z, &|z| whitening.apply(z));
        let back = change(&applied, &|u| whitening.undo(u));
        assert!(back.iter().zip(&z).all(|(a, b)| (a - b).abs() < 1e-10));
        let transposed = change(&form, &|u| whitening.transpose(u));
        let (left, right) = (dot(&form, &applied), dot(&transposed, &z));
        assert!((left - right).abs() < 1e-10 * left.abs().max(1.0), "{left} {right}");
        let (left, right) = (dot(&change(&form, &|z| whitening.dual(z)), &applied), dot(&form, &z));
        assert!((left - right).abs() < 1e-9, "{left} {right}");
    }
}

#[test]
fn the_first_coordinates_of_order_one_are_those_of_smooth_functions() {
    for grid in grids() {
        let whitening = SobolevWhitening::new(SobolevNorm::new(SobolevOrder::One, 0.3).unwrap(), &grid);
        for (k, mut function) in Rotation::smooth_functions(&grid, 20).enumerate() {
            whitening.apply(&mut function);
            assert!(dot(&function[k + 1..], &function[k + 1..]) < 1e-18 * dot(&function, &function));
        }
    }
}

#[test]
fn lengths_that_make_no_norm_are_refused_and_documents_go_through_the_constructor() {
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-7, 1e5] {
        assert!(SobolevNorm::new(SobolevOrder::Half, length).is_err());
    }
    let norm = SobolevNorm::new(SobolevOrder::Half, 0.15).unwrap();
    let text = serde_json::to_string(&norm).unwrap();
    assert_eq!(text, r#"{"order":"half","length":0.15}"#);
    assert_eq!(serde_json::from_str::<SobolevNorm>(&text).unwrap(), norm);
    assert!(serde_json::from_str::<SobolevNorm>(&text.replace("0.15", "-1.0")).is_err());
}

#[test]
fn the_first_hundred_waves_of_many_points_are_told_apart() {
    let grid = Grid::uniform(0.0, 1.0, 1000).unwrap();
    let whitening = SobolevWhitening::new(norms()[2], &grid);
    let columns: Vec<Vec<f64>> = Rotation::waves(&grid, 100).collect();
    let mut weights = Array2::<f64>::zeros((1, 100));
    for (j, wave) in columns.into_iter().enumerate() {
        let size = dot(&wave, &wave);
        let mut coordinates = wave;
        whitening.apply(&mut coordinates);
        weights[[0, j]] = dot(&coordinates, &coordinates) / size;
    }
    assert!(weights.windows((1, 2)).into_iter().all(|pair| pair[[0, 1]] > pair[[0, 0]]));
}

#[test]
fn charges_on_a_circle_agree_with_golden_values_and_are_those_of_pairs() {
    let circle = Grid::circle(0.0, 1.0, 96).unwrap();
    let norm = SobolevNorm::new(SobolevOrder::Half, 0.15).unwrap();
    let whitening = SobolevWhitening::new(norm, &circle);
    let Scaling::Diagonal(weights) = &whitening.scaling else { panic!("order half") };
    let golden = [
        1.0,
        1.374_025_965_724_939_8,
        1.374_025_965_724_939_8,
        2.132_601_015_439_443_2,
        2.132_601_015_439_443_2,
        2.994_783_549_970_225_8,
        2.994_783_549_970_225_8,
        3.889_889_628_433_896_6,
        3.889_889_628_433_896_6,
    ];
    assert!(golden.iter().zip(weights).all(|(a2, a)| (a2 - a * a).abs() < 1e-9), "{weights:?}");
    assert!((weights[95].powi(2) - 28.817_355_881_482_257).abs() < 1e-9);
    let noise = |grid: Grid| SobolevAxes::new(norm, &[grid]).smooth_noise();
    assert!((noise(circle.clone()) - 6.343_723_749_655_195).abs() < 1e-9);
    assert!((noise(Grid::uniform(0.0, 1.0, 96).unwrap()) - 6.684_183_584_922_764).abs() < 1e-9);
    let long = SobolevWhitening::new(norm, &Grid::circle(0.0, 1.0, 400).unwrap());
    let Scaling::Diagonal(weights) = &long.scaling else { panic!("order half") };
    for pair in weights[1..127].chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert!(weights[127..].iter().all(|weight| *weight == weights[126]));
}

#[test]
fn a_shift_of_the_start_of_a_circle_rotates_within_pairs() {
    let (n, shift) = (60, 7);
    let circle = Grid::circle(0.0, 1.0, n).unwrap();
    let whitening = SobolevWhitening::new(SobolevNorm::new(SobolevOrder::Half, 0.15).unwrap(), &circle);
    let mut z = some(n, 3);
    let mut shifted = z.clone();
    shifted.rotate_left(shift);
    whitening.apply(&mut z);
    whitening.apply(&mut shifted);
    let energy = |pair: &[f64]| dot(pair, pair);
    assert!((z[0] - shifted[0]).abs() < 1e-12);
    for (pair, other) in z[1..n - 1].chunks(2).zip(shifted[1..n - 1].chunks(2)) {
        assert!((energy(pair) - energy(other)).abs() < 1e-12);
    }
}
