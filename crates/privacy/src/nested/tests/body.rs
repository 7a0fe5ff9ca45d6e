use super::*;
use crate::body::{Body, Emphasis};
use crate::budget::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use crate::calibrate::gaussian::GaussianPrivacy;
use crate::draw::noise::Noise;
use crate::draw::randomness::SeededRandomness;
use crate::nested::{ClippedBall, ClippedMoments};
use crate::sum::exact_sum::ExactSum;

fn ball(dimension: usize, of: Option<ProductsOf>, emphasis: Emphasis) -> ClippedBall {
    ClippedBall::new(dimension, Radii::Any, of.map(|of| ClippedMoments { emphasis, of })).unwrap()
}

#[test]
fn bounds_are_those_of_the_theorems_and_what_rounding_adds() {
    let r = RADIUS as f64;
    for (emphasis, relation, radii) in [
        (Emphasis::Mean, SubstituteOne, 2.0),
        (Emphasis::Mean, AddRemoveOne, 1.75_f64.sqrt()),
        (Emphasis::Covariance, SubstituteOne, 12.1_f64.sqrt()),
        (Emphasis::Covariance, AddRemoveOne, 2.5),
    ] {
        for (dimension, of, slack) in
            [(93, ProductsOf::First(40), 1.2e-4), (93, along(93, 40), 1.2e-4), (300, along(300, 40), 1.3e-4)]
        {
            let excess = ball(dimension, Some(of), emphasis).l2_bound(relation) / (r * radii) - 1.0;
            assert!(excess > 0.0 && excess < slack, "{dimension}: {excess}");
        }
    }
    // the same on all grids, and with moments that are free
    for dimension in [1, 93, 1 << 18] {
        let plain = ball(dimension, None, Emphasis::Mean);
        assert!((plain.l2_bound(SubstituteOne) - 2.0 * r - 513.0).abs() < 1e-8);
        assert!((plain.l2_bound(AddRemoveOne) - r * 1.25_f64.sqrt() - 513.0).abs() < 1e-8);
    }
    let free = ball(93, Some(along(93, 40)), Emphasis::Mean);
    assert_eq!(free.l2_bound(SubstituteOne), ball(93, None, Emphasis::Mean).l2_bound(SubstituteOne));
}

#[test]
fn sums_of_any_radius_are_perturbed_by_the_same_noise() {
    let body = ball(40, Some(along(40, 6)), Emphasis::Mean);
    let records = hostile(20, 40);
    let privacy = GaussianPrivacy::new(0.5).unwrap();
    for relation in [SubstituteOne, AddRemoveOne] {
        let noise = Noise::gaussian(privacy, &body, relation).unwrap();
        let mut drawn = Vec::new();
        for radius in NestedRadius::all().step_by(4) {
            let mut sum = ExactSum::new(body.clone());
            for z in &records {
                sum.add(&encoded(z, Radii::Any)).unwrap();
            }
            let exact = summed(&records, Radii::Any, Some(along(40, 6))).settled().clipped(radius);
            let sum = sum.at(radius).unwrap();
            let noisy = sum.perturb(&noise, relation, &mut SeededRandomness::from_seed(1));
            assert_eq!((noisy.coordinates.len(), noisy.count.is_some()), (exact.len(), relation == AddRemoveOne));
            drawn.push(noisy.coordinates.iter().zip(&exact).map(|(noisy, exact)| noisy - exact).collect::<Vec<_>>());
        }
        assert!(drawn.iter().all(|noise| *noise == drawn[0] && noise.iter().any(|noise| *noise != 0)));
    }
}

#[test]
fn a_sum_of_the_stated_radius_alone_has_no_other() {
    let body = ClippedBall::new(3, Radii::Stated, None).unwrap();
    let smaller = NestedRadius::new(1).unwrap();
    assert!(ExactSum::new(body.clone()).at(smaller).is_err());
    assert!(ExactSum::new(body).at(NestedRadius::STATED).is_ok());
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
