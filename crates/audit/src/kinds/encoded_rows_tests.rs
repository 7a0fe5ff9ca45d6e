#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::LATTICE_BITS;

use super::*;

#[test]
fn a_value_at_the_bound_weighs_as_its_weight_allows_in_every_ball() {
    let radius = 1_i64 << LATTICE_BITS;
    for of_ball in [1.0, 0.5, 1.0 / 64.0] {
        let far = words(&encoded(&[(0.5, 2.0), (1.5, 0.0), (2.5, 0.0), (3.5, 0.0)], of_ball).unwrap());
        // rounding towards zero takes less than a step of a weight
        assert_eq!((far[0], far[BINS], far[BINS + 4]), (radius - 4, radius / 4 - 1, 0));
    }
    assert_eq!(words(&encoded(&[(-1.0, 1.0), (0.5, f64::NAN)], 1.0).unwrap()), vec![0; 2 * BINS]);
}
