#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::*;

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

#[test]
fn three_tenths_are_three_times_a_tenth() {
    let tenth = Amount::decimal(0.1).unwrap();
    assert_eq!(&(&tenth + &tenth) + &tenth, amount("0.3"));
    assert_eq!(tenth, Amount::fraction(1, 10).unwrap());
    assert!(Amount::exact(0.1).unwrap() > tenth);
    assert!(Amount::exact(0.3).unwrap() < amount("0.3"));
}

#[test]
fn every_form_of_a_number_is_the_same_amount() {
    for text in ["1/100000", "0.00001", "1e-5", "1E-5", "0.1e-4", "10e-6", "0.000010", "2/200000"] {
        assert_eq!(amount(text), Amount::decimal(1e-5).unwrap(), "{text}");
    }
    assert_eq!(amount("1e2"), amount("100"));
    assert_eq!(amount("361/900").to_string(), "361/900");
    assert_eq!(amount("1e-5").to_string(), "0.00001");
    assert_eq!(amount("2.50").to_string(), "2.5");
    assert_eq!(amount("0").to_string(), "0");
    assert_eq!(Amount::decimal(-0.0).unwrap(), Amount::zero());
}

#[test]
fn what_is_no_amount_is_refused() {
    for text in
        ["", ".", ".5", "-1", "+1", "1e", "1e+-3", "nan", "inf", "1/0", "/", "1/", "1/2/3", "0x10", "1 ", "1_0", "1,5"]
    {
        assert_eq!(text.parse::<Amount>(), Err(AmountError::Text), "{text}");
    }
    assert_eq!("1e401".parse::<Amount>(), Err(AmountError::TooLong));
    assert_eq!("1e-2147483648".parse::<Amount>(), Err(AmountError::TooLong));
    assert_eq!("7".repeat(LONGEST + 1).parse::<Amount>(), Err(AmountError::TooLong));
    assert_eq!(format!("1/{}", "7".repeat(LONGEST + 1)).parse::<Amount>(), Err(AmountError::TooLong));
    for value in [f64::NAN, f64::INFINITY, -1.0, -f64::MIN_POSITIVE] {
        assert!(Amount::decimal(value).is_err() && Amount::exact(value).is_err(), "{value}");
    }
    assert_eq!(Amount::fraction(1, 0), None);
    assert_eq!(amount("1").checked_sub(&amount("1.1")), None);
}

#[test]
fn a_square_root_is_the_smallest_double_that_is_enough() {
    assert_eq!(amount("361/900").square_root_up(), 19.0 / 30.0_f64.next_down());
    assert_eq!(amount("4").square_root_up(), 2.0);
    assert_eq!(amount("0").square_root_up(), 0.0);
    assert!(amount("2").square_root_up() > 2.0_f64.sqrt().next_down());
}

#[test]
fn a_square_root_ends_for_every_amount() {
    let square = |root: f64| Amount::exact(root).map(|root| &root * &root);
    let long = format!("{}/1", "9".repeat(600));
    for text in ["1e-160", "1e155", "1e-400", "1e400", "1e-320", "4.9e-324", "1e308", "1/3", &long, "1e-324", "2e-308"]
    {
        let amount = amount(text);
        let root = amount.square_root_up();
        assert!(root > 0.0 && root.is_finite(), "{text}: {root}");
        assert!(square(root).unwrap() >= amount && square(root.next_down()).unwrap() < amount, "{text}: {root}");
    }
    // subnormal roots, and roots above all doubles
    assert_eq!(amount(&format!("1/1{}", "0".repeat(2400))).square_root_up(), f64::from_bits(1));
    let subnormal = amount(&format!("7/1{}", "0".repeat(630))).square_root_up();
    assert!(subnormal.is_subnormal() && square(subnormal).unwrap() > square(subnormal.next_down()).unwrap());
    assert_eq!(amount(&"9".repeat(2400)).square_root_up(), f64::INFINITY);
    let largest = square(f64::MAX).unwrap();
    assert_eq!(largest.square_root_up(), f64::MAX);
    assert_eq!((&largest + &amount("1")).square_root_up(), f64::INFINITY);
    for power in [-1074, -1073, -1022, -537, -1, 0, 1, 511, 1023] {
        let root = libm::ldexp(1.0, power);
        assert_eq!(square(root).unwrap().square_root_up(), root, "2^{power}");
        assert_eq!((&square(root).unwrap() + &amount("1e-400")).square_root_up() > root, power < 1024, "2^{power}");
    }
}

proptest! {
    #[test]
    fn doubles_stand_on_either_side_and_as_near_as_can_be(numerator in 0_u128.., denominator in 1_u128..) {
        let amount = Amount::fraction(numerator, denominator).unwrap();
        let (up, down) = (amount.to_f64_up(), amount.to_f64_down());
        prop_assert!(Amount::exact(up).unwrap() >= amount && Amount::exact(down).unwrap() <= amount);
        prop_assert!(up == down || up == down.next_up());
    }

    #[test]
    fn roots_stand_on_the_upper_side_and_as_near_as_can_be(numerator in 1_u128.., denominator in 1_u128..) {
        let amount = Amount::fraction(numerator, denominator).unwrap();
        let square = |root: f64| { let root = Amount::exact(root).unwrap(); &root * &root };
        let root = amount.square_root_up();
        prop_assert!(square(root) >= amount && square(root.next_down()) < amount);
    }

    #[test]
    fn an_amount_is_read_as_it_was_written(numerator in 0_u128.., denominator in 1_u128.., value in 0.0..f64::MAX) {
        for amount in [Amount::fraction(numerator, denominator).unwrap(), Amount::decimal(value).unwrap(), Amount::exact(value).unwrap()] {
            prop_assert_eq!(amount.to_string().parse::<Amount>().unwrap(), amount);
        }
    }

    #[test]
    fn no_text_brings_the_reader_down(text in "[0-9eE./+ -]{0,40}|.{0,20}") {
        let _ = text.parse::<Amount>();
    }
}
