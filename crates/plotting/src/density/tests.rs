#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_density::{Bounds, Cells};

use super::*;
use crate::canvas::palette::{BLUE, EMPTY, Paint, VERMILION, VIRIDIS};
use crate::canvas::scene::Mark;
use crate::parts::header::SEED_STAMP;
use crate::parts::panel::{NEIGHBOUR_WIDTH, RELEASED_WIDTH};
use crate::samples::{assert_on_the_figure, assert_readable, text_boxes};

/// A density with the weight of every cell a function of its index.
fn density(axes: &[(f64, f64)], per_axis: usize, weight: impl Fn(usize) -> f64) -> PiecewiseDensity {
    let cells = Cells::new(Bounds::new(axes.to_vec()).unwrap(), per_axis).unwrap();
    let weights: Vec<f64> = (0..cells.count()).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    PiecewiseDensity::new(cells, weights.iter().map(|weight| weight / sum).collect()).unwrap()
}

/// Weights that differ from cell to cell.
fn uneven(index: usize) -> f64 {
    (index * 37 % 11) as f64
}

fn texts(scene: &Scene) -> String {
    text_boxes(scene).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
}

fn said(figure: &DensityFigure) -> String {
    texts(&figure.scene().unwrap())
}

/// The lines of this paint and width below the legend.
fn lines(figure: &DensityFigure, of: Paint, wide: f64) -> Vec<Vec<Point>> {
    let line = |mark: &Mark| match mark {
        Mark::Line { points, paint, width } if *paint == of && *width == wide && points.len() > 2 => {
            Some(points.clone())
        }
        _ => None,
    };
    figure.scene().unwrap().marks.iter().filter_map(line).collect()
}

/// The rectangles of a heat map in this colour: left, right, top, bottom.
fn patches(scene: &Scene, of: Paint) -> Vec<[f64; 4]> {
    let patch = |mark: &Mark| match mark {
        Mark::Area { points, paint } if *paint == of && points[2].1 - points[0].1 > 20.0 => {
            Some([points[0].0, points[2].0, points[0].1, points[2].1])
        }
        _ => None,
    };
    scene.marks.iter().filter_map(patch).collect()
}

#[test]
fn the_steps_are_the_density_in_data_units() {
    let density = density(&[(-2.0, 6.0)], 4, |index| [1.0, 0.0, 5.0, 2.0][index]);
    let line = Line::of(&density);
    let corners = [(-2.0, 0.0625), (0.0, 0.0625), (0.0, 0.0), (2.0, 0.0), (2.0, 0.3125), (4.0, 0.3125), (4.0, 0.125)];
    assert_eq!(line.steps[0], (-2.0, 0.0));
    assert_eq!(line.steps[1..8], corners);
    assert_eq!(line.steps[8..], [(6.0, 0.125), (6.0, 0.0)]);
    for (x, below) in &line.distribution {
        assert!((below - density.cumulative(&[*x])).abs() < 1e-15);
    }
    // Drawn as they are: the widths are equal, and the heights in proportion.
    let figure = DensityFigure::new(&density);
    let drawn = &lines(&figure, BLUE, RELEASED_WIDTH)[0];
    let (bottom, width) = (drawn[0].1, drawn[2].0 - drawn[1].0);
    assert!(((bottom - drawn[5].1) / (bottom - drawn[1].1) - 5.0).abs() < 1e-9);
    assert!((drawn[6].0 - drawn[5].0 - width).abs() < 1e-9);
}

