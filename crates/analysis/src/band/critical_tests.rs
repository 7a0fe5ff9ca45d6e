use approx::assert_abs_diff_eq;
use ndarray::array;

use super::*;

#[test]
fn the_tube_meets_the_golden_values() {
    let golden = [
        (0.0, 1.959_963_984_540_164_8),
        (1.0, 2.248_123_491_226_753),
        (PI / 2.0, 2.353_054_899_467_606),
        (5.0, 2.688_932_798_802_508_5),
        (10.0, 2.908_280_851_144_058),
        (20.0, 3.125_040_262_467_995),
        (50.0, 3.399_012_685_342_877),
    ];
    for (kappa, expected) in golden {
        assert_abs_diff_eq!(tube(kappa, 0.05), expected, epsilon = 1e-9);
    }
}

#[test]
fn sidak_meets_the_golden_values() {
    let golden = [
        (1, 1.959_963_984_540_054),
        (2, 2.236_476_644_557_791_7),
        (10, 2.799_625_219_301_094),
        (93, 3.454_463_557_613_080_7),
        (1000, 4.049_660_549_554_678),
    ];
    for (count, expected) in golden {
        assert_abs_diff_eq!(sidak(count, 0.05), expected, epsilon = 1e-9);
    }
}

#[test]
fn a_path_is_as_long_as_its_angles() {
    let rows = array![[1.0, 0.0], [0.0, 3.0], [-2.0, 0.0], [0.0, 0.0], [1.0, 1.0]];
    assert_abs_diff_eq!(path_length(rows.view()), PI, epsilon = 1e-15);
    let close = array![[1.0, 0.0], [1.0, 1e-9]];
    assert_abs_diff_eq!(path_length(close.view()), 1e-9, epsilon = 1e-20);
}
