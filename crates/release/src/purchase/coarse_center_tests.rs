#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn wave(grid: &Grid) -> Vec<f64> {
    let roots = grid.weights().mapv(f64::sqrt);
    grid.points().iter().zip(&roots).map(|(t, root)| root * 0.2 * (6.0 * t).sin()).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[test]
fn with_little_noise_the_centre_is_the_mean_and_with_much_the_stated_one() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    let mean = wave(&grid);
    assert!(distance(&coarse(std::slice::from_ref(&grid), &mean, 1e-9, 0.5), &mean) < 1e-4);
    let noise: Vec<f64> = (0..93).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let noisy: Vec<f64> = mean.iter().zip(&noise).map(|(m, e)| m + 0.01 * e).collect();
    assert!(distance(&coarse(std::slice::from_ref(&grid), &noisy, 0.01, 0.5), &mean) < 0.25 * distance(&noisy, &mean));
    let drowned: Vec<f64> = noise.iter().map(|e| 10.0 * e).collect();
    assert!(distance(&coarse(std::slice::from_ref(&grid), &drowned, 10.0, 0.5), &[0.0; 93]) < 0.05);
}

#[test]
fn on_a_circle_the_centre_turns_with_the_mean() {
    let grid = Grid::circle(0.0, 1.0, 60).unwrap();
    let noisy: Vec<f64> = (0..60).map(|i| f64::from((i * 29) % 31) / 31.0 - 0.5).collect();
    let turned: Vec<f64> = (0..60).map(|i| noisy[(i + 17) % 60]).collect();
    let (centre, found) = (
        coarse(std::slice::from_ref(&grid), &noisy, 0.01, 0.5),
        coarse(std::slice::from_ref(&grid), &turned, 0.01, 0.5),
    );
    let expected: Vec<f64> = (0..60).map(|i| centre[(i + 17) % 60]).collect();
    assert!(distance(&found, &expected) < 1e-12 && distance(&found, &centre) > 0.01);
}

#[test]
fn every_grid_has_a_centre() {
    for points in [2, 3, 7, 40, 41] {
        let grid = Grid::uniform(0.0, 1.0, points).unwrap();
        let centre = coarse(std::slice::from_ref(&grid), &wave(&grid), 0.1, 1.0);
        assert!(centre.len() == points && centre.iter().all(|z| z.is_finite()));
    }
}
