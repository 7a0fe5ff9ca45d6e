#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::{calibrated, family, scale};
use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::calibrate::enclosure::subbotin::subbotin_delta;
use crate::calibrate::gaussian::{Calibration, GaussianPrivacy};
use crate::calibrate::log_concave::profile::{numeric_profile, threshold};
use crate::calibrate::log_concave::search::largest_distance;
use crate::calibrate::log_concave::{LogConcaveNoise, LogConcavePrivacy};
use crate::calibrate::noise_family::NoiseFamily;

/// A family without its closed forms: everything is integrated.
struct Integrated(NoiseFamily);

impl LogConcaveNoise for Integrated {
    fn potential(&self, x: f64) -> f64 {
        self.0.potential(x)
    }

    fn upper_tail(&self, x: f64) -> f64 {
        self.0.upper_tail(x)
    }

    fn slope_limit(&self) -> f64 {
        self.0.slope_limit()
    }

    fn variance(&self) -> f64 {
        self.0.variance()
    }

    fn log_ratio(&self, x: f64, distance: f64) -> f64 {
        self.0.log_ratio(x, distance)
    }
}

#[test]
fn golden_subbotin_scales_are_met_to_1e_8_and_never_undercut() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../../../golden/subbotin_calibration.json")).unwrap();
    let rows = golden.as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        let found = scale(family(&format!("subbotin:{}", number("r"))), number("epsilon"), number("delta"));
        let expected: f64 = row["scale_per_unit_sensitivity"].as_str().unwrap().parse().unwrap();
        assert!(found >= expected, "{row}: {found} is below the true scale");
        assert!(found <= expected * (1.0 + 1e-8), "{row}: {found} is too large");
    }
}

/// The file holds the true largest distances, from root finding in 60-digit arithmetic.
#[test]
fn distances_agree_with_sixty_digit_arithmetic_and_are_never_above_it() {
    let mut rows = 0;
    for line in include_str!("../../../../golden/log_concave_calibration.csv").lines().skip(1) {
        let [name, epsilon, delta, expected] = line.split(',').collect::<Vec<_>>()[..] else { panic!("four columns") };
        let (epsilon, delta, expected): (f64, f64, f64) =
            (epsilon.parse().unwrap(), delta.parse().unwrap(), expected.parse().unwrap());
        let found = calibrated(family(name), epsilon, delta).unwrap().distance();
        assert!(found <= expected, "{line}: {found} is too large by {:e}", found / expected - 1.0);
        assert!(found >= expected * (1.0 - 1e-10), "{line}: {found} is below by {:e}", 1.0 - found / expected);
        rows += 1;
    }
    assert!(rows > 250, "{rows}");
}

/// Random budgets, ends of the range included; the file holds the true largest distances, from root finding in 60-digit arithmetic.
#[test]
fn at_two_thousand_random_budgets_no_scale_is_too_small_and_none_is_above_by_more_than_one_part_in_a_billion() {
    let mut rows = 0;
    for line in include_str!("../../../../golden/calibration_points.csv").lines().skip(1) {
        let [name, epsilon, delta, expected] = line.split(',').collect::<Vec<_>>()[..] else { panic!("four columns") };
        let (epsilon, delta): (f64, f64) = (epsilon.parse().unwrap(), delta.parse().unwrap());
        // exactly, with all its digits
        let expected: Amount = expected.parse().unwrap();
        let found = calibrated(family(name), epsilon, delta).unwrap().distance();
        assert!(Amount::exact(found).unwrap() <= expected, "{line}: {found} is too large");
        assert!(found >= expected.to_f64() * (1.0 - 1e-9), "{line}: {found}");
        if name == "gaussian" {
            let budget = PrivacyBudget::new(epsilon, delta).unwrap();
            let mu = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap().mu();
            assert!(Amount::exact(mu).unwrap() <= expected && mu >= expected.to_f64() * (1.0 - 1e-9), "{line}: {mu}");
        }
        rows += 1;
    }
    assert_eq!(rows, 2000);
}

