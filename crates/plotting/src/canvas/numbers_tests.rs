use super::*;

#[test]
fn parameters_are_written_as_given_in_their_shortest_form() {
    let written = [1.0, 0.25, 1e-5, 2.5e-7, 0.001, 142.0, 1e6, -0.5, 0.0].map(exact);
    assert_eq!(written, ["1", "0.25", "10⁻⁵", "2.5×10⁻⁷", "0.001", "142", "10⁶", "−0.5", "0"]);
}

#[test]
fn derived_numbers_have_four_significant_digits() {
    assert_eq!([0.268_423_1, 141.328, 1.234_567e-9, 2.0].map(rounded), ["0.2684", "141.3", "1.235×10⁻⁹", "2"]);
}

#[test]
fn zero_has_no_sign_and_negative_numbers_a_true_minus() {
    assert_eq!([fixed(-0.001, 2), fixed(-1.5, 1), fixed(0.0, 0)], ["0.00", "−1.5", "0"]);
}

#[test]
fn every_digit_of_an_exponent_is_raised() {
    assert_eq!(raised("-1234567890"), "⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
}

#[test]
fn neighbours_get_the_digits_that_tell_them_apart() {
    assert_eq!(distinct(&[0.01, 0.021_544_3, 0.5]), ["0.01", "0.0215", "0.5"]);
    assert_eq!(distinct(&[1.000_1, 1.000_2, 1.3]), ["1.0001", "1.0002", "1.3"]);
    assert_eq!(distinct(&[1.0, 1.0 + f64::EPSILON]), ["1", "1.0000000000000002"]);
    assert_eq!(distinct(&[0.123_456, 0.123_456]), ["0.123", "0.123"]);
}
