#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_mechanism::{Drawn, Mechanism, MechanismError, Payable, ReadError, Terms, Wanted};
use dpfda_privacy::{
    Calibration, GaussianPrivacy, Law, NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness, Spend,
};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Array2;

use super::*;
use crate::mean::document::MeanRelease;
use crate::mean::private::{MomentsChoice, PrivateMean};
use crate::release_error::ReleaseError;

/// Curves that keep within about 0.1 of a wave, in a ball that is far too large.
fn curves(records: usize) -> CurveSet {
    let value = |(i, j): (usize, usize)| {
        let t = j as f64 / 29.0;
        2.0 + 0.3 * (6.0 * t).sin() + 0.1 * (i as f64 * 1.7 + 3.0 * t).sin()
    };
    CurveSet::new(Grid::uniform(0.0, 1.0, 30).unwrap(), Array2::from_shape_fn((records, 30), value)).unwrap()
}

fn budget() -> PrivacyBudget {
    PrivacyBudget::new(1.0, 0.1).unwrap()
}

fn plan(center: Option<f64>, radius: Option<f64>) -> PrivateMean {
    let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
    PrivateMean::isonormal(ball, budget()).buying(BallShares::new(center, radius).unwrap())
}

fn release(plan: &PrivateMean) -> MeanRelease {
    plan.release(&curves(500), &mut SeededRandomness::from_seed(8)).unwrap()
}

#[test]
fn a_radius_that_is_stated_too_large_is_bought_smaller_and_the_noise_with_it() {
    let stated = release(&plan(None, None));
    for (center, radius) in [(None, Some(0.05)), (Some(0.1), Some(0.05))] {
        let bought = release(&plan(center, radius));
        let answers = bought.statistic().bought().unwrap();
        assert_eq!(answers.stated_ball(), stated.ball());
        assert_eq!(answers.shares(), BallShares::new(center, radius).unwrap());
        assert!(bought.ball().radius() < 0.25 * stated.ball().radius(), "{}", bought.ball().radius());
        assert!(bought.noise_scale() < 0.3 * stated.noise_scale());
        assert!(bought.facts().iter().any(|fact| fact.name == "found" && fact.text.contains("of at most 2")));
    }
    let centered = release(&plan(Some(0.1), None));
    assert_eq!(centered.ball().radius(), stated.ball().radius());
    let center = centered.ball().center_at(centered.grid()).unwrap();
    let points = centered.grid().points();
    let wave = points.iter().map(|t| 2.0 + 0.3 * (6.0 * t).sin());
    let distance = center.iter().zip(wave).map(|(c, w)| (c - w).powi(2)).sum::<f64>() / 30.0;
    assert!(distance.sqrt() < 0.1, "{}", distance.sqrt());
}

#[test]
fn what_is_bought_and_the_mean_together_cost_the_budget_and_no_more() {
    let whole = GaussianPrivacy::calibrated(Calibration::Tight, &budget()).unwrap();
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        for (center, radius) in [(None, Some(0.05)), (Some(0.1), None), (Some(0.1), Some(0.3))] {
            let spent = release(&plan(center, radius).neighbours(neighbours)).privacy().unwrap();
            assert!(spent <= whole && spent.mu() > whole.mu() * (1.0 - 1e-5), "{center:?} {radius:?} {}", spent.mu());
        }
    }
}

#[test]
fn every_release_tells_what_bought_its_ball() {
    let curves = curves(500);
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        for (center, radius) in [(None, Some(0.05)), (Some(0.1), None), (Some(0.1), Some(0.3))] {
            let plan = plan(center, radius).neighbours(neighbours);
            let prepare = || plan.prepare(&curves).unwrap();
            let (asked, length) = (prepare().asked(), prepare().stored_len());
            let whole = GaussianPrivacy::calibrated(Calibration::Tight, &budget()).unwrap();
            let mut seed = SeededRandomness::from_seed(8);
            for drawn in [prepare().draw(None, &mut seed).unwrap(), prepare().draw_unrecorded(&mut seed)] {
                let privacy = drawn.privacy().unwrap();
                assert!(privacy <= whole && privacy.mu() > whole.mu() * (1.0 - 1e-5), "{}", privacy.mu());
                assert_eq!((drawn.spend(), drawn.plan()), (asked.spend.clone(), asked.plan));
                assert_eq!(drawn.spend(), Spend::of_gaussian(privacy));
                assert_eq!(drawn.stored().bytes.len() as u64, length);
                let told = format!("mu = {}", dpfda_mechanism::rounded(privacy.mu()));
                assert!(drawn.facts().iter().any(|fact| fact.name == "privacy" && fact.caption.contains(&told)));
                assert_eq!(drawn.answers().center().is_some(), center.is_some());
                assert_eq!(drawn.answers().radius().is_some(), radius.is_some());
                assert_eq!(prepare().restore(drawn.stored(), None).unwrap(), drawn);
            }
        }
    }
}