/// Without an enclosure the quadrature would decide alone.
#[test]
fn every_subbotin_scale_in_the_range_of_budgets_is_enclosed() {
    for shape in [1.000_000_1, 1.001, 1.01, 1.2, 1.9, 2.000_1, 3.0, 7.0, 30.0, 100.0] {
        for (epsilon, delta) in [0.0, 1e-6, 0.01, 1.0, 50.0].into_iter().flat_map(|e| [(e, 1e-15), (e, 1e-6), (e, 0.5)])
        {
            let noise = family(&format!("subbotin:{shape}"));
            let distance = calibrated(noise, epsilon, delta).unwrap().distance();
            let bound = subbotin_delta(shape, epsilon, distance, threshold(&noise, epsilon, distance)).unwrap();
            assert!(bound.is_within(&Amount::exact(delta).unwrap()), "{shape} ({epsilon}, {delta:e})");
            // the quadrature was raised by its own error
            let spent = bound.to_f64_up();
            assert!(spent > delta * (1.0 - 1e-5), "{shape} ({epsilon}, {delta:e}): {spent:e}");
        }
    }
}

#[test]
fn a_subbotin_bound_holds_wherever_the_search_starts() {
    for (name, epsilon, distance) in
        [("subbotin:1.5", 1.0, 0.4), ("subbotin:4", 8.0, 1.1), ("subbotin:1.01", 1e-3, 0.01)]
    {
        let noise = family(name);
        let NoiseFamily::Subbotin(subbotin) = noise else { panic!("{name}") };
        let near = threshold(&noise, epsilon, distance);
        let bound = |start: f64| subbotin_delta(subbotin.shape(), epsilon, distance, start).unwrap().to_f64_up();
        let found = bound(near);
        for start in [near * 1.01, near * 0.99, near + 1e-6] {
            assert!((bound(start) / found - 1.0).abs() < 1e-13, "{name} {start}");
        }
        // the quadrature is raised by its own error
        let near = numeric_profile(&noise, epsilon, distance);
        assert!(found <= near && found > near * (1.0 - 1e-10), "{name}: {found:e} {near:e}");
    }
}

#[test]
fn gaussian_noise_has_the_scale_of_the_gaussian_mechanism() {
    for (epsilon, delta) in [(0.0, 0.1), (1e-6, 1e-15), (1.0, 1e-6), (50.0, 0.5)] {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let mu = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap().mu();
        for name in ["gaussian", "subbotin:2"] {
            let distance = LogConcavePrivacy::calibrated(family(name), &budget).unwrap().distance();
            assert!((distance / mu - 1.0).abs() < 1e-14, "({epsilon}, {delta}): {distance} for {mu}");
        }
    }
}

/// Integration agrees with the closed forms, which share no code with it.
#[test]
fn integrated_profiles_calibrate_as_the_closed_forms_do() {
    for name in ["laplace", "logistic", "gaussian"] {
        for epsilon in [0.0, 1e-6, 1e-3, 1.0, 10.0, 50.0] {
            for delta in [1e-15, 1e-8, 1e-3, 0.5] {
                let closed = calibrated(family(name), epsilon, delta).unwrap().distance();
                let integrated = largest_distance(&Integrated(family(name)), epsilon, delta).unwrap();
                // what the logistic log-ratio is increased by for its rounding
                let allowed = 1e-10 * closed + 1e-14 * (1.0 + closed);
                assert!(
                    (closed - integrated).abs() <= allowed,
                    "{name} at ({epsilon}, {delta:e}): {integrated} for {closed}"
                );
            }
        }
    }
}

#[test]
fn pure_privacy_costs_exactly_sensitivity_over_epsilon() {
    for name in ["laplace", "logistic", "subbotin:1"] {
        for epsilon in [1e-6, 0.1, 1.0, 50.0] {
            let privacy = calibrated(family(name), epsilon, 0.0).unwrap();
            assert_eq!(privacy.distance(), epsilon);
            assert_eq!(privacy.delta(epsilon), 0.0);
            assert_eq!(privacy.epsilon(0.0), epsilon);
            assert!(privacy.delta(epsilon * (1.0 - 1e-9)) > 0.0);
        }
        let integrated = Integrated(family(name));
        assert_eq!(largest_distance(&integrated, 1.0, 0.0), Some(1.0));
        assert!(numeric_profile(&integrated, 1.0, 1.0_f64.next_up()) > 0.0);
    }
}

