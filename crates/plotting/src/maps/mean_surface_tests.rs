#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_analysis::Band;
use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, PrivateMean, Surface};
use dpfda_smoothing::{Ball, Center, CurveSet};

use super::*;
use crate::canvas::palette::INK;
use crate::samples::{assert_on_the_figure, assert_readable, text_boxes};

/// A surface that is above the centre in one corner.
fn estimated(first: usize, second: usize, height: f64) -> Estimated<Surface> {
    estimated_from(first, second, height, 1)
}

fn estimated_from(first: usize, second: usize, height: f64, seed: u64) -> Estimated<Surface> {
    let axis = |points| Grid::uniform(0.0, 3.0, points).unwrap();
    let grid = SurfaceGrid::new(axis(first), axis(second)).unwrap();
    let [s, t] = grid.axes().clone();
    let mean: Vec<f64> = s
        .points()
        .iter()
        .flat_map(|&s| t.points().mapv(|t| 0.5 + height * (-(s - 2.5).powi(2) - (t - 2.5).powi(2)).exp()))
        .collect();
    let values = Array2::from_shape_fn((500, mean.len()), |(_, j)| mean[j]);
    let surfaces = CurveSet::new(grid.places().unwrap(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.2).unwrap();
    let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(5.0, 1e-3).unwrap()).buying(BallShares::NONE);
    let prepared = private_mean.prepare_on(&surfaces, &grid, None).unwrap();
    let release = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(seed));
    Estimated::<Surface>::new(release, &Band::Posterior, 0.9).unwrap()
}

fn content(estimated: &Estimated<Surface>) -> MeanSurface {
    MeanSurfaceFigure::new(estimated).content
}

#[test]
fn a_surface_is_readable_and_stays_on_the_figure() {
    crate::canvas::font::check().unwrap();
    for (first, second) in [(2, 2), (5, 9), (130, 20)] {
        let figure =
            MeanSurfaceFigure::new(&estimated(first, second, 0.3)).names("depth in mm", "hour of the day", "signal");
        let scene = figure.scene().unwrap();
        assert_readable(&scene);
        assert_on_the_figure(&scene);
        let says = |word: &str| text_boxes(&scene).iter().any(|(text, _)| text.contains(word));
        assert!(says("depth in mm") && says("hour of the day") && says("signal") && says("NOT PRIVATE"));
        assert_eq!(says("every 2th point of s is shown"), first == 130);
    }
}

#[test]
fn the_contour_parts_points_where_the_band_leaves_out_the_centre_from_the_others() {
    let surface = content(&estimated(20, 20, 0.3));
    assert!(surface.told.iter().any(|told| *told) && !surface.told.iter().all(|told| *told));
    let axis = Axis::covering([0.0, 3.0].into_iter(), 0.0, 5.0);
    let panel = Panel { left: 0.0, top: 0.0, width: 380.0, height: 380.0, x: &axis, y: &axis };
    let length = |[from, to]: &[Point; 2]| (to.0 - from.0).abs() + (to.1 - from.1).abs();
    let (strokes, edges): (Vec<_>, Vec<_>) =
        surface.contour(&panel).into_iter().partition(|edge| length(edge) == INWARDS);
    let told = |row: usize, column: usize| surface.told[[row, column]];
    let changes = (0..20).flat_map(|i| (0..19).map(move |j| (i, j)));
    let expected: usize = changes
        .map(|(i, j)| usize::from(told(i, j) != told(i, j + 1)) + usize::from(told(j, i) != told(j + 1, i)))
        .sum();
    assert_eq!(edges.len(), expected);
    // the bump is in the upper right corner: no edge begins at the lower or the left end
    assert!(edges.iter().flatten().all(|(x, y)| *x > 20.0 && *y < 360.0), "{edges:?}");
    let is_told = |(x, y): Point| {
        let patch = |ends: &[f64], along: f64| ends.iter().skip(1).position(|end| along < *end).unwrap();
        told(patch(&surface.ends[1], 1.0 - y / 380.0), patch(&surface.ends[0], x / 380.0))
    };
    assert!(!strokes.is_empty() && strokes.iter().all(|[_, end]| is_told(*end)), "{strokes:?}");
}

#[test]
fn the_legend_names_a_contour_only_where_one_is_drawn_and_the_caption_says_why_there_is_none() {
    let axis = Axis::covering([0.0, 3.0].into_iter(), 0.0, 5.0);
    for (height, drawn) in [(0.0, false), (0.3, true)] {
        let surface = content(&estimated(6, 6, height));
        assert_eq!(surface.contour(&panel_of(&axis)).is_empty(), !drawn);
        let named = surface.legend().iter().any(|(key, _)| *key == Key::Stroke(CONTOUR, INK));
        let said = surface.caption.iter().any(|text| text.contains("holds the centre everywhere"));
        assert_eq!((named, said), (drawn, !drawn));
    }
}

fn panel_of(axis: &Axis) -> Panel<'_> {
    Panel { left: 0.0, top: 0.0, width: 100.0, height: 100.0, x: axis, y: axis }
}

#[test]
fn slices_are_lines_through_the_middle_of_the_map() {
    let estimated = estimated(5, 9, 0.3);
    let surface = content(&estimated);
    let values = estimated.posterior().values();
    assert_eq!((surface.slices[0].at, surface.slices[1].at), (1.5, 1.5));
    for (slice, on_grid) in surface.slices.iter().zip([values.row(2), values.column(4)]) {
        let at_the_grid = slice.grid.iter().map(|point| slice.points.iter().position(|t| t == point).unwrap());
        for (place, value) in at_the_grid.zip(on_grid) {
            assert!((slice.values[place] - value).abs() < 1e-9, "{place}");
        }
        assert!(slice.points.len() > 50 * slice.grid.len() && slice.points.is_sorted());
        // between them it is the posterior, and no line
        let parts = (slice.points.len() - 1) / (slice.grid.len() - 1);
        let (from, middle, to) = (slice.values[0], slice.values[parts / 2], slice.values[parts]);
        let share = (parts / 2) as f64 / parts as f64;
        assert!((middle - from - share * (to - from)).abs() > 1e-6, "{from} {middle} {to}");
    }
}

#[test]
fn the_difference_of_two_surfaces_is_drawn_with_its_band_and_what_it_is_about() {
    crate::canvas::font::check().unwrap();
    let sides = [estimated_from(9, 12, 0.3, 1), estimated_from(9, 12, 0.0, 2)];
    let difference = Difference::new(sides[0].population(), sides[1].population(), 0.95).unwrap();
    let (facts, labels) = (sides[0].facts(), dpfda_mechanism::Labels::default());
    let about = About { facts: &facts, labels: &labels, is_private: false, limits: None };
    let figure = MeanSurfaceFigure::of_difference(&difference, [("women", about), ("men", about)]);
    // 0 is the middle of the colours
    let (least, most) = figure.content.ends_of_colours();
    assert!(least == -most && figure.content.values.iter().all(|value| value.abs() <= most));
    assert_eq!(figure.content.values, difference.values());
    assert_eq!(figure.content.told, difference.is_not_zero());
    assert!(figure.content.slices[0].center.iter().all(|center| *center == 0.0));
    let scene = figure.scene().unwrap();
    assert_readable(&scene);
    assert_on_the_figure(&scene);
    let says = |word: &str| text_boxes(&scene).iter().any(|(text, _)| text.contains(word));
    assert!(says("women minus men") && says("difference in a slice") && says("leaves out 0") && says("NOT PRIVATE"));
}