#[test]
fn a_plan_that_buys_is_released_from_its_records_alone_and_buys_with_normal_noise_alone() {
    let curves = curves(500);
    let buying = plan(None, Some(0.05)).mechanism(curves.grid(), curves.unit(), None).unwrap();
    let bounded = buying.statistic().ball().bound(&curves).unwrap();
    let refused = buying.prepare_all(crate::coordinates::encode::CurveRecord::all(&bounded)).unwrap_err();
    assert_eq!(refused, MechanismError::Buys);
    let again: Mechanism<crate::Mean> = serde_json::from_str(&serde_json::to_string(&buying).unwrap()).unwrap();
    assert_eq!((again.digest(), again.shares()), (buying.digest(), buying.shares()));
    let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
    let pure = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 0.0).unwrap());
    let pure = pure.mechanism(curves.grid(), curves.unit(), None).unwrap();
    let (statistic, guarantee) = (pure.statistic().clone(), *pure.guarantee());
    let refused =
        Mechanism::new(statistic.clone(), Terms::of(guarantee, Law::KNorm {}).buying(buying.shares())).unwrap_err();
    assert!(matches!(refused, MechanismError::NotForSale { .. }), "{refused}");
    let refused = Mechanism::new(statistic, buying.terms().clone()).unwrap_err();
    assert!(matches!(refused, MechanismError::NotForSale { .. }), "{refused}");
    // a statistic that sells a radius sells none for noise that is not normal
    let sells = buying.statistic().clone();
    let refused = Mechanism::new(sells, Terms::of(guarantee, Law::KNorm {}).buying(buying.shares())).unwrap_err();
    assert!(matches!(refused, MechanismError::NotForSale { .. }), "{refused}");
}

#[test]
fn a_bought_ball_survives_its_document_and_another_one_is_refused() {
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let release = release(&plan(Some(0.1), Some(0.05)).neighbours(neighbours));
        let json = release.to_json().unwrap();
        let again = MeanRelease::from_json(&json).unwrap();
        assert_eq!((again.spend(), again.plan(), again.stored()), (release.spend(), release.plan(), release.stored()));
        assert_eq!(again.statistic(), release.statistic());
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let refused = |pointer: &str, change: serde_json::Value| {
            let mut other = value.clone();
            *other.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = change;
            assert!(MeanRelease::from_json(&other.to_string()).is_err(), "{pointer}");
        };
        refused("/lattice/radius/coordinates/0", (1_i64 << 50).into());
        refused("/lattice/radius/coordinates", vec![1; 12].into());
        refused("/statistic/ball/radius", 0.5.into());
        refused("/statistic/ball/center", 1.9.into());
        refused("/privacy/epsilon", 2.0.into());
        refused("/derived/ball", serde_json::Value::Null);
        refused("/derived/ball/radius", 1.0.into());
        let first: f64 = serde_json::from_value(value["derived"]["ball"]["center"][3].clone()).unwrap();
        refused("/derived/ball/center/3", (first + 0.01).into());
    }
}

#[test]
fn an_answer_is_in_a_document_where_its_plan_buys_with_it_and_nowhere_else() {
    let document =
        |plan: &PrivateMean| -> serde_json::Value { serde_json::from_str(&release(plan).to_json().unwrap()).unwrap() };
    let refused = |document: &serde_json::Value| match MeanRelease::from_json(&document.to_string()) {
        Err(ReadError::Contradiction { field }) => field,
        other => panic!("{other:?}"),
    };
    let (bought, stated) = (document(&plan(Some(0.1), Some(0.05))), document(&plan(None, None)));
    for (answer, field) in [("radius", "lattice.radius"), ("center", "lattice.center")] {
        // nothing else of the document need say that it was bought
        let mut without = bought.clone();
        without["lattice"][answer] = serde_json::Value::Null;
        without["derived"]["ball"] = serde_json::Value::Null;
        assert_eq!(refused(&without), field);
        let mut with = stated.clone();
        with["lattice"][answer] = bought["lattice"][answer].clone();
        assert_eq!(refused(&with), field);
    }
}

