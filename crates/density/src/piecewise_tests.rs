#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::SeededRandomness;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{DensityError, PiecewiseDensity};
use crate::bounds::Bounds;
use crate::cells::Cells;

fn density(axes: Vec<(f64, f64)>, per_axis: usize, weights: &[f64]) -> PiecewiseDensity {
    let cells = Cells::new(Bounds::new(axes).unwrap(), per_axis).unwrap();
    let sum: f64 = weights.iter().sum();
    PiecewiseDensity::new(cells, weights.iter().map(|weight| weight / sum).collect()).unwrap()
}

/// On [-1, 3]: nothing below 0 and above 2, mass 1/4 and 3/4 between.
fn line() -> PiecewiseDensity {
    density(vec![(-1.0, 3.0)], 4, &[0.0, 1.0, 3.0, 0.0])
}

#[test]
fn what_is_no_density_is_refused() {
    let cells = Cells::new(Bounds::new(vec![(0.0, 1.0)]).unwrap(), 2).unwrap();
    let refused = |probabilities| PiecewiseDensity::new(cells.clone(), probabilities).unwrap_err();
    assert_eq!(refused(vec![1.0]), DensityError::Length { cells: 2, found: 1 });
    assert_eq!(refused(vec![1.5, -0.5]), DensityError::Probability { index: 1, value: -0.5 });
    assert!(matches!(refused(vec![f64::NAN, 1.0]), DensityError::Probability { index: 0, .. }));
    assert_eq!(refused(vec![0.5, 0.25]), DensityError::Sum { sum: 0.75 });
}

#[test]
fn density_distribution_function_and_quantiles_agree() {
    let line = line();
    for (x, value, below) in
        [(-5.0, 0.0, 0.0), (0.5, 0.25, 0.125), (1.0, 0.75, 0.25), (1.5, 0.75, 0.625), (3.0, 0.0, 1.0)]
    {
        assert!((line.at(&[x]) - value).abs() < 1e-12, "{x}");
        assert!((line.cumulative(&[x]) - below).abs() < 1e-12, "{x}");
    }
    for (p, x) in [(0.0, -1.0), (1e-12, 0.0), (0.25, 1.0), (0.625, 1.5), (1.0, 2.0)] {
        assert!((line.quantile(p).unwrap() - x).abs() < 1e-9, "{p}");
    }
    assert_eq!(line.at(&[4.0]), 0.0);
    assert_eq!(line.cumulative(&[f64::INFINITY]), 1.0);
    assert!(line.at(&[f64::NAN]).is_nan() && line.at(&[0.0, 0.0]).is_nan() && line.cumulative(&[]).is_nan());
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(line.quantile(p), Err(DensityError::Quantile { .. })));
    }
}

#[test]
fn in_two_dimensions_boxes_and_marginals_add_up() {
    let plane = density(vec![(0.0, 1.0), (0.0, 4.0)], 2, &[1.0, 2.0, 3.0, 4.0]);
    assert!((plane.at(&[0.1, 3.0]) - 0.2).abs() < 1e-12);
    assert!((plane.cumulative(&[0.75, 1.0]) - (0.05 + 0.075)).abs() < 1e-12);
    assert!((plane.cumulative(&[1.0, 4.0]) - 1.0).abs() < 1e-12);
    assert_eq!(plane.cumulative(&[-0.1, 4.0]), 0.0);
    let marginals: Vec<_> = (0..2).map(|axis| plane.marginal(axis).unwrap().probabilities().to_vec()).collect();
    for (found, expected) in marginals.iter().flatten().zip([0.3, 0.7, 0.4, 0.6]) {
        assert!((found - expected).abs() < 1e-12);
    }
    assert_eq!(plane.marginal(2), Err(DensityError::Axis { axis: 2, dimension: 2 }));
    assert_eq!(plane.quantile(0.5), Err(DensityError::SeveralAxes { dimension: 2 }));
    assert_eq!(plane.marginal(1).unwrap().cells().bounds().axis(0), (0.0, 4.0));
}

/// Chi-squared over the cells halved along each axis; false-positive rate 1e-6.
#[test]
fn synthetic_points_have_the_law_of_the_density() {
    let weights = [1.0, 2.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let plane = density(vec![(-1.0, 2.0), (0.0, 30.0)], 3, &weights);
    let points = plane.draw(100_000, &mut SeededRandomness::from_seed(3));
    let halves = Cells::new(plane.cells().bounds().clone(), 6).unwrap();
    let mut counts = [0.0; 36];
    for point in points.rows() {
        assert!(plane.at(&[point[0], point[1]]) > 0.0);
        let unit = [halves.bounds().to_unit(0, point[0]), halves.bounds().to_unit(1, point[1])];
        counts[halves.index_of(&unit)] += 1.0;
    }
    let statistic: f64 = (0..36)
        .map(|index| {
            let expected = 100_000.0 * plane.probabilities()[index / 12 * 3 + index % 6 / 2] / 4.0;
            if expected > 0.0 { (counts[index] - expected).powi(2) / expected } else { counts[index] }
        })
        .sum();
    assert!(ChiSquared::new(31.0).unwrap().sf(statistic) > 1e-6, "{statistic}");
    assert_eq!(plane.draw(0, &mut SeededRandomness::from_seed(3)).dim(), (0, 2));
}

#[test]
fn the_table_of_cells_has_corners_and_densities() {
    let mut written = Vec::new();
    line().write_csv(&[], &mut written).unwrap();
    let expected = "lower_1,upper_1,density\n-1,0,0\n0,1,0.25\n1,2,0.75\n2,3,0\n";
    assert_eq!(String::from_utf8(written).unwrap(), expected);
    let mut written = Vec::new();
    density(vec![(0.0, 1.0), (0.0, 4.0)], 1, &[1.0]).write_csv(&["age".to_owned()], &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), "lower_age,lower_2,upper_age,upper_2,density\n0,0,1,4,0.25\n");
}

#[test]
fn weights_that_are_all_zero_give_the_uniform_density() {
    let cells = Cells::new(Bounds::new(vec![(0.0, 2.0)]).unwrap(), 4).unwrap();
    let of = |weights| PiecewiseDensity::proportional_to(cells.clone(), weights).probabilities().to_vec();
    assert_eq!(of(vec![0.0; 4]), [0.25; 4]);
    assert_eq!(of(vec![3.0, 0.0, 2.0, 3.0]), [0.375, 0.0, 0.25, 0.375]);
}
