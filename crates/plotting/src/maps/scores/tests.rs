#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::canvas::palette::{PAPER, VIRIDIS};
use crate::canvas::scene::{Mark, Point, Scene};
use crate::parts::header::CURATOR_STAMP;
use crate::samples::{assert_on_the_figure, assert_readable, assert_watermarked, text_boxes, watermarks};

/// `n` ascending parameters.
fn parameters(n: usize, ratio: f64) -> Vec<f64> {
    (0..n).map(|i| 1e-6 * ratio.powf(i as f64)).collect()
}

/// A bowl with its least score at this row and column.
fn bowl(label: &str, rows: usize, columns: usize, least: (usize, usize)) -> SurfacePanel {
    let score = |(row, column): (usize, usize)| {
        let (up, across) = (row as f64 - least.0 as f64, column as f64 - least.1 as f64);
        0.0123 + 0.01 * up * up + 0.02 * across * across
    };
    let scores = Array2::from_shape_fn((rows, columns), score);
    SurfacePanel::new(label, parameters(columns, 1.7), parameters(rows, 1.9), scores).unwrap()
}

fn texts(scene: &Scene) -> String {
    text_boxes(scene).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
}

/// The middles of the white rings, the first of which is the legend's.
fn rings(scene: &Scene) -> Vec<Point> {
    let middle = |mark: &Mark| match mark {
        Mark::Line { points, paint, .. } if *paint == PAPER && points.len() == 33 => {
            let mean = |part: fn(&Point) -> f64| points[1..].iter().map(part).sum::<f64>() / 32.0;
            Some((mean(|point| point.0), mean(|point| point.1)))
        }
        _ => None,
    };
    scene.marks.iter().filter_map(middle).collect()
}

/// The corners of the last cell drawn around a point, and its colour.
fn cell_around(scene: &Scene, (x, y): Point) -> (Vec<Point>, (u8, u8, u8)) {
    let around = |mark: &Mark| match mark {
        Mark::Area { points, paint } => {
            let inside = points[0].0 < x && x < points[2].0 && points[0].1 < y && y < points[2].1;
            inside.then(|| (points.clone(), paint.rgb))
        }
        _ => None,
    };
    scene.marks.iter().filter_map(around).next_back().unwrap()
}

#[test]
fn the_ring_is_on_the_middle_of_the_cell_with_the_least_score() {
    let figure = SurfaceFigure::new(vec![bowl("a", 7, 10, (2, 8)), bowl("b", 7, 10, (6, 0))]).unwrap();
    let scene = figure.scene().unwrap();
    let rings = rings(&scene);
    assert_eq!(rings.len(), 3);
    for ring in &rings[1..] {
        let (corners, paint) = cell_around(&scene, *ring);
        assert_eq!(paint, VIRIDIS.at(0.0).rgb);
        let middle = (0.5 * (corners[0].0 + corners[2].0), 0.5 * (corners[0].1 + corners[2].1));
        assert!((middle.0 - ring.0).hypot(middle.1 - ring.1) < 1e-9);
    }
    // Column 8 of the one is right of the middle of its panel; row 6 of the other, the largest penalty, is on top.
    assert!(rings[2].1 < rings[1].1 && rings[1].0 < rings[2].0);
    assert!(cell_around(&scene, (rings[1].0 + 40.0, rings[1].1)).1 != VIRIDIS.at(0.0).rgb);
}

