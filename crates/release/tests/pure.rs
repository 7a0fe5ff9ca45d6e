//! A mean without a delta: what is released, what it costs, and what is refused.

use crate::common::{ball, budget, curves};
use dpfda_kernels::Grid;
use dpfda_mechanism::{Mechanism, Payable, Terms};
use dpfda_privacy::{
    Account, Arithmetic, Calibration, CalibrationError, Law, NeighbouringRelation, Noise, NoiseError, PrivacyBudget,
    PrivacyUnit, SeededRandomness, Spend,
};
use dpfda_release::{
    BallShares, CurveRecord, MOST_COORDINATES, Mean, MeanError, MeanMechanism, MeanRelease, MomentsChoice, Plan,
    PrivateMean, ReleaseError,
};
use dpfda_smoothing::CurveSet;
use ndarray::{Array1, Array2, Axis};

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn pure(epsilon: f64) -> PrivateMean {
    PrivateMean::isonormal(ball(), PrivacyBudget::new(epsilon, 0.0).unwrap())
}

fn release(settings: &PrivateMean, curves: &CurveSet) -> MeanRelease {
    settings.release(curves, &mut SeededRandomness::from_seed(7)).unwrap()
}

/// The functions that the coordinates are those of, in isonormal coordinates.
fn basis(grid: &Grid, number: usize) -> Array2<f64> {
    Mean::new(ball(), grid.clone(), &MeanMechanism::Coordinates(number)).unwrap().map().unwrap()
}

#[test]
fn a_release_holds_the_leading_coordinates_of_the_mean_with_the_stated_noise() {
    for (points, asked, number) in [(31, None, 12), (31, Some(5), 5), (9, None, 9), (9, Some(9), 9)] {
        let curves = curves(60, points);
        let settings = asked.map_or_else(|| pure(50.0), |number| pure(50.0).coordinates(number));
        let release = release(&settings, &curves);
        assert_eq!(release.coordinates_of_noise(), MeanMechanism::Coordinates(number));
        let roots = curves.grid().to_unit().unwrap().weights().mapv(f64::sqrt);
        let mean = curves.values().mean_axis(Axis(0)).unwrap();
        let exact: Array1<f64> = basis(curves.grid(), number).t().dot(&((mean - 0.5) * roots));
        let gap = (release.whitened() - exact).mapv(f64::abs);
        // sqrt(d + 1) Delta / epsilon is below 4e-4, and a radius of more than 60 has probability below 1e-20
        assert!(gap.iter().all(|gap| *gap < 60.0 * 0.5 / 60.0 / 50.0), "{gap}");
        let sd = (number as f64 + 1.0).sqrt() * 0.5 / 60.0 / 50.0;
        assert!((release.noise_scale() / sd - 1.0).abs() < 1e-3, "{} {sd}", release.noise_scale());
        assert!((release.sensitivity() / (0.5 / 60.0) - 1.0).abs() < 1e-3);
    }
}

#[test]
fn what_lies_outside_the_coordinates_changes_no_integer() {
    let curves = curves(40, 31);
    let roots = curves.grid().to_unit().unwrap().weights().mapv(f64::sqrt);
    let outside = basis(curves.grid(), 12).column(11).to_owned() / &roots;
    let moved = |size: f64| {
        let values = curves.values().to_owned() + &(&outside * size).insert_axis(Axis(0));
        release(&pure(1.0).coordinates(11), &CurveSet::new(curves.grid().clone(), values).unwrap())
    };
    let gap = (moved(0.0).whitened() - moved(0.05).whitened()).mapv(f64::abs);
    // rounding to the lattice is all that may differ
    assert!(gap.iter().all(|gap| *gap < 40.0 * moved(0.0).lattice_step()), "{gap}");
    let with = release(&pure(1.0).coordinates(12), &curves);
    assert_ne!(with.whitened().len(), moved(0.0).whitened().len());
}

