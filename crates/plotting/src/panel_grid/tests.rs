#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::canvas::palette::{GREEN, GREY, Paint, VERMILION};
use crate::canvas::scene::{Mark, Point, Scene};
use crate::parts::header::CURATOR_STAMP;
use crate::samples::{assert_on_the_figure, assert_readable, assert_watermarked, text_boxes, watermarks};

/// Curves between 0 and 1 around 0.5, and an estimate that leaves it by this much.
fn panel(label: &str, curves: usize, off: f64) -> GridPanel {
    let t: Vec<f64> = (0..40).map(|i| f64::from(i) / 39.0).collect();
    let wave = |level: f64, size: f64| -> Vec<f64> { t.iter().map(|t| level + size * (20.0 * t).sin()).collect() };
    GridPanel {
        label: label.to_owned(),
        curves: (0..curves).map(|i| wave(0.2 + 0.6 * (i as f64 / curves as f64), 0.2)).collect(),
        mean: wave(0.5, 0.1),
        released: wave(0.5, off),
        t,
    }
}

fn two_rows(panels: usize, curves: usize, off: f64) -> Vec<(String, Vec<GridPanel>)> {
    let row = |off: f64| (0..panels).map(|i| panel(&format!("φ = {i}"), curves, off)).collect();
    vec![("As published".to_owned(), row(off)), ("This project’s default".to_owned(), row(0.12))]
}

fn simulated(rows: Vec<(String, Vec<GridPanel>)>) -> Scene {
    PanelGrid::of_simulated(rows).unwrap().scene().unwrap()
}

fn texts(scene: &Scene) -> String {
    text_boxes(scene).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
}

/// The lines of this paint but the key of the legend.
fn lines(scene: &Scene, of: Paint) -> Vec<Vec<Point>> {
    let line = |mark: &Mark| match mark {
        Mark::Line { points, paint, .. } if *paint == of => Some(points.clone()),
        _ => None,
    };
    scene.marks.iter().filter_map(line).skip(1).collect()
}

fn span(points: &[Vec<Point>]) -> (f64, f64) {
    let fold = |(low, high): (f64, f64), point: &Point| (low.min(point.1), high.max(point.1));
    points.iter().flatten().fold((f64::INFINITY, f64::NEG_INFINITY), fold)
}

#[test]
fn curves_of_people_come_with_the_watermark() {
    let grid = PanelGrid::of_people(NonPrivate::new(two_rows(4, 25, 0.3))).unwrap();
    assert_watermarked(&grid.scene().unwrap());
    let svg = grid.to_svg().unwrap();
    assert!(svg.contains(CURATOR_STAMP) && svg.contains("Do not publish.") && !svg.contains("nobody"));
    assert!(format!("{grid:?}").contains("NonPrivate(..)"));
}

#[test]
fn simulated_curves_come_without_and_are_said_to_be_nobodys() {
    let scene = simulated(two_rows(4, 25, 0.3));
    assert!(watermarks(&scene).is_empty());
    let said = texts(&scene);
    assert!(said.contains("simulated curves: nobody’s data") && !said.contains("CURATOR"), "{said}");
}

#[test]
fn a_panels_values_do_not_show_in_debug_output() {
    let shown = format!("{:?}", panel("a", 3, 0.3));
    assert!(shown.contains("points: 40, curves: 3") && !shown.contains("0.5"), "{shown}");
}

#[test]
fn headings_labels_and_the_legend_are_on_the_figure() {
    let grid = PanelGrid::of_simulated(two_rows(2, 25, 0.3)).unwrap();
    let said = texts(&grid.title("The\npenalty").caption("N = 25").axes("age", "height").scene().unwrap());
    for text in ["The penalty", "N = 25", "age", "height", "As published", "This project’s default", "φ = 1"] {
        assert!(said.contains(text), "{text} is not in {said}");
    }
    assert!(said.contains("curves smoothed mean, not private sanitised estimate"), "{said}");
}

