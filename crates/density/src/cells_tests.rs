#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Cells, CellsError, MAX_CELLS};
use crate::bounds::Bounds;

fn cube(dimension: usize) -> Bounds {
    Bounds::new(vec![(0.0, 1.0); dimension]).unwrap()
}

#[test]
fn too_many_cells_are_refused_with_the_memory_they_would_take() {
    assert_eq!(Cells::new(cube(1), 0), Err(CellsError::Zero));
    assert_eq!(Cells::new(cube(3), 256).unwrap().count(), MAX_CELLS);
    let error = Cells::new(cube(3), 1_024).unwrap_err();
    assert_eq!(error, CellsError::TooMany { per_axis: 1_024, dimension: 3, gibibytes: 96.0 });
    assert!(error.to_string().contains("96.0 GiB"));
    assert!(Cells::new(cube(3), usize::MAX).is_err());
    assert!(Cells::new(cube(1), MAX_CELLS + 1).is_err());
}

#[test]
fn the_first_axis_is_the_slowest_and_the_upper_bound_belongs_to_the_last_cell() {
    let cells = Cells::new(cube(3), 4).unwrap();
    assert_eq!(cells.index_of(&[0.0, 0.0, 0.0]), 0);
    assert_eq!(cells.index_of(&[0.0, 0.0, 0.25]), 1);
    assert_eq!(cells.index_of(&[0.25, 0.0, 0.0]), 16);
    assert_eq!(cells.index_of(&[1.0, 1.0, 1.0]), 63);
    assert_eq!(cells.index_of(&[1.0, 0.5, 0.0]), 56);
}

#[test]
fn corners_enclose_the_points_of_a_cell() {
    let bounds = Bounds::new(vec![(-1.0, 1.0), (10.0, 16.0)]).unwrap();
    let cells = Cells::new(bounds.clone(), 3).unwrap();
    assert!((cells.cell_volume() - 12.0 / 9.0).abs() < 1e-12);
    for index in 0..9 {
        let (lower, upper) = (cells.lower_corner(index), cells.upper_corner(index));
        let middle: Vec<f64> =
            (0..2).map(|axis| bounds.to_unit(axis, f64::midpoint(lower[axis], upper[axis]))).collect();
        assert_eq!(cells.index_of(&middle), index);
    }
    assert_eq!(cells.lower_corner(0), [-1.0, 10.0]);
    assert_eq!(cells.upper_corner(8), [1.0, 16.0]);
}

#[test]
fn a_file_passes_the_constructor() {
    let cells = Cells::new(cube(2), 7).unwrap();
    let json = serde_json::to_string(&cells).unwrap();
    assert_eq!(serde_json::from_str::<Cells>(&json).unwrap(), cells);
    for wrong in [json.replace('7', "0"), json.replace('7', "70000"), json.replace('}', ",\"x\":1}")] {
        assert!(serde_json::from_str::<Cells>(&wrong).is_err(), "{wrong}");
    }
}
