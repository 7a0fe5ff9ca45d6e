#![allow(clippy::unwrap_used, reason = "tests")]

use super::{SphericalLaw, SphericalNoise};
use crate::elliptical::{KNorm, StudentT};
use crate::lattice::{LatticeSum, LatticeVector};
use crate::lattice_noise::LatticeNoise;
use crate::neighbours::NeighbouringRelation;
use crate::randomness::SeededRandomness;

fn laws(dimension: usize) -> [SphericalLaw; 2] {
    [
        SphericalLaw::KNorm(KNorm::new(dimension).unwrap()),
        SphericalLaw::StudentT(StudentT::new(7.0, dimension).unwrap()),
    ]
}

#[test]
fn draws_have_the_stated_variance() {
    for law in laws(3) {
        let noise = SphericalNoise::calibrated(law, 1e6, 1.0).unwrap();
        let mut randomness = SeededRandomness::from_seed(2);
        let draws = 100_000_u32;
        let mut draw = || {
            let mut draw = [0; 3];
            noise.add_to(&mut draw, &mut randomness);
            draw
        };
        let squares = (0..draws).flat_map(|_| draw()).map(|x| (x as f64).powi(2));
        let found = squares.sum::<f64>() / f64::from(3 * draws);
        assert!((found / noise.variance() - 1.0).abs() < 0.05, "{found:e} for {:e}", noise.variance());
    }
}

#[test]
fn noise_of_another_dimension_drowns_the_data() {
    for law in laws(3) {
        let noise = SphericalNoise::calibrated(law, 1e6, 1.0).unwrap();
        for coordinates in [2_usize, 4] {
            let noisy = |value: f64| {
                let (mut sum, mut record) =
                    (LatticeSum::new(coordinates).unwrap(), LatticeVector::zero(coordinates).unwrap());
                record.encode(&vec![value; coordinates]).unwrap();
                sum.add(&record).unwrap();
                sum.perturb(&noise, NeighbouringRelation::SubstituteOne, &mut SeededRandomness::from_seed(1))
            };
            assert_eq!(noisy(0.1), noisy(-0.5));
            assert_eq!(noisy(0.1).coordinates, vec![i64::MAX; coordinates]);
        }
    }
}

#[test]
fn a_budget_that_is_none_is_refused() {
    for law in laws(2) {
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(SphericalNoise::calibrated(law, 1e6, epsilon).is_err());
        }
    }
}