#[test]
fn a_radius_is_not_bought_from_counts_that_the_noise_would_hide() {
    let few = plan(None, Some(0.05));
    let least = few.least_records_for_radius().unwrap().unwrap();
    assert_eq!(least, 35, "five standard deviations of a count at (1, 0.1)");
    let refused = few.release(&curves(34), &mut SeededRandomness::from_seed(1)).unwrap_err();
    assert_eq!(refused, ReleaseError::Mechanism(MechanismError::TooFewForRadius { least: 35, found: 34 }));
    assert!(few.release(&curves(35), &mut SeededRandomness::from_seed(1)).is_ok());
    // a private number decides nothing
    let private = few.neighbours(NeighbouringRelation::AddRemoveOne);
    for records in [0, 1, 34] {
        assert!(private.release(&curves(records), &mut SeededRandomness::from_seed(1)).is_ok(), "{records}");
    }
}

/// The bits of a release, and the digest of what was asked for.
fn bits(release: &MeanRelease) -> (Vec<u8>, String) {
    (release.stored().bytes, release.plan().to_string())
}

#[test]
fn the_default_buys_no_radius_from_too_few_records_and_spends_the_whole_budget_on_the_mean() {
    let default = PrivateMean::isonormal(Ball::new(Center::Constant(2.0), 2.0).unwrap(), budget());
    let least = usize::try_from(default.least_records_for_radius().unwrap().unwrap()).unwrap();
    let released =
        |mean: &PrivateMean, records| mean.release(&curves(records), &mut SeededRandomness::from_seed(1)).unwrap();
    let few = released(&default, least - 1);
    assert_eq!(bits(&few), bits(&released(&default.clone().buying(BallShares::NONE), least - 1)));
    assert!(few.statistic().bought().is_none());
    let told = |release: &MeanRelease| release.facts().into_iter().find(|fact| fact.name == "found").unwrap().text;
    assert!(told(&few).contains(&format!("from {least} records on")), "{}", told(&few));
    let enough = released(&default, least);
    assert!(enough.statistic().bought().is_some() && !told(&enough).contains("nothing"));
    // what was asked for is refused
    let asked = default.clone().buying(BallShares::new(None, Some(0.05)).unwrap());
    let refused = asked.release(&curves(least - 1), &mut SeededRandomness::from_seed(1)).unwrap_err();
    assert!(matches!(refused, ReleaseError::Mechanism(MechanismError::TooFewForRadius { .. })), "{refused}");
    // a private number decides nothing
    let private = default.neighbours(NeighbouringRelation::AddRemoveOne);
    for records in [0, 1, least - 1, least] {
        assert!(released(&private, records).statistic().bought().is_some(), "{records}");
    }
}

#[test]
fn parts_of_too_few_records_have_the_bits_of_a_release_from_memory_that_buys_nothing() {
    let default = PrivateMean::isonormal(Ball::new(Center::Constant(2.0), 2.0).unwrap(), budget());
    let records = usize::try_from(default.least_records_for_radius().unwrap().unwrap()).unwrap() - 1;
    let curves = curves(records);
    let whole = default.release(&curves, &mut SeededRandomness::from_seed(7)).unwrap();
    let plan = default.plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let part = |name: &str, rows: std::ops::Range<usize>| {
        let mut encoder = plan.encoder(name.parse().unwrap(), None);
        rows.for_each(|row| encoder.push(&curves.values().row(row).to_vec()).unwrap());
        encoder.finish().unwrap()
    };
    let mut all = part("a", 0..records / 2);
    all.merge(part("b", records / 2..records)).unwrap();
    let prepared = all.prepare(&plan).unwrap();
    assert_eq!(prepared.asked().plan.to_string(), whole.plan().to_string());
    let drawn = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(7));
    assert_eq!(drawn.stored().bytes, whole.stored().bytes);
}

/// The radius is bought all the same, because the ball of a half norm needs it, and counts that say nothing leave the stated one.
#[test]
fn fewer_records_than_were_expected_are_released_in_parts_as_from_memory() {
    let default = PrivateMean::isonormal(Ball::new(Center::Constant(2.0), 2.0).unwrap(), budget())
        .wanting(Wanted { expected: Some(1000), ..Wanted::default() });
    let curves = curves(8);
    let whole = default.release(&curves, &mut SeededRandomness::from_seed(7)).unwrap();
    assert!(whole.statistic().bought().is_some());
    let plan = default.plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let mut encoder = plan.encoder("a".parse().unwrap(), None);
    (0..8).for_each(|row| encoder.push(&curves.values().row(row).to_vec()).unwrap());
    let part = encoder.finish().unwrap();
    let prepared = part.prepare(&plan).unwrap();
    let drawn = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(7));
    assert_eq!(drawn.stored().bytes, whole.stored().bytes);
}

