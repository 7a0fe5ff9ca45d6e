#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::samples::{assert_on_the_figure, assert_readable, text_boxes};
use crate::scene::{INK, Mark};

/// `n` values from one to another at equal ratios.
fn values(from: f64, to: f64, n: usize) -> Vec<f64> {
    let logs = |i: usize| from.ln() + (to.ln() - from.ln()) * i as f64 / (n.max(2) - 1) as f64;
    (0..n).map(|i| logs(i).exp()).collect()
}

fn panel(label: &str, n: usize, ratio: impl Fn(f64, f64) -> f64) -> RatioPanel {
    let (columns, rows) = (values(0.01, 10.0, n), values(1e-12, 0.5, n + 3));
    let ratios = Array2::from_shape_fn((n + 3, n), |(row, column)| ratio(columns[column], rows[row]));
    RatioPanel::new(label, columns, rows, ratios).unwrap()
}

fn texts(scene: &Scene) -> String {
    text_boxes(scene).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
}

/// The contours drawn, without the key of the legend.
fn contours(scene: &Scene) -> Vec<Vec<Point>> {
    let contour = |mark: &Mark| match mark {
        Mark::Line { points, width, paint } if *width == 2.0 && *paint == INK => Some(points.clone()),
        _ => None,
    };
    scene.marks.iter().filter_map(contour).skip(1).collect()
}

#[test]
fn the_contour_of_a_product_is_where_the_product_is_one() {
    let product = |columns: Vec<f64>, rows: Vec<f64>| {
        let ratios = Array2::from_shape_fn((rows.len(), columns.len()), |(row, column)| rows[row] * columns[column]);
        RatioPanel::new("", columns, rows, ratios).unwrap()
    };
    for panel in [
        product(values(0.1, 10.0, 31), values(0.01, 50.0, 17)),
        product(vec![7.0, 0.3, 1.1, 0.2], vec![0.5, 30.0, 2.0]),
        product(vec![0.5, 3.0], vec![0.7, 2.5]),
        product(values(1e-12, 0.5, 40), values(0.7, 1e13, 41)),
    ] {
        let lines = panel.unit_contour();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|(x, y)| (x * y - 1.0).abs() < 1e-6), "{lines:?}");
    }
}

#[test]
fn the_line_drawn_is_the_contour_on_the_panels_axes() {
    let columns = values(0.1, 10.0, 21);
    let ratios = Array2::from_shape_fn((21, 21), |(row, column)| columns[row] * columns[column]);
    let panel = RatioPanel::new("", columns.clone(), columns, ratios).unwrap();
    let scene = RatioFigure::new(vec![panel]).unwrap().scene().unwrap();
    let lines = contours(&scene);
    assert_eq!(lines.len(), 1);
    // From the upper left corner to the lower right: the diagonal of the panel, which is 350 high.
    let (first, last) = (lines[0][0], lines[0][lines[0].len() - 1]);
    assert!(((first.1 - last.1).abs() - 350.0).abs() < 1e-6, "{first:?} to {last:?}");
    let slope = (last.1 - first.1) / (last.0 - first.0);
    assert!(lines[0].iter().all(|(x, y)| (y - first.1 - slope * (x - first.0)).abs() < 1e-6) && slope > 0.0);
}

#[test]
fn a_ratio_and_its_inverse_are_equally_far_from_the_middle() {
    let scale = scale::Scale { largest: 4.0, range: (-9.0, 9.0) };
    for ratio in [1.0_f64, 1.1, 2.0, 3.9, 4.0, 70.0] {
        let (over, under) = (scale.position(ratio.ln()), scale.position(-ratio.ln()));
        assert!((over + under - 1.0).abs() < 1e-15 && over >= 0.5, "{ratio}");
        assert_eq!(over == 1.0, ratio >= 4.0);
    }
    assert_eq!(scale::colour(0.5).rgb, (247, 247, 247));
}

