//! Where everything goes: the header, then rows of panels with common axes.

use crate::axis::Axis;
use crate::font::CAP_HEIGHT;
use crate::header::{Column, draw_header, draw_heading, draw_watermark};
use crate::layer::{Layer, PrivateLayer};
use crate::panel::{Panel, TICK_EM, TICK_GAP, widest_tick};
use crate::scene::{Anchor, INK, Scene};
use crate::text::shortened;

#[cfg(test)]
mod tests;

const MARGIN: f64 = 20.0;
const LABEL_EM: f64 = 12.0;
/// From a panel's bottom to the end of its tick labels, and of the label of its axis.
const BELOW_TICKS: f64 = TICK_GAP + TICK_EM + 8.0;
const BELOW_LABEL: f64 = BELOW_TICKS + LABEL_EM + 5.0;

/// Everything that is drawn.
pub(crate) struct Contents<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) layers: &'a [Layer],
    pub(crate) raw: Option<&'a PrivateLayer>,
}

/// The columns of panels: the left edge of the first, the width of each and the distance between two.
struct Columns {
    count: usize,
    left: f64,
    width: f64,
    gap: f64,
    panel_height: f64,
}

/// Lays a figure out; its height follows from what is on it.
pub(crate) fn composed(contents: &Contents<'_>) -> Scene {
    let count = match contents.layers.len() {
        panels @ 0..=3 => panels.max(1),
        4 => 2,
        _ => 3,
    };
    let mut scene = Scene { width: if count == 3 { 1000.0 } else { 800.0 }, ..Scene::default() };
    let y = vertical_axis(contents, if count == 1 { 7.0 } else { 5.0 });
    let (x, columns) = columns(contents, count, scene.width, &y);

    let mut column = Column { left: MARGIN, room: scene.width - 2.0 * MARGIN, y: 16.0 };
    draw_header(&mut scene, &mut column, contents.title, contents.layers, contents.raw);
    let mut top = column.y + 8.0;
    for first in (0..contents.layers.len()).step_by(count) {
        top = draw_row(&mut scene, contents, first, &columns, (&x, &y), top);
    }
    scene.height = top.ceil();
    if contents.raw.is_some() {
        draw_watermark(&mut scene);
    }
    scene
}

/// One axis for all panels, over everything they show.
fn vertical_axis(contents: &Contents<'_>, ticks: f64) -> Axis {
    let ribbons = contents.layers.iter().flat_map(|layer| {
        let (lower, upper) = layer.ribbon();
        lower.into_iter().chain(upper).chain(layer.value.iter().copied())
    });
    let raw = contents.raw.into_iter().flat_map(|raw| raw.curves.iter().chain([&raw.mean]).flatten().copied());
    Axis::covering(ribbons.chain(raw), 0.05, ticks)
}

fn columns(contents: &Contents<'_>, count: usize, width: f64, y: &Axis) -> (Axis, Columns) {
    let panels = count as f64;
    let left = MARGIN + LABEL_EM + 10.0 + widest_tick(y) + TICK_GAP;
    let points = || {
        let raw = contents.raw.into_iter().flat_map(|raw| &raw.t);
        contents.layers.iter().flat_map(|layer| &layer.t).chain(raw).copied()
    };
    let rough = (width - left - MARGIN) / panels - MARGIN;
    // As many ticks as stay apart from each other.
    let x = [7.0, 5.0, 4.0, 3.0, 2.0]
        .map(|ticks| Axis::covering(points(), 0.0, ticks))
        .into_iter()
        .find(|axis| (widest_tick(axis) + 14.0) * axis.ticks().len() as f64 <= rough)
        .unwrap_or_else(|| Axis::covering(points(), 0.0, 1.0));
    // Half of a tick label may stand out on both sides of a panel.
    let gap = (widest_tick(&x) + 10.0).max(MARGIN);
    let right = (0.5 * widest_tick(&x) + 6.0).max(MARGIN);
    let each = (width - left - right - gap * (panels - 1.0)) / panels;
    let panel_height = match count {
        1 => 350.0,
        2 => 270.0,
        _ => 240.0,
    };
    (x, Columns { count, left, width: each, gap, panel_height })
}

/// Draws the row that begins with this layer and returns where the next may begin.
fn draw_row(
    scene: &mut Scene,
    contents: &Contents<'_>,
    first: usize,
    columns: &Columns,
    (x, y): (&Axis, &Axis),
    top: f64,
) -> f64 {
    let layers = contents.layers;
    let row = &layers[first..layers.len().min(first + columns.count)];
    let left = |place: usize| columns.left + place as f64 * (columns.width + columns.gap);
    let heading = |scene: &mut Scene, place: usize, layer: &Layer, top: f64| {
        let mut column = Column { left: left(place), room: columns.width, y: top };
        draw_heading(scene, &mut column, layer, layers);
        column.y
    };
    // Headings differ in height and stand on their panels: measured on a scrap, then drawn.
    let ends: Vec<f64> =
        row.iter().enumerate().map(|(i, layer)| heading(&mut Scene::default(), i, layer, top)).collect();
    let lowest = ends.iter().copied().fold(top, f64::max);
    let panel_top = if lowest > top { lowest + 6.0 } else { top };
    let bottom = panel_top + columns.panel_height;
    let mut end = bottom + BELOW_TICKS;
    for (place, layer) in row.iter().enumerate() {
        heading(scene, place, layer, top + lowest - ends[place]);
        let panel =
            Panel { left: left(place), top: panel_top, width: columns.width, height: columns.panel_height, x, y };
        panel.draw(scene, layer, contents.raw, place == 0);
        if first + place + columns.count >= layers.len() {
            let label = shortened(&x.labelled(contents.x_label), LABEL_EM, columns.width);
            let at = (left(place) + 0.5 * columns.width, bottom + BELOW_LABEL - 5.0);
            scene.text(label, at, LABEL_EM, Anchor::Middle, INK);
            end = bottom + BELOW_LABEL;
        }
    }
    let label = shortened(&y.labelled(contents.y_label), LABEL_EM, columns.panel_height);
    let baseline = MARGIN + CAP_HEIGHT * LABEL_EM;
    scene.upward_text(label, (baseline, panel_top + 0.5 * columns.panel_height), LABEL_EM, INK);
    end + 12.0
}
