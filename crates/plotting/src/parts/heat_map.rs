//! Heat maps: patches of colours, with a bar that says which colour is which number.

use crate::canvas::palette::{INK, Paint, Ramp};
use crate::canvas::scene::Scene;
use crate::parts::axis::Axis;
use crate::parts::colour_bar::draw_bar;
use crate::parts::column::{Column, MARGIN};
use crate::parts::columns::{
    BESIDE_LABEL, Columns, draw_label_at, draw_label_below, name_above, ticks_of_height, with_ticks_apart, within_width,
};
use crate::parts::panel::{Panel, TICK_GAP, widest_tick};

/// How far a patch reaches under its neighbours.
const UNDER: f64 = 1.0;
/// From one row of maps to the next.
const BETWEEN_ROWS: f64 = 14.0;

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
    /// What the colours stand for, the ends of their axis, and the colours.
    pub(crate) value: (&'a str, (f64, f64), Ramp),
    /// The colour of the patch at a place across and a place up.
    pub(crate) colour: &'a dyn Fn(usize, usize) -> Paint,
    /// Draws upon the patches.
    pub(crate) over: &'a dyn Fn(&mut Scene, &Panel<'_>),
}

/// The axis between two ends, with about so many ticks.
fn axis((lower, upper): (f64, f64), ticks: f64) -> Axis {
    Axis::covering([lower, upper].into_iter(), 0.0, ticks)
}

/// Draws maps below a column, as many side by side as there is room for, and returns their lower end. No map is higher than `height`, and of
/// several none is higher than wide.
pub(crate) fn draw_maps(scene: &mut Scene, column: &Column, maps: &[HeatMap<'_>], height: f64) -> f64 {
    let count = within_width(maps.len().max(1), scene.width);
    let ticks = ticks_of_height(height.min(scene.width / count as f64));
    let y: Vec<Axis> = maps.iter().map(|map| axis(map.domains[1], ticks)).collect();
    let beside = y.iter().map(widest_tick).fold(0.0, f64::max);
    let rough = (scene.width - BESIDE_LABEL) / count as f64 - beside - TICK_GAP - MARGIN;
    let across = |map: &HeatMap<'_>| with_ticks_apart(rough, |ticks| axis(map.domains[0], ticks));
    let x: Vec<Axis> = maps.iter().map(across).collect();
    let below = x.iter().map(widest_tick).fold(0.0, f64::max);
    let columns = Columns::with_own_axes(count, scene.width, (beside, below), count > 1);
    let height = if maps.len() > 1 { height.min(columns.width) } else { height }.round();
    let mut top = column.y;
    for (row, of_row) in maps.chunks(count).enumerate() {
        let bar = |scene: &mut Scene, column: &mut Column, place: usize| {
            of_row[place].draw_bar(scene, column);
            name_above(scene, column, of_row[place].names[1], height);
        };
        let begin = (columns.draw_headings(scene, of_row.len(), top, bar) + 6.0).ceil();
        for (place, map) in of_row.iter().enumerate() {
            let (x, y) = (&x[row * count + place], &y[row * count + place]);
            let panel = Panel { left: columns.left_of(place), top: begin, width: columns.width, height, x, y };
            draw_patches(scene, &panel, map.ends, map.colour);
            (map.over)(scene, &panel);
            let end = draw_label_below(scene, &x.labelled(map.names[0]), panel.left, panel.width, begin + height);
            draw_label_at(scene, &y.labelled(map.names[1]), columns.label_of(place), (begin, height));
            top = top.max(end + BETWEEN_ROWS);
        }
    }
    top
}

impl HeatMap<'_> {
    fn draw_bar(&self, scene: &mut Scene, column: &mut Column) {
        let (name, ends, ramp) = self.value;
        let bar = with_ticks_apart(0.6 * column.room, |ticks| axis(ends, ticks));
        draw_bar(scene, column, &bar.labelled(name), bar.ticks.clone(), ramp);
    }
}

/// Draws a heat map with its ticks and its frame. Patches begin and end at these fractions of the axes across and up; `colour` is
/// that of the patch at a place across and a place up.
fn draw_patches(
    scene: &mut Scene,
    panel: &Panel<'_>,
    [ends_across, ends_up]: [&[f64]; 2],
    colour: impl Fn(usize, usize) -> Paint,
) {
    panel.draw_ticks(scene, (true, true));
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
