use super::*;

#[test]
fn percentages_are_rounded_up_and_never_above_100() {
    let written = [0.05, 0.0854, 0.085_01, 0.5, 0.999_81, 1.0].map(percent);
    assert_eq!(written, ["5%", "8.6%", "8.6%", "50%", "99.981%", "100%"]);
}
