#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::{MixedGaussianPrivacy, MixingError, MixingLaw, relative_variance};
use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::calibrate::gaussian::{Calibration, GaussianPrivacy};
use crate::calibrate::mills::density;

mod three_ways;

/// Law, its parameter, distance, epsilon, and `E_V delta_Gauss` by 30-digit quadrature over the density of `log V`.
const REFERENCE: [(char, f64, f64, f64, f64); 56] = [
    ('T', 3.0, 0.02, 0.1, 2.829_004_901_597_732e-6),
    ('T', 3.0, 0.2, 1.0, 4.363_428_341_499_902e-5),
    ('T', 3.0, 1.0, 1.0, 1.236_913_685_261_703e-1),
    ('T', 3.0, 1.0, 0.0, 3.485_520_351_518_49e-1),
    ('T', 3.0, 3.0, 5.0, 2.955_386_070_389_643e-1),
    ('T', 0.5, 0.02, 0.1, 5.675_338_722_380_4e-5),
    ('T', 0.5, 0.2, 1.0, 8.561_589_806_603_668e-4),
    ('T', 0.5, 1.0, 1.0, 1.095_491_089_688_122e-1),
    ('T', 0.5, 1.0, 0.0, 2.426_819_272_637_971e-1),
    ('T', 0.5, 3.0, 5.0, 2.169_220_971_198_266e-1),
    ('T', 0.5, 0.001, 0.5, 1.461_626_978_408_465e-159),
    ('T', 10.0, 0.02, 0.1, 2.102_345_579_247_874e-7),
    ('T', 10.0, 0.2, 1.0, 3.263_347_908_602_507e-6),
    ('T', 10.0, 1.0, 1.0, 1.253_716_145_167_556e-1),
    ('T', 10.0, 1.0, 0.0, 3.721_063_942_570_271e-1),
    ('T', 10.0, 3.0, 5.0, 3.102_315_394_091_901e-1),
    ('T', 200.0, 0.02, 0.1, 2.320_791_012_432_317e-9),
    ('T', 200.0, 0.2, 1.0, 3.620_916_430_438_283e-8),
    ('T', 200.0, 1.0, 1.0, 1.268_286_667_116_964e-1),
    ('T', 200.0, 1.0, 0.0, 3.823_752_476_835_393e-1),
    ('T', 200.0, 3.0, 5.0, 3.187_165_959_674_33e-1),
    ('G', 0.5, 0.02, 0.1, 2.935_278_357_118_52e-2),
    ('G', 0.5, 0.2, 1.0, 1.356_220_260_951_807e-1),
    ('G', 0.5, 1.0, 1.0, 5.559_056_905_054_58e-1),
    ('G', 0.5, 1.0, 0.0, 6.928_114_977_994_208e-1),
    ('G', 0.5, 3.0, 5.0, 7.715_484_031_969_831e-1),
    ('G', 0.5, 0.001, 0.5, 8.910_125_575_643_514e-4),
    ('G', 1.0, 0.02, 0.1, 1.959_601_695_655_729e-3),
    ('G', 1.0, 0.2, 1.0, 1.942_411_511_452_247e-2),
    ('G', 1.0, 1.0, 1.0, 3.065_148_161_621_389e-1),
    ('G', 1.0, 1.0, 0.0, 5.069_313_086_047_602e-1),
    ('G', 1.0, 3.0, 5.0, 5.410_065_146_460_664e-1),
    ('G', 1.0, 0.001, 0.5, 9.999_975_000_101_667e-7),
    ('G', 5.0, 0.02, 0.1, 3.526_936_442_575_792e-9),
    ('G', 5.0, 0.2, 1.0, 5.428_449_985_841_31e-8),
    ('G', 5.0, 1.0, 1.0, 1.029_021_416_103_224e-2),
    ('G', 5.0, 1.0, 0.0, 1.910_815_981_423_171e-1),
    ('G', 5.0, 3.0, 5.0, 1.101_634_678_429_656e-2),
    ('G', 5.0, 0.001, 0.5, 2.863_330_680_719_7e-28),
    ('G', 40.0, 0.02, 0.1, 4.051_407_483_444_51e-50),
    ('G', 40.0, 0.2, 1.0, 6.342_874_384_640_351e-49),
    ('G', 40.0, 1.0, 1.0, 4.055_519_269_677_05e-10),
    ('G', 40.0, 1.0, 0.0, 6.360_862_839_254_808e-2),
    ('G', 40.0, 3.0, 5.0, 5.243_711_065_102_356e-17),
    ('G', 40.0, 0.001, 0.5, 4.799_696_816_079_726e-208),
    ('N', 0.1, 0.02, 0.1, 1.410_371_457_822_503e-8),
    ('N', 0.1, 0.2, 1.0, 2.196_912_091_076_613e-7),
    ('N', 0.1, 1.0, 1.0, 1.299_962_514_495_068e-1),
    ('N', 0.1, 1.0, 0.0, 3.842_375_915_621_81e-1),
    ('N', 0.1, 3.0, 5.0, 3.278_471_976_881_742e-1),
    ('N', 1.0, 0.02, 0.1, 2.021_806_304_027_895e-3),
    ('N', 1.0, 0.2, 1.0, 2.402_917_560_883_445e-2),
    ('N', 1.0, 1.0, 1.0, 2.839_380_390_931_888e-1),
    ('N', 1.0, 1.0, 0.0, 4.489_813_726_076_54e-1),
    ('N', 1.0, 3.0, 5.0, 4.472_438_510_090_72e-1),
    ('N', 1.0, 0.001, 0.5, 2.369_412_622_974_265e-10),
];

