#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::FigureSize;
use crate::canvas::palette::{BLUE, SOFT_INK, VERMILION};
use crate::canvas::scene::{Mark, Point, Scene};
use crate::samples::{assert_on_the_figure, assert_readable, text_boxes};
use AxisScale::{Linear, Log10};

fn series(label: &str, x: &[f64], y: &[f64], style: SeriesStyle) -> Series {
    Series { label: label.to_owned(), x: x.to_vec(), y: y.to_vec(), style }
}

fn line(label: &str, x: &[f64], y: &[f64]) -> Series {
    series(label, x, y, SeriesStyle::Line)
}

fn scene(panels: Vec<LinePanel>) -> Scene {
    LineFigure::new(panels).unwrap().scene().unwrap()
}

fn texts(scene: &Scene) -> String {
    text_boxes(scene).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
}

/// The lines of this paint and width.
fn lines(scene: &Scene, of: crate::canvas::palette::Paint, wide: f64) -> Vec<Vec<Point>> {
    let line = |mark: &Mark| match mark {
        Mark::Line { points, paint, width } if *paint == of && *width == wide => Some(points.clone()),
        _ => None,
    };
    scene.marks.iter().filter_map(line).collect()
}

fn areas(scene: &Scene, of: crate::canvas::palette::Paint) -> usize {
    scene.marks.iter().filter(|mark| matches!(mark, Mark::Area { paint, .. } if *paint == of)).count()
}

#[test]
fn a_power_law_is_straight_on_logarithmic_axes() {
    let x: Vec<f64> = (0..9).map(|i| 10f64.powi(i - 4)).collect();
    let y: Vec<f64> = x.iter().map(|x| 3.0 * x.powf(-1.5)).collect();
    let scene = scene(vec![LinePanel::new("", Log10, Log10, vec![line("", &x, &y)]).unwrap()]);
    let drawn = lines(&scene, BLUE, 1.75);
    assert_eq!((drawn.len(), drawn[0].len()), (1, 9));
    let steps: Vec<Point> = drawn[0].windows(2).map(|p| (p[1].0 - p[0].0, p[1].1 - p[0].1)).collect();
    assert!(steps.iter().all(|s| (s.0 - steps[0].0).abs() < 1e-9 && (s.1 - steps[0].1).abs() < 1e-9 && s.1 > 0.0));
}

#[test]
fn series_of_different_lengths_share_a_panel_and_look_as_their_style_says() {
    let panel = LinePanel::new(
        "",
        Linear,
        Linear,
        vec![
            series("a", &[0.0, 1.0, 2.0], &[1.0, 2.0, 3.0], SeriesStyle::Both),
            series("b", &[0.0, 5.0], &[-1.0, 2.0], SeriesStyle::Points),
        ],
    );
    let scene = scene(vec![panel.unwrap()]);
    // One more of each for the legend.
    assert_eq!((lines(&scene, BLUE, 1.75).len(), areas(&scene, BLUE)), (2, 4));
    assert_eq!((lines(&scene, VERMILION, 1.75).len(), areas(&scene, VERMILION)), (0, 3));
}

#[test]
fn panels_with_one_scale_show_the_same_value_at_the_same_height() {
    let panel = |top: f64, scale| {
        LinePanel::new("", Linear, scale, vec![line("a", &[0.0, 1.0, 2.0], &[1.0, 2.0, top])]).unwrap()
    };
    let steps = |figure: LineFigure| -> Vec<f64> {
        let all = lines(&figure.scene().unwrap(), BLUE, 1.75);
        all.iter().filter(|points| points.len() == 3).map(|points| points[0].1 - points[1].1).collect()
    };
    for scale in [Linear, Log10] {
        let figure = || LineFigure::new(vec![panel(3.0, scale), panel(300.0, scale)]).unwrap();
        let (own, shared) = (steps(figure()), steps(figure().with_one_scale()));
        assert_eq!((own.len(), shared.len()), (2, 2));
        assert!((own[0] - own[1]).abs() > 1.0 && (shared[0] - shared[1]).abs() < 1e-9, "{own:?} {shared:?}");
    }
    let mixed = LineFigure::new(vec![panel(3.0, Linear), panel(3.0, Log10)]).unwrap();
    assert_eq!(steps(mixed.clone()), steps(mixed.with_one_scale()));
}

