use super::{Upward, ceiling_shift};

#[test]
fn digits_that_are_dropped_are_rounded_up() {
    assert_eq!([0, 1, 3, 4, 5].map(|value| ceiling_shift(value, 2)), [0, 1, 1, 1, 2]);
    assert_eq!(
        (ceiling_shift(7, 0), ceiling_shift(7, 127), ceiling_shift(7, 128), ceiling_shift(0, 128)),
        (7, 1, 1, 0)
    );
    let of = |value: u128| (Upward::new(value, 0).mantissa, Upward::new(value, 0).exponent);
    assert_eq!(of(1 << 64), (1 << 63, 1));
    assert_eq!(of((1 << 64) + 1), ((1 << 63) + 1, 1));
    assert_eq!(of((1 << 65) - 1), (1 << 63, 2), "a carry");
}

#[test]
fn a_quotient_is_rounded_up_by_less_than_two_units_of_its_last_place() {
    for divisor in [3_u64, 7, 1_000_003, (1 << 24) - 1] {
        let third = Upward::ONE.times(1, divisor);
        // ONE is 2^63 of 2^-63: compare in units of the quotient's last place
        let shift = u32::try_from(-third.exponent).unwrap_or(u32::MAX);
        let (units, one) = (u128::from(third.mantissa) * u128::from(divisor), 1_u128 << shift);
        assert!(units >= one && units - one < 2 * u128::from(divisor), "{divisor}");
    }
}
