use super::*;

#[test]
fn parameters_are_written_as_they_were_given_and_computed_numbers_to_four_digits() {
    let given = [0.0, 1.0, 0.1, 1e-5, 0.001, 123_456.0, 1e6, -2.5].map(exact);
    assert_eq!(given, ["0", "1", "0.1", "1e-5", "0.001", "123456", "1e6", "-2.5"]);
    let computed = [0.268_051_117, 31_294_807.0, 1.0 / 3.0 * 1e-7, 12.0, 99_999.0].map(rounded);
    assert_eq!(computed, ["0.2681", "3.129e7", "3.333e-8", "12", "100000"]);
}

#[test]
fn a_number_is_written_as_precisely_as_it_is_known() {
    let pressures = [101_325.279, 101_325.0].map(|value| rounded_beside(value, 0.5953));
    assert_eq!(pressures, ["101325.28", "101325"]);
    assert_eq!(rounded_beside(20_003.25, 0.25), "20003.25");
    let ordinary = [(0.268_051_117, 0.012), (0.268_051_117, 40.0), (0.0, 0.1), (0.268_051_117, f64::INFINITY)];
    assert_eq!(ordinary.map(|(value, sd)| rounded_beside(value, sd)), ["0.2681", "0.2681", "0", "0.2681"]);
    assert_eq!([rounded_beside(0.1, 0.0), rounded_beside(0.0, 0.0)], ["0.1", "0"]);
}