#[test]
fn estimates_stretch_the_axis_of_their_row_to_three_ranges_at_most() {
    let heights = |off: f64| {
        let scene = simulated(vec![(String::new(), vec![panel("", 25, 0.1), panel("", 25, off)])]);
        let (low, high) = span(&lines(&scene, GREY));
        high - low
    };
    // Two panels beside each other are 240 high, of which 1 / 1.1 without the padding.
    let within = 240.0 / 1.1;
    assert!((heights(0.1) - within).abs() < 1e-6);
    assert!((heights(50.0) - within / 3.0).abs() < 1e-6);
    assert!(heights(0.6) < within && heights(0.6) > within / 3.0);
}

/// What is compared has one scale, and a row of one panel has no empty place beside it.
#[test]
fn rows_have_the_same_scale_and_fill_the_figure() {
    let curves = panel("", 5, 0.1);
    let mut far = curves.clone();
    far.released.iter_mut().for_each(|value| *value *= 2.0);
    let rows = vec![("above".to_owned(), vec![far; 4]), ("below".to_owned(), vec![curves])];
    let scene = simulated(rows);
    let means = lines(&scene, GREEN);
    assert_eq!(means.len(), 5);
    let heights = means.iter().map(|line| span(std::slice::from_ref(line))).map(|(low, high)| high - low);
    let heights: Vec<f64> = heights.collect();
    assert!(heights.iter().all(|height| (height - heights[0]).abs() < 1e-9), "{heights:?}");
    let across = |line: &[Point]| line[line.len() - 1].0 - line[0].0;
    assert!(across(&means[4]) > 4.0 * across(&means[0]) && across(&means[4]) > 0.85 * scene.width);
}

#[test]
fn one_sided_estimates_may_use_all_the_spare_room() {
    let mut its = panel("", 25, 0.1);
    its.released.iter_mut().for_each(|value| *value = 2.3);
    let scene = simulated(vec![(String::new(), vec![its])]);
    assert!(!texts(&scene).contains("cut off"));
    its = panel("", 25, 0.1);
    its.released.iter_mut().for_each(|value| *value = -50.0);
    let scene = simulated(vec![(String::new(), vec![its])]);
    assert!(texts(&scene).contains("cut off") && lines(&scene, VERMILION).is_empty());
}

#[test]
fn an_estimate_that_leaves_its_panel_is_cut_off_at_the_edge_and_that_is_said() {
    for off in [50.0, 1e300, f64::MAX] {
        let scene = simulated(vec![(String::new(), vec![panel("", 25, off)])]);
        assert!(texts(&scene).contains("A sanitised estimate that leaves its panel is cut off at the edge."));
        let released = lines(&scene, VERMILION);
        let (top, bottom) = span(&released);
        assert!(released.len() > 3 && (bottom - top - 300.0).abs() < 1e-6, "{off}: {top} to {bottom}");
    }
    assert!(!texts(&simulated(vec![(String::new(), vec![panel("", 25, 0.6)])])).contains("cut off"));
}

#[test]
fn at_most_a_hundred_curves_of_a_panel_are_drawn_and_that_is_said() {
    let scene = simulated(vec![(String::new(), vec![panel("", 376, 0.1), panel("", 100, 0.1)])]);
    assert_eq!(lines(&scene, GREY).len(), 94 + 100);
    assert!(texts(&scene).contains("curves (at most 100 of up to 376 a panel, at equal distances)"));
    let scene = simulated(vec![(String::new(), vec![panel("", 100, 0.1)])]);
    assert!(!texts(&scene).contains("at most"));
}

#[test]
fn each_panel_has_its_mean_below_its_estimate() {
    let scene = simulated(two_rows(3, 5, 0.12));
    assert_eq!((lines(&scene, GREEN).len(), lines(&scene, VERMILION).len()), (6, 6));
    let place =
        |of: Paint| scene.marks.iter().rposition(|mark| matches!(mark, Mark::Line { paint, .. } if *paint == of));
    assert!(place(GREY) < place(GREEN) && place(GREEN) < place(VERMILION));
}

