#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NonPrivate;

use super::*;
use crate::canvas::palette::UNSUPPORTED;
use crate::canvas::scene::Mark;
use crate::figure::Figure;
use crate::samples::{assert_on_the_figure, assert_readable, assert_watermarked, raw, text_boxes, wave, with_values};

fn scene(layers: &[Layer], raw: Option<&PrivateLayer>) -> Scene {
    let figure = Figure::of_few_layers(layers.to_vec()).title("A title").axes("age (years)", "value");
    match raw {
        Some(raw) => figure.with_private_layer(NonPrivate::new(raw.clone())).scene().unwrap(),
        None => figure.scene().unwrap(),
    }
}

fn kinds_of_layers() -> Vec<Layer> {
    let values = [
        [0.5, 0.5, 0.5],
        [0.0, 0.0, 0.0],
        [-1.7e308, 0.0, 1.7e308],
        [1e-280, -2e-280, f64::NAN],
        [123_456.0, 234_567.0, -200_000.0],
        [1_000.000_12, 1_000.000_34, 1_000.000_2],
    ];
    let points = [[0.0, 0.5, 1.0], [-1e300, 1e300, 2e300], [1e-300, 2e-300, 5e-300], [18.0, 40.0, 90.0]];
    let mut layers: Vec<Layer> = values
        .iter()
        .zip(points.iter().cycle())
        .map(|(value, t)| with_values("", t.to_vec(), value.to_vec(), vec![0.0, value[0].abs() / 50.0, 0.0]))
        .collect();
    layers.push(with_values("", vec![0.0, 1.0], vec![0.4, 0.6], vec![0.01, 0.01]));
    layers.push(wave("", 93, 0.01));
    layers
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_values() {
    for layer in kinds_of_layers() {
        assert_readable(&scene(std::slice::from_ref(&layer), None));
        assert_readable(&scene(&[layer.clone(), layer], Some(&raw(3))));
    }
}

#[test]
fn no_text_is_clipped_or_covered_whatever_the_number_of_panels() {
    for panels in 1..=12 {
        let mut layers: Vec<Layer> = (0..panels).map(|i| wave(&"a long label ".repeat(i), 93, 0.01)).collect();
        for (i, layer) in layers.iter_mut().enumerate() {
            layer.facts[2] = format!("smoother Matérn 5/2 kernel, range 0.05, penalty {i}, power 1");
            layer.is_private = i % 2 == 0;
        }
        assert_readable(&scene(&layers, None));
    }
}

#[test]
fn parts_with_too_few_people_are_grey_and_in_the_legend() {
    let grey = |scene: &Scene| -> Vec<Vec<(f64, f64)>> {
        let area = |mark: &Mark| match mark {
            Mark::Area { points, paint } if *paint == UNSUPPORTED && points.len() == 4 => Some(points.clone()),
            _ => None,
        };
        scene.marks.iter().filter_map(area).collect()
    };
    let said = |scene: &Scene| text_boxes(scene).iter().any(|(words, _)| words.starts_with("count of people"));
    let all = scene(&[wave("", 93, 0.01)], None);
    assert!(grey(&all).is_empty() && !said(&all));
    let layer = Layer { unsupported: vec![0.0..0.25, 0.5..1.0], ..wave("", 93, 0.01) };
    let some = scene(&[layer], None);
    assert_readable(&some);
    assert_on_the_figure(&some);
    assert!(said(&some));
    // the key of the legend, a quarter of the panel and a half of it
    let widths: Vec<f64> = grey(&some).iter().map(|points| points[1].0 - points[0].0).collect();
    assert!(widths.len() == 3 && (widths[2] - 2.0 * widths[1]).abs() < 1e-6, "{widths:?}");
}

#[test]
fn every_line_and_area_stays_on_the_figure() {
    for layer in kinds_of_layers() {
        assert_on_the_figure(&scene(&[layer], Some(&raw(3))));
    }
}

#[test]
fn all_panels_have_the_same_scale() {
    let layers = [wave("a", 93, 0.01), wave("b", 93, 0.05)];
    let heights = |layers: &[Layer]| -> Vec<f64> {
        let released = |mark: &Mark| match mark {
            Mark::Line { points, paint, .. } if *paint == crate::canvas::palette::BLUE && points.len() > 2 => {
                let ys = points.iter().map(|point| point.1);
                Some(ys.clone().fold(f64::MIN, f64::max) - ys.fold(f64::MAX, f64::min))
            }
            _ => None,
        };
        scene(layers, None).marks.iter().filter_map(released).collect()
    };
    let both = heights(&layers);
    assert_eq!(both.len(), 2);
    assert!((both[0] - both[1]).abs() < 1e-9);
}

#[test]
fn shared_facts_are_said_once_and_others_above_their_panel() {
    let mut layers = [wave("a", 93, 0.01), wave("b", 93, 0.01)];
    layers[1].facts[1] = "N = 143".to_owned();
    let texts: Vec<String> = text_boxes(&scene(&layers, None)).into_iter().map(|(text, _)| text).collect();
    let count = |part: &str| texts.iter().filter(|text| text.contains(part)).count();
    assert_eq!([count("(ε, δ) = (1, 10⁻⁵)"), count("N = 142"), count("N = 143")], [1, 1, 1]);
}

#[test]
fn the_watermark_reaches_all_parts_of_the_figure() {
    assert_watermarked(&scene(&[wave("", 93, 0.01)], Some(&raw(3))));
}
