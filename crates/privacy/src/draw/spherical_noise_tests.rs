#![allow(clippy::unwrap_used, reason = "tests")]

use super::{SphericalLaw, SphericalNoise};
use crate::body::{Body, EuclideanBall};
use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::budget::neighbours::NeighbouringRelation;
use crate::calibrate::elliptical::{DensityGenerator, KNorm, StudentT};
use crate::draw::law::Law;
use crate::draw::noise::Noise;
use crate::draw::randomness::SeededRandomness;

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
            let mut draw = [0_i64; 3];
            noise.add_to(&mut draw, &mut randomness);
            draw
        };
        let squares = (0..draws).flat_map(|_| draw()).map(|x| (x as f64).powi(2));
        let found = squares.sum::<f64>() / f64::from(3 * draws);
        assert!((found / noise.variance() - 1.0).abs() < 0.05, "{found:e} for {:e}", noise.variance());
    }
}

#[test]
fn pure_noise_keeps_to_the_decimal_number_of_epsilon() {
    let body = EuclideanBall::new(3).unwrap();
    for hundredths in 1..3000_u32 {
        let epsilon = f64::from(hundredths) / 100.0;
        let decimal = Amount::decimal(epsilon).unwrap();
        let budget = PrivacyBudget::new(epsilon, 0.0).unwrap();
        for relation in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            let bound = body.l2_bound(relation);
            let scale_of = |law: Law| Noise::calibrated(&law, &budget, &body, relation).unwrap().scale();
            let scale = Amount::exact(scale_of(Law::KNorm {})).unwrap();
            assert!(&scale * &decimal >= Amount::exact(bound).unwrap(), "{epsilon}");
            let scale = scale_of(Law::StudentT { degrees_of_freedom: 7.0 });
            let t = StudentT::new(7.0, body.noisy_dimension(relation)).unwrap();
            let spent = t.epsilon_of(bound, scale).unwrap();
            assert!(Amount::exact(spent).unwrap() <= decimal, "{epsilon}: {spent:?}");
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