#[test]
fn parameters_ascend_on_the_figure_whatever_their_order() {
    let scores = Array2::from_shape_vec((2, 3), vec![6.0, 4.0, 5.0, 3.0, 1.0, 2.0]).unwrap();
    let given = SurfacePanel::new("", vec![3.0, 1.0, 2.0], vec![20.0, 10.0], scores).unwrap();
    let sorted = Array2::from_shape_vec((2, 3), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(given, SurfacePanel::new("", vec![1.0, 2.0, 3.0], vec![10.0, 20.0], sorted).unwrap());
}

#[test]
fn the_caption_says_the_least_score_and_where_it_is() {
    let scores = Array2::from_shape_vec((3, 3), vec![3.0, 2.0, 3.0, 2.0, 0.0123, 2.0, 3.0, 2.0, 3.0]).unwrap();
    let panel = SurfacePanel::new("C1", vec![0.01, 0.05, 0.1], vec![1e-4, 1e-3, 1e-2], scores).unwrap();
    let figure = SurfaceFigure::new(vec![panel]).unwrap();
    let said = texts(&figure.scene().unwrap());
    assert!(said.contains("C1 least 0.0123 at range 0.05, penalty 0.001"), "{said}");
    assert!(said.contains("Scores of the candidates") && !said.contains("edge"));
    let figure = figure.title("Risk").axes("width", "weight").score_name("estimated risk");
    let said = texts(&figure.scene().unwrap());
    assert!(said.contains("least 0.0123 at width 0.05, weight 0.001"), "{said}");
    assert!(said.contains("Risk") && said.contains("estimated risk"), "{said}");
}

#[test]
fn a_least_score_on_the_edge_is_said_to_be_there_unless_the_parameter_has_one_value() {
    let says_edge = |panel: SurfacePanel| {
        let figure = SurfaceFigure::new(vec![panel]).unwrap();
        texts(&figure.scene().unwrap()).contains("on the edge of the grid")
    };
    for edge in [(0, 2), (4, 2), (2, 0), (2, 5)] {
        assert!(says_edge(bowl("", 5, 6, edge)), "{edge:?}");
    }
    assert!(!says_edge(bowl("", 5, 6, (1, 4))));
    assert!(!says_edge(bowl("", 1, 6, (0, 3))) && says_edge(bowl("", 1, 6, (0, 5))));
    assert!(!says_edge(bowl("", 6, 1, (3, 0))) && says_edge(bowl("", 6, 1, (0, 0))));
    assert!(!says_edge(bowl("", 1, 1, (0, 0))));
}

#[test]
fn all_panels_have_the_same_colours_for_the_same_scores() {
    let panel = |shift: f64| {
        let scores = Array2::from_shape_fn((4, 4), |(row, column)| shift + (row * 4 + column) as f64);
        SurfacePanel::new("", parameters(4, 2.0), parameters(4, 2.0), scores).unwrap()
    };
    let scene = SurfaceFigure::new(vec![panel(0.0), panel(5.0)]).unwrap().scene().unwrap();
    let rings = rings(&scene);
    let colour_of_five = cell_around(&scene, rings[2]).1;
    let (corners, _) = cell_around(&scene, rings[1]);
    let (width, height) = (corners[2].0 - corners[0].0, corners[2].1 - corners[0].1);
    assert_eq!(cell_around(&scene, (rings[1].0 + width, rings[1].1 - height)).1, colour_of_five);
}

#[test]
fn private_scores_come_with_the_watermark_and_public_ones_without() {
    let panels = || vec![bowl("a", 7, 10, (2, 3)), bowl("b", 40, 8, (2, 3))];
    let public = SurfaceFigure::new(panels()).unwrap();
    assert!(watermarks(&public.scene().unwrap()).is_empty());
    assert!(!public.to_svg().unwrap().contains("PRIVATE"));
    let private = SurfaceFigure::not_private(NonPrivate::new(panels())).unwrap();
    assert_watermarked(&private.scene().unwrap());
    let svg = private.to_svg().unwrap();
    assert!(svg.contains(CURATOR_STAMP) && svg.contains("Do not publish."));
    assert!(format!("{private:?}").contains("NonPrivate(..)") && !format!("{private:?}").contains("scores"));
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_surfaces() {
    let extreme = |scores: [f64; 4]| {
        let scores = Array2::from_shape_vec((2, 2), scores.to_vec()).unwrap();
        SurfacePanel::new("extreme", vec![1e-300, 1e300], vec![1.234_567_891e-7, 1.234_567_892e-7], scores).unwrap()
    };
    let mut figures = vec![
        vec![extreme([-f64::MAX, 0.0, 1.0, f64::MAX])],
        vec![extreme([0.0; 4]), extreme([1e-300, -1e-300, 0.0, 2e-300])],
        vec![bowl("one cell", 1, 1, (0, 0)), bowl("a row", 1, 12, (0, 3)), bowl("a column", 12, 1, (3, 0))],
        vec![bowl("fine", 150, 3, (7, 1)), bowl("wide", 3, 200, (1, 100)), bowl("", 8, 8, (0, 0))],
    ];
    figures.extend((1..=12).map(|n| (0..n).map(|i| bowl(&"a long label ".repeat(i), 7 + i, 10, (i, 5))).collect()));
    for panels in figures {
        let figure = SurfaceFigure::not_private(NonPrivate::new(panels.clone())).unwrap();
        for names in [
            ("range", "penalty", "score"),
            ("", "", ""),
            ("a name of a parameter", "another, longer than it need be", "s"),
        ] {
            let named = SurfaceFigure::new(panels.clone()).unwrap().title("T").axes(names.0, names.1);
            let scene = named.score_name(&names.2.repeat(12)).scene().unwrap();
            assert_readable(&scene);
            assert_on_the_figure(&scene);
        }
        assert_readable(&figure.scene().unwrap());
    }
}

#[test]
fn the_same_scores_give_the_same_bytes() {
    let figure = || SurfaceFigure::not_private(NonPrivate::new(vec![bowl("a", 7, 10, (2, 3))])).unwrap();
    assert_eq!(figure().to_svg().unwrap(), figure().to_svg().unwrap());
    assert_eq!(figure().to_png().unwrap(), figure().to_png().unwrap());
}

#[test]
fn a_surface_needs_a_finite_score_for_every_pair_of_positive_parameters() {
    let new = |columns: &[f64], rows: &[f64], scores: Array2<f64>| {
        SurfacePanel::new("", columns.to_vec(), rows.to_vec(), scores).unwrap_err()
    };
    assert_eq!(new(&[], &[1.0], Array2::zeros((1, 0))), FigureError::NoCandidates { columns: 0, rows: 1 });
    for bad in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(new(&[1.0, bad], &[1.0], Array2::zeros((1, 2))), FigureError::Candidate { value: bad });
        assert_eq!(new(&[1.0], &[bad], Array2::zeros((1, 1))), FigureError::Candidate { value: bad });
    }
    assert!(
        matches!(new(&[f64::NAN], &[1.0], Array2::zeros((1, 1))), FigureError::Candidate { value } if value.is_nan())
    );
    assert_eq!(
        new(&[1.0, 2.0], &[1.0], Array2::zeros((2, 1))),
        FigureError::Shape { rows: 1, columns: 2, found_rows: 2, found_columns: 1 }
    );
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut scores = Array2::zeros((2, 3));
        scores[[1, 2]] = bad;
        let error = new(&[3.0, 2.0, 1.0], &[2.0, 1.0], scores);
        assert_eq!(error, FigureError::Score { row: 1, column: 2 });
    }
}

#[test]
fn a_figure_has_between_one_and_twelve_surfaces() {
    let figure = |n: usize| SurfaceFigure::new(vec![bowl("", 3, 3, (1, 1)); n]);
    assert_eq!(figure(0).unwrap_err(), FigureError::NoPanels);
    assert_eq!(figure(13).unwrap_err(), FigureError::TooMany { what: "panels", found: 13, most: 12 });
    assert!(figure(12).is_ok());
}