#[test]
fn curves_may_have_gaps_and_nothing_else() {
    let mut gappy = panel("", 3, 0.1);
    gappy.curves[0][7] = f64::NAN;
    let scene = simulated(vec![(String::new(), vec![gappy.clone()])]);
    assert_eq!(lines(&scene, GREY).len(), 4);
    let refused = |change: fn(&mut GridPanel)| {
        let mut other = gappy.clone();
        change(&mut other);
        let rows = vec![(String::new(), vec![gappy.clone()]), (String::new(), vec![gappy.clone(), other])];
        PanelGrid::of_simulated(rows).unwrap_err()
    };
    let gaps = FigureError::Gaps { row: 1, panel: 1 };
    assert_eq!(refused(|panel| panel.mean[3] = f64::NAN), gaps);
    assert_eq!(refused(|panel| panel.released[3] = f64::INFINITY), gaps);
    assert_eq!(refused(|panel| panel.t[3] = f64::NAN), gaps);
    let lengths = FigureError::Lengths { row: 1, panel: 1 };
    assert_eq!(refused(|panel| panel.curves[1].truncate(3)), lengths);
    assert_eq!(refused(|panel| panel.released.truncate(3)), lengths);
    assert_eq!(refused(|panel| panel.t.truncate(3)), lengths);
    assert_eq!(refused(|panel| *panel = panel_without_points()), lengths);
}

fn panel_without_points() -> GridPanel {
    GridPanel { label: String::new(), t: Vec::new(), curves: Vec::new(), mean: Vec::new(), released: Vec::new() }
}

#[test]
fn a_grid_has_up_to_four_rows_of_up_to_six_panels() {
    let grid = |rows: usize, panels: usize| {
        PanelGrid::of_simulated(vec![(String::new(), vec![panel("", 2, 0.1); panels]); rows])
    };
    assert_eq!(grid(0, 1).unwrap_err(), FigureError::NoPanels);
    assert_eq!(grid(2, 0).unwrap_err(), FigureError::NoPanels);
    assert_eq!(grid(5, 1).unwrap_err(), FigureError::TooMany { what: "rows of panels", found: 5, most: 4 });
    assert_eq!(grid(1, 7).unwrap_err(), FigureError::TooMany { what: "panels", found: 7, most: 6 });
    assert!(grid(4, 6).is_ok());
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_grid() {
    for panels in 1..=6 {
        for (scale, off) in [(1.0, 0.1), (1e-250, 1e300), (1e6, 50.0), (1e300, f64::MAX), (0.0, 0.0)] {
            let mut rows = two_rows(panels, 3, off);
            rows[1].1.truncate(panels.div_ceil(2));
            let all = rows.iter_mut().flat_map(|(_, panels)| panels);
            all.flat_map(|panel| panel.curves.iter_mut().chain([&mut panel.mean]).flatten()).for_each(|v| *v *= scale);
            rows[0].1[0].label = "a label far too long for any panel ".repeat(6);
            let scene =
                PanelGrid::of_people(NonPrivate::new(rows)).unwrap().caption(&"words ".repeat(60)).scene().unwrap();
            assert_readable(&scene);
            assert_on_the_figure(&scene);
        }
    }
}

#[test]
fn curves_move_no_panel_whose_ticks_stay_as_wide() {
    let frames = |off: f64, shift: f64| {
        let mut rows = two_rows(3, 5, off);
        rows.iter_mut()
            .flat_map(|(_, panels)| panels)
            .flat_map(|panel| &mut panel.curves)
            .flatten()
            .for_each(|v| *v += shift);
        lines(&simulated(rows), crate::canvas::palette::INK)
    };
    assert_eq!(frames(0.12, 0.0), frames(0.12, 0.01));
}

#[test]
fn the_same_curves_give_the_same_bytes() {
    let grid = || PanelGrid::of_people(NonPrivate::new(two_rows(4, 25, 50.0))).unwrap();
    assert_eq!(grid().to_svg().unwrap(), grid().to_svg().unwrap());
    assert_eq!(grid().to_png().unwrap(), grid().to_png().unwrap());
}
