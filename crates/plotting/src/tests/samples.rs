//! Layers for tests, and what every figure must keep.

use crate::canvas::font::width;
use crate::canvas::scene::{Anchor, Mark, Point, Scene, Text};
use crate::mean::from_release::Drawn;
use crate::mean::layer::{Layer, NOISE_RIBBON, PrivateLayer, noise_ribbon};
use crate::parts::header::CURATOR_STAMP;

/// A wave of `n` points with noise of this standard deviation.
pub(crate) fn wave(label: &str, n: usize, noise_sd: f64) -> Layer {
    let t: Vec<f64> = (0..n).map(|i| i as f64 / (n - 1) as f64).collect();
    let value = t.iter().map(|t| 0.5 + 0.1 * (7.0 * t).cos()).collect();
    with_values(label, t, value, vec![noise_sd; n])
}

/// A layer of these values.
pub(crate) fn with_values(label: &str, t: Vec<f64>, value: Vec<f64>, noise_sd: Vec<f64>) -> Layer {
    let facts = ["(ε, δ) = (1, 10⁻⁵)", "N = 142", "smoother Matérn 5/2 kernel, range 0.05, penalty 0.001, power 1"];
    let (lower, upper) = noise_ribbon(&value, &noise_sd);
    Layer {
        label: label.to_owned(),
        facts: facts.map(str::to_owned).to_vec(),
        ..Layer::of(Drawn { t, value, lower, upper }, "released function", NOISE_RIBBON)
    }
}

/// Raw curves around the wave, the first one with a gap and a lone point.
pub(crate) fn raw(n: usize) -> PrivateLayer {
    let wave = wave("", 93, 0.0);
    let shifted = |k: usize| wave.value.iter().map(|v| v + 0.02 * (k as f64).sin()).collect::<Vec<f64>>();
    let mut curves: Vec<Vec<f64>> = (0..n).map(shifted).collect();
    if let Some(first) = curves.first_mut() {
        first[10] = f64::NAN;
        first[12] = f64::NAN;
    }
    PrivateLayer { t: wave.t, total: n, mean: wave.value, curves }
}

/// Left, right, top and bottom of every text but the watermark.
pub(crate) fn text_boxes(scene: &Scene) -> Vec<(String, [f64; 4])> {
    let boxed = |mark: &Mark| match mark {
        Mark::Text(Text { words, at: (x, y), em, anchor, upwards, paint }) if paint.alpha == 1.0 => {
            let length = width(words, *em);
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
            Some((words.clone(), sides))
        }
        _ => None,
    };
    scene.marks.iter().filter_map(boxed).collect()
}

/// No text is cut off or covers another.
pub(crate) fn assert_readable(scene: &Scene) {
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

/// No line or area leaves the figure.
pub(crate) fn assert_on_the_figure(scene: &Scene) {
    for mark in &scene.marks {
        if let Mark::Line { points, .. } | Mark::Area { points, .. } = mark {
            let inside = |&(x, y): &(f64, f64)| (0.0..=scene.width).contains(&x) && (0.0..=scene.height).contains(&y);
            assert!(points.iter().all(inside), "{mark:?}");
        }
    }
}

/// Where the curator's watermark stands.
pub(crate) fn watermarks(scene: &Scene) -> Vec<Point> {
    let stamp = |mark: &Mark| match mark {
        Mark::Text(Text { words, at, paint, .. }) if words == CURATOR_STAMP && paint.alpha < 1.0 => Some(*at),
        _ => None,
    };
    scene.marks.iter().filter_map(stamp).collect()
}

/// The watermark is everywhere, and the band on top.
pub(crate) fn assert_watermarked(scene: &Scene) {
    let stamps = watermarks(scene);
    let band = |top: f64| stamps.iter().any(|(_, y)| (top..top + 100.0).contains(y));
    assert!((0..5).all(|i| band(f64::from(i) * scene.height / 5.0)), "{stamps:?}");
    assert!(stamps.iter().any(|(x, _)| *x < 0.0) && stamps.iter().any(|(x, _)| *x > 0.5 * scene.width));
    assert_eq!(text_boxes(scene).iter().filter(|(text, _)| text == CURATOR_STAMP).count(), 1);
}