#[test]
fn the_bar_has_powers_between_its_ends_and_says_what_is_beyond() {
    let texts = |largest: f64, range: (f64, f64)| -> Vec<String> {
        scale::Scale { largest, range }.ticks().into_iter().map(|(_, text)| text).collect()
    };
    assert_eq!(texts(4.0, (-1.0, 1.0)), ["1/4", "1/2", "1", "2", "4"]);
    assert_eq!(texts(4.0, (-2.0, 1.0)), ["≤ 1/4", "1/2", "1", "2", "4"]);
    assert_eq!(texts(16.0, (-1.0, 5.0)), ["1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8", "≥ 16"]);
    assert_eq!(texts(1.5, (0.0, 0.0)), ["1/1.5", "1", "1.5"]);
    for largest in [1.01, 3.0, 1e3, 1e30, f64::MAX] {
        let ticks = scale::Scale { largest, range: (0.0, 0.0) }.ticks();
        assert!(ticks.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1), "{ticks:?}");
        assert!(ticks.len() <= 11, "{ticks:?}");
    }
}

#[test]
fn the_document_says_what_is_on_it() {
    let figure = RatioFigure::new(vec![panel("logistic / Laplace", 12, |x, y| 0.5 + x * y.powf(0.1))]).unwrap();
    let svg = figure.clone().title("Families").axes("epsilon", "delta").ratio_name("variances").to_svg().unwrap();
    for text in ["Families", "epsilon", "delta", "variances is 1", "logistic / Laplace", "1/4", "≥ 4", "10⁻¹²"] {
        assert!(svg.contains(text), "{text}");
    }
    let svg = figure.to_svg().unwrap();
    assert!(["Ratios of variances", "ratio of variances is 1", "ε", "δ"].iter().all(|text| svg.contains(text)));
    assert!(!svg.contains("PRIVATE"));
}

#[test]
fn a_ratio_that_never_is_one_has_no_line_and_the_heading_says_so() {
    let said = |ratio: fn(f64, f64) -> f64| {
        let scene = RatioFigure::new(vec![panel("", 9, ratio)]).unwrap().scene().unwrap();
        assert!(contours(&scene).is_empty() && !texts(&scene).contains("is 1"));
        texts(&scene)
    };
    assert!(said(|x, _| 1.5 + x).contains("1.51 to 11.5, above 1 everywhere"));
    assert!(said(|x, _| 0.5 / (1.0 + x)).contains("below 1 everywhere"));
    assert!(said(|_, _| 1.0).contains(" 1 everywhere") && said(|_, _| 3.0).contains(" 3 everywhere"));
    // Rounding is no line.
    assert!(said(|x, _| 1.0 + 1e-15 * (100.0 * x).sin()).contains(" 1 everywhere"));
}

