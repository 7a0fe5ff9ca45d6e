//! Heat maps: patches of colours, with a bar that says which colour is which number.

use crate::canvas::palette::{INK, Paint, Ramp};
use crate::canvas::scene::Scene;
use crate::parts::axis::Axis;
use crate::parts::colour_bar::draw_bar;
use crate::parts::column::Column;
use crate::parts::columns::{BELOW_LABEL, Columns, draw_label_below, draw_label_beside, with_ticks_apart};
use crate::parts::panel::{Panel, widest_tick};

/// How far a patch reaches under its neighbours.
const UNDER: f64 = 1.0;

/// The largest number of patches along an axis: more are hardly seen and make a large file.
pub(crate) const MOST_PATCHES: usize = 120;

/// Which points of an axis are shown, and where their patches begin and end, as fractions of the axis.
pub(crate) fn shown_patches(points: &[f64]) -> (Vec<usize>, Vec<f64>) {
    let n = points.len();
    let shown: Vec<usize> = (0..n).step_by(n.div_ceil(MOST_PATCHES)).collect();
    let (lower, upper) = (points[0], points[n - 1]);
    let place = |t: f64| (t - lower) / (upper - lower);
    let between = shown.windows(2).map(|pair| 0.5 * (place(points[pair[0]]) + place(points[pair[1]])));
    let ends = std::iter::once(0.0).chain(between).chain([1.0]).collect();
    (shown, ends)
}

/// A heat map below the bar of its colours, with the names of its axes.
pub(crate) struct HeatMap<'a> {
    /// The ends of the axes across and up, and what they are called.
    pub(crate) domains: [(f64, f64); 2],
    pub(crate) names: [&'a str; 2],
    /// Where patches begin and end, as fractions of the axes.
    pub(crate) ends: [&'a [f64]; 2],
    pub(crate) height: f64,
}

impl HeatMap<'_> {
    /// Draws the map below a column and returns its lower end. `value` is what the colours of the ramp stand for, and `covered` their
    /// axis with about so many ticks; `colour` is that of the patch at a place across and a place up; `over` draws upon the patches.
    pub(crate) fn draw(
        &self,
        scene: &mut Scene,
        column: &mut Column,
        (value, ramp, covered): (&str, Ramp, &dyn Fn(f64) -> Axis),
        colour: impl Fn(&Axis, usize, usize) -> Paint,
        over: impl Fn(&mut Scene, &Panel<'_>),
    ) -> f64 {
        let bar = with_ticks_apart(0.6 * column.room, covered);
        draw_bar(scene, column, &bar.labelled(value), bar.ticks.clone(), ramp);
        let axis = |(lower, upper): (f64, f64), ticks| Axis::covering([lower, upper].into_iter(), 0.0, ticks);
        let y = axis(self.domains[1], 7.0);
        let beside = widest_tick(&y);
        let x = with_ticks_apart(scene.width - 2.0 * beside, |ticks| axis(self.domains[0], ticks));
        let columns = Columns::with_own_axes(1, scene.width, beside, widest_tick(&x));
        let (top, height) = ((column.y + 14.0).ceil(), self.height);
        let panel = Panel { left: columns.left, top, width: columns.width, height, x: &x, y: &y };
        draw_patches(scene, &panel, self.ends, |across, up| colour(&bar, across, up));
        over(scene, &panel);
        draw_label_below(scene, &x.labelled(self.names[0]), panel.left, panel.width, top + height);
        draw_label_beside(scene, &y.labelled(self.names[1]), top, height);
        top + height + BELOW_LABEL
    }
}

/// Draws a heat map with its ticks and its frame. Patches begin and end at these fractions of the axes across and up; `colour` is
/// that of the patch at a place across and a place up.
pub(crate) fn draw_patches(
    scene: &mut Scene,
    panel: &Panel<'_>,
    [ends_across, ends_up]: [&[f64]; 2],
    colour: impl Fn(usize, usize) -> Paint,
) {
    panel.draw_ticks(scene, true);
    let (right, bottom) = (panel.left + panel.width, panel.top + panel.height);
    let [columns, rows] = [ends_across, ends_up].map(|ends| ends.len().saturating_sub(1));
    // Whole pixels, and every patch reaches under the next ones, to the right and below: no seams at any scale.
    let along = |ends: &[f64], length: f64| ends.iter().map(|end| (end * length).round()).collect::<Vec<f64>>();
    let (across, up) = (along(ends_across, panel.width), along(ends_up, panel.height));
    for row in (0..rows).rev() {
        let colours: Vec<_> = (0..columns).map(|place| colour(place, row)).collect();
        let mut first = 0;
        // Neighbours of one colour are one rectangle.
        for run in colours.chunk_by(|a, b| a == b) {
            let (from, to) = (across[first], (across[first + run.len()] + UNDER).min(panel.width));
            let (low, high) = ((up[row] - UNDER).max(0.0), up[row + 1]);
            scene.rectangle((panel.left + from, bottom - high), to - from, high - low, run[0]);
            first += run.len();
        }
    }
    panel.draw_marks(scene);
    panel.draw_frame(scene);
    scene.line(vec![(panel.left, panel.top), (right, panel.top), (right, bottom)], 1.0, INK);
}