#[test]
fn a_lone_point_has_a_marker_even_without_markers() {
    let scene = scene(vec![LinePanel::new("", Log10, Linear, vec![line("", &[3.0], &[0.0])]).unwrap()]);
    assert_eq!((lines(&scene, BLUE, 1.75).len(), areas(&scene, BLUE)), (0, 1));
}

#[test]
fn one_label_looks_the_same_in_all_panels_and_is_once_in_the_legend() {
    let panel = |labels: [&str; 2]| {
        let its = labels.map(|label| line(label, &[1.0, 2.0], &[1.0, 2.0]));
        LinePanel::new("", Linear, Linear, its.to_vec()).unwrap()
    };
    let scene = scene(vec![panel(["Laplace", "logistic"]), panel(["logistic", "Laplace"])]);
    assert_eq!(texts(&scene).matches("Laplace").count(), 1);
    assert_eq!(lines(&scene, BLUE, 1.75).len(), 3);
}

#[test]
fn a_reference_line_is_at_its_height_and_means_what_the_legend_or_the_heading_says() {
    let panel = |y: f64, label: &str| {
        let its = vec![line("a", &[1.0, 2.0], &[2.0, 2.0])];
        LinePanel::new("", Linear, Linear, its).unwrap().reference(y, label).unwrap()
    };
    let one = scene(vec![panel(2.0, "the truth")]);
    let height = lines(&one, BLUE, 1.75)[1][0].1;
    assert!(lines(&one, SOFT_INK, 1.25).iter().any(|dash| (dash[0].1 - height).abs() < 1e-9));
    let same = texts(&scene(vec![panel(2.0, "the truth"), panel(7.0, "the truth")]));
    assert!(same.matches("the truth").count() == 1 && !same.contains("dashes"), "{same}");
    let other = texts(&scene(vec![panel(2.0, "the truth"), panel(7.0, "the bound")]));
    assert!(other.contains("dashes: the truth") && other.contains("dashes: the bound"), "{other}");
    // The axis reaches as far as the line.
    assert!(texts(&scene(vec![panel(1000.0, "")])).contains("1000"));
}

#[test]
fn powers_of_ten_that_differ_are_said_at_each_panel() {
    let panel =
        |size: f64| LinePanel::new("", Linear, Linear, vec![line("", &[0.0, 1.0], &[size, 3.0 * size])]).unwrap();
    assert!(texts(&scene(vec![panel(1e-7), panel(1e-7)])).contains("y (×10⁻⁷)"));
    let said = texts(&scene(vec![panel(1e-7), panel(1e9), panel(1.0)]));
    assert!(
        said.contains("vertical axis ×10⁻⁷") && said.contains("vertical axis ×10⁹") && !said.contains("y ("),
        "{said}"
    );
}