#[test]
fn parameters_ascend_on_the_figure_whatever_their_order() {
    let ratios = Array2::from_shape_vec((2, 3), vec![6.0, 4.0, 5.0, 3.0, 1.0, 2.0]).unwrap();
    let given = RatioPanel::new("", vec![3.0, 1.0, 2.0], vec![20.0, 10.0], ratios).unwrap();
    let sorted = Array2::from_shape_vec((2, 3), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(given, RatioPanel::new("", vec![1.0, 2.0, 3.0], vec![10.0, 20.0], sorted).unwrap());
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_ratios() {
    let tiny = |columns: &[f64], rows: &[f64]| {
        let ratios = Array2::from_shape_fn((rows.len(), columns.len()), |(i, j)| if i == j { 1e-300 } else { 1e300 });
        RatioPanel::new("extreme", columns.to_vec(), rows.to_vec(), ratios).unwrap()
    };
    let mut figures: Vec<Vec<RatioPanel>> =
        (1..=4).map(|n| (0..n).map(|i| panel(&"a long label ".repeat(3 * i), 7 + i, |x, y| x + y)).collect()).collect();
    figures.push(vec![tiny(&[1e-300, 1e300], &[1e-310, 1.0]), tiny(&[1.0], &[2.0]), tiny(&[1.0, 1.000_000_1], &[0.2])]);
    figures.push(vec![tiny(&[5e-324, 1e-323], &[1e308, f64::MAX]), panel("fine", 400, |x, y| x / y.powf(0.1))]);
    for panels in figures {
        for (largest, name) in
            [(4.0, ""), (1.01, "short"), (1e10, "a name longer than it need be, much longer, and more")]
        {
            let figure = RatioFigure::new(panels.clone()).unwrap().largest_ratio(largest).unwrap();
            let scene = figure.axes(name, name).ratio_name(name).scene().unwrap();
            assert_readable(&scene);
            assert_on_the_figure(&scene);
        }
    }
}

#[test]
fn the_same_ratios_give_the_same_bytes() {
    let figure = || RatioFigure::new(vec![panel("a", 20, |x, y| x * (y + 0.3))]).unwrap();
    assert_eq!(figure().to_svg().unwrap(), figure().to_svg().unwrap());
    assert_eq!(figure().to_png().unwrap(), figure().to_png().unwrap());
}

#[test]
fn a_panel_needs_a_positive_ratio_for_every_pair_of_different_positive_parameters() {
    let new = |columns: &[f64], rows: &[f64], ratios: Array2<f64>| {
        RatioPanel::new("", columns.to_vec(), rows.to_vec(), ratios).unwrap_err()
    };
    assert_eq!(new(&[], &[1.0], Array2::ones((1, 0))), FigureError::NoCandidates { columns: 0, rows: 1 });
    assert_eq!(new(&[1.0, -1.0], &[1.0], Array2::ones((1, 2))), FigureError::Candidate { value: -1.0 });
    assert_eq!(
        new(&[1.0, 2.0], &[1.0], Array2::ones((2, 1))),
        FigureError::Shape { rows: 1, columns: 2, found_rows: 2, found_columns: 1 }
    );
    assert_eq!(new(&[1.0, 2.0, 1.0], &[1.0], Array2::ones((1, 3))), FigureError::Repeated { value: 1.0 });
    for (bad, error) in [
        (0.0, FigureError::Ratio { row: 1, column: 2, value: 0.0 }),
        (-2.0, FigureError::Ratio { row: 1, column: 2, value: -2.0 }),
        (f64::NAN, FigureError::Score { row: 1, column: 2 }),
        (f64::INFINITY, FigureError::Score { row: 1, column: 2 }),
    ] {
        let mut ratios = Array2::ones((2, 3));
        ratios[[1, 2]] = bad;
        assert_eq!(new(&[3.0, 2.0, 1.0], &[2.0, 1.0], ratios), error);
    }
}

#[test]
fn a_figure_has_between_one_and_four_panels_and_colours_that_differ() {
    let figure = |n: usize| RatioFigure::new(vec![panel("", 3, |x, _| x); n]);
    assert_eq!(figure(0).unwrap_err(), FigureError::NoPanels);
    assert_eq!(figure(5).unwrap_err(), FigureError::TooMany { what: "panels", found: 5, most: 4 });
    for bad in [1.0, -4.0, f64::INFINITY] {
        let error = figure(4).unwrap().largest_ratio(bad).unwrap_err();
        assert_eq!(error, FigureError::LargestRatio { value: bad, least: 1.01 });
    }
    assert!(figure(1).unwrap().largest_ratio(f64::NAN).is_err());
}

#[test]
fn colours_are_on_the_side_of_the_contour_where_the_ratio_is() {
    // A saddle between four values only: positive in two corners, negative between them.
    let ratios = Array2::from_shape_vec((2, 2), vec![3.0, 0.2, 0.25, 3.5]).unwrap();
    let panel = RatioPanel::new("", vec![1.0, 2.0], vec![1.0, 2.0], ratios).unwrap();
    let scene = RatioFigure::new(vec![panel]).unwrap().scene().unwrap();
    let lines = contours(&scene);
    assert_eq!(lines.len(), 2);
    let (left, right) = lines.iter().flatten().fold((f64::INFINITY, 0.0_f64), |(l, r), p| (l.min(p.0), r.max(p.0)));
    let block = |mark: &Mark| match mark {
        Mark::Area { points, paint } => Some((points[0], points[2], paint.rgb)),
        _ => None,
    };
    // After the bar of 220 strips; the first of the panel is in its lower left corner.
    let blocks: Vec<_> = scene.marks.iter().filter_map(block).skip(220).collect();
    let bottom = blocks[0].1.1;
    let mut sides = [0, 0];
    for (low, high, (red, _, blue)) in blocks {
        let (x, y) = ((0.5 * (low.0 + high.0) - left) / (right - left), (bottom - 0.5 * (low.1 + high.1)) / 350.0);
        let along = |from: f64, to: f64| (1.0 - x) * from.ln() + x * to.ln();
        let log = (1.0 - y) * along(3.0, 0.2) + y * along(0.25, 3.5);
        if log.abs() > 0.05 {
            assert_eq!(red > blue, log > 0.0, "{x}, {y}");
            sides[usize::from(log > 0.0)] += 1;
        }
    }
    assert!(sides.iter().all(|count| *count > 100), "{sides:?}");
}
