#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Gaussian, Matern};

use super::*;

fn between(support: &Array1<f64>, parts: usize) -> Array1<f64> {
    let n = support.len();
    (0..=(n - 1) * parts)
        .map(|i| support[0] + (support[n - 1] - support[0]) * i as f64 / ((n - 1) * parts) as f64)
        .collect()
}

#[test]
fn values_at_a_lattice_are_those_of_each_point_alone() {
    let support = Array1::linspace(0.0, 1.0, 23);
    let alpha = support.mapv(|t: f64| (9.0 * t).sin());
    for parts in [1, 2, 6, 16] {
        let points = between(&support, parts);
        let lattice = Lattice::of(&support, points.view()).unwrap();
        let each = |kernel: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
            points.iter().map(|t| support.iter().zip(&alpha).map(|(s, a)| kernel(*t, *s) * a).sum()).collect()
        };
        let (rough, smooth) = (Matern::new(1.5, 0.1).unwrap(), Gaussian::new(0.2).unwrap());
        let pairs = [
            (lattice.expand(&rough, &alpha), each(&|t, s| rough.covariance(t, s))),
            (lattice.expand(&smooth, &alpha), each(&|t, s| smooth.covariance(t, s))),
        ];
        for (found, each) in pairs {
            assert!(found.iter().zip(each).all(|(one, other)| (one - other).abs() < 1e-12), "{parts}");
        }
    }
}

#[test]
fn there_is_none_of_uneven_or_few_points() {
    let support = Array1::linspace(0.0, 1.0, 11);
    assert!(Lattice::of(&support.mapv(|t| t * t), between(&support, 3).view()).is_none());
    assert!(Lattice::of(&support, Array1::from(vec![0.0, 0.5, 1.0]).view()).is_none());
    assert!(Lattice::of(&support, between(&support, 3).mapv(|t| (t * 0.99).min(1.0)).view()).is_none());
    assert!(Lattice::of(&support, between(&support, 17).view()).is_none());
}
