#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::Payable;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;

use super::*;
use crate::purchase::in_ball::InBall;

fn grid() -> Grid {
    Grid::uniform(0.0, 1.0, 12).unwrap()
}

/// People spread evenly between 0.4 and 0.6.
fn people(number: usize) -> CurveSet {
    CurveSet::new(grid(), Array2::from_shape_fn((number, 12), |(i, _)| 0.4 + 0.2 * (i as f64 + 0.5) / number as f64))
        .unwrap()
}

fn private(delta: f64) -> PrivateCentiles {
    let ball = Centiles::ball_within((0.0, 1.0), None, None, &grid()).unwrap();
    PrivateCentiles::new(ball, PrivacyBudget::new(1.0, delta).unwrap())
}

#[test]
fn the_shares_below_levels_are_those_of_the_people_up_to_their_noise() {
    let curves = people(4000);
    let release = private(1e-5).release(&curves, &mut SeededRandomness::from_seed(3)).unwrap();
    let shares = Centiles::shares_below(&release);
    let mut squares = 0.0;
    for (row, value) in shares.values.rows().into_iter().flat_map(|row| row.to_vec()).enumerate() {
        let level = shares.levels[row % 63];
        let truth = ((level - 0.4) / 0.2).clamp(0.0, 1.0);
        squares += ((value - truth) / shares.noise_sd).powi(2);
    }
    let mean = squares / (12.0 * 63.0);
    assert!((mean - 1.0).abs() < 0.2, "{mean}");
}

#[test]
fn a_radius_that_is_bought_leaves_few_outside_and_saves_noise() {
    let curves = people(4000);
    let release = private(1e-5).release(&curves, &mut SeededRandomness::from_seed(5)).unwrap();
    let bought = release.statistic().bought().unwrap();
    assert_eq!(bought.stated_ball().radius(), 0.5);
    // people are at most 0.1 from the centre, and on average half of that
    let distance = release.statistic().ball().radius();
    assert!((0.09..0.15).contains(&distance), "{distance}");
    let stated = private(1e-5).buying(BallShares::NONE).release(&curves, &mut SeededRandomness::from_seed(5)).unwrap();
    assert!(Centiles::shares_below(&release).noise_sd < 0.6 * Centiles::shares_below(&stated).noise_sd);
}

#[test]
fn the_noise_of_a_share_agrees_with_golden_values() {
    for (records, norm, delta, expected) in
        [(1000, 0.35, 1e-5, 0.141_343_929_123_315_86), (376, 0.33, 0.1, 0.103_165_332_500_380_33)]
    {
        let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
        let ball = Centiles::ball_within((0.0, 1.0), None, Some(norm * norm), &grid).unwrap();
        let budget = PrivacyBudget::new(1.0, delta).unwrap();
        let private = PrivateCentiles::new(ball, budget).buying(BallShares::NONE);
        let mechanism = private.mechanism(&grid, PrivacyUnit::Curve, Some(records)).unwrap();
        let step = norm / dpfda_privacy::steps_to_unit(5859) / records as f64 * 5859_f64.sqrt();
        let sd = mechanism.noise().variance(0).sqrt() * step;
        assert!((sd / expected - 1.0).abs() < 1e-3, "{sd} {expected}");
    }
}

#[test]
fn threads_and_the_order_of_people_change_no_integer() {
    let curves = people(101);
    let reversed: Vec<usize> = (0..101).rev().collect();
    let turned = CurveSet::new(grid(), curves.values().select(ndarray::Axis(0), &reversed)).unwrap();
    let draw = |private: PrivateCentiles, curves: &CurveSet| {
        private.release(curves, &mut SeededRandomness::from_seed(1)).unwrap().coordinates().to_vec()
    };
    let one = private(0.1).showing(vec![50.0]);
    let three = one.clone().threads(NonZeroUsize::new(3).unwrap());
    assert_eq!(draw(one.clone(), &curves), draw(three, &curves));
    assert_eq!(draw(one.clone(), &curves), draw(one, &turned));
}

#[test]
fn a_release_reads_back_and_one_that_was_changed_does_not() {
    for relation in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let private = private(0.1).neighbours(relation);
        let release = private.release(&people(300), &mut SeededRandomness::from_seed(2)).unwrap();
        let json = release.to_json().unwrap();
        assert_eq!(Release::<Centiles>::from_json(&json).unwrap().coordinates(), release.coordinates());
        let noise = json.replace("\"noise_sd\": 0", "\"noise_sd\": 9");
        assert!(noise != json && Release::<Centiles>::from_json(&noise).is_err());
    }
}

