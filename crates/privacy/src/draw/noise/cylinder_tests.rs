//! K-norm noise of a cylinder as the noise of sums in a ball.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "scales are positive and small")]

use super::tests::{TwoBlocks, ball, budget, cosine, seed};
use super::{Noise, NoiseError};
use crate::body::{Body, OneHot};
use crate::budget::amount::Amount;
use crate::budget::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use crate::calibrate::elliptical::Cylinder;
use crate::draw::law::Law;
use crate::draw::rounded_cylinder::RoundedCylinder;
use crate::nested::{ClippedBall, Radii};

const LAW: Law = Law::KNormCylinder {};

fn calibrated(coordinates: usize, epsilon: f64) -> Noise {
    Noise::calibrated(&LAW, &budget(epsilon, 0.0), &ball(coordinates), AddRemoveOne).unwrap()
}

fn with_scale(coordinates: usize, scale: u64) -> Noise {
    Noise::Cylinder(RoundedCylinder::new(Cylinder::new(coordinates).unwrap(), scale).unwrap())
}

#[test]
fn noise_of_a_cylinder_meets_its_budget_and_one_step_less_does_not() {
    for (coordinates, epsilon) in [(1, 1.0), (3, 0.1), (12, 1.0), (12, 0.37), (200, 8.0)] {
        let (noise, budget) = (calibrated(coordinates, epsilon), budget(epsilon, 0.0));
        let meets = |noise: &Noise| noise.meets(&budget, &ball(coordinates), AddRemoveOne);
        let scale = noise.scale() as u64;
        assert!(
            meets(&noise) && meets(&with_scale(coordinates, scale + 1)) && !meets(&with_scale(coordinates, scale - 1))
        );
        // of sums in another body it is no noise
        for other in [coordinates + 1, coordinates + 5] {
            assert!(!noise.meets(&budget, &ball(other), AddRemoveOne));
        }
        assert!(!noise.meets(&budget, &ball(coordinates), SubstituteOne));
        assert!(!noise.meets(&budget, &ball(coordinates + 1), SubstituteOne), "as many coordinates, and none a count");
        assert!(!noise.meets(&budget, &OneHot::new(coordinates + 1, 1).unwrap(), AddRemoveOne));
        assert!(!noise.meets(&super::tests::budget(epsilon, 1e-5), &ball(coordinates), AddRemoveOne));
    }
}

#[test]
fn its_scale_keeps_to_the_decimal_number_of_epsilon() {
    for hundredths in 1..3000_u32 {
        let epsilon = f64::from(hundredths) / 100.0;
        let scale = Amount::exact(calibrated(3, epsilon).scale()).unwrap();
        let radius = Amount::exact(ball(3).cylinder_bound(AddRemoveOne).unwrap()).unwrap();
        assert!(&scale * &Amount::decimal(epsilon).unwrap() >= radius, "{epsilon}");
    }
}

#[test]
fn the_cylinder_is_taken_exactly_where_a_coordinate_has_less_noise_than_in_the_ball() {
    let budget = budget(1.0, 0.0);
    for coordinates in 1..=64_usize {
        for is_clipped in [false, true] {
            let noise = |law: &Law| {
                if is_clipped {
                    let body = ClippedBall::new(coordinates, Radii::Stated, None).unwrap();
                    Noise::calibrated(law, &budget, &body, AddRemoveOne).unwrap()
                } else {
                    Noise::calibrated(law, &budget, &ball(coordinates), AddRemoveOne).unwrap()
                }
            };
            let (cylinder, of_ball) = (noise(&LAW), noise(&Law::KNorm {}));
            let ratio = cylinder.variance(0) / of_ball.variance(0);
            let p = coordinates as f64;
            assert!((ratio / ((p + 3.0) / (1.25 * (p + 2.0))) - 1.0).abs() < 1e-4, "{coordinates}: {ratio}");
            // at two they are equal up to rounding
            assert_eq!(Law::k_norm(coordinates, AddRemoveOne) == LAW, ratio < 1.0 - 1e-3, "{coordinates}");
            let of_counts = (cylinder.scale_of_count() / of_ball.scale_of_count()).powi(2);
            assert!((of_counts / ((p + 3.0) / 15.0) - 1.0).abs() < 1e-4, "{coordinates}: {of_counts}");
        }
        assert_eq!(Law::k_norm(coordinates, SubstituteOne), Law::KNorm {});
    }
}

#[test]
fn sums_without_a_private_count_of_their_own_have_no_cylinder() {
    let refused = |noise: Result<Noise, NoiseError>| assert_eq!(noise, Err(NoiseError::Cylinder));
    let one = budget(1.0, 0.0);
    refused(Noise::calibrated(&LAW, &one, &ball(5), SubstituteOne));
    refused(Noise::calibrated(&LAW, &one, &OneHot::new(5, 1).unwrap(), AddRemoveOne));
    refused(Noise::calibrated(&LAW, &one, &cosine(1, 5), AddRemoveOne));
    refused(Noise::calibrated(&LAW, &one, &TwoBlocks, AddRemoveOne));
    let with_delta = Noise::calibrated(&LAW, &budget(1.0, 1e-6), &ball(5), AddRemoveOne);
    assert_eq!(with_delta, Err(NoiseError::DeltaUnused { delta: 1e-6 }));
    assert!(Noise::calibrated(&LAW, &budget(0.0, 0.0), &ball(5), AddRemoveOne).is_err());
}

#[test]
fn two_noises_of_a_cylinder_agree_up_to_rounding_and_no_further() {
    let noise = calibrated(3, 1.0);
    let scale = noise.scale() as u64;
    assert!(noise.agrees(&noise) && noise.agrees(&with_scale(3, scale + 1)));
    assert!(!noise.agrees(&with_scale(4, scale)) && !noise.agrees(&calibrated(3, 0.999)));
    let of_ball = Noise::calibrated(&Law::KNorm {}, &budget(1.0, 0.0), &ball(3), AddRemoveOne).unwrap();
    assert!(!noise.agrees(&of_ball) && !of_ball.agrees(&noise));
}

#[test]
fn noise_of_another_dimension_drowns_the_data_and_every_coordinate_has_a_draw_of_its_own() {
    let noise = calibrated(3, 1.0);
    for coordinates in [3, 5] {
        let mut sum = vec![7_i64; coordinates];
        noise.add_to(&mut sum, &mut seed(1));
        assert_eq!(sum, vec![i64::MAX; coordinates]);
    }
    let mut sum = [0_i64; 101];
    calibrated(100, 1.0).add_to(&mut sum, &mut seed(1));
    sum.sort_unstable();
    assert!(sum.windows(2).all(|pair| pair[0] < pair[1]));
}
