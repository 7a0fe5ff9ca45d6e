#![allow(clippy::unwrap_used, reason = "tests")]

use dashu_int::IBig;
use proptest::prelude::*;

use super::normal::{fraction_of, gaussian_delta};
use super::subbotin;
use super::{Enclosure, lowered, raised};
use crate::budget::amount::Amount;
use crate::calibrate::gaussian::GaussianPrivacy;

const BITS: usize = 210;

fn number(text: &str) -> Enclosure {
    match text.strip_prefix('-') {
        Some(size) => number(size).negative(),
        None => Enclosure::amount(&text.parse().unwrap(), BITS),
    }
}

/// The reference is rounded in its last digit.
fn assert_encloses(found: &Enclosure, digits: &str) {
    let expected = number(digits);
    let last = number("1e-58");
    let off = &expected - found;
    assert!(off.size() <= &last.high + (&found.high - &found.low), "{digits}");
    // and it is no wider than a few thousand units, or parts in 2^200 of its size
    let width = &found.high - &found.low;
    assert!(width <= (found.size() >> 150) + IBig::from(1 << 20), "{digits}: {width}");
}

#[test]
fn elementary_functions_are_those_of_sixty_digit_arithmetic() {
    assert_encloses(&Enclosure::pi(BITS), "3.14159265358979323846264338327950288419716939937510582097494");
    let exp = |x: &str| number(x).exp().unwrap();
    assert_encloses(&exp("1"), "2.71828182845904523536028747135266249775724709369995957496697");
    assert_encloses(&exp("-20.5"), "0.00000000125015286638674262893755311923122218227159464207656584933822");
    assert_encloses(&exp("0.0078125"), "1.00784309720644797769345355976012357919339214988403723154211");
    let ln = |x: &str| number(x).ln().unwrap();
    assert_encloses(&ln("2"), "0.69314718055994530941723212145817656807550013436025525412068");
    assert_encloses(&ln("1e-5"), "-11.5129254649702284200899572734218210380055074431438648801666");
    assert_encloses(&ln("12345.678"), "9.42106132129183197652678399107144604894183363008052458403993");
    let power = |x: &str, y: &str| number(x).power(&number(y)).unwrap();
    assert_encloses(&power("3", "1.25"), "3.94822203885747738245765670539099716548020577061746653019577");
    assert_encloses(&number("2").root(), "1.41421356237309504880168872420969807856967187537694807317668");
    assert!(number("0").ln().is_none() && number("-1").ln().is_none());
    assert!(number("1").over(&number("0")).is_none() && number("1").over(&number("-1")).is_none());
}

#[test]
fn the_bound_of_gaussian_noise_is_the_profile_of_sixty_digit_arithmetic_to_one_part_in_ten_to_the_fourteen() {
    let mut rows = 0;
    for line in include_str!("../../../golden/gaussian_profile.csv").lines().skip(1) {
        let [epsilon, mu, expected] = line.split(',').collect::<Vec<_>>()[..] else { panic!("three columns") };
        let epsilon = Amount::exact(epsilon.parse().unwrap()).unwrap();
        let bound = gaussian_delta(&epsilon, mu.parse().unwrap());
        let expected: f64 = expected.parse().unwrap();
        let found = bound.to_f64_up();
        assert!(found >= expected && found <= expected * (1.0 + 1e-14), "{line}: {found:e}");
        // decided in integers, without the rounding of doubles
        assert!(bound.is_within(&Amount::exact(found).unwrap()), "{line}");
        assert!(!bound.is_within(&Amount::exact(expected * (1.0 - 1e-14)).unwrap()), "{line}");
        rows += 1;
    }
    assert!(rows > 90, "{rows}");
}

#[test]
fn the_tail_of_the_continued_fraction_is_enclosed_at_every_depth() {
    // R(7) in 60-digit arithmetic
    let ratio = number("0.140104183453050241599534521796360988241790297013424775269027");
    for levels in [0, 1, 2, 3, 10, 20] {
        let found = fraction_of(&number("7"), levels).unwrap();
        assert!(found.low <= ratio.low && ratio.high <= found.high, "{levels}");
    }
    assert!(fraction_of(&number("7"), 150).unwrap().is_tight());
}

#[test]
fn the_upper_incomplete_gamma_function_is_enclosed_at_every_depth() {
    // Gamma(2/3, 7) e^7 / 7^(2/3) in 60-digit arithmetic
    let known = number("0.137049277145574058665098876261552382408345448");
    let (seven, shape) = (number("7"), number("2").over_integer(3));
    for levels in [0, 1, 2, 3, 10, 20] {
        let found = subbotin::fraction_of(&seven, &shape, levels).unwrap();
        assert!(found.low <= known.low && known.high <= found.high, "{levels}");
    }
    assert!(subbotin::fraction_of(&seven, &shape, 150).unwrap().is_tight());
}