#[test]
fn a_bound_on_roughness_that_needs_a_bought_radius_refuses_too_few_records() {
    let default = PrivateMean::isonormal(Ball::new(Center::Constant(2.0), 2.0).unwrap(), budget());
    let rough = default.roughness(0.3);
    let records = usize::try_from(rough.least_records_for_radius().unwrap().unwrap()).unwrap() - 1;
    let refused = rough.release(&curves(records), &mut SeededRandomness::from_seed(1)).unwrap_err();
    assert!(matches!(refused, ReleaseError::Mechanism(MechanismError::TooFewForRadius { .. })), "{refused}");
}

#[test]
fn shares_are_below_one_half_and_the_smoothed_mechanism_buys_nothing() {
    for share in [0.0, 0.5, -0.1, f64::NAN, 1.0] {
        assert!(BallShares::new(Some(share), None).is_err() && BallShares::new(None, Some(share)).is_err(), "{share}");
    }
    let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
    let smoothed = PrivateMean::cameron_martin(ball, budget());
    assert_eq!(smoothed.bought_shares(None), Ok(BallShares::NONE));
    let refused = smoothed.buying(BallShares::default()).release(&curves(100), &mut SeededRandomness::from_seed(1));
    assert_eq!(refused.unwrap_err(), ReleaseError::BoughtSmoothed);
}

#[test]
fn a_bought_centre_lies_between_the_bounds_of_the_values() {
    let ball = Ball::within(1.0, 3.0).unwrap();
    let loud = PrivacyBudget::new(0.01, 1e-5).unwrap();
    let plan = PrivateMean::isonormal(ball, loud).buying(BallShares::new(Some(0.1), None).unwrap());
    for seed in 0..5 {
        let release = plan.release(&curves(20), &mut SeededRandomness::from_seed(seed)).unwrap();
        let center = release.ball().center_at(release.grid()).unwrap();
        assert!(center.iter().all(|c| (1.0..=3.0).contains(c)));
        assert_eq!(release.ball().bounds(), Some((1.0, 3.0)));
    }
}

#[test]
fn distances_are_counted_from_the_bought_centre_and_curves_are_bounded_by_the_bought_ball() {
    // hardly any noise, and curves that lie halfway between the stated centre and the edge of the stated ball
    let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
    let plan = PrivateMean::isonormal(ball, PrivacyBudget::new(50.0, 0.5).unwrap());
    let value = |(i, j): (usize, usize)| 3.0 + 0.1 * (i as f64 * 1.7 + j as f64).sin();
    let values = Array2::from_shape_fn((500, 30), value);
    let raw = values.mean().unwrap();
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 30).unwrap(), values).unwrap();
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        // with a centre curves are gone through again, and without one their sums are kept for every radius
        for (center, radii) in [(Some(0.1), 0.0..0.25), (None, 1.0..1.5)] {
            let plan = plan.clone().neighbours(neighbours).buying(BallShares::new(center, Some(0.05)).unwrap());
            let release = plan.release(&curves, &mut SeededRandomness::from_seed(4)).unwrap();
            assert!(radii.contains(&release.ball().radius()), "{}", release.ball().radius());
            let mean = release.function().values().mean().unwrap();
            assert!((mean - raw).abs() < 5e-3, "{mean} {raw}");
        }
    }
}

#[test]
fn a_bought_centre_lies_in_the_stated_ball_whatever_the_noise() {
    let grid = Grid::uniform(0.0, 1.0, 30).unwrap();
    let stated = Ball::new(Center::Constant(2.0), 0.5).unwrap();
    for (size, sd) in [(1e-3, 1.0), (0.3, 0.01), (1.0, 1e-3), (5.0, 1e-3), (1e6, 1e-9)] {
        let noisy: Vec<f64> = (0..30).map(|i| size * (f64::from(i) / 9.0).cos()).collect();
        let ball = Bought::centered_ball(&stated, &grid, &noisy, sd).unwrap();
        let deviations = ball.center_at(&grid).unwrap() - 2.0;
        let distance = (&deviations * &deviations * grid.to_unit().unwrap().weights()).sum().sqrt();
        assert!(distance <= 0.5 * (1.0 + 1e-12), "{size} {sd}: {distance}");
    }
}

type Golden = ([f64; 2], [f64; 2], [f64; 3], f64);

