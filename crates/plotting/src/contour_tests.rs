#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn on(values: Array2<f64>) -> Vec<Vec<Point>> {
    let (rows, columns) = values.dim();
    let places = |n: usize| (0..n).map(|i| i as f64).collect::<Vec<f64>>();
    zero_contour(&places(columns), &places(rows), &values)
}

fn square(values: [f64; 4]) -> Vec<Vec<Point>> {
    on(Array2::from_shape_vec((2, 2), values.to_vec()).unwrap())
}

#[test]
fn a_linear_function_has_its_whole_zero_line_in_one_piece() {
    let plane = Array2::from_shape_fn((7, 9), |(row, column)| 0.3 * row as f64 + 0.7 * column as f64 - 3.33);
    let lines = on(plane);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].iter().all(|(x, y)| (0.3 * y + 0.7 * x - 3.33).abs() < 1e-12), "{lines:?}");
    let heights: Vec<f64> = lines[0].iter().map(|point| point.1).collect();
    assert!(heights.is_sorted() || heights.iter().rev().is_sorted());
    let (first, last) = (heights[0], heights[heights.len() - 1]);
    assert!(first.min(last) == 0.0 && first.max(last) == 6.0, "{first} to {last}");
}

#[test]
fn a_ring_ends_where_it_begins_and_two_rings_are_two() {
    let hill =
        |row: usize, column: usize, middle: f64| 4.5 - (row as f64 - 5.0).powi(2) - (column as f64 - middle).powi(2);
    let rings =
        on(Array2::from_shape_fn((11, 21), |(row, column)| hill(row, column, 5.0).max(hill(row, column, 15.0))));
    assert_eq!(rings.len(), 2);
    assert!(rings.iter().all(|ring| ring.len() > 8 && ring[0] == ring[ring.len() - 1]), "{rings:?}");
}

#[test]
fn zeros_are_no_line_and_neither_is_one_sign() {
    for values in [[0.0; 4], [1.0; 4], [-1.0; 4], [0.0, 0.0, 1.0, 2.0]] {
        assert!(square(values).is_empty(), "{values:?}");
    }
    assert!(on(Array2::from_elem((1, 5), -1.0)).is_empty());
    assert_eq!(square([0.0, 0.0, -1.0, -2.0]), [vec![(0.0, 0.0), (1.0, 0.0)]]);
}

/// Lower left, lower right, upper left, upper right.
#[test]
fn a_saddle_is_cut_as_the_bilinear_function_is() {
    // f = 2 at two opposite corners and -1 at the others: 1/2 at the saddle point, so the positive corners are joined.
    let cuts_off_lower_right =
        |lines: &[Vec<Point>]| lines.iter().any(|line| line.iter().all(|(x, y)| x + (1.0 - y) > 1.0 - 1e-9));
    for (values, joined) in [
        ([2.0, -1.0, -1.0, 2.0], true),
        ([1.0, -2.0, -2.0, 1.0], false),
        ([-2.0, 1.0, 1.0, -2.0], true),
        ([-1.0, 2.0, 2.0, -1.0], false),
        // The mean of these is positive, the bilinear function negative at its saddle point.
        ([5.0, -2.0, -2.0, 0.5], false),
    ] {
        let lines = square(values);
        assert_eq!(lines.len(), 2, "{values:?}");
        assert_eq!(cuts_off_lower_right(&lines), joined, "{values:?}: {lines:?}");
        let bilinear = |x: f64, y: f64| {
            (1.0 - y) * ((1.0 - x) * values[0] + x * values[1]) + y * ((1.0 - x) * values[2] + x * values[3])
        };
        assert!(lines.iter().flatten().all(|(x, y)| bilinear(*x, *y).abs() < 1e-12));
    }
}

#[test]
fn every_crossing_is_on_one_line_whatever_the_signs() {
    let mut state = 7_u64;
    let noise = Array2::from_shape_fn((13, 17), |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    });
    let differ = |a: f64, b: f64| usize::from((a >= 0.0) != (b >= 0.0));
    let mut crossings = 0;
    for ((row, column), value) in noise.indexed_iter() {
        crossings += noise.get((row, column + 1)).map_or(0, |right| differ(*value, *right));
        crossings += noise.get((row + 1, column)).map_or(0, |above| differ(*value, *above));
    }
    let lines = on(noise);
    let points: usize = lines.iter().map(|line| line.len() - usize::from(line[0] == line[line.len() - 1])).sum();
    assert_eq!(points, crossings);
}