#[test]
fn the_document_says_what_is_on_it() {
    let panel = LinePanel::new("claw", Log10, Log10, vec![line("Laplace", &[1.0, 1e6], &[1e-9, 1.0])]).unwrap();
    let panel = panel.reference(1e-4, "minimax").unwrap();
    let figure = || LineFigure::new(vec![panel.clone()]).unwrap().title("Risks").axes("cells", "MISE");
    let svg = figure().to_svg().unwrap();
    for text in ["Risks", "cells", "MISE", "claw", "Laplace", "minimax", "10⁶"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(svg, figure().to_svg().unwrap());
    assert_eq!(figure().to_png().unwrap(), figure().to_png().unwrap());
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_series() {
    let x: Vec<f64> = (1..30).map(f64::from).collect();
    let wave = |size: f64, shift: f64| x.iter().map(|x| shift + size * x.sin()).collect::<Vec<f64>>();
    let mut figures: Vec<Vec<LinePanel>> = Vec::new();
    let ranges =
        [(0.0, 5.0), (1e-9, 1.0), (1.0, 1.01), (1e-300, 1e-290), (1e200, 1e300), (f64::MAX / 8.0, f64::MAX / 4.0)];
    for (size, shift) in ranges {
        for scale in [Linear, Log10] {
            let its: Vec<Series> =
                (0..12).map(|i| line(&format!("{i} {}", "of many names ".repeat(i)), &x, &wave(size, shift))).collect();
            let panel = |i: usize| {
                let panel = LinePanel::new(&"label ".repeat(9 * i), scale, scale, its.clone()).unwrap();
                panel.reference(shift, &format!("a reference {}", "line ".repeat(5 * i))).unwrap()
            };
            figures.extend((1..=4).map(|n| (0..n).map(panel).collect()));
        }
    }
    let narrow =
        |from: f64, to: f64| LinePanel::new("", Log10, Log10, vec![line("", &[from, to], &[from, to])]).unwrap();
    figures.push(vec![narrow(1.5, 9.0), narrow(2.0, 50.0), narrow(0.999, 1.001)]);
    figures.push(vec![narrow(5e-324, f64::MAX), narrow(1e-5, 1.2e-5), narrow(1e308, f64::MAX), narrow(5e-324, 5e-323)]);
    for panels in figures {
        for (title, name) in [("", ""), ("a title", "a name of an axis that is longer than it need be, much longer")] {
            let scene = LineFigure::new(panels.clone()).unwrap().title(title).axes(name, name).scene().unwrap();
            assert_readable(&scene);
            assert_on_the_figure(&scene);
        }
    }
}

#[test]
fn every_point_must_be_somewhere_on_the_axes() {
    let new = |x_scale, y_scale, its: Vec<Series>| LinePanel::new("", x_scale, y_scale, its).map(|_| ());
    let good = || line("", &[1.0, 2.0], &[1.0, 2.0]);
    assert_eq!(new(Linear, Linear, vec![]), Err(FigureError::NoSeries));
    assert_eq!(new(Linear, Linear, vec![good(), line("", &[], &[])]), Err(FigureError::EmptySeries { series: 1 }));
    let uneven = vec![good(), line("", &[1.0], &[1.0, 2.0])];
    assert_eq!(new(Linear, Linear, uneven), Err(FigureError::SeriesLengths { series: 1, x: 1, y: 2 }));
    for (x, y) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (1.0, -1.0)] {
        let its = || vec![good(), line("", &[1.0, x], &[1.0, y])];
        let error = FigureError::SeriesPoint { series: 1, point: 1, x, y };
        assert_eq!(new(Log10, Log10, its()), Err(error));
        assert_eq!(new(Linear, Log10, its()), if y > 0.0 { Ok(()) } else { Err(error) });
        assert_eq!(new(Log10, Linear, its()), if x > 0.0 { Ok(()) } else { Err(error) });
        assert_eq!(new(Linear, Linear, its()), Ok(()));
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for its in [line("", &[bad], &[1.0]), line("", &[1.0], &[bad])] {
            assert!(matches!(
                new(Linear, Linear, vec![its]),
                Err(FigureError::SeriesPoint { series: 0, point: 0, .. })
            ));
        }
        let panel = LinePanel::new("", Linear, Linear, vec![good()]).unwrap();
        assert!(matches!(panel.reference(bad, ""), Err(FigureError::Reference { .. })));
    }
    let panel = LinePanel::new("", Linear, Log10, vec![good()]).unwrap();
    assert_eq!(panel.reference(0.0, "").unwrap_err(), FigureError::Reference { value: 0.0 });
}

#[test]
fn a_figure_has_between_one_and_twelve_panels_and_at_most_twelve_labels() {
    let panel = |labels: usize| {
        let its = (0..labels).map(|i| line(&i.to_string(), &[1.0], &[1.0])).collect();
        LinePanel::new("", Linear, Linear, its).unwrap()
    };
    assert_eq!(LineFigure::new(vec![]).unwrap_err(), FigureError::NoPanels);
    assert_eq!(
        LineFigure::new(vec![panel(1); 13]).unwrap_err(),
        FigureError::TooMany { what: "panels", found: 13, most: 12 }
    );
    let too_many = FigureError::TooMany { what: "labels of series", found: 13, most: 12 };
    assert_eq!(LineFigure::new(vec![panel(13)]).unwrap_err(), too_many);
    assert!(LineFigure::new(vec![panel(12); 4]).is_ok());
}

#[test]
fn a_band_beyond_what_is_possible_is_cut_and_the_cut_is_marked() {
    let band = series("a", &[0.0, 1.0, 2.0, 2.0, 1.0, 0.0], &[0.2, 0.2, 0.2, 0.8, 1.5, 1.5], SeriesStyle::Area);
    let panel = |limits| LinePanel::new("", Linear, Linear, vec![band.clone()]).unwrap().within(limits);
    let free = scene(vec![panel(None)]);
    assert!(!texts(&free).contains(crate::parts::stretches::CUT));
    let cut = scene(vec![panel(Some((0.0, 1.0)))]);
    assert!(texts(&cut).contains(crate::parts::stretches::CUT));
    assert_eq!(lines(&cut, SOFT_INK, crate::parts::stretches::CUT_WIDTH).len(), 2, "the key and the cut");
    assert_on_the_figure(&cut);
}

/// Noise may move an estimate beyond what is possible: the axis follows the line, and not the band.
#[test]
fn a_line_beyond_what_is_possible_is_shown_whole() {
    let band = series("a", &[0.0, 1.0, 2.0, 2.0, 1.0, 0.0], &[0.2, 0.2, 0.2, 0.8, 9.5, 1.5], SeriesStyle::Area);
    let estimate = line("a", &[0.0, 1.0, 2.0], &[0.5, 1.4, 0.5]);
    let panel = LinePanel::new("", Linear, Linear, vec![band, estimate]).unwrap().within(Some((0.0, 1.0)));
    let drawn = scene(vec![panel]);
    assert_eq!(lines(&drawn, BLUE, 1.75).iter().filter(|line| line.len() == 3).count(), 1);
    assert_on_the_figure(&drawn);
}

#[test]
fn panels_whose_axes_differ_each_have_the_name_of_their_own() {
    let panel =
        |name: &str| LinePanel::new("", Linear, Linear, vec![line("", &[0.0, 1.0], &[0.0, 1.0])]).unwrap().named(name);
    let two = scene(vec![panel("mg/dL"), panel("mg/dL per year")]);
    assert_readable(&two);
    assert_eq!(texts(&two).matches("mg/dL").count(), 2);
    assert_eq!(texts(&scene(vec![panel("cm"), panel("cm")])).matches("cm").count(), 1);
}

#[test]
fn lines_that_are_labelled_directly_have_their_names_at_their_ends_and_no_legend() {
    let its = [1.0, 1.02, 5.0].map(|y| line(&format!("epsilon = {y}"), &[0.0, 1.0], &[0.0, y]));
    let panel = LinePanel::new("", Linear, Linear, its.to_vec()).unwrap();
    let scene = LineFigure::new(vec![panel]).unwrap().labelled_directly().scene().unwrap();
    assert_readable(&scene);
    assert!(texts(&scene).contains("epsilon = 1.02") && lines(&scene, BLUE, 1.75).len() == 1);
}

/// A panel of a coefficient with its band and a label of 66 characters behind which its unit stands.
fn coefficient(index: usize, long: &str) -> LinePanel {
    let panel = LinePanel::new(
        &format!("site {index}: south against north"),
        Linear,
        Linear,
        vec![line("a", &[0.0, 24.0], &[-2.0, 9.0])],
    );
    panel.unwrap().named(long)
}

#[test]
fn panels_stay_high_enough_to_read_and_names_keep_their_units_at_any_size() {
    const LONG: &str = "concentration of glucose in capillary blood, measured before meals (mmol/L)";
    for (size, names) in
        [("400x300", LONG), ("800x530", LONG), ("400x300", "change (mg/dL per unit of age)"), ("1200x400", LONG)]
    {
        let (width, height) = size.split_once('x').unwrap();
        let size = FigureSize::new(width.parse().unwrap(), height.parse().unwrap()).unwrap();
        for count in [1, 2, 3, 5, 8, 12] {
            let panels = (0..count).map(|index| coefficient(index, names)).collect();
            let scene = LineFigure::new(panels).unwrap().axes("hour", "value").size(size).scene().unwrap();
            assert_readable(&scene);
            let frames: Vec<Vec<Point>> = lines(&scene, crate::canvas::palette::INK, 1.0)
                .into_iter()
                .filter(|points| points.len() == 3)
                .collect();
            assert_eq!(frames.len(), count);
            assert!(frames.iter().all(|points| points[1].1 - points[0].1 >= 99.0), "{count} panels: {frames:?}");
            let all = texts(&scene);
            assert!(!all.contains('…') && all.contains(names.rsplit(' ').next().unwrap()), "{all}");
        }
    }
}

#[test]
fn panels_below_one_another_that_share_an_axis_have_its_numbers_once() {
    let panels = (0..7).map(|index| coefficient(index, "change")).collect();
    let scene = LineFigure::new(panels).unwrap().axes("hour", "value").scene().unwrap();
    let says = |words: &str| text_boxes(&scene).iter().filter(|(text, _)| text == words).count();
    // the lowest of each of three columns
    assert_eq!((says("24"), says("hour")), (3, 3));
}
