#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::PrivateCentiles;
use dpfda_smoothing::CurveSet;
use ndarray::Array2;

use super::*;
use crate::estimated::Estimated;

/// People spread evenly about a slope, on a line or a circle.
fn release(is_periodic: bool, number: usize) -> Release<Centiles> {
    let grid = if is_periodic { Grid::circle(0.0, 24.0, 24) } else { Grid::uniform(0.0, 24.0, 25) }.unwrap();
    let values = Array2::from_shape_fn((number, grid.len()), |(i, j)| {
        let wave = (grid.points()[j] / 24.0 * std::f64::consts::TAU).sin();
        100.0 + 20.0 * wave + 60.0 * ((i as f64 + 0.5) / number as f64 - 0.5)
    });
    let curves = CurveSet::new(grid.clone(), values).unwrap();
    let ball = Centiles::ball_within((40.0, 200.0), None, None, &grid).unwrap();
    let private = PrivateCentiles::new(ball, PrivacyBudget::new(2.0, 1e-3).unwrap());
    private.release(&curves, &mut SeededRandomness::from_seed(7)).unwrap()
}

#[test]
fn the_curves_are_those_of_the_people_and_lie_in_their_bands() {
    for is_periodic in [false, true] {
        let estimated = Estimated::<Centiles>::new(release(is_periodic, 3000), &Band::Population, 0.95).unwrap();
        for (p, curve) in estimated.means().all() {
            for (t, (value, (lower, upper))) in
                curve.at.iter().zip(curve.values.iter().zip(curve.lower.iter().zip(&curve.upper)))
            {
                let truth = 100.0 + 20.0 * (t / 24.0 * std::f64::consts::TAU).sin() + 60.0 * (p / 100.0 - 0.5);
                assert!((value - truth).abs() < 6.0, "{p}% at {t}: {value} {truth}");
                assert!(lower <= value && value <= upper && *lower <= truth && truth <= *upper, "{p}% at {t}");
            }
        }
        let facts = estimated.facts();
        assert!(facts.iter().any(|fact| fact.name == "shape") && facts.iter().any(|fact| fact.name == "band"));
    }
}

#[test]
fn other_centiles_of_the_same_release_are_of_the_same_chart() {
    let estimated = Estimated::<Centiles>::new(release(false, 2000), &Band::Population, 0.95).unwrap();
    let others = estimated.means().showing(vec![10.0, 50.0]).unwrap();
    let [_, _, (_, median), ..] = &estimated.means().all().collect::<Vec<_>>()[..] else { panic!() };
    let own = others.all().nth(1).unwrap().1;
    assert!(own.values.iter().zip(&median.values).all(|(a, b)| (a - b).abs() < 1e-9));
    // fewer curves have a narrower band
    assert!(own.half_width() < median.half_width());
}

#[test]
fn the_normal_chart_is_offered_where_nothing_speaks_against_it_and_lies_in_the_same_bands() {
    // two clusters far apart
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    let values = Array2::from_shape_fn((3000, 20), |(i, _)| {
        let place = (i as f64 / 3.0).fract();
        if i % 3 == 0 { 0.25 + 0.05 * place } else { 0.6 + 0.05 * place }
    });
    let ball = Centiles::ball_within((0.0, 1.0), None, None, &grid).unwrap();
    let private = PrivateCentiles::new(ball, PrivacyBudget::new(2.0, 1e-3).unwrap());
    let curves = CurveSet::new(grid, values).unwrap();
    let two = private.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
    let two = Estimated::<Centiles>::new(two, &Band::Population, 0.95).unwrap();
    assert!(matches!(two.means().if_normal(), Err(AnalysisError::NotNormal { log_evidence }) if log_evidence > 0.0));
    // so few people that no shape is told
    let few = Estimated::<Centiles>::new(release(false, 250), &Band::Population, 0.95).unwrap();
    let normal = few.means().if_normal().unwrap();
    for ((p, free), (_, normal)) in few.means().all().zip(normal.all()) {
        assert_eq!((&free.lower, &free.upper), (&normal.lower, &normal.upper), "{p}");
        assert!(normal.values.iter().zip(&normal.lower).all(|(value, lower)| value >= lower));
    }
    let (median, outer) = (&normal.curves[2].values, &normal.curves[3].values);
    let other = normal.showing(vec![50.0, 75.0]).unwrap();
    assert!(other.curves[0].values.iter().zip(median).all(|(a, b)| (a - b).abs() < 1e-9), "it stays normal");
    assert!(outer.iter().zip(median).all(|(a, b)| a > b));
}

#[test]
fn a_document_with_its_curves_reads_back_and_one_that_was_changed_does_not() {
    let estimated = Estimated::<Centiles>::new(release(false, 2000), &Band::Population, 0.9).unwrap();
    let json = estimated.to_json().unwrap();
    let again = Estimated::<Centiles>::from_json(&json).unwrap();
    assert_eq!(again.means().level(), 0.9);
    let moved = json.replace("\"centile\": 5.0", "\"centile\": 6.0");
    assert!(moved != json && Estimated::<Centiles>::from_json(&moved).is_err());
}

#[test]
fn other_bands_and_levels_are_refused() {
    let release = release(false, 300);
    assert!(Estimated::<Centiles>::new(release.clone(), &Band::Posterior, 0.95).is_err());
    assert!(Estimated::<Centiles>::new(release, &Band::Population, 0.2).is_err());
}

#[test]
fn where_the_noise_is_as_large_as_the_differences_between_people_the_bands_hold_and_the_chart_says_so() {
    // 150 people whose values differ by little, in wide bounds, so that the fit can follow the noise
    let grid = Grid::uniform(0.0, 1.0, 25).unwrap();
    let truth = |t: f64, p: f64| 0.5 + 0.3 * (std::f64::consts::TAU * t).sin() + 0.1 * (p - 0.5);
    let values = Array2::from_shape_fn((150, 25), |(i, j)| truth(grid.points()[j], (i as f64 + 0.5) / 150.0));
    let curves = CurveSet::new(grid.clone(), values).unwrap();
    let ball = Centiles::ball_within((0.0, 1.0), None, None, &grid).unwrap();
    let private = PrivateCentiles::new(ball, PrivacyBudget::new(1.0, 1e-5).unwrap()).showing(vec![25.0, 50.0, 75.0]);
    let (mut held, mut hidden) = (0, 0);
    for seed in 0..20 {
        let drawn = private.release(&curves, &mut SeededRandomness::from_seed(seed)).unwrap();
        let estimated = Estimated::<Centiles>::new(drawn, &Band::Population, 0.95).unwrap();
        let holds = estimated.means().all().all(|(p, curve)| {
            let points = curve.at.iter().zip(curve.lower.iter().zip(&curve.upper));
            points.into_iter().all(|(t, (lower, upper))| {
                let truth = truth(*t, p / 100.0);
                (*lower..=*upper).contains(&truth)
            })
        });
        held += u32::from(holds);
        if estimated.means().chart.hides_spread() {
            hidden += 1;
            assert!(estimated.facts().iter().any(|fact| fact.text == DROWNED));
            assert!(!estimated.means().are_not_normal());
            assert!(matches!(estimated.means().if_normal(), Err(AnalysisError::SpreadHidden)));
        }
    }
    assert!(held >= 18 && hidden >= 10, "{held} of 20 hold, {hidden} say so");
    // of many people nothing of it is said
    let many = Estimated::<Centiles>::new(release(false, 2000), &Band::Population, 0.95).unwrap();
    assert!(!many.means().chart.hides_spread());
}
