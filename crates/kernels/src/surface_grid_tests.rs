#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;

use super::*;

fn uniform(points: usize) -> Grid {
    Grid::uniform(-1.0, 3.0, points).unwrap()
}

#[test]
fn product_weights_integrate_products_of_straight_lines_exactly() {
    let uneven = Grid::new(vec![0.0, 0.1, 0.5, 0.6, 1.0]).unwrap();
    let grid = SurfaceGrid::new(uneven, Grid::uniform(0.0, 1.0, 4).unwrap()).unwrap();
    let [s, t] = grid.unit_axes();
    let values = s.points().into_iter().flat_map(|s| t.points().into_iter().map(move |t| (1.0 + 2.0 * s) * (3.0 - t)));
    let integral: f64 = grid.unit_weights().iter().zip(values).map(|(weight, value)| weight * value).sum();
    // 2 times 5 / 2
    assert_abs_diff_eq!(integral, 5.0, epsilon = 1e-12);
}

#[test]
fn more_points_than_a_record_has_integers_are_refused_before_they_are_made() {
    assert!(SurfaceGrid::new(uniform(512), uniform(512)).is_ok());
    let refused = SurfaceGrid::new(uniform(513), uniform(512));
    assert_eq!(refused, Err(SurfaceGridError::TooMany { first: 513, second: 512 }));
    assert!(SurfaceGrid::new(uniform(1_000_001), uniform(2)).is_err());
}

#[test]
fn a_document_is_read_through_the_constructor() {
    let grid = SurfaceGrid::new(uniform(3), uniform(4)).unwrap();
    let text = serde_json::to_string(&grid).unwrap();
    assert_eq!(serde_json::from_str::<SurfaceGrid>(&text).unwrap(), grid);
    let axis = serde_json::to_string(&uniform(600)).unwrap();
    assert!(serde_json::from_str::<SurfaceGrid>(&format!("{{\"s\":{axis},\"t\":{axis}}}")).is_err());
    assert!(serde_json::from_str::<SurfaceGrid>(&text.replacen("\"s\"", "\"r\"", 1)).is_err());
}