fn law(name: char, parameter: f64) -> MixingLaw {
    match name {
        'T' => MixingLaw::student_t(parameter),
        'G' => MixingLaw::gamma_root(parameter),
        _ => MixingLaw::log_normal(parameter),
    }
    .unwrap()
}

fn laws() -> Vec<MixingLaw> {
    let mut laws = vec![law('T', 3.0), law('T', 30.0), law('G', 1.0), law('G', 5.0), law('N', 0.3), law('N', 1.0)];
    laws.push(MixingLaw::constant(2.0).unwrap());
    laws.push(MixingLaw::finite(&[(0.5, 0.5), (1.5, 0.5)]).unwrap());
    laws.push(MixingLaw::from_quantile(|p| 1.0 + p).unwrap());
    laws
}

fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

fn mixed(law: MixingLaw, distance: f64) -> MixedGaussianPrivacy {
    MixedGaussianPrivacy::new(law, distance).unwrap()
}

#[test]
fn the_bounds_of_the_profile_enclose_thirty_digit_arithmetic_and_are_a_millionth_apart() {
    for (name, parameter, distance, epsilon, expected) in REFERENCE {
        let (lower, upper) = mixed(law(name, parameter), distance).delta_bounds(epsilon);
        let row = format!("{name} {parameter} {distance} {epsilon}: {lower:e} {upper:e} for {expected:e}");
        // the reference itself is known to 16 digits
        assert!(lower <= expected * (1.0 + 1e-15) && expected <= upper * (1.0 + 1e-15), "{row}");
        assert!(upper - lower <= 1.01e-6 * upper + f64::MIN_POSITIVE, "{row}");
    }
}

#[test]
fn a_constant_coefficient_is_the_gaussian_process() {
    for (epsilon, mu) in [(0.0, 0.3), (1.0, 0.1), (1.0, 2.0), (10.0, 1.0), (0.1, 1e-3)] {
        let gaussian = GaussianPrivacy::new(mu).unwrap().delta(epsilon);
        for v in [0.1, 1.0, 8.0] {
            let (lower, upper) = mixed(MixingLaw::constant(v).unwrap(), mu * v).delta_bounds(epsilon);
            assert!(lower <= gaussian && upper >= gaussian && upper <= gaussian * (1.0 + 1e-9), "{epsilon} {mu} {v}");
        }
    }
    for (epsilon, delta) in [(1.0, 1e-5), (0.0, 0.1), (50.0, 1e-15)] {
        let budget = budget(epsilon, delta);
        let mu = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap().mu();
        let distance = MixedGaussianPrivacy::calibrated(MixingLaw::constant(1.0).unwrap(), &budget).unwrap().distance();
        assert!(distance <= mu && distance > mu * (1.0 - 1e-8));
    }
}

