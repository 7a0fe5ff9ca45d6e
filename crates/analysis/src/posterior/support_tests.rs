#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::Array2;

use super::*;

fn grids() -> [Grid; 3] {
    let uneven = (0..700).map(|i| (f64::from(i) / 699.0).powi(3)).collect();
    [Grid::uniform(0.0, 1.0, 93).unwrap(), Grid::uniform(0.0, 1.0, 1001).unwrap(), Grid::new(uneven).unwrap()]
}

#[test]
fn the_support_spans_the_domain_and_keeps_all_weight() {
    for grid in grids() {
        let support = Support::of(&grid, MOST_POINTS);
        assert!(support.len() <= MOST_POINTS && support.points.windows(2).into_iter().all(|p| p[0] < p[1]));
        assert_eq!((support.points[0], support.points[support.len() - 1]), (0.0, 1.0));
        assert_abs_diff_eq!(support.weights.sum(), 1.0, epsilon = 1e-12);
    }
}

#[test]
fn binning_has_orthonormal_rows_so_that_the_noise_stays_white() {
    for grid in grids() {
        let support = Support::of(&grid, MOST_POINTS);
        let columns = Array2::<f64>::eye(grid.len());
        let mut rows = Array2::zeros((support.len(), grid.len()));
        for (i, column) in columns.columns().into_iter().enumerate() {
            rows.column_mut(i).assign(&support.binned(column));
        }
        let gram = rows.dot(&rows.t());
        assert_abs_diff_eq!(gram, Array2::eye(support.len()), epsilon = 1e-12);
    }
}

#[test]
fn linear_functions_pass_between_grid_and_support_unchanged() {
    for grid in grids() {
        let support = Support::of(&grid, MOST_POINTS);
        let line = |t: &f64| 0.3 - 2.0 * t;
        let on_grid = grid.points().map(line);
        assert_abs_diff_eq!(support.on_grid(support.points.map(line).view()), on_grid, epsilon = 1e-12);
        let integral = support.gathered(grid.weights()).dot(&support.points.map(line));
        assert_abs_diff_eq!(integral, grid.integrate(on_grid.view()), epsilon = 1e-12);
    }
}

#[test]
fn cubics_pass_from_the_support_to_the_grid_unchanged() {
    for grid in grids() {
        let support = Support::of(&grid, MOST_POINTS);
        let cubic = |t: &f64| 0.3 - 2.0 * t + t * t * t;
        let on_grid = support.smoothly_on_grid(support.points.map(cubic).view());
        assert_abs_diff_eq!(on_grid, grid.points().map(cubic), epsilon = 1e-11);
    }
}
