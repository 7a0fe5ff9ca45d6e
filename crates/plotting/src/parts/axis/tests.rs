use super::*;

fn texts(axis: &Axis) -> Vec<String> {
    axis.ticks.iter().map(|(_, text)| text.clone()).collect()
}

#[test]
fn ticks_are_round_numbers_with_the_decimals_they_need() {
    let axis = Axis::covering([0.0, 1.0].into_iter(), 0.0, 5.0);
    assert_eq!(texts(&axis), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    let axis = Axis::covering([-20.0, 37.0].into_iter(), 0.0, 6.0);
    assert_eq!(texts(&axis), ["−20", "−10", "0", "10", "20", "30"]);
}

#[test]
fn ticks_of_a_day_are_multiples_of_3_6_or_12_hours() {
    let day = |ends: [f64; 2], count: f64| texts(&Axis::covering(ends.into_iter(), 0.0, count));
    assert_eq!(day([0.0, 24.0], 7.0), ["0", "3", "6", "9", "12", "15", "18", "21", "24"]);
    assert_eq!(day([0.0, 24.0], 4.0), ["0", "6", "12", "18", "24"]);
    assert_eq!(day([0.0, 24.0], 2.0), ["0", "12", "24"]);
    assert_eq!(day([0.0, 23.0], 4.0), ["0", "6", "12", "18"]);
    assert_eq!(day([0.0, 21.0], 7.0), ["0", "3", "6", "9", "12", "15", "18", "21"]);
    assert_eq!(day([0.0, 23.5], 4.0), ["0", "6", "12", "18"]);
    assert_eq!(day([0.0, 20.0], 4.0), ["0", "5", "10", "15", "20"]);
    assert_eq!(day([-12.0, 12.0], 4.0), ["−12", "−6", "0", "6", "12"]);
    // years
    assert_eq!(day([2000.0, 2024.0], 5.0), ["2000", "2005", "2010", "2015", "2020"]);
    // values that happen to span 24 have room above and below
    assert_eq!(texts(&Axis::covering([0.0, 24.0].into_iter(), 0.05, 5.0)), ["0", "5", "10", "15", "20", "25"]);
    let within = Axis::covering_within([0.0, 24.0].into_iter(), 0.05, 5.0, Some((0.0, 24.0)));
    assert_eq!(texts(&within), ["0", "5", "10", "15", "20"]);
}

#[test]
fn large_and_small_ticks_share_a_power_of_ten_in_the_label() {
    let axis = Axis::covering([1e6, 3e6].into_iter(), 0.0, 4.0);
    assert_eq!(texts(&axis), ["1.0", "1.5", "2.0", "2.5", "3.0"]);
    assert_eq!(axis.labelled("steps"), "steps (×10⁶)");
    assert_eq!(Axis::covering([0.0, 1e-7].into_iter(), 0.0, 4.0).labelled(""), "(×10⁻⁷)");
    assert_eq!(Axis::covering([0.0, 1.0].into_iter(), 0.0, 4.0).labelled("t"), "t");
}

#[test]
fn every_range_has_distinct_ticks_inside_the_axis() {
    let ranges = [
        [0.0, 0.0],
        [0.5, 0.5],
        [-7e300, -7e300],
        [-f64::MAX, f64::MAX],
        [f64::MIN_POSITIVE, 1e-307],
        [5e-324, 5e-324],
        [1e-290, 3e-290],
        [1e15, 1e15 + 2.0],
        [1_000.000_12, 1_000.000_34],
        [9.999_999_999, 10.0],
        [f64::NAN, f64::INFINITY],
    ];
    for range in ranges {
        for (padding, count) in [(0.0, 1.0), (0.05, 5.0), (0.0, 7.0)] {
            let axis = Axis::covering(range.into_iter(), padding, count);
            let ticks = &axis.ticks;
            assert!(ticks.len() <= 50, "{range:?}: {ticks:?}");
            assert!(count < 2.0 || ticks.len() >= 2, "{range:?}: {ticks:?}");
            assert!(ticks.iter().all(|(p, _)| (-1e-6..=1.0 + 1e-6).contains(p)), "{range:?}: {ticks:?}");
            assert!(ticks.windows(2).all(|pair| pair[0].1 != pair[1].1), "{range:?}: {ticks:?}");
            for value in range.into_iter().filter(|value| value.is_finite()) {
                assert!((-1e-9..=1.0 + 1e-9).contains(&axis.position(value)), "{range:?}: {axis:?}");
            }
        }
    }
}

#[test]
fn padding_leaves_room_on_both_sides() {
    let axis = Axis::covering([2.0, 4.0].into_iter(), 0.05, 5.0);
    assert!((axis.position(2.0) - 0.05 / 1.1).abs() < 1e-12);
    assert!((axis.position(4.0) - 1.05 / 1.1).abs() < 1e-12);
}

#[test]
fn an_axis_ends_at_its_limits() {
    let axis = |values: [f64; 2]| Axis::covering_within(values.into_iter(), 0.05, 5.0, Some((0.0, 1.0)));
    for (values, ends) in [([-3.0, 0.5], [0.0, 0.525]), ([0.2, 7.0], [0.16, 1.0]), ([-9.0, 9.0], [0.0, 1.0])] {
        let found = axis(values);
        assert!(found.position(ends[0]).abs() < 1e-12 && (found.position(ends[1]) - 1.0).abs() < 1e-12, "{values:?}");
    }
    assert!(axis([-5.0, -4.0]).position(0.0).abs() < 1e-12);
}

#[test]
fn logarithmic_ticks_are_powers_of_ten_or_round_numbers_between() {
    let ticks = |low: f64, high: f64, most: f64| texts(&Axis::covering_logs([low, high].into_iter(), 0.0, most));
    assert_eq!(ticks(1e-12, 0.5, 7.0), ["10⁻¹²", "10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"]);
    assert_eq!(ticks(0.01, 10.0, 5.0), ["0.01", "0.1", "1", "10"]);
    assert_eq!(ticks(1.0, 100.0, 7.0), ["1", "2", "5", "10", "20", "50", "100"]);
    assert_eq!(ticks(1e-7, 1e-6, 7.0), ["10⁻⁷", "2×10⁻⁷", "5×10⁻⁷", "10⁻⁶"]);
    assert_eq!(ticks(3.0, 5.0, 4.0), ["3.0", "3.5", "4.0", "4.5", "5.0"]);
}

#[test]
fn equal_ratios_are_equally_long_on_a_logarithmic_axis() {
    let axis = Axis::covering_logs([1e-6, 1e2].into_iter(), 0.0, 5.0);
    for (i, value) in [1e-6, 1e-4, 1e-2, 1.0, 1e2].into_iter().enumerate() {
        assert!((axis.position(value) - i as f64 / 4.0).abs() < 1e-12);
    }
}

#[test]
fn every_logarithmic_range_has_distinct_ticks_inside_the_axis() {
    let ranges = [
        [1.0, 1.0],
        [5e-324, f64::MAX],
        [5e-324, 1e-322],
        [1e307, f64::MAX],
        [f64::MAX, f64::MAX],
        [0.999, 1.001],
        [1.5, 9.0],
        [2.0, 50.0],
        [1e15, 1e15 + 2e7],
        [f64::NAN, -1.0],
    ];
    for range in ranges {
        for (padding, most) in [(0.0, 2.0), (0.04, 5.0), (0.0, 7.0)] {
            let axis = Axis::covering_logs(range.into_iter(), padding, most);
            let ticks = &axis.ticks;
            assert!(ticks.len() as f64 <= 2.0 * most + 1.0 && !ticks.is_empty(), "{range:?}: {ticks:?}");
            let places = ticks.iter().map(|(place, _)| place).chain(&axis.minor_ticks);
            assert!(places.clone().all(|place| (-1e-6..=1.0 + 1e-6).contains(place)), "{range:?}: {ticks:?}");
            assert!(
                ticks.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1),
                "{range:?}: {ticks:?}"
            );
            assert!(ticks.iter().all(|(_, text)| text != "inf" && text != "0"), "{range:?}: {ticks:?}");
        }
    }
}
