#![allow(clippy::unwrap_used, reason = "tests")]

use rand::SeedableRng;
use rand::rngs::ChaCha12Rng;

use super::*;
use crate::{Exponential, Gaussian, Matern, Sobolev};

fn uneven(n: u32) -> Grid {
    Grid::new((0..n).map(|i| (f64::from(i) / f64::from(n - 1)).powf(1.6)).collect()).unwrap()
}

fn kernels() -> Vec<Kernel> {
    let sum = Kernel::from(Exponential::new(0.3).unwrap()) + Kernel::from(Gaussian::new(0.02).unwrap());
    vec![
        Exponential::new(0.4).unwrap().into(),
        Matern::new(0.5, 0.2).unwrap().into(),
        Matern::new(1.5, 0.2).unwrap().into(),
        Matern::new(2.5, 0.3).unwrap().into(),
        Matern::new(1.2, 0.2).unwrap().into(),
        Gaussian::new(0.05).unwrap().into(),
        sum.scaled(0.7).unwrap(),
    ]
}

/// The largest distance, in standard errors, of a sum of products of two values of a path from its expectation.
fn worst_covariance(kernel: &Kernel, grid: &Grid, paths: u32, seed: u64) -> f64 {
    let law = Paths::new(kernel, grid).unwrap();
    let mut generator = ChaCha12Rng::seed_from_u64(seed);
    let n = grid.len();
    let mut sums = vec![0.0; n * n];
    for _ in 0..paths {
        let path = law.draw(&mut generator);
        for i in 0..n {
            for j in 0..=i {
                sums[i * n + j] += path[i] * path[j];
            }
        }
    }
    let mut worst = 0.0_f64;
    for i in 0..n {
        for j in 0..=i {
            let c = |a: usize, b: usize| kernel.covariance(grid.points()[a], grid.points()[b]);
            let sd = (c(i, j).powi(2) + c(i, i) * c(j, j)).sqrt() / f64::from(paths).sqrt();
            worst = worst.max((sums[i * n + j] / f64::from(paths) - c(i, j)).abs() / sd);
        }
    }
    worst
}

/// 78 covariances a kernel and 14 cases: a bound of 6.2 fails by chance with probability below `1e-6`.
const BOUND: f64 = 6.2;

#[test]
fn paths_have_the_covariance_of_their_kernel() {
    for (seed, kernel) in (0..).zip(kernels()) {
        let worst = worst_covariance(&kernel, &Grid::uniform(0.0, 1.0, 12).unwrap(), 40_000, seed);
        assert!(worst < BOUND, "{kernel:?}: {worst}");
    }
    for (seed, kernel) in (100..).zip(kernels().drain(..4)) {
        let worst = worst_covariance(&kernel, &uneven(12), 40_000, seed);
        assert!(worst < BOUND, "{kernel:?}: {worst}");
    }
}

#[test]
fn the_covariance_check_sees_a_range_that_is_wrong_by_a_twentieth() {
    let grid = Grid::uniform(0.0, 1.0, 12).unwrap();
    let law = Paths::new(&Matern::new(1.5, 0.21).unwrap().into(), &grid).unwrap();
    let mut generator = ChaCha12Rng::seed_from_u64(3);
    let kernel = Matern::new(1.5, 0.2).unwrap();
    let mut sum = 0.0;
    for _ in 0..40_000 {
        let path = law.draw(&mut generator);
        sum += path[2] * path[0];
    }
    let c = kernel.covariance(0.0, grid.points()[2]);
    assert!((sum / 40_000.0 - c).abs() / ((c * c + 1.0) / 40_000.0).sqrt() > 2.5);
}

/// The increments of a path at a million points have the variance of the kernel: `P - A P A'` would have none of its digits.
#[test]
fn second_differences_at_a_million_points_have_the_size_that_the_kernel_gives_them() {
    let n = 1_000_000;
    let grid = Grid::uniform(0.0, 1.0, n).unwrap();
    let h = 1.0 / (n - 1) as f64;
    // Var of f(t+h) - 2 f(t) + f(t-h) is (8/3) a^3 h^3 for Matern 3/2, a^4 h^4 for Matern 5/2, to first order
    let a: [f64; 2] = [3.0_f64.sqrt() / 0.2, 5.0_f64.sqrt() / 0.2];
    let cases = [(1.5, 8.0 / 3.0 * (a[0] * h).powi(3)), (2.5, (a[1] * h).powi(4))];
    for (smoothness, expected) in cases {
        let paths = Paths::new(&Matern::new(smoothness, 0.2).unwrap().into(), &grid).unwrap();
        let path = paths.draw(&mut ChaCha12Rng::seed_from_u64(11));
        let differences = path.windows(3).into_iter().step_by(3).map(|w| w[0] - 2.0 * w[1] + w[2]);
        let (sum, count) = differences.fold((0.0, 0.0), |(sum, count), d| (sum + d * d, count + 1.0));
        println!("{smoothness}: {}", sum / count / expected);
        // second differences of Matern 5/2 are one smooth process, of which a path shows few independent values
        let slack = if smoothness == 1.5 { 0.02 } else { 0.6 };
        assert!((sum / count / expected - 1.0).abs() < slack, "{smoothness}: {}", sum / count / expected);
    }
}

#[test]
fn the_same_seed_gives_the_same_path() {
    let grid = Grid::uniform(0.0, 1.0, 1000).unwrap();
    for kernel in kernels() {
        let paths = Paths::new(&kernel, &grid).unwrap();
        let draw = |seed| paths.draw(&mut ChaCha12Rng::seed_from_u64(seed));
        assert_eq!(draw(1), draw(1));
        assert!((&draw(1) - &draw(2)).iter().all(|d| d.is_finite()) && draw(1) != draw(2));
    }
}

#[test]
fn kernels_without_a_method_are_refused() {
    let (even, uneven) = (Grid::uniform(0.0, 1.0, 50).unwrap(), uneven(50));
    let refused = |kernel: Kernel, grid: &Grid| Paths::new(&kernel, grid).err();
    let none = Some(PathError::NoMethod { points: 50 });
    assert_eq!(refused(Sobolev::new(2.0).unwrap().into(), &even), none);
    assert_eq!(refused(Gaussian::new(0.1).unwrap().into(), &uneven), none);
    let endless = refused(Gaussian::new(1e9).unwrap().into(), &even);
    assert!(endless.is_none() || endless == Some(PathError::NotEmbedded { times: 64 }));
}

#[test]
fn extreme_ranges_give_finite_paths() {
    let grid = Grid::uniform(0.0, 1.0, 40).unwrap();
    for range in [1e-300, 1e-9, 1e9, 1e300] {
        for kernel in [
            Kernel::from(Exponential::new(range).unwrap()),
            Matern::new(1.5, range).unwrap().into(),
            Matern::new(2.5, range).unwrap().into(),
        ] {
            let path = Paths::new(&kernel, &grid).unwrap().draw(&mut ChaCha12Rng::seed_from_u64(5));
            assert!(path.iter().all(|x| x.is_finite()), "{kernel:?}");
        }
    }
}

#[test]
fn paths_on_a_circle_are_refused() {
    let kernel = Kernel::from(Matern::new(1.5, 0.2).unwrap());
    assert_eq!(Paths::new(&kernel, &Grid::circle(0.0, 1.0, 9).unwrap()).err(), Some(PathError::Periodic));
}
