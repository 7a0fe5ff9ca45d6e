use super::*;
use crate::font::{register, width};
use crate::header::CURATOR_STAMP;
use crate::samples::{raw, wave, with_values};
use crate::scene::Mark;

fn scene(layers: &[Layer], raw: Option<&PrivateLayer>) -> Scene {
    assert!(register().is_ok());
    composed(&Contents { title: "A title", x_label: "age (years)", y_label: "value", layers, raw })
}

/// Left, right, top and bottom of every text but the watermark.
fn text_boxes(scene: &Scene) -> Vec<(String, [f64; 4])> {
    let boxed = |mark: &Mark| match mark {
        Mark::Text { text, at: (x, y), em, anchor, upwards, paint } if paint.alpha == 1.0 => {
            let length = width(text, *em);
            let before = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => 0.5 * length,
                Anchor::End => length,
            };
            let (above, below) = (0.77 * em, 0.25 * em);
            let sides = if *upwards {
                [x - above, x + below, y - before, y + length - before]
            } else {
                [x - before, x + length - before, y - above, y + below]
            };
            Some((text.clone(), sides))
        }
        _ => None,
    };
    scene.marks.iter().filter_map(boxed).collect()
}

fn assert_readable(scene: &Scene) {
    let boxes = text_boxes(scene);
    for (i, (text, [left, right, top, bottom])) in boxes.iter().enumerate() {
        assert!(*left >= 6.0 && *right <= scene.width - 6.0, "{text}: {left} to {right}");
        assert!(*top >= 6.0 && *bottom <= scene.height - 6.0, "{text}: {top} to {bottom}");
        for (other, [l, r, t, b]) in &boxes[..i] {
            let apart = left >= r || l >= right || top >= b || t >= bottom;
            assert!(apart, "{text:?} covers {other:?}");
        }
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
fn every_line_and_area_stays_on_the_figure() {
    for layer in kinds_of_layers() {
        let scene = scene(&[layer], Some(&raw(3)));
        for mark in &scene.marks {
            if let Mark::Line { points, .. } | Mark::Area { points, .. } = mark {
                let inside =
                    |&(x, y): &(f64, f64)| (0.0..=scene.width).contains(&x) && (0.0..=scene.height).contains(&y);
                assert!(points.iter().all(inside), "{mark:?}");
            }
        }
    }
}

#[test]
fn all_panels_have_the_same_scale() {
    let layers = [wave("a", 93, 0.01), wave("b", 93, 0.05)];
    let heights = |layers: &[Layer]| -> Vec<f64> {
        let released = |mark: &Mark| match mark {
            Mark::Line { points, paint, .. } if *paint == crate::scene::BLUE && points.len() > 2 => {
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
    let scene = scene(&[wave("", 93, 0.01)], Some(&raw(3)));
    let stamps: Vec<(f64, f64)> = scene
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text { text, at, paint, .. } if text == CURATOR_STAMP && paint.alpha < 1.0 => Some(*at),
            _ => None,
        })
        .collect();
    let band = |top: f64| stamps.iter().any(|(_, y)| (top..top + 100.0).contains(y));
    assert!((0..5).all(|i| band(f64::from(i) * scene.height / 5.0)), "{stamps:?}");
    assert!(stamps.iter().any(|(x, _)| *x < 0.0) && stamps.iter().any(|(x, _)| *x > 0.5 * scene.width));
}