#[test]
fn finite_mixtures_are_direct_sums() {
    let atoms = [(0.5, 0.125), (1.0, 0.5), (4.0, 0.375)];
    let mixture = mixed(MixingLaw::finite(&atoms).unwrap(), 0.7);
    for epsilon in [0.0, 0.5, 3.0] {
        let sum: f64 = atoms.iter().map(|(v, p)| p * GaussianPrivacy::new(0.7 / v).unwrap().delta(epsilon)).sum();
        let (lower, upper) = mixture.delta_bounds(epsilon);
        assert!(lower <= sum && sum <= upper && upper < sum * (1.0 + 3e-9), "{epsilon}: {upper:e} for {sum:e}");
    }
}

#[test]
fn a_law_read_from_its_quantile_function_costs_what_the_law_itself_costs() {
    for exact in [law('T', 3.0), law('G', 1.0), law('N', 0.3)] {
        let read = MixingLaw::from_quantile(|p| exact.quantile(p)).unwrap();
        for (epsilon, delta) in [(1.0, 1e-5), (1.0, 0.1)] {
            let distance = |law: &MixingLaw| {
                MixedGaussianPrivacy::calibrated(law.clone(), &budget(epsilon, delta)).unwrap().distance()
            };
            let ratio = distance(&read) / distance(&exact);
            // the values read are the upper ends of their cells
            assert!(ratio > 1.0 - 1e-6 && ratio < 1.01, "{exact:?} {epsilon} {delta}: {ratio}");
        }
    }
}

#[test]
fn the_counterexample_to_theorem_5_has_delta_0_252() {
    let sigma = (2.0 * (2.0_f64 / 1e-12).ln()).sqrt();
    let delta = mixed(MixingLaw::constant(0.1).unwrap(), 1.0 / sigma).delta(1.0);
    assert!((delta - 0.252).abs() < 5e-4, "{delta}");
}

#[test]
fn delta_rises_with_the_distance_and_falls_with_epsilon() {
    for law in laws() {
        let deltas = |pairs: &[(f64, f64)]| {
            let all: Vec<_> = pairs.iter().map(|(d, epsilon)| mixed(law.clone(), *d).delta_bounds(*epsilon)).collect();
            all
        };
        let by_distance = deltas(&[(1e-3, 0.5), (0.1, 0.5), (0.5, 0.5), (2.0, 0.5), (1e6, 0.5)]);
        assert!(by_distance.windows(2).all(|pair| pair[0].1 <= pair[1].1 * (1.0 + 2e-6)), "{law:?} {by_distance:?}");
        let by_epsilon = deltas(&[(1.0, 0.0), (1.0, 0.5), (1.0, 2.0), (1.0, 50.0), (1.0, 1e5), (1.0, 1e9)]);
        assert!(
            by_epsilon.windows(2).all(|pair| pair[0].1 >= pair[1].1 * (1.0 - 2e-6) || pair[1].1 < 1e-270),
            "{law:?} {by_epsilon:?}"
        );
        assert!(by_epsilon.iter().chain(&by_distance).all(|(lower, upper)| lower <= upper && *lower >= 0.0));
    }
}

#[test]
fn epsilon_inverts_delta_on_the_private_side() {
    for law in laws() {
        let privacy = mixed(law, 0.5);
        for delta in [1e-5, 0.01, 0.1] {
            let epsilon = privacy.epsilon(delta);
            assert!(privacy.delta(epsilon) <= delta && (epsilon == 0.0 || privacy.delta(epsilon * 0.999) > delta));
        }
        assert_eq!(privacy.epsilon(0.9), 0.0);
    }
}

#[test]
fn without_a_delta_no_elliptical_process_is_private() {
    let result = MixedGaussianPrivacy::calibrated(law('T', 3.0), &budget(1.0, 0.0));
    assert_eq!(result, Err(MixingError::DeltaZero));
    assert!(MixingError::DeltaZero.to_string().contains("Theorem 4"));
    assert_eq!(mixed(law('T', 3.0), 1.0).epsilon(0.0), f64::INFINITY);
}