#[test]
fn the_noise_is_exact_k_norm_noise_and_costs_epsilon() {
    for neighbours in RELATIONS {
        let curves = curves(50, 20);
        let settings = pure(0.3).neighbours(neighbours);
        let prepared = settings.prepare(&curves).unwrap();
        let asked = prepared.asked();
        assert_eq!(asked.spend, Spend::of_budget(&PrivacyBudget::new(0.3, 0.0).unwrap()));
        let release = release(&settings, &curves);
        let law = match neighbours {
            NeighbouringRelation::SubstituteOne => Law::KNorm {},
            NeighbouringRelation::AddRemoveOne => Law::KNormCylinder {},
        };
        assert_eq!((release.mechanism().law(), release.arithmetic()), (&law, Arithmetic::Exact));
        assert_eq!((release.privacy(), release.mu()), (None, None));
        assert_eq!((release.spend(), release.plan()), (asked.spend, asked.plan));
        // three releases at 0.3 are 0.9, exactly
        let account = (0..3).fold(Account::default(), |account, _| account.with(&release.spend()));
        assert!(account.is_within(&PrivacyBudget::new(0.9, 0.0).unwrap()));
        assert!(!account.is_within(&PrivacyBudget::new(0.899, 0.0).unwrap()));
    }
}

#[test]
fn parts_give_the_integers_of_the_whole() {
    let curves = curves(30, 20);
    let settings = pure(1.0);
    let plan = settings.plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let text = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan<Mean>>(&text).unwrap(), plan);
    let mut parts = ["north", "south"].map(|name| plan.encoder(name.parse().unwrap(), None));
    for (i, row) in curves.values().rows().into_iter().enumerate() {
        parts[i % 2].push(row.as_slice().unwrap()).unwrap();
    }
    let [north, south] = parts.map(|encoder| encoder.finish().unwrap());
    let mut all = north;
    all.merge(south).unwrap();
    let joined = all.prepare(&plan).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(7));
    assert_eq!(joined.coordinates(), release(&settings, &curves).coordinates());
}

#[test]
fn what_needs_a_delta_is_refused_before_anything_is_drawn() {
    let curves = curves(400, 20);
    let refused = |settings: &PrivateMean| settings.prepare(&curves).map(|_| ()).unwrap_err();
    assert_eq!(refused(&pure(1.0).buying(BallShares::default())), ReleaseError::BoughtWithoutDelta);
    assert!(pure(1.0).buying(BallShares::NONE).prepare(&curves).is_ok());
    for rough in [pure(1.0).slope(2.0), pure(1.0).roughness(0.2)] {
        assert_eq!(refused(&rough), ReleaseError::RoughWithoutDelta);
    }
    for moments in [MomentsChoice::Mean, MomentsChoice::Covariance] {
        assert_eq!(refused(&pure(1.0).moments(moments)), ReleaseError::Mean(MeanError::MomentsWithoutDelta));
    }
    for found in [0, 21, MOST_COORDINATES + 1] {
        let expected = ReleaseError::Mean(MeanError::Coordinates { most: 20, found });
        assert_eq!(refused(&pure(1.0).coordinates(found)), expected);
    }
    let with = PrivateMean::isonormal(ball(), budget()).coordinates(5);
    assert_eq!(refused(&with), ReleaseError::CoordinatesWithDelta);
    assert!(refused(&pure(0.0)).to_string().contains("epsilon must be positive"));
    let zero = PrivacyBudget::new(1.0, 0.0).unwrap();
    let needs_delta = |error: ReleaseError| {
        let wanted = ReleaseError::from(NoiseError::from(CalibrationError::DeltaZero));
        assert_eq!(error, wanted);
    };
    needs_delta(refused(&PrivateMean::cameron_martin(ball(), zero).penalty(0.1)));
    needs_delta(refused(&pure(1.0).calibration(Calibration::Classical)));
}

