#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::array;

use super::*;

#[test]
fn the_positive_part_drops_negative_eigenvalues_and_its_root_squares_to_it() {
    // eigenvalues 3 and -1
    let matrix = array![[1.0, 2.0], [2.0, 1.0]];
    let part = positive_part(&matrix).unwrap();
    assert_abs_diff_eq!(part, array![[1.5, 1.5], [1.5, 1.5]], epsilon = 1e-12);
    let root = square_root(&matrix).unwrap();
    assert_abs_diff_eq!(root.dot(&root), part, epsilon = 1e-12);
}