#[test]
fn budgets_and_distances_outside_the_proved_range_are_refused() {
    let refusal =
        |epsilon, delta| MixedGaussianPrivacy::calibrated(law('N', 0.3), &budget(epsilon, delta)).unwrap_err();
    assert_eq!(refusal(1.0, 1e-16), MixingError::Delta { value: 1e-16 });
    assert_eq!(refusal(1.0, 0.6), MixingError::Delta { value: 0.6 });
    assert_eq!(refusal(1e-7, 0.1), MixingError::Epsilon { value: 1e-7 });
    assert_eq!(refusal(51.0, 0.1), MixingError::Epsilon { value: 51.0 });
    assert_eq!(relative_variance(&law('N', 0.3), &budget(1.0, 0.0)), Err(MixingError::DeltaZero));
    // with shape 0.1, V is below 1e-70 with probability 1e-14
    let heavy = MixedGaussianPrivacy::calibrated(law('G', 0.1), &budget(0.0, 1e-15)).map(|privacy| privacy.distance());
    assert!(heavy.is_err() || heavy.is_ok_and(|distance| distance < 1e-60), "{heavy:?}");
    for distance in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-101, 1e7] {
        assert!(matches!(MixedGaussianPrivacy::new(law('T', 3.0), distance), Err(MixingError::Distance { .. })));
    }
    let privacy = mixed(law('T', 3.0), 1.0);
    for sensitivity in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
        assert!(privacy.scale(sensitivity).is_err(), "{sensitivity}");
    }
    assert_eq!((privacy.delta(f64::NAN), privacy.epsilon(f64::NAN)), (1.0, f64::INFINITY));
}

#[test]
fn the_bounds_enclose_the_true_delta_at_a_negative_epsilon_too() {
    for law in laws() {
        let privacy = mixed(law, 0.5);
        for epsilon in [-f64::MIN_POSITIVE, -1.0, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!((privacy.delta_bounds(epsilon), privacy.delta(epsilon)), ((0.0, 1.0), 1.0), "{epsilon}");
        }
        assert_eq!(privacy.delta_bounds(-0.0), privacy.delta_bounds(0.0));
    }
}

/// Whether the tangent of `delta_Gauss`, as a function of the variance, stays below it: then no mixture does better.
fn gaussian_is_best(epsilon: f64, delta: f64) -> bool {
    let mu = GaussianPrivacy::calibrated(Calibration::Tight, &budget(epsilon, delta)).unwrap().mu();
    let is_convex = mu * mu <= 6.0 + 2.0 * (9.0 + epsilon * epsilon).sqrt();
    is_convex && delta + 0.5 * mu * density(epsilon / mu - mu / 2.0) <= 1.0
}

#[test]
fn up_to_delta_a_tenth_no_mixture_has_less_variance_than_the_gaussian() {
    for epsilon in (0..=500).map(|i| f64::from(i) / 10.0) {
        for delta in [1e-15, 1e-9, 1e-5, 1e-3, 0.01, 0.05, 0.1] {
            assert!(gaussian_is_best(epsilon, delta), "{epsilon} {delta}");
        }
    }
    for law in laws() {
        for (epsilon, delta) in [(1.0, 1e-5), (1.0, 0.1), (0.1, 1e-6), (50.0, 0.1)] {
            let ratio = relative_variance(&law, &budget(epsilon, delta)).unwrap();
            assert!(ratio > 1.0 - 1e-8, "{law:?}: {ratio}");
        }
    }
}

#[test]
fn at_a_large_delta_to_release_without_noise_now_and_then_has_less_variance() {
    assert!(!gaussian_is_best(50.0, 0.3));
    let now_and_then = MixingLaw::finite(&[(1e-6, 0.22), (1.0, 0.78)]).unwrap();
    let ratio = relative_variance(&now_and_then, &budget(50.0, 0.3)).unwrap();
    assert!(ratio < 0.95, "{ratio}");
}