#[test]
fn bounds_beyond_all_digits_are_1_and_the_smallest_normal_double() {
    let bound = |epsilon: f64, mu| gaussian_delta(&Amount::exact(epsilon).unwrap(), mu).to_f64_up();
    for (epsilon, mu) in [(0.0, 100.0), (1.0, 1e300), (0.0, f64::INFINITY), (0.0, f64::NAN), (0.0, 0.0), (0.0, -1.0)] {
        assert_eq!(bound(epsilon, mu), 1.0, "{epsilon} {mu}");
    }
    for (epsilon, mu) in [(1e300, 1.0), (1.0, 1e-300), (1.0, f64::MIN_POSITIVE), (40.0, 1.0)] {
        assert_eq!(bound(epsilon, mu), f64::MIN_POSITIVE, "{epsilon} {mu}");
    }
    assert_eq!(bound(1e300, 1e-300), f64::MIN_POSITIVE);
    // epsilon is mu^2/2 to a few digits less than doubles tell, or is not
    assert_eq!([4.999_999e39, 5e39].map(|epsilon| bound(epsilon, 1e20)), [1.0, 1.0]);
    assert_eq!([5.000_001e39, 1e40].map(|epsilon| bound(epsilon, 1e20)), [f64::MIN_POSITIVE; 2]);
    // mu phi(0), where mu is small
    assert!((bound(0.0, 1e-200) / 1e-200 - 0.398_942_280_401_432_7).abs() < 1e-14);
}

#[test]
fn a_number_moves_only_if_it_is_not_within_and_then_by_little() {
    assert_eq!(lowered(0.3, |_| true), Some(0.3));
    assert_eq!(lowered(0.3, |_| false), None);
    for wrong in [1e-15, 1e-12, 1e-6, 0.01, 1.0, 1e6] {
        let found = lowered(0.3 * (1.0 + wrong), |number| number <= 0.3).unwrap();
        assert!(found <= 0.3 && found > 0.3 / (1.0 + 4.0 * wrong), "{wrong}: {found}");
        let found = raised(0.3 / (1.0 + wrong), |number| number >= 0.3);
        assert!(found >= 0.3 && found < 0.3 * (1.0 + 4.0 * wrong), "{wrong}: {found}");
    }
    assert_eq!(raised(0.0, |number| number >= 0.0), 0.0);
    assert!(raised(0.0, |number| number > 0.0) > 0.0);
    assert_eq!(raised(0.3, |_| false), f64::INFINITY);
}

fn units(low: i64, length: u32) -> Enclosure {
    Enclosure { low: IBig::from(low), high: IBig::from(low) + IBig::from(length), bits: 7 }
}

proptest! {
    /// Both ends of two enclosures, of every sign: `2^7` times the result lies between the ends, compared as fractions.
    #[test]
    fn every_operation_rounds_outwards(a in -500_i64..500, b in -500_i64..500, long in 0_u32..40, wide in 0_u32..40) {
        let (x, y) = (units(a, long), units(b, wide));
        for (p, q) in [(a, b), (a + i64::from(long), b), (a, b + i64::from(wide)), (a + i64::from(long), b + i64::from(wide))] {
            let encloses = |found: &Enclosure, numerator: i64, denominator: i64| {
                let at = |end: &IBig| end * IBig::from(denominator);
                at(&found.low) <= IBig::from(numerator) && IBig::from(numerator) <= at(&found.high)
            };
            prop_assert!(encloses(&(&x + &y), p + q, 1) && encloses(&(&x - &y), p - q, 1));
            prop_assert!(encloses(&(&x * &y), p * q, 128) && encloses(&x.halved(3), p, 8));
            prop_assert!(encloses(&x.over_integer(7), p, 7));
            match x.over(&y) {
                Some(quotient) => prop_assert!(encloses(&quotient, p * 128, q)),
                None => prop_assert!(b <= 0),
            }
        }
    }

    /// The bound increases with `mu` and decreases with epsilon, and is never below the profile in doubles by more than the
    /// rounding of that.
    #[test]
    fn the_bound_of_gaussian_noise_is_the_profile_in_doubles(log_epsilon in -13.8..3.9_f64, log_mu in -16.0..2.5_f64) {
        let privacy = GaussianPrivacy::new(log_mu.exp()).unwrap();
        let near = privacy.near_delta(log_epsilon.exp());
        let bound = privacy.bound(&Amount::exact(log_epsilon.exp()).unwrap()).to_f64_up();
        prop_assume!(near > 1e-290);
        prop_assert!(bound <= near && near <= bound * (1.0 + 2e-11), "{bound:e} {near:e}");
    }
}
