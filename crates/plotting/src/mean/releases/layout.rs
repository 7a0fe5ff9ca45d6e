//! Where everything goes on a figure of released functions: the header, then rows of panels with common axes.

use dpfda_mechanism::least_step;
use dpfda_privacy::NonPrivate;

use super::Releases;
use crate::canvas::numbers::rounded_beside;
use crate::canvas::palette::{BLACK, BLUE, GREY, NEIGHBOURS, Paint, RIBBON, SOFT_INK, TOLD, UNSUPPORTED, WATERMARK};
use crate::canvas::scene::{Scene, Spot};
use crate::canvas::text::lines_of_facts;
use crate::figure::{Content, Labels};
use crate::mean::layer::{Layer, PrivateLayer};
use crate::parts::axis::Axis;
use crate::parts::column::Column;
use crate::parts::columns::{Columns, Row, ticks_of_height};
use crate::parts::header::{CURATOR_CAPTION, Header, SEED_STAMP};
use crate::parts::legend::{Entry, Key};
use crate::parts::look::draw_reference;
use crate::parts::panel::{MEAN_WIDTH, NEIGHBOUR_WIDTH, Panel, RAW_WIDTH, RELEASED_WIDTH, runs, widest_tick};
use crate::parts::stretches::{CUT, CUT_WIDTH, WITHOUT_ZERO, draw_cut, reaching, shade};

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

/// The width of the functions of other panels.
const BEHIND_WIDTH: f64 = 1.0;
/// A pointer cannot tell more points apart.
const MOST_SPOTS: usize = 150;

impl Content for Releases {
    fn composed(&self, labels: &Labels) -> Scene {
        let (layers, raw) = (&self.layers, self.raw.as_ref().map(NonPrivate::reveal));
        let (count, width, height) = labels.frame(layers.len());
        let mut scene = Scene { width, ..Scene::default() };
        let y = vertical_axis(layers, raw, ticks_of_height(height));
        let points: Vec<f64> =
            layers.iter().flat_map(|layer| &layer.t).chain(raw.into_iter().flat_map(|raw| &raw.t)).copied().collect();
        let (x, columns) = Columns::sharing_axis(count, width, widest_tick(&y), &points);

        let header = Header {
            facts: &[shared_facts(layers)],
            warning: raw.map(|_| CURATOR_CAPTION),
            legend: &legend(layers, raw, |lower, upper| (y.position(upper) - y.position(lower)) * height),
            ..Header::default()
        };
        let mut top = header.draw(&mut scene, &labels.title).y + 8.0;
        for (index, row) in layers.chunks(count).enumerate() {
            let names = (labels.axes[0].as_str(), vec![y.labelled(&labels.axes[1])]);
            let below = layers.len().saturating_sub((index + 1) * count);
            let place = Row { columns: &columns, height, axes: vec![(&x, &y); row.len()], names, below };
            let heading = |scene: &mut Scene, column: &mut Column, place: usize| {
                draw_heading(scene, column, &row[place], layers);
            };
            top = place.draw(&mut scene, top, heading, |scene, panel, place| {
                draw_panel(scene, panel, &row[place], raw);
                add_spots(scene, panel, &row[place], &labels.axes[0]);
            });
            top += 12.0;
        }
        scene.height = top.ceil();
        scene
    }

    fn watermark(&self) -> &'static [Paint] {
        if self.raw.is_some() { &[WATERMARK] } else { &[] }
    }
}

/// One axis for all panels, over everything they show.
fn vertical_axis(layers: &[Layer], raw: Option<&PrivateLayer>, ticks: f64) -> Axis {
    let ribbons = layers.iter().flat_map(|layer| {
        let neighbours = layer.neighbours.iter().flat_map(|(_, values)| values);
        let zero = layer.zero.map(|_| 0.0);
        layer.lower.iter().chain(&layer.upper).chain(&layer.value).chain(neighbours).copied().chain(zero)
    });
    let is_private = raw.is_some();
    let raw = raw.into_iter().flat_map(|raw| raw.curves.iter().chain([&raw.mean]).flatten().copied());
    // curves of people may lie beyond what was said to be possible
    let limits = layers.first().and_then(|layer| layer.limits).filter(|_| !is_private);
    let lines = layers.iter().flat_map(|layer| layer.neighbours.iter().map(|(_, line)| line).chain([&layer.value]));
    let limits = reaching(limits, lines.flatten().copied());
    Axis::covering_within(ribbons.chain(raw), 0.05, ticks, limits)
}

/// `length` is how long the way between two values is on the figure.
fn legend(layers: &[Layer], raw: Option<&PrivateLayer>, length: impl Fn(f64, f64) -> f64) -> Vec<Entry> {
    let line = layers.first().map_or("", |layer| layer.line);
    let mut entries = vec![(Key::Stroke(RELEASED_WIDTH, BLUE), line.to_owned())];
    let neighbours = layers.iter().flat_map(|layer| layer.neighbours.iter().zip(NEIGHBOURS));
    entries.extend(neighbours.map(|((name, _), paint)| (Key::Stroke(NEIGHBOUR_WIDTH, paint), name.clone())));
    let edges = layers.iter().flat_map(|layer| layer.lower.iter().zip(&layer.upper));
    let widest = edges.map(|(lower, upper)| length(*lower, *upper)).fold(0.0, f64::max);
    let thin = if widest <= RELEASED_WIDTH { " (thinner than the line)" } else { "" };
    entries.extend(layers.first().map(|layer| (Key::Patch(RIBBON), format!("{}{thin}", layer.ribbon))));
    if layers.iter().any(|layer| !layer.behind.is_empty()) {
        entries.push((Key::Stroke(BEHIND_WIDTH, GREY), "the other groups".to_owned()));
    }
    entries.extend(layers.iter().find_map(|layer| layer.zero).map(|zero| (Key::Dashes, zero.to_owned())));
    if layers.iter().any(|layer| !layer.without_zero().is_empty()) {
        entries.push((Key::Patch(TOLD), WITHOUT_ZERO.to_owned()));
    }
    if layers.iter().any(Layer::is_cut) {
        entries.push((Key::Stroke(CUT_WIDTH, SOFT_INK), CUT.to_owned()));
    }
    if layers.iter().any(|layer| !layer.unsupported.is_empty()) {
        entries.push((Key::Patch(UNSUPPORTED), "count of people not told from noise".to_owned()));
    }
    if let Some(raw) = raw {
        let (shown, total) = (raw.curves.len(), raw.total);
        let count = if shown < total { format!("{shown} of {total}") } else { format!("{total}") };
        entries.push((Key::Stroke(MEAN_WIDTH, BLACK), "raw mean".to_owned()));
        entries.push((Key::Stroke(RAW_WIDTH, GREY), format!("raw curves ({count})")));
    }
    entries
}