/// All corners of the range that is allowed, and distances and epsilons far beyond it.
#[test]
fn extreme_shapes_and_budgets_neither_overflow_nor_fail() {
    for name in ["subbotin:1.0000001", "subbotin:1.01", "subbotin:7", "subbotin:60", "subbotin:100"] {
        for epsilon in [0.0, 1e-6, 50.0] {
            for delta in [1e-15, 0.5] {
                let privacy = calibrated(family(name), epsilon, delta).unwrap();
                let spent = privacy.delta(epsilon);
                assert!(spent <= delta && spent > delta * (1.0 - 1e-5), "{name} ({epsilon}, {delta:e}): {spent:e}");
            }
        }
    }
    for name in ["laplace", "logistic", "gaussian", "subbotin:1.5", "subbotin:100"] {
        for distance in [1e-300, 1e-9, 1e3, 1e200] {
            let privacy = LogConcavePrivacy::new(family(name), distance).unwrap();
            for epsilon in [0.0, 1e-300, 1.0, 1e4, 1e300, f64::INFINITY] {
                let delta = privacy.delta(epsilon);
                assert!((0.0..=1.0).contains(&delta), "{name}, {distance}, {epsilon}: {delta}");
            }
            assert!(privacy.epsilon(1e-6) >= 0.0);
        }
    }
}

fn any_family() -> impl Strategy<Value = NoiseFamily> {
    prop_oneof![
        Just("laplace".to_owned()),
        Just("logistic".to_owned()),
        Just("gaussian".to_owned()),
        (0.0..4.6_f64).prop_map(|log_shape| format!("subbotin:{}", log_shape.exp()))
    ]
    .prop_map(|name| family(&name))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_scale_is_within_budget_and_nothing_smaller_is(
        family in any_family(),
        log_epsilon in -13.8..3.9_f64,
        log_delta in -34.5..-0.7_f64,
    ) {
        let (epsilon, delta) = (log_epsilon.exp(), log_delta.exp());
        let privacy = calibrated(family, epsilon, delta).unwrap();
        prop_assert!(privacy.delta(epsilon) <= delta);
        let bolder = LogConcavePrivacy::new(family, privacy.distance() * (1.0 + 1e-9)).unwrap();
        prop_assert!(bolder.delta(epsilon) > delta);
    }

    #[test]
    fn epsilon_inverts_delta_on_the_private_side(
        family in any_family(),
        log_distance in -7.0..2.5_f64,
        log_delta in -34.5..-0.7_f64,
    ) {
        let (privacy, delta) = (LogConcavePrivacy::new(family, log_distance.exp()).unwrap(), log_delta.exp());
        let epsilon = privacy.epsilon(delta);
        prop_assert!(privacy.delta(epsilon) <= delta);
        prop_assert!(epsilon == 0.0 || privacy.delta(epsilon * (1.0 - 1e-9)) > delta);
    }

    /// Lemma 2 and Lemma 18 of Vinterbo: monotone in epsilon, delta and distance.
    #[test]
    fn more_distance_costs_more_and_more_budget_needs_less_noise(
        family in any_family(),
        log_epsilon in -13.8..3.8_f64,
        log_delta in -34.5..-0.8_f64,
    ) {
        let (epsilon, delta) = (log_epsilon.exp(), log_delta.exp());
        let distance = calibrated(family, epsilon, delta).unwrap().distance();
        prop_assert!(calibrated(family, epsilon * 1.05, delta).unwrap().distance() >= distance);
        prop_assert!(calibrated(family, epsilon, delta * 1.05).unwrap().distance() >= distance);
        let farther = LogConcavePrivacy::new(family, distance * 1.05).unwrap();
        prop_assert!(farther.delta(epsilon) > delta);
    }
}
