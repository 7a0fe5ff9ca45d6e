#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Grid, Kernel, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::PrivateMean;
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Array2;

use super::*;
use crate::band::Target;
use crate::estimated::Estimated;
use dpfda_release::PenalizedMean;

fn release(plan: impl Fn(PrivateMean) -> PrivateMean) -> MeanRelease {
    let value =
        |(i, j): (usize, usize)| 0.5 + 0.05 * (0.2 * j as f64).sin() + 0.03 * ((i * 5) as f64 + 0.1 * j as f64).sin();
    let values = Array2::from_shape_fn((400, 31), value);
    let curves = CurveSet::new(Grid::uniform(0.0, 3.0, 31).unwrap(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.3).unwrap();
    let plan = plan(PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 0.01).unwrap()));
    plan.release(&curves, &mut SeededRandomness::from_seed(5)).unwrap()
}

fn smoother() -> PenalizedMean {
    PenalizedMean::new(Kernel::from(Matern::new(2.5, 0.3).unwrap()), 0.01, 1.0).unwrap()
}

fn bands() -> Vec<Band> {
    vec![
        Band::Population,
        Band::Posterior,
        Band::Smoothed(smoother()),
        Band::Undersmoothed(smoother()),
        Band::Unsmoothed,
        Band::Honest { roughness: 0.5 },
        Band::Noise,
    ]
}

#[test]
fn every_band_survives_its_document_and_an_edited_estimate_does_not() {
    for band in bands() {
        let estimated = Estimated::<Mean>::new(release(|plan| plan), &band, 0.9).unwrap();
        let json = estimated.to_json().unwrap();
        assert_eq!(Estimated::<Mean>::from_json(&json).unwrap().estimate().band, band);
        assert!(MeanRelease::from_json(&json).is_ok(), "the release alone can be read as well");
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        for field in ["values", "posterior_sd", "noise_sd", "lower", "upper"] {
            let mut other = value.clone();
            other["estimate"][field][7] = 0.77.into();
            assert!(Estimated::<Mean>::from_json(&other.to_string()).is_err(), "{field}");
        }
        for (field, change) in [("level", 0.99.into()), ("target", "moon".into()), ("grid", Vec::<f64>::new().into())] {
            let mut other = value.clone();
            other["estimate"][field] = change;
            assert!(Estimated::<Mean>::from_json(&other.to_string()).is_err(), "{field}");
        }
    }
}

#[test]
fn at_the_grid_the_estimate_is_that_of_the_document_and_between_it_is_no_surprise() {
    for band in bands() {
        let estimated = Estimated::<Mean>::new(release(|plan| plan), &band, 0.95).unwrap();
        let estimate = estimated.estimate();
        for (place, point) in estimated.at(&estimate.at).unwrap().iter().enumerate() {
            let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(close(point.value, estimate.values[place]), "{band:?}");
            assert!(close(point.lower, estimate.lower[place]) && close(point.upper, estimate.upper[place]), "{band:?}");
            assert!(
                close(point.posterior_sd, estimate.posterior_sd[place]) && point.noise_sd == estimate.noise_sd[place]
            );
        }
        let between = estimated.at(&[0.05, 1.23, 2.999]).unwrap();
        assert!(between.iter().all(|point| point.lower < point.value && point.value < point.upper), "{band:?}");
        assert!(matches!(estimated.at(&[3.1]), Err(AnalysisError::OutsideDomain { .. })), "{band:?}");
    }
}

#[test]
fn the_sampling_part_comes_from_the_moments_where_there_are_any() {
    let said = |release: MeanRelease| {
        let estimated = Estimated::<Mean>::new(release, &Band::Population, 0.95).unwrap();
        assert_eq!(estimated.estimate().target, Target::PopulationMean);
        let width: f64 = estimated.estimate().upper.iter().zip(&estimated.estimate().lower).map(|(u, l)| u - l).sum();
        let fact = estimated.facts().into_iter().find(|fact| fact.name == "band").unwrap();
        (fact.text, width)
    };
    let (with, narrow) = said(release(|plan| plan));
    let (without, wide) = said(release(|plan| plan.moments(dpfda_release::MomentsChoice::None)));
    assert!(with.contains("private second moments") && without.contains("largest variance that the radius allows"));
    assert!(narrow < wide);
    let (private, _) = said(release(|plan| plan.neighbours(NeighbouringRelation::AddRemoveOne)));
    assert!(private.contains("largest variance that the radius allows"));
}

#[test]
fn levels_and_bands_that_are_none_are_refused() {
    for level in [0.5, 0.0, 1.0, 0.9999, f64::NAN] {
        assert!(matches!(
            Estimated::<Mean>::new(release(|plan| plan), &Band::Population, level),
            Err(AnalysisError::Level { .. })
        ));
    }
    for roughness in [0.0, -1.0, f64::NAN] {
        assert!(Estimated::<Mean>::new(release(|plan| plan), &Band::Honest { roughness }, 0.95).is_err());
    }
}
