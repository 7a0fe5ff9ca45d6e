#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use super::*;

fn grids() -> Vec<Grid> {
    let uneven = Grid::new((0..60).map(|i| f64::from(i * i) / 3481.0).collect()).unwrap();
    // points that are hardly apart
    let close = Grid::new((0..50).map(|i| if i < 49 { f64::from(i) * 1e-9 } else { 1.0 }).collect()).unwrap();
    let circles = [40, 41].map(|n| Grid::circle(0.0, 1.0, n).unwrap());
    let intervals = [Grid::uniform(0.0, 1.0, 93).unwrap(), Grid::uniform(0.0, 1.0, 41).unwrap(), uneven, close];
    intervals.into_iter().chain(circles).collect()
}

#[test]
fn the_cosine_is_that_of_the_standard_library() {
    for x in (0..4000).map(|i| f64::from(i) * 0.01) {
        assert!((cosine_of_half_turns(x) - (PI * x).cos()).abs() < 1e-13, "{x}");
    }
    assert_eq!([0.0, 1.0, 2.0, 7.0].map(cosine_of_half_turns), [1.0, -1.0, 1.0, -1.0]);
    assert!(cosine_of_half_turns(0.5).abs() < 1e-15);
}

#[test]
fn a_rotation_is_orthonormal_on_every_grid_and_can_be_undone() {
    for grid in grids() {
        for functions in [2, 3, 40] {
            let rotation = Rotation::new(&grid, functions);
            let basis = rotation.basis();
            assert_eq!(basis.dim(), (grid.len(), functions));
            let distance = (basis.t().dot(&basis) - Array2::<f64>::eye(functions)).mapv(f64::abs).sum();
            assert!(distance < 1e-11, "{distance}");
            let before: Vec<f64> = (0..grid.len()).map(|i| ((i * 37) % 17) as f64 / 17.0 - 0.4).collect();
            let mut z = before.clone();
            rotation.apply(&mut z);
            let (length, rotated) = (dot(&before, &before), dot(&z, &z));
            assert!((length / rotated - 1.0).abs() < 1e-13);
            for (k, column) in basis.columns().into_iter().enumerate() {
                assert!((column.iter().zip(&before).map(|(p, z)| p * z).sum::<f64>() - z[k]).abs() < 1e-12);
            }
            rotation.undo(&mut z);
            assert!(z.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}

#[test]
fn smooth_functions_lie_within_the_first_coordinates() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    let rotation = Rotation::new(&grid, 40);
    let beyond = |f: &dyn Fn(f64) -> f64| {
        let roots = grid.weights().mapv(f64::sqrt);
        let mut z: Vec<f64> = grid.points().iter().zip(&roots).map(|(t, root)| root * f(*t)).collect();
        let length = dot(&z, &z);
        rotation.apply(&mut z);
        (dot(&z[40..], &z[40..]) / length).sqrt()
    };
    assert!(beyond(&|t| 3.0 - t + 2.0 * t * t) < 1e-13);
    assert!(beyond(&|t| (PI * 37.0 * t).cos()) < 1e-12);
    assert!(beyond(&|t| (6.0 * t).exp()) < 1e-3);
    assert!(beyond(&|t| (-((t - 0.4) / 0.05).powi(2)).exp()) < 1e-3);
    assert!(beyond(&|t| (PI * 60.0 * t).cos()) > 0.9);
}

#[test]
fn on_a_circle_the_first_coordinates_are_those_of_slow_waves() {
    let grid = Grid::circle(0.0, 1.0, 40).unwrap();
    let rotation = Rotation::new(&grid, 9);
    let of_wave = |frequency: f64, phase: f64| {
        let mut z = sampled(&grid, |t| (2.0 * PI * frequency * t + phase).cos());
        rotation.apply(&mut z);
        (dot(&z[..9], &z[..9]), dot(&z[9..], &z[9..]))
    };
    for frequency in 1..5 {
        let (within, beyond) = of_wave(f64::from(frequency), 0.7);
        assert!((within - 0.5).abs() < 1e-13 && beyond < 1e-25, "{frequency}: {within} {beyond}");
    }
    let (within, beyond) = of_wave(5.0, 0.7);
    assert!(within < 1e-25 && (beyond - 0.5).abs() < 1e-13);
}

#[test]
fn the_rotation_is_the_same_on_every_machine() {
    // the bits of another program in another language, operation by operation
    let rotation = Rotation::new(&Grid::uniform(0.0, 1.0, 93).unwrap(), 40);
    let mut z: Vec<f64> = (0..93).map(|i| f64::from((i * 29) % 31) / 32.0 - 0.5).collect();
    rotation.apply(&mut z);
    let bits = z.iter().fold(0_u64, |all, x| all.rotate_left(7) ^ x.to_bits());
    assert_eq!(bits, 7_125_491_440_667_194_160);
}
