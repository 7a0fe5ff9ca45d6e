//! Where everything goes on a figure of released functions: the header, then rows of panels with common axes.

use crate::axis::Axis;
use crate::columns::{
    BELOW_LABEL, BELOW_TICKS, Columns, draw_label_below, draw_label_beside, panel_height, side_by_side, top_column,
};
use crate::header::{CURATOR_CAPTION, Header, WATERMARK, draw_heading, draw_watermark, shared_facts};
use crate::layer::{Layer, PrivateLayer};
use crate::legend::of_layers;
use crate::panel::{Panel, widest_tick};
use crate::scene::Scene;

#[cfg(test)]
mod tests;

/// Everything that is drawn.
pub(crate) struct Contents<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) layers: &'a [Layer],
    pub(crate) raw: Option<&'a PrivateLayer>,
}

/// Lays a figure out; its height follows from what is on it.
pub(crate) fn composed(contents: &Contents<'_>) -> Scene {
    let (count, width) = side_by_side(contents.layers.len());
    let mut scene = Scene { width, ..Scene::default() };
    let y = vertical_axis(contents, if count == 1 { 7.0 } else { 5.0 });
    let raw = contents.raw.into_iter().flat_map(|raw| &raw.t);
    let points: Vec<f64> = contents.layers.iter().flat_map(|layer| &layer.t).chain(raw).copied().collect();
    let (x, columns) = Columns::sharing_axis(count, width, widest_tick(&y), &points);

    let mut column = top_column(width);
    let header = Header {
        title: contents.title,
        facts: &[shared_facts(contents.layers)],
        warning: contents.raw.map(|_| CURATOR_CAPTION),
        legend: &of_layers(contents.layers, contents.raw),
    };
    header.draw(&mut scene, &mut column);
    let mut top = column.y + 8.0;
    for first in (0..contents.layers.len()).step_by(count) {
        top = draw_row(&mut scene, contents, first, &columns, (&x, &y), top);
    }
    scene.height = top.ceil();
    if contents.raw.is_some() {
        draw_watermark(&mut scene, WATERMARK);
    }
    scene
}

/// One axis for all panels, over everything they show.
fn vertical_axis(contents: &Contents<'_>, ticks: f64) -> Axis {
    let ribbons = contents.layers.iter().flat_map(|layer| {
        let (lower, upper) = layer.ribbon();
        let neighbours = layer.neighbours.iter().flat_map(|(_, values)| values);
        lower.into_iter().chain(upper).chain(layer.value.iter().chain(neighbours).copied())
    });
    let raw = contents.raw.into_iter().flat_map(|raw| raw.curves.iter().chain([&raw.mean]).flatten().copied());
    Axis::covering(ribbons.chain(raw), 0.05, ticks)
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
    let top = columns
        .draw_headings(scene, row.len(), top, |scene, column, place| draw_heading(scene, column, &row[place], layers));
    let height = panel_height(columns.count);
    let mut end = top + height + BELOW_TICKS;
    for (place, layer) in row.iter().enumerate() {
        let panel = Panel { left: columns.left_of(place), top, width: columns.width, height, x, y };
        panel.draw(scene, layer, contents.raw, place == 0);
        if first + place + columns.count >= layers.len() {
            draw_label_below(scene, &x.labelled(contents.x_label), panel.left, panel.width, top + height);
            end = top + height + BELOW_LABEL;
        }
    }
    draw_label_beside(scene, &y.labelled(contents.y_label), top, height);
    end + 12.0
}