#[test]
fn shares_of_mu_agree_with_golden_values() {
    /// By another program: budget, shares, mu of centre, radius and mean, and how much larger the noise of the mean is.
    const GOLDEN: [Golden; 3] = [
        (
            [1.0, 0.1],
            [0.1, 0.05],
            [0.291_218_566_355_823_16, 0.205_922_623_077_627_13, 0.849_040_725_653_309_5],
            1.084_652_289_093_280_8,
        ),
        (
            [1.0, 1e-5],
            [0.1, 0.05],
            [0.084_765_207_871_411_77, 0.059_938_053_294_562_58, 0.247_130_924_727_382_13],
            1.084_652_289_093_280_8,
        ),
        ([1.0, 0.1], [0.0, 0.05], [0.0, 0.205_922_623_077_627_13, 0.897_595_904_184_193_1], 1.025_978_352_085_154_2),
    ];
    let is_close = |found: f64, golden: f64| (found - golden).abs() <= 1e-9 * golden;
    for ([epsilon, delta], [center, radius], [of_center, of_radius, of_mean], inflation) in GOLDEN {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let whole = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap();
        let shares = BallShares::new(Some(center).filter(|share| *share > 0.0), Some(radius)).unwrap();
        let mu = |share: Option<Share>| share.map_or(0.0, |share| whole.share(share).mu());
        assert!(is_close(mu(shares.center()), of_center) && is_close(mu(shares.radius()), of_radius));
        assert!(is_close(mu(Some(shares.rest())), of_mean) && is_close(whole.mu() / of_mean, inflation));
        // golden counts are of four questions, each with half of the radius' mu; here one answer moves two counts
        let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
        let plan = PrivateMean::isonormal(ball, budget).buying(shares).moments(MomentsChoice::None);
        let curves = curves(200);
        let released = plan.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
        let counts = released.mechanism().radius().unwrap().noise().scale() / Norms::STEPS as f64;
        assert!((counts * of_radius / 2.0_f64.sqrt() - 1.0).abs() < 1e-6, "the scale is an integer, rounded up");
        let stated = plan.buying(BallShares::NONE).release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
        assert!((released.noise().scale() / stated.noise().scale() / inflation - 1.0).abs() < 1e-6);
    }
}

#[test]
fn answers_about_other_balls_people_or_shares_are_refused() {
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let release = release(&plan(Some(0.1), Some(0.05)).neighbours(neighbours));
        let value: serde_json::Value = serde_json::from_str(&release.to_json().unwrap()).unwrap();
        let refused = |pointer: &str, change: serde_json::Value| {
            let mut other = value.clone();
            *other.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = change;
            assert!(MeanRelease::from_json(&other.to_string()).is_err(), "{pointer}");
        };
        for share in ["center", "radius"] {
            refused(&format!("/noise/shares/{share}"), serde_json::Value::Null);
            refused(&format!("/noise/shares/{share}"), 0.04.into());
        }
        refused("/noise/shares", serde_json::json!({"center": null, "radius": null}));
        // shares that leave the mean what it had
        refused("/noise/shares", serde_json::json!({"center": 0.05, "radius": 0.1}));
        if neighbours == NeighbouringRelation::SubstituteOne {
            refused("/privacy/records", 1_000_000.into());
            let mut counted = value.clone();
            counted["lattice"]["center"]["count"] = 1.into();
            assert!(MeanRelease::from_json(&counted.to_string()).is_err());
        } else {
            refused("/lattice/center/count", serde_json::Value::Null);
            refused("/lattice/center/count", 1.into());
        }
    }
}

#[test]
fn a_centre_that_noise_puts_beyond_the_bounds_is_clamped() {
    let grid = Grid::uniform(0.0, 1.0, 30).unwrap();
    let stated = Ball::within(1.0, 3.0).unwrap();
    let unit_grid = grid.to_unit().unwrap();
    // at most 0.92 from the centre in the mean square, and 1.3 at the ends
    let wave = |(t, w): (&f64, &f64)| w.sqrt() * 1.3 * (std::f64::consts::PI * t).cos();
    let noisy: Vec<f64> = unit_grid.points().iter().zip(unit_grid.weights()).map(wave).collect();
    let center = Bought::centered_ball(&stated, &grid, &noisy, 1e-4).unwrap().center_at(&grid).unwrap();
    assert!(center.iter().all(|c| (1.0..=3.0).contains(c)), "{center}");
    assert!(center.iter().any(|c| *c == 3.0), "{center}");
}
