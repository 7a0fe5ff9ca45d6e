use super::*;
use crate::body::{Body, Emphasis};
use crate::exact_sum::ExactSum;
use crate::gaussian::GaussianPrivacy;
use crate::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use crate::nested::{ClippedBall, ClippedMoments};
use crate::noise::Noise;
use crate::randomness::SeededRandomness;

fn ball(dimension: usize, of: Option<ProductsOf>, emphasis: Emphasis) -> ClippedBall {
    ClippedBall::new(dimension, Radii::Any, of.map(|of| ClippedMoments { emphasis, of })).unwrap()
}

#[test]
fn bounds_are_those_of_the_theorems_and_a_few_parts_in_a_million_million() {
    for radius in NestedRadius::all() {
        let r = radius.steps() as f64;
        for (emphasis, relation, radii) in [
            (Emphasis::Mean, SubstituteOne, 2.0),
            (Emphasis::Mean, AddRemoveOne, 1.75_f64.sqrt()),
            (Emphasis::Covariance, SubstituteOne, 12.1_f64.sqrt()),
            (Emphasis::Covariance, AddRemoveOne, 2.5),
        ] {
            for (of, slack) in [(ProductsOf::First(40), 3e-11), (along(93, 40), 3e-11), (along(300, 40), 5e-6)] {
                let dimension = if slack > 1e-6 { 300 } else { 93 };
                let bound = ball(dimension, Some(of), emphasis).at(radius).unwrap().l2_bound(relation);
                assert!(
                    bound > r * radii && bound < r * radii * (1.0 + slack),
                    "{radius:?}: {}",
                    bound / r / radii - 1.0
                );
            }
        }
        let plain = ball(93, None, Emphasis::Mean).at(radius).unwrap();
        assert_eq!(plain.l2_bound(SubstituteOne), 2.0 * r);
        assert!((plain.l2_bound(AddRemoveOne) / r / 1.25_f64.sqrt() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn sums_of_any_radius_are_perturbed_by_noise_that_is_calibrated_for_it() {
    let body = ball(40, Some(along(40, 6)), Emphasis::Mean);
    let records = hostile(20, 40);
    let summed = || {
        let mut sum = ExactSum::new(body.clone());
        for z in &records {
            sum.add(&encoded(z, Radii::Any)).unwrap();
        }
        sum
    };
    let privacy = GaussianPrivacy::new(0.5).unwrap();
    for radius in NestedRadius::all().step_by(4) {
        for relation in [SubstituteOne, AddRemoveOne] {
            let sum = summed().at(radius).unwrap();
            let noise = Noise::gaussian(privacy, sum.body(), relation).unwrap();
            let exact = self::summed(&records, Radii::Any, Some(along(40, 6))).settled().clipped(radius);
            let noisy = sum.perturb(&noise, relation, &mut SeededRandomness::from_seed(1));
            assert_eq!(noisy.coordinates.len(), exact.len());
            assert_eq!(noisy.count.is_some(), relation == AddRemoveOne);
            let far = noisy.coordinates.iter().zip(&exact).zip(0_usize..).filter(|((noisy, exact), place)| {
                let unit = if *place < 40 { radius.steps() as f64 } else { (radius.coarse_steps() as f64).powi(2) };
                ((*noisy - *exact) as f64).abs() > 40.0 * unit
            });
            assert_eq!(far.count(), 0);
        }
    }
}

#[test]
fn a_sum_of_the_stated_radius_alone_has_no_other() {
    let body = ClippedBall::new(3, Radii::Stated, None).unwrap();
    let smaller = NestedRadius::new(1).unwrap();
    assert!(body.at(smaller).is_none() && body.at(NestedRadius::STATED).is_some());
    assert!(ExactSum::new(body).at(smaller).is_err());
}

#[test]
fn balls_with_moments_of_coordinates_they_lack_are_refused() {
    for (dimension, of) in
        [(3, ProductsOf::First(4)), (3, ProductsOf::First(1)), (8, along(9, 4)), (2000, ProductsOf::First(1025))]
    {
        let found = of.coordinates();
        let moments = Some(ClippedMoments { emphasis: Emphasis::Mean, of });
        assert_eq!(ClippedBall::new(dimension, Radii::Any, moments), Err(LatticeError::Moments { found, dimension }));
    }
}
