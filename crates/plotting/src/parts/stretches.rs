//! Stretches of a horizontal axis: where a band leaves out 0, and where a band is cut.

use crate::canvas::palette::{Paint, TOLD};
use crate::canvas::scene::Scene;
use crate::parts::panel::Panel;

#[cfg(test)]
#[path = "stretches_tests.rs"]
mod tests;

/// What the shade of stretches without 0 is called.
pub(crate) const WITHOUT_ZERO: &str = "the band leaves out 0";
/// What the stroke at a cut is called.
pub(crate) const CUT: &str = "the band reaches beyond what is possible";
/// The width of that stroke.
pub(crate) const CUT_WIDTH: f64 = 3.0;
/// How far inside the panel it is: at the lower end it would be part of the axis.
const INSIDE: f64 = 4.0;

/// The stretches where a band leaves out 0. The band is linear between points.
pub(crate) fn without_zero(t: &[f64], lower: &[f64], upper: &[f64]) -> Vec<(f64, f64)> {
    let below: Vec<f64> = upper.iter().map(|upper| -upper).collect();
    let mut found = [positive(t, lower), positive(t, &below)].concat();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// The stretches where a function is positive.
fn positive(t: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for (t, values) in t.windows(2).zip(values.windows(2)) {
        let crossing = t[0] + (t[1] - t[0]) * values[0] / (values[0] - values[1]);
        let (from, to) = match (values[0] > 0.0, values[1] > 0.0) {
            (true, true) => (t[0], t[1]),
            (true, false) => (t[0], crossing),
            (false, true) => (crossing, t[1]),
            (false, false) => continue,
        };
        match found.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            _ => found.push((from, to)),
        }
    }
    found
}

/// A stretch that is narrower could not be told from a line.
const LEAST_WIDTH: f64 = 2.0;

/// Shades stretches from the bottom of a panel to its top.
pub(crate) fn shade(scene: &mut Scene, panel: &Panel<'_>, stretches: &[(f64, f64)]) {
    for (from, to) in stretches {
        let [left, right] = [from, to].map(|t| panel.place(*t, 0.0).0);
        if right - left >= LEAST_WIDTH {
            scene.rectangle((left, panel.top), right - left, panel.height, TOLD);
        }
    }
}

/// Whether any value is beyond the limits, or at one: there it was cut before.
pub(crate) fn is_cut<'a>(mut values: impl Iterator<Item = &'a f64>, limits: Option<(f64, f64)>) -> bool {
    limits.is_some_and(|(least, most)| values.any(|value| *value <= least || *value >= most))
}

/// The limits of an axis that bands are cut at and lines are not: noise may move an estimate beyond what is possible, and it is shown there.
pub(crate) fn reaching(limits: Option<(f64, f64)>, lines: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (least, most) = limits?;
    Some(lines.filter(|value| value.is_finite()).fold((least, most), |(least, most), y| (least.min(y), most.max(y))))
}

/// Draws a stroke beside each limit, where values are at it or beyond it.
pub(crate) fn draw_cut(
    scene: &mut Scene,
    panel: &Panel<'_>,
    (t, values): (&[f64], &[f64]),
    limits: Option<(f64, f64)>,
    paint: Paint,
) {
    let Some((least, most)) = limits else { return };
    for (limit, inside) in [(least, -INSIDE), (most, INSIDE)] {
        // below the lower limit, above the upper
        let beyond: Vec<bool> = values.iter().map(|value| (value - limit) * inside >= 0.0).collect();
        let mut first = 0;
        for run in beyond.chunk_by(|a, b| a == b) {
            let place = |i: usize| {
                let (x, y) = panel.place(t[i], limit);
                (x, y + inside)
            };
            let points = (first..first + run.len()).map(place).collect();
            if run[0] {
                scene.line(points, CUT_WIDTH, paint);
            }
            first += run.len();
        }
    }
}