#[test]
fn the_t_process_with_3_degrees_of_freedom_needs_7_times_the_variance_of_the_gaussian() {
    let ratio = relative_variance(&law('T', 3.0), &budget(1.0, 1e-5)).unwrap();
    assert!((ratio - 7.2506).abs() < 1e-4, "{ratio}");
    assert_eq!(relative_variance(&law('T', 2.0), &budget(1.0, 1e-5)), Ok(f64::INFINITY));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_calibrated_scale_is_within_budget_and_nothing_smaller_is(
        index in 0..9_usize,
        log_epsilon in -13.8..3.9_f64,
        log_delta in -34.5..-0.7_f64,
    ) {
        let (epsilon, delta) = (log_epsilon.exp(), log_delta.exp());
        let privacy = MixedGaussianPrivacy::calibrated(laws().swap_remove(index), &budget(epsilon, delta)).unwrap();
        prop_assert!(privacy.delta(epsilon) <= delta);
        prop_assert!(privacy.delta_bounds(epsilon).0 >= delta * (1.0 - 1e-4));
        let bolder = mixed(privacy.law().clone(), privacy.distance() * 1.001);
        prop_assert!(bolder.delta_bounds(epsilon).0 > delta);
    }
}

/// The budget of each row is what its distance costs, in 60-digit arithmetic.
#[test]
fn at_random_laws_no_scale_is_too_small() {
    for line in include_str!("../../../golden/random_scale.csv").lines().skip(1).step_by(9) {
        let [name, parameter, expected, epsilon, delta] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("five columns")
        };
        let number = |text: &str| text.parse::<f64>().unwrap();
        let name = match name {
            "student-t" => 'T',
            "gamma-root" => 'G',
            _ => 'N',
        };
        let delta = delta.parse::<Amount>().unwrap().to_f64_down();
        let privacy =
            MixedGaussianPrivacy::calibrated(law(name, number(parameter)), &budget(number(epsilon), delta)).unwrap();
        let (found, expected) = (privacy.distance(), number(expected));
        assert!(found <= expected && found > expected * (1.0 - 1e-5), "{line}: {found:e}");
    }
}

#[test]
fn a_law_of_many_values_is_enclosed_by_its_sum() {
    let read = MixingLaw::from_quantile(|p| law('T', 3.0).quantile(p)).unwrap();
    for (epsilon, delta) in [(1.0, 1e-5), (0.0, 0.1)] {
        let distance = MixedGaussianPrivacy::calibrated(read.clone(), &budget(epsilon, delta)).unwrap().distance();
        let exact = Amount::exact(epsilon).unwrap();
        let bound = read.bound(distance, &exact, delta).to_f64_up();
        let (lower, upper) = read.delta_bounds(distance, epsilon);
        // the bounds in doubles are two parts in a billion apart
        assert!(lower <= bound && bound <= upper && upper <= delta, "{epsilon} {delta}: {bound:e}");
    }
}

/// Where `V` is small, `p(x) mu(x)` is nearly constant over many nodes for a shape near one half.
#[test]
fn at_small_distances_the_bound_is_between_those_in_doubles() {
    for shape in [0.1, 0.4, 0.499, 0.5, 0.501, 0.6] {
        for distance in [1e-24, 1e-16, 1e-10, 1e-3] {
            for epsilon in [0.0, 1e-6, 1e-3, 10.0, 50.0] {
                let (law, exact) = (law('G', shape), Amount::exact(epsilon).unwrap());
                let (lower, upper) = law.delta_bounds(distance, epsilon);
                let bound = law.bound(distance, &exact, upper).to_f64_up();
                let row = format!("{law} {distance:e} {epsilon}: {bound:e} between {lower:e} and {upper:e}");
                assert!(lower <= bound && bound <= upper + 1e-30, "{row}");
            }
        }
    }
}

#[test]
fn a_distance_that_a_search_found_too_large_is_not_proved() {
    for law in laws() {
        let privacy = MixedGaussianPrivacy::calibrated(law.clone(), &budget(1.0, 1e-5)).unwrap();
        let is_proved = |distance| {
            let bound = law.bound(distance, &Amount::exact(1.0).unwrap(), 1e-5);
            bound.is_within(&Amount::exact(1e-5).unwrap())
        };
        assert!(is_proved(privacy.distance()) && !is_proved(privacy.distance() * (1.0 + 1e-5)), "{law}");
    }
}