#[test]
fn contradictions_in_a_document_are_refused() {
    let json = release(&pure(1.0), &curves(50, 20)).to_json().unwrap();
    assert!(MeanRelease::from_json(&json).is_ok());
    for (from, to) in [
        ("\"coordinates\": 12\n", "\"coordinates\": 11\n"),
        ("\"coordinates\": 12\n", "\"coordinates\": 0\n"),
        ("\"coordinates\": 12\n", "\"coordinates\": 1000000000000\n"),
        ("\"rank\": 12", "\"rank\": 11"),
        ("\"epsilon\": 1.0", "\"epsilon\": 0.9"),
        ("\"delta\": 0.0", "\"delta\": 1e-6"),
        ("\"k-norm\": {}", "\"discrete-laplace\": {}"),
        ("\"dimension\": 12", "\"dimension\": 13"),
        ("\"units\":", "\"mu\": 0.5, \"units\":"),
    ] {
        assert!(json.contains(from), "{from} is not in {json}");
        assert!(MeanRelease::from_json(&json.replace(from, to)).is_err(), "{to}");
    }
}

fn of_private_records(coordinates: usize) -> PrivateMean {
    pure(1.0).neighbours(NeighbouringRelation::AddRemoveOne).coordinates(coordinates)
}

#[test]
fn from_three_coordinates_on_a_private_number_of_records_has_the_noise_of_a_cylinder() {
    let curves = curves(500, 20);
    for number in [1, 2, 3, 12, 20] {
        let settings = of_private_records(number);
        let (stated, planned) = (release(&settings, &curves), settings.noise_law().unwrap());
        let p = number as f64;
        let (of_sum, of_count) = if number > 2 {
            assert_eq!(stated.mechanism().law(), &Law::KNormCylinder {});
            (p + 3.0, (p + 2.0) * (p + 3.0) / 3.0)
        } else {
            assert_eq!(stated.mechanism().law(), &Law::KNorm {});
            (1.25 * (p + 2.0), 5.0 * (p + 2.0))
        };
        // the ball has radius one half; 513 steps of 2^22 are added for what rounding adds
        let sd = of_sum.sqrt() * 0.25 / stated.units();
        assert!((stated.noise_scale() / sd - 1.0).abs() < 1e-3, "{number}: {}", stated.noise_scale() / sd);
        assert!((planned.whitened_sd(stated.units()) / sd - 1.0).abs() < 1e-3, "{number}");
        let counts = [stated.units_sd(), planned.relative_count_sd(1.0)];
        assert!(counts.iter().all(|found| (found / of_count.sqrt() - 1.0).abs() < 1e-3), "{number}: {counts:?}");
    }
}

#[test]
fn a_document_of_a_cylinder_reads_back_and_no_other_noise_stands_in_it() {
    let stated = release(&of_private_records(12), &curves(50, 20));
    let json = stated.to_json().unwrap();
    assert_eq!(MeanRelease::from_json(&json).unwrap().coordinates(), stated.coordinates());
    let scale = format!("\"scale\": {}", stated.noise().scale());
    for (from, to) in [
        ("\"k-norm-cylinder\": {}", "\"k-norm\": {}"),
        ("\"neighbours\": \"add-remove\"", "\"neighbours\": \"substitute\""),
        ("\"epsilon\": 1.0", "\"epsilon\": 0.9"),
        (scale.as_str(), "\"scale\": 4000000"),
        ("\"coordinates\": 12,\n", "\"coordinates\": 11,\n"),
    ] {
        assert!(json.contains(from), "{from} is not in {json}");
        assert!(MeanRelease::from_json(&json.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn a_release_with_the_noise_of_the_ball_from_before_there_was_a_cylinder_is_read_as_it_was() {
    let (curves, settings) = (curves(50, 20), of_private_records(12));
    let guarantee = *settings.mechanism(curves.grid(), PrivacyUnit::Curve, None).unwrap().guarantee();
    let mean = Mean::new(ball(), curves.grid().clone(), &MeanMechanism::Coordinates(12)).unwrap();
    let old = Mechanism::new(mean, Terms::of(guarantee, Law::KNorm {}).buying(BallShares::NONE)).unwrap();
    let bounded = ball().bound(&curves).unwrap();
    let release =
        old.prepare_all(CurveRecord::all(&bounded)).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(3));
    assert!(matches!(release.noise(), Noise::Spherical(_)));
    let view = settings.viewer(curves.grid()).unwrap().view(release).unwrap();
    assert!(MeanRelease::from_json(&view.to_json().unwrap()).is_ok());
}