#[test]
fn more_cells_than_pixels_are_means_and_are_said_to_be() {
    let fine = density(&[(0.0, 10.0)], 1441, uneven);
    let line = Line::of(&fine);
    assert_eq!((line.cells_to_step, line.steps.len()), (3, 2 + 2 * 481));
    let area: f64 = line.steps[1..].chunks_exact(2).map(|step| (step[1].0 - step[0].0) * step[0].1).sum();
    assert!((area - 1.0).abs() < 1e-12, "the last step is of fewer cells: {area}");
    assert!(said(&DensityFigure::new(&fine)).contains("each step is the mean of 3 cells"));
    let fine = density(&[(0.0, 1.0), (0.0, 5.0)], 250, uneven);
    let planes = Plane::all_of(&fine);
    let plane = &planes[0];
    assert_eq!((plane.cells_to_patch, plane.densities.dim()), (3, (84, 84)));
    let mass = |((across, up), p): ((usize, usize), &f64)| {
        p * 5.0 * (plane.ends[across + 1] - plane.ends[across]) * (plane.ends[up + 1] - plane.ends[up])
    };
    assert!((plane.densities.indexed_iter().map(mass).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(said(&DensityFigure::new(&fine)).contains("each patch is the mean of 3 by 3 cells"));
    let coarse = said(&DensityFigure::new(&density(&[(0.0, 1.0)], 720, uneven)));
    assert!(!coarse.contains("mean of"), "{coarse}");
}

#[test]
fn a_second_line_is_cut_off_at_twice_the_density_and_the_legend_says_so() {
    let coarse = density(&[(0.0, 1.0)], 4, |_| 1.0);
    let legend = |height: f64| {
        let figure =
            DensityFigure::new(&coarse).with_reference("truth", &[-1.0, 0.5, 2.0], &[0.0, height, 0.0]).unwrap();
        assert_on_the_figure(&figure.scene().unwrap());
        assert_eq!(lines(&figure, VERMILION, NEIGHBOUR_WIDTH).is_empty(), height > 3.0, "one line until it is cut");
        said(&figure)
    };
    assert!(legend(1.9).contains("released density truth") && !legend(1.9).contains("cut off"));
    assert!(legend(30.0).contains("truth (cut off at the edge)"));
    let fine = density(&[(0.0, 1.0)], 12, |index| (index % 2) as f64);
    let figure = DensityFigure::new(&coarse).with_density("before", &fine).unwrap();
    assert_eq!(lines(&figure, VERMILION, NEIGHBOUR_WIDTH)[0].len(), 26);
    assert!(said(&figure).contains("before"));
    assert!(!said(&DensityFigure::new(&coarse)).contains("released density"), "one line needs no legend");
}

#[test]
fn the_distribution_function_has_a_panel_of_its_own() {
    let density = density(&[(0.0, 4.0)], 4, |index| [1.0, 0.0, 0.0, 3.0][index]);
    let figure = DensityFigure::new(&density).with_distribution().unwrap();
    let drawn = lines(&figure, BLUE, RELEASED_WIDTH);
    let distribution = &drawn[1];
    assert_eq!((drawn.len(), distribution.len()), (2, 5));
    let height = distribution[0].1 - distribution[4].1;
    assert!((distribution[0].1 - distribution[1].1 - 0.25 * height).abs() < 1e-9);
    assert!((distribution[3].1 - distribution[1].1).abs() < 1e-9);
    assert!(said(&figure).contains("distribution function"));
}

#[test]
fn the_first_axis_goes_across_and_the_second_up() {
    // The cell with the largest density is the last of the first axis and the first of the second.
    let density = density(&[(0.0, 1.0), (0.0, 1.0)], 3, |index| if index == 6 { 2.0 } else { 1.0 });
    let scene = DensityFigure::new(&density).scene().unwrap();
    let (most, others) = (patches(&scene, VIRIDIS.at(1.0)), patches(&scene, VIRIDIS.at(0.5)));
    assert_eq!(most.len(), 1);
    assert!(others.iter().all(|other| other[1] <= most[0][1] && other[3] <= most[0][3] + 1e-9));
    assert!(others.iter().any(|other| other[2] < most[0][2]) && others.iter().any(|other| other[0] < most[0][0]));
}

#[test]
fn three_axes_are_their_three_marginals() {
    let density = density(&[(0.0, 1.0), (0.0, 2.0), (-1.0, 3.0)], 3, uneven);
    let planes = Plane::all_of(&density);
    assert_eq!(planes.iter().map(|plane| plane.axes).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    for plane in &planes {
        // Summed over either axis, a plane is the marginal of the other.
        for (sum_over, axis) in [(1, plane.axes.0), (0, plane.axes.1)] {
            let (lower, upper) = plane.bounds[sum_over];
            let sums = plane.densities.sum_axis(ndarray::Axis(sum_over)) * ((upper - lower) / 3.0);
            let marginal = density.marginal(axis).unwrap();
            for (cell, sum) in sums.iter().enumerate() {
                let expected = marginal.probabilities()[cell] / marginal.cells().cell_volume();
                assert!((sum - expected).abs() < 1e-12);
            }
        }
    }
    let said = said(&DensityFigure::new(&density).axes(&["age", "height", "weight"]).unwrap());
    for name in ["density of age and height", "density of age and weight", "density of height and weight"] {
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn the_figure_says_what_the_caller_says() {
    for dimension in 1..=3 {
        let density = density(&vec![(0.0, 1.0); dimension], 3, uneven);
        let names = &["age", "height", "weight"][..dimension];
        let figure = DensityFigure::new(&density).title("Private ages").axes(names).unwrap();
        let figure = figure.caption(&["perturbed histogram", "n = 382"]);
        let words = said(&figure);
        for word in names.iter().chain(&["Private ages", "perturbed histogram · n = 382", "density"]) {
            assert!(words.contains(word), "{word} in {words}");
        }
        assert!(!words.contains(SEED_STAMP) && said(&figure.noise_from_a_seed()).contains(SEED_STAMP));
    }
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_density() {
    let boxes = [(0.0, 1.0), (-1e70, 1e70), (1e-70, 3e-70), (1e9, 1e9 + 1.0), (-123_456.0, 0.001)];
    let long = "a name that is much longer than any panel of the figure is wide or high ".repeat(3);
    for dimension in 1..=3 {
        for bounds in boxes {
            for per_axis in [1, 2, 30] {
                let density = density(&vec![bounds; dimension], per_axis, |index| uneven(index + 1));
                let names = vec![long.as_str(); dimension];
                let plain = DensityFigure::new(&density).title("");
                let wordy =
                    plain.clone().title(&long).axes(&names).unwrap().caption(&[&long, "n = 1"]).noise_from_a_seed();
                for figure in [plain, wordy] {
                    let figure = figure.clone().with_distribution().unwrap_or(figure);
                    assert_readable(&figure.scene().unwrap());
                    assert_on_the_figure(&figure.scene().unwrap());
                }
            }
        }
    }
}

#[test]
fn the_same_density_gives_the_same_bytes() {
    for dimension in 1..=3 {
        let figure = || DensityFigure::new(&density(&vec![(0.0, 1.0); dimension], 5, uneven));
        assert_eq!(figure().to_svg().unwrap(), figure().to_svg().unwrap());
        assert_eq!(figure().to_png().unwrap(), figure().to_png().unwrap());
    }
}

#[test]
fn what_a_figure_cannot_show_is_refused() {
    let one = || DensityFigure::new(&density(&[(0.0, 1.0)], 3, uneven));
    let plane = density(&[(0.0, 1.0); 2], 3, uneven);
    let two = || DensityFigure::new(&plane);
    let several = FigureError::SeveralAxes { found: 2 };
    assert_eq!(two().with_distribution().unwrap_err(), several);
    assert_eq!(two().with_reference("", &[0.0], &[0.0]).unwrap_err(), several);
    assert_eq!(one().with_density("", &plane).unwrap_err(), several);
    assert_eq!(one().axes(&["x", "y"]).unwrap_err(), FigureError::AxisNames { axes: 1, found: 2 });
    let reference = |x: &[f64], y: &[f64]| one().with_reference("", x, y).unwrap_err();
    assert_eq!(reference(&[], &[]), FigureError::EmptySeries { series: 0 });
    assert_eq!(reference(&[1.0], &[]), FigureError::SeriesLengths { series: 0, x: 1, y: 0 });
    let infinite = FigureError::SeriesPoint { series: 0, point: 1, x: f64::INFINITY, y: 0.0 };
    assert_eq!(reference(&[1.0, f64::INFINITY], &[0.0, 0.0]), infinite);
}

#[test]
fn the_noise_is_a_ribbon_and_steps_that_might_be_empty_are_marked() {
    let density = density(&[(0.0, 1.0)], 10, |index| if index < 3 { 0.1 } else { 5.0 });
    let figure = DensityFigure::new(&density).with_noise(0.01);
    let words = said(&figure);
    assert!(
        words.contains("privacy noise, ±2 sd (not a confidence band)") && words.contains(NOT_TOLD_FROM_EMPTY),
        "{words}"
    );
    let marks = |figure: &DensityFigure| {
        let is_mark =
            |mark: &&Mark| matches!(mark, Mark::Line { paint, points, .. } if *paint == VERMILION && points.len() == 2);
        figure.scene().unwrap().marks.iter().filter(is_mark).count()
    };
    // three steps, and the key of the legend
    assert_eq!(marks(&figure), 4);
    let sure = DensityFigure::new(&density).with_noise(1e-5);
    assert!(!said(&sure).contains(NOT_TOLD_FROM_EMPTY) && marks(&sure) == 0);
    assert!(!said(&DensityFigure::new(&density)).contains("privacy noise"));
    for figure in [figure, sure, DensityFigure::new(&density).with_noise(10.0)] {
        let scene = figure.scene().unwrap();
        assert_readable(&scene);
        assert_on_the_figure(&scene);
    }
}

#[test]
fn cells_of_a_heat_map_that_might_be_empty_are_grey() {
    let density = density(&[(0.0, 1.0), (0.0, 2.0)], 4, |index| if index < 5 { 0.01 } else { 5.0 });
    let figure = DensityFigure::new(&density).with_noise(0.01);
    assert!(said(&figure).contains("not distinguishable from empty"));
    // the first column of four and the first cell of the next: neighbours of one colour in a row are one patch
    let grey = |figure: &DensityFigure| patches(&figure.scene().unwrap(), EMPTY).len();
    assert_eq!(grey(&figure), 4);
    let plain = DensityFigure::new(&density);
    assert!(!said(&plain).contains("distinguishable") && grey(&plain) == 0);
    assert!(said(&plain.without_noise()).contains("no band: the noise of this mechanism"));
}

#[test]
fn a_heat_map_has_a_companion_that_says_how_far_each_cell_is_from_empty() {
    const FROM_EMPTY: &str = "standard deviations of the privacy noise above empty";
    let plane = density(&[(0.0, 1.0), (0.0, 2.0)], 4, |index| if index < 5 { 0.01 } else { 5.0 });
    let figure = DensityFigure::new(&plane).axes(&["age", "a rather long name of an axis"]).unwrap().with_noise(0.01);
    assert!(said(&figure).contains(FROM_EMPTY) && !said(&DensityFigure::new(&plane)).contains(FROM_EMPTY));
    let again = figure.clone().with_noise(0.02).to_svg().unwrap();
    let fresh = DensityFigure::new(&plane).axes(&["age", "a rather long name of an axis"]).unwrap().with_noise(0.02);
    assert_eq!(again, fresh.to_svg().unwrap(), "the noise that was named last counts");
    // eleven cells of probability 5 / 55.05, more than 9 deviations of 0.01 and less than 10
    let grey = |figure: &DensityFigure| {
        let scene = figure.scene().unwrap();
        let is_grey = |mark: &&Mark| match mark {
            Mark::Area { paint: Paint { rgb: (r, g, b), .. }, .. } => r == g && g == b && (40..=70).contains(r),
            _ => false,
        };
        scene.marks.iter().filter(is_grey).count()
    };
    assert!(grey(&figure) >= 11, "{}", grey(&figure));
    let cube = density(&[(0.0, 1.0); 3], 3, uneven);
    let of_sums = said(&DensityFigure::new(&cube).with_noise(0.01));
    assert!(!of_sums.contains(FROM_EMPTY) && of_sums.contains(OF_SUMS), "{of_sums}");
    assert_readable(&figure.scene().unwrap());
    assert_on_the_figure(&figure.scene().unwrap());
}
