#![allow(clippy::unwrap_used, clippy::excessive_precision, reason = "tests; reference values keep their digits")]

use dashu_float::FBig;
use dashu_float::round::mode::{Down, Up};
use dashu_int::UBig;

use super::{
    Enclosed, double, enclosed_coin, exponential_of_minus, log_of_one_plus, number, rational_coin,
    smallest_double_from, uniform_below,
};
use crate::SeededRandomness;

const DRAWS: u32 = 200_000;

/// 4.9 standard deviations: a false-positive rate of 1e-6.
fn is_frequency(heads: usize, p: f64, draws: u32) -> bool {
    let total = f64::from(draws);
    (heads as f64 - total * p).abs() <= 4.9 * (total * p * (1.0 - p)).sqrt()
}

#[test]
fn exponentials_and_logarithms_are_enclosed_tightly() {
    for (x, exact) in [
        (0.5, 0.606_530_659_712_633_423_6),
        (30.0, 9.357_622_968_840_174_604_9e-14),
        (700.0, 9.859_676_543_759_770_3e-305),
    ] {
        let below = exponential_of_minus::<Down>(double::<Up>(x, 128));
        let above = exponential_of_minus::<Up>(double::<Down>(x, 128));
        assert!(below.clone().with_rounding::<Up>() < above);
        assert!(
            (above.to_f64().value() / exact - 1.0).abs() < 1e-15
                && (below.to_f64().value() / exact - 1.0).abs() < 1e-15
        );
    }
    assert_eq!(exponential_of_minus::<Up>(FBig::ZERO), FBig::<Up, 2>::ONE);
    // far below the doubles
    for (x, power, exact) in
        [(1e5, 144_270, 1.410_211_063_072_247_2), (1e13, 14_426_950_408_890, 1.288_708_885_181_954)]
    {
        let far = exponential_of_minus::<Up>(double::<Down>(x, 128)) << power;
        assert!((far.to_f64().value() - exact).abs() < 1e-14, "{}", far.to_f64().value());
    }
    let log = log_of_one_plus(double::<Up>(1e-20, 192));
    assert!((log.to_f64().value() / 1e-20 - 1.0).abs() < 1e-15);
}

#[test]
fn doubles_are_rounded_up_to_the_next_one_and_no_further() {
    for value in [0.1, 1.0, 5e-324, 1e300] {
        let exactly = double::<Up>(value, 2200);
        assert_eq!(smallest_double_from(&exactly), value);
        let more = exactly + (number::<Up>(1_u64, 2200) >> 2000);
        assert_eq!(smallest_double_from(&more), value.next_up());
    }
    assert_eq!(smallest_double_from(&FBig::ZERO), 0.0);
}

#[test]
fn coins_have_their_probability() {
    let mut randomness = SeededRandomness::from_seed(5);
    for (numerator, denominator) in [(0_u64, 7_u64), (1, 1), (3, 7), (999, 1000)] {
        let denominator_big = UBig::from(denominator);
        let heads =
            (0..DRAWS).filter(|_| rational_coin(UBig::from(numerator), &denominator_big, &mut randomness)).count();
        assert!(is_frequency(heads, numerator as f64 / denominator as f64, DRAWS), "{numerator}/{denominator}");
    }
    // a probability with two leading digits of ones: the second digit decides too
    let large = UBig::ONE << 128;
    assert!(rational_coin(large.clone() - UBig::ONE, &large, &mut randomness));
}

struct ExponentialOf(f64);

impl Enclosed for ExponentialOf {
    fn below(&self, precision: usize) -> FBig<Down, 2> {
        exponential_of_minus(double::<Up>(self.0, precision))
    }

    fn above(&self, precision: usize) -> FBig<Up, 2> {
        exponential_of_minus(double::<Down>(self.0, precision))
    }
}

#[test]
fn enclosed_coins_have_their_probability() {
    let mut randomness = SeededRandomness::from_seed(6);
    for x in [0.0, 0.1, 1.0, 4.0] {
        let heads = (0..DRAWS / 10).filter(|_| enclosed_coin(&ExponentialOf(x), &mut randomness)).count();
        assert!(is_frequency(heads, (-x).exp(), DRAWS / 10), "{x}");
    }
}

#[test]
fn uniform_integers_are_uniform() {
    let mut randomness = SeededRandomness::from_seed(7);
    let mut counts = [0; 5];
    for _ in 0..DRAWS {
        counts[usize::try_from(uniform_below(5, &mut randomness)).unwrap()] += 1;
    }
    assert!(counts.iter().all(|count| is_frequency(*count, 0.2, DRAWS)));
    let above = (0..DRAWS).filter(|_| uniform_below(3 << 62, &mut randomness) >= 1 << 63).count();
    assert!(is_frequency(above, 1.0 / 3.0, DRAWS), "two thirds of it are below 2^63");
}
