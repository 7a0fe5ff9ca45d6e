//! One panel: grid, ticks, frame, and the curves inside.

use crate::canvas::clip::clipped;
use crate::canvas::font::{CAP_HEIGHT, width};
use crate::canvas::palette::{GRID, INK, Paint, SOFT_INK};
use crate::canvas::scene::{Anchor, Point, Scene};
use crate::parts::axis::Axis;

/// Em of the tick labels.
pub(crate) const TICK_EM: f64 = 11.0;
/// Distance between an axis and its tick labels.
pub(crate) const TICK_GAP: f64 = 8.0;

/// Widths of lines, in panels and in the legend.
pub(crate) const RELEASED_WIDTH: f64 = 2.0;
pub(crate) const NEIGHBOUR_WIDTH: f64 = 1.25;
pub(crate) const MEAN_WIDTH: f64 = 1.75;
pub(crate) const RAW_WIDTH: f64 = 0.75;

/// A panel's place on the figure and its axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel<'a> {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) x: &'a Axis,
    pub(crate) y: &'a Axis,
}

impl Panel<'_> {
    /// Draws grid lines, ticks and the labels of the horizontal and of the vertical axis: each only if asked for, since panels may share
    /// them.
    pub(crate) fn draw_ticks(&self, scene: &mut Scene, (horizontal_labels, vertical_labels): (bool, bool)) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        for (position, text) in &self.y.ticks {
            let y = bottom - position * self.height;
            scene.line(vec![(self.left, y), (right, y)], 0.75, GRID);
            if vertical_labels {
                draw_tick_label_beside(scene, (self.left, y), text);
            }
        }
        for (position, text) in &self.x.ticks {
            let x = self.left + position * self.width;
            scene.line(vec![(x, self.top), (x, bottom)], 0.75, GRID);
            draw_tick_below(scene, (x, bottom), if horizontal_labels { text } else { "" });
        }
    }

    /// Draws marks outside the panel at all ticks. They show which panel the labels belong to.
    pub(crate) fn draw_marks(&self, scene: &mut Scene) {
        const MINOR: f64 = 2.5;
        let bottom = self.top + self.height;
        let major = self.y.ticks.iter().map(|(position, _)| (position, 4.0));
        let minor = self.y.minor_ticks.iter().map(|position| (position, MINOR));
        for (position, length) in major.chain(minor) {
            let y = bottom - position * self.height;
            scene.line(vec![(self.left - length, y), (self.left, y)], 1.0, SOFT_INK);
        }
        for position in &self.x.minor_ticks {
            let x = self.left + position * self.width;
            scene.line(vec![(x, bottom), (x, bottom + MINOR)], 1.0, SOFT_INK);
        }
    }

    /// Draws the lines of the two axes.
    pub(crate) fn draw_frame(&self, scene: &mut Scene) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        scene.line(vec![(self.left, self.top), (self.left, bottom), (right, bottom)], 1.0, INK);
    }

    /// Draws a curve, cut off at the edge of the panel. A lone point between two gaps is a short stroke.
    pub(crate) fn draw_curve(&self, scene: &mut Scene, t: &[f64], values: &[f64], width: f64, paint: Paint) {
        let (low, high) = ((self.left, self.top), (self.left + self.width, self.top + self.height));
        for run in runs(t, &[values]) {
            let points: Vec<Point> = run.map(|i| self.place(t[i], values[i])).collect();
            for part in clipped(&points, low, high) {
                let points = if let [(x, y)] = part[..] { vec![(x - width, y), (x + width, y)] } else { part };
                scene.line(points, width, paint);
            }
        }
    }

    /// The place of a value at a point on the figure.
    pub(crate) fn place(&self, t: f64, value: f64) -> Point {
        // A value far outside must not become infinite on the way.
        let (x, y) = (self.x.position(t), self.y.position(value).clamp(-1e6, 1e6));
        (self.left + x * self.width, self.top + (1.0 - y) * self.height)
    }
}

/// Draws the mark and the label of a tick below a point.
pub(crate) fn draw_tick_below(scene: &mut Scene, (x, y): Point, label: &str) {
    scene.line(vec![(x, y), (x, y + 4.0)], 1.0, SOFT_INK);
    scene.text(label, (x, y + TICK_GAP + CAP_HEIGHT * TICK_EM), TICK_EM, Anchor::Middle, SOFT_INK);
}

/// Draws the label of a tick left of a point.
pub(crate) fn draw_tick_label_beside(scene: &mut Scene, (x, y): Point, label: &str) {
    scene.text(label, (x - TICK_GAP, y + 0.5 * CAP_HEIGHT * TICK_EM), TICK_EM, Anchor::End, SOFT_INK);
}

/// The width of the widest tick label of an axis.
pub(crate) fn widest_tick(axis: &Axis) -> f64 {
    axis.ticks.iter().map(|(_, text)| width(text, TICK_EM)).fold(0.0, f64::max)
}

/// The stretches of indices where the point and every series are finite.
pub(crate) fn runs(t: &[f64], series: &[&[f64]]) -> Vec<std::ops::Range<usize>> {
    let shortest = series.iter().map(|values| values.len()).fold(t.len(), usize::min);
    let whole = |i: usize| t[i].is_finite() && series.iter().all(|values| values[i].is_finite());
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for i in (0..shortest).filter(|&i| whole(i)) {
        match found.last_mut() {
            Some(run) if run.end == i => run.end = i + 1,
            _ => found.push(i..i + 1),
        }
    }
    found
}
