use ndarray::array;

use super::Span;

#[test]
fn rows_are_coefficients_times_orthonormal_directions() {
    let rows = array![[3.0, 0.0, 4.0, 0.0], [1.0, 2.0, 0.0, 1.0], [0.0, 0.0, 1.0, 5.0]];
    let span = Span::new(rows.view());
    assert_eq!(span.rank(), 3);
    let back = span.coefficients.dot(&span.directions);
    assert!((&back - &rows).iter().all(|x| x.abs() < 1e-14));
    let gram = span.directions.dot(&span.directions.t());
    for ((i, j), value) in gram.indexed_iter() {
        assert!((value - f64::from(u8::from(i == j))).abs() < 1e-15);
    }
}

#[test]
fn repeated_and_zero_rows_add_no_direction() {
    let rows = array![[1.0, 2.0], [0.0, 0.0], [1.0, 2.0], [2.0, 4.0]];
    let span = Span::new(rows.view());
    assert_eq!(span.rank(), 1);
    let coefficients: Vec<f64> = span.coefficients.column(0).iter().map(|c| c / 5.0_f64.sqrt()).collect();
    for (found, expected) in coefficients.iter().zip([1.0, 0.0, 1.0, 2.0]) {
        assert!((found - expected).abs() < 1e-15);
    }
}

#[test]
fn nearly_dependent_rows_keep_orthonormal_directions() {
    // two rows that differ in the ninth digit: one step of Gram-Schmidt loses half of the orthogonality
    let rows = array![[1.0, 1.0, 1.0], [1.0, 1.0, 1.0 + 1e-9], [1.0, 1.0, 1.0 + 1e-13]];
    let span = Span::new(rows.view());
    assert_eq!(span.rank(), 2);
    let gram = span.directions.dot(&span.directions.t());
    assert!(gram[[0, 1]].abs() < 1e-15);
}