/// Label, own facts and stamp above one panel.
fn draw_heading(scene: &mut Scene, column: &mut Column, layer: &Layer, layers: &[Layer]) {
    column.panel_label(scene, &layer.label);
    let facts = layer.facts.iter().enumerate().filter(|(index, _)| !is_shared(*index, layers));
    let own: Vec<String> = facts.map(|(_, fact)| fact.clone()).collect();
    column.lines(scene, &lines_of_facts(&own, 10.0, column.room, 8), 10.0, SOFT_INK);
    if !layer.is_private {
        column.y += 4.0;
        column.band(scene, SEED_STAMP);
    }
}

/// The facts that are true of all layers.
fn shared_facts(layers: &[Layer]) -> Vec<String> {
    let facts = layers.first().map_or(&[][..], |layer| &layer.facts[..]);
    facts.iter().enumerate().filter(|(index, _)| is_shared(*index, layers)).map(|(_, fact)| fact.clone()).collect()
}

fn is_shared(index: usize, layers: &[Layer]) -> bool {
    layers.windows(2).all(|pair| pair[0].facts.get(index) == pair[1].facts.get(index))
}

/// The numbers below the pointer, at no more points than a pointer can tell apart.
fn add_spots(scene: &mut Scene, panel: &Panel<'_>, layer: &Layer, axis: &str) {
    let last = layer.t.len().saturating_sub(1);
    let step = layer.t.len().div_ceil(MOST_SPOTS).max(1);
    let apart = least_step(&layer.t);
    let x = |i: usize| panel.place(layer.t[i], 0.0).0;
    for i in (0..=last).step_by(step) {
        // from the middle to the point before to the middle to the point after
        let left = if i == 0 { x(0) } else { 0.5 * (x(i - step) + x(i)) };
        let right = if i + step > last { x(last) } else { 0.5 * (x(i) + x(i + step)) };
        let half = 0.5 * (layer.upper[i] - layer.lower[i]);
        let [value, lower, upper] = [&layer.value, &layer.lower, &layer.upper].map(|all| rounded_beside(all[i], half));
        let t = rounded_beside(layer.t[i], apart);
        let words = format!("{axis} = {t}: {value}, from {lower} to {upper}");
        scene.spots.push(Spot { corner: (left, panel.top), width: right - left, height: panel.height, words });
    }
}

fn draw_panel(scene: &mut Scene, panel: &Panel<'_>, layer: &Layer, raw: Option<&PrivateLayer>) {
    for part in &layer.unsupported {
        let [left, right] = [part.start, part.end].map(|t| panel.place(t, 0.0).0);
        scene.rectangle((left, panel.top), right - left, panel.height, UNSUPPORTED);
    }
    shade(scene, panel, &layer.without_zero());
    if let Some(raw) = raw {
        raw.curves.iter().for_each(|curve| panel.draw_curve(scene, &raw.t, curve, RAW_WIDTH, GREY));
    }
    layer.behind.iter().for_each(|other| panel.draw_curve(scene, &layer.t, other, BEHIND_WIDTH, GREY));
    if layer.zero.is_some() {
        draw_reference(scene, (panel.left, panel.place(0.0, 0.0).1), panel.left + panel.width);
    }
    draw_ribbon(scene, panel, layer, if raw.is_some() { None } else { layer.limits });
    if let Some(raw) = raw {
        panel.draw_curve(scene, &raw.t, &raw.mean, MEAN_WIDTH, BLACK);
    }
    for ((_, values), paint) in layer.neighbours.iter().zip(NEIGHBOURS) {
        panel.draw_curve(scene, &layer.t, values, NEIGHBOUR_WIDTH, paint);
    }
    panel.draw_curve(scene, &layer.t, &layer.value, RELEASED_WIDTH, BLUE);
}

/// The ribbon within the limits, and where it is cut.
fn draw_ribbon(scene: &mut Scene, panel: &Panel<'_>, layer: &Layer, limits: Option<(f64, f64)>) {
    let (least, most) = limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let place = |i: usize, value: f64| panel.place(layer.t[i], value.max(least).min(most));
    for run in runs(&layer.t, &[&layer.lower, &layer.upper]) {
        let above = run.clone().map(|i| place(i, layer.upper[i]));
        let below = run.rev().map(|i| place(i, layer.lower[i]));
        scene.area(above.chain(below).collect(), RIBBON);
    }
    for edge in [&layer.lower, &layer.upper] {
        draw_cut(scene, panel, (&layer.t, edge), limits, SOFT_INK);
    }
}