#[test]
fn too_few_people_are_refused_where_their_number_is_public_and_only_there() {
    let refused = |private: &PrivateCentiles, number| private.prepare(&people(number)).map(|_| ()).unwrap_err();
    let is_noisy = |error: &ReleaseError| matches!(error, ReleaseError::Centiles(CentilesError::TooNoisy { .. }));
    let strict = private(1e-5);
    // sqrt(2) / (0.04 mu) = 131.9
    assert!(is_noisy(&refused(&strict, 131)) && strict.clone().showing(vec![50.0]).prepare(&people(132)).is_ok());
    let outer = refused(&strict, 199);
    assert!(
        matches!(outer, ReleaseError::Centiles(CentilesError::TooFewBeyond { least: 200, found: 199, .. })),
        "{outer}"
    );
    assert!(strict.prepare(&people(200)).is_ok());
    let private = strict.neighbours(NeighbouringRelation::AddRemoveOne);
    assert!(private.prepare(&people(3)).is_ok());
}

/// Three rows of each person, whose values are spread evenly between 0.4 and 0.6; at other times for each.
fn rows_of(private: &PrivateCentiles, number: u32) -> LongRows<Centiles> {
    let mut rows = private.rows(&grid()).unwrap();
    for person in 0..number {
        let value = 0.4 + 0.2 * (f64::from(person) + 0.5) / f64::from(number);
        for visit in 0..3 {
            let time = f64::from((person * 37 + visit * 331) % 997) / 997.0;
            rows.push(&person.to_le_bytes(), time, value);
        }
    }
    rows
}

#[test]
fn the_shares_of_rows_are_those_of_the_people_up_to_their_noise() {
    for relation in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let private = private(1e-5).of_rows().neighbours(relation);
        let rows = rows_of(&private, 4000);
        let release = private.prepare_rows(&rows).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(3));
        assert!(release.statistic().bought().is_some() || relation == NeighbouringRelation::AddRemoveOne);
        let shares = Centiles::shares_below(&release);
        let (weights, sds) = (shares.weights.clone().unwrap(), shares.noise_sds());
        // three of twelve points, 1 / sqrt(3) each, where 1 / sqrt(12) is 1; end points have half of the rows
        let expected = 0.25 / 3.0_f64.sqrt() * 12.0_f64.sqrt() * 12.0 / 11.0;
        assert!((weights.values[5] / expected - 1.0).abs() < 0.15, "{}", weights.values[5]);
        assert!((weights.parts()[5] - 0.25).abs() < 0.06 && weights.hidden().next().is_none());
        let mut squares = 0.0;
        for ((point, level), value) in shares.values.indexed_iter() {
            let truth = ((shares.levels[level] - 0.4) / 0.2).clamp(0.0, 1.0);
            let of_weight = weights.relative_sd()[point] * (truth - shares.of_center[[point, level]]);
            squares += (value - truth).powi(2) / (sds[point].powi(2) + of_weight.powi(2));
        }
        let mean = squares / (12.0 * 63.0);
        assert!((mean - 1.0).abs() < 0.25, "{mean}");
        let json = release.to_json().unwrap();
        assert_eq!(Release::<Centiles>::from_json(&json).unwrap().coordinates(), release.coordinates());
        assert!(Release::<Centiles>::from_json(&json.replace("\"weights\": [", "\"weights\": [9.0,")).is_err());
    }
}

#[test]
fn rows_need_more_people_than_curves_and_every_subject_is_a_record() {
    let private = private(1e-5).showing(vec![50.0]).of_rows();
    // sqrt(2.5) / (0.04 mu) = 147.5
    let refused = private.prepare_rows(&rows_of(&private, 147)).map(|_| ()).unwrap_err();
    assert!(matches!(refused, ReleaseError::Centiles(CentilesError::TooNoisy { least: 148, found: 147 })), "{refused}");
    let mut rows = rows_of(&private, 147);
    rows.push(b"nobody", f64::NAN, 0.5);
    assert_eq!(private.prepare_rows(&rows).unwrap().records().into_revealed(), 148);
}

#[test]
fn a_centre_is_not_for_sale() {
    let buys = private(1e-5).buying(BallShares::new(Some(0.05), None).unwrap());
    assert!(buys.prepare(&people(300)).is_err());
    let usual = private(1e-5).wanting(Wanted::default());
    let curves = people(300);
    let prepared = usual.prepare(&curves).unwrap();
    assert!(prepared.mechanism().shares().center().is_none() && prepared.mechanism().shares().radius().is_some());
}

#[test]
fn nothing_private_is_printed() {
    let curves = people(300);
    assert_eq!(format!("{:?}", CentileData::Curves(&curves, NonZeroUsize::MIN)), "CentileData(..)");
    assert_eq!(format!("{:?}", private(0.1).rows(&grid()).unwrap()), "LongRows(..)");
}
