//! Where everything goes on a figure of surfaces.

use super::scale::Scale;
use super::{SurfacePanel, Surfaces};
use crate::canvas::font::width;
use crate::canvas::numbers::{distinct, rounded};
use crate::canvas::palette::{BEYOND, INK, PAPER, Paint, SOFT_INK, VERMILION, VIRIDIS, WATERMARK};
use crate::canvas::scene::Scene;
use crate::canvas::text::lines_of_words;
use crate::figure::{Content, Labels};
use crate::parts::axis::Axis;
use crate::parts::colour_bar::draw_bar;
use crate::parts::column::Column;
use crate::parts::columns::{Columns, LABEL_EM, draw_label_below, draw_label_beside, name_above, ticks_of_height};
use crate::parts::header::Header;
use crate::parts::legend::{Key, draw_ring};
use crate::parts::panel::{TICK_EM, draw_tick_below, draw_tick_label_beside};

const WARNING: &str = "Curator’s view: these scores, and any choice made by them, come from private data without any \
                       protection. Do not publish.";

/// The size of the largest cells of the panel that has most of them, and the usual height of the highest panels.
const CELL_WIDTH: f64 = 72.0;
const CELL_HEIGHT: f64 = 36.0;
const HEIGHT: f64 = 330.0;
/// From one label of a row to the next, at least.
const BETWEEN_ROWS: f64 = 24.0;
/// Em of what stands below the name of a panel.
const SMALL: f64 = 10.0;

impl Content for Surfaces {
    fn composed(&self, labels: &Labels) -> Scene {
        let panels = self.panels.shown();
        let scale = Scale::covering(panels.iter().flat_map(|panel| panel.grid.values.iter().copied()));
        let (count, width, _) = labels.frame(panels.len());
        let mut scene = Scene { width, ..Scene::default() };
        let columns = columns(panels, count, width);
        let mut legend = vec![(Key::Ring(VIRIDIS.at(0.0)), format!("least {} of the panel", self.score_name))];
        legend.extend(scale.beyond().map(|text| (Key::Patch(BEYOND), text)));
        let facts = std::slice::from_ref(&self.caption);
        let header = Header {
            warning: self.panels.is_private().then_some(WARNING),
            facts,
            legend: &legend,
            ..Header::default()
        };
        let mut column = header.draw(&mut scene, &labels.title);
        draw_bar(&mut scene, &mut column, &self.score_name, scale.ticks(), VIRIDIS);
        let mut top = column.y + 12.0;
        let height = labels.height(HEIGHT);
        let size = panel_size(panels, &columns, height);
        for row in panels.chunks(count) {
            top = draw_row(&mut scene, &labels.axes, row, (&columns, size, height), &scale, top);
        }
        scene.height = top.ceil();
        scene
    }

    fn watermark(&self) -> &'static [Paint] {
        // White below the usual paint: the letters show on dark cells too.
        const PAINTS: &[Paint] = &[PAPER.faded(0.35), WATERMARK];
        if self.panels.is_private() { PAINTS } else { &[] }
    }
}

/// The columns of the panels. Each panel has its own parameters, so labels of rows stand beside every panel.
fn columns(panels: &[SurfacePanel], count: usize, figure_width: f64) -> Columns {
    let widest = |values: fn(&SurfacePanel) -> &[f64]| {
        let labels = panels.iter().flat_map(|panel| distinct(values(panel)));
        labels.map(|label| width(&label, TICK_EM)).fold(0.0, f64::max)
    };
    let ticks = (widest(|panel| &panel.grid.rows), widest(|panel| &panel.grid.columns));
    Columns::with_own_axes(count, figure_width, ticks, false)
}

/// The width and the height of every panel, none higher than `highest`.
fn panel_size(panels: &[SurfacePanel], columns: &Columns, highest: f64) -> (f64, f64) {
    let most = |count: fn(&SurfacePanel) -> usize| panels.iter().map(count).fold(1, usize::max) as f64;
    let width = columns.width.min(CELL_WIDTH * most(|panel| panel.grid.columns.len()));
    let height = highest.min(CELL_HEIGHT * most(|panel| panel.grid.rows.len()));
    (width.floor(), height.floor())
}

/// Draws a row of panels and returns where the next may begin.
fn draw_row(
    scene: &mut Scene,
    names: &[String],
    row: &[SurfacePanel],
    (columns, size, highest): (&Columns, (f64, f64), f64),
    scale: &Scale,
    top: f64,
) -> f64 {
    // A name that is longer than the cells are high ends below them.
    let beside = size.1.max(width(&names[1], LABEL_EM).min(highest));
    let has_edges = row.iter().any(SurfacePanel::is_least_on_edge);
    let heading = |scene: &mut Scene, column: &mut Column, place: usize| {
        draw_heading(scene, column, names, &row[place], has_edges);
        name_above(scene, column, &names[1], beside);
    };
    let top = columns.draw_headings(scene, row.len(), top, heading).ceil();
    let bottom = top + size.1;
    let mut end = bottom;
    for (place, panel) in row.iter().enumerate() {
        let cells = Cells { left: columns.left_of(place), bottom, size, counts: panel.grid.values.dim() };
        cells.draw(scene, panel, scale);
        // A name that is wider than the cells begins where they begin.
        let room = width(&names[0], LABEL_EM).min(columns.width).max(size.0);
        end = end.max(draw_label_below(scene, &names[0], cells.left, room, bottom));
    }
    draw_label_beside(scene, &names[1], top, beside);
    (top + beside).max(end) + 14.0
}

/// The panel's name, its least score and where that is; `has_edges` where a panel beside it is on an edge, so that all headings of a
/// row are of one height.
fn draw_heading(scene: &mut Scene, column: &mut Column, names: &[String], panel: &SurfacePanel, has_edges: bool) {
    column.panel_label(scene, &panel.label);
    let (row, cell) = panel.least();
    let score = rounded(panel.grid.values[[row, cell]]);
    let least = [
        format!("least {score}"),
        format!(
            "at {} {}, {} {}",
            names[0],
            rounded(panel.grid.columns[cell]),
            names[1],
            rounded(panel.grid.rows[row])
        ),
    ];
    for line in least {
        column.lines(scene, &lines_of_words(&line, SMALL, column.room, 4), SMALL, SOFT_INK);
    }
    let top = column.y;
    let edge = lines_of_words("on the edge of the grid", SMALL, column.room, 2);
    let into = &mut Scene::default();
    column.lines(if panel.is_least_on_edge() { scene } else { into }, &edge, SMALL, VERMILION);
    if !has_edges {
        column.y = top;
    }
}

/// Where the cells of a panel are.
struct Cells {
    left: f64,
    bottom: f64,
    /// The width and the height of all cells together.
    size: (f64, f64),
    /// The number of rows and of columns.
    counts: (usize, usize),
}

impl Cells {
    fn draw(&self, scene: &mut Scene, panel: &SurfacePanel, scale: &Scale) {
        for ((row, column), score) in panel.grid.values.indexed_iter() {
            let (left, right) = (self.edge_across(column), self.edge_across(column + 1));
            let (bottom, top) = (self.edge_up(row), self.edge_up(row + 1));
            scene.rectangle((left, top), right - left, bottom - top, scale.colour(*score));
        }
        let (right, top) = (self.left + self.size.0, self.bottom - self.size.1);
        let corners =
            [(self.left, top), (self.left, self.bottom), (right, self.bottom), (right, top), (self.left, top)];
        scene.line(corners.to_vec(), 1.0, INK);
        self.draw_labels(scene, panel);
        let (row, column) = panel.least();
        let least =
            (self.edge_across(column + 1) - self.edge_across(column)).min(self.edge_up(row) - self.edge_up(row + 1));
        draw_ring(scene, (self.across(column), self.up(row)), (0.5 * least - 3.0).clamp(4.5, 8.0));
    }

    /// Where a column and a row begin: at whole pixels, so that no seams show, unless there are more cells than pixels.
    fn edge_across(&self, column: usize) -> f64 {
        self.left + edge(self.size.0, self.counts.1, column)
    }

    fn edge_up(&self, row: usize) -> f64 {
        self.bottom - edge(self.size.1, self.counts.0, row)
    }

    /// The middle of a column and of a row.
    fn across(&self, column: usize) -> f64 {
        0.5 * (self.edge_across(column) + self.edge_across(column + 1))
    }

    fn up(&self, row: usize) -> f64 {
        0.5 * (self.edge_up(row) + self.edge_up(row + 1))
    }

    /// The parameters beside the middles of the cells: all of them, or every few where labels would crowd.
    fn draw_labels(&self, scene: &mut Scene, panel: &SurfacePanel) {
        let beside = |scene: &mut Scene, y: f64, label: &str| {
            scene.line(vec![(self.left - 4.0, y), (self.left, y)], 1.0, SOFT_INK);
            draw_tick_label_beside(scene, (self.left, y), label);
        };
        if let Some(axis) = logarithmic(&panel.grid.rows, self.size.1) {
            axis.ticks.iter().for_each(|(at, label)| beside(scene, self.bottom - at * self.size.1, label));
        } else {
            let height = self.size.1 / self.counts.0 as f64;
            for (row, label) in shortest_labels(&panel.grid.rows, every(BETWEEN_ROWS, height)) {
                beside(scene, self.up(row), &label);
            }
        }
        let labels = distinct(&panel.grid.columns);
        let widest = labels.iter().map(|label| width(label, TICK_EM)).fold(0.0, f64::max);
        let step = every(widest + 8.0, self.size.0 / self.counts.1 as f64);
        for (column, label) in labels.into_iter().enumerate().step_by(step) {
            draw_tick_below(scene, (self.across(column), self.bottom), &label);
        }
    }
}

/// Where a cell of several begins on a length.
fn edge(length: f64, cells: usize, cell: usize) -> f64 {
    let at = length * cell as f64 / cells as f64;
    if length >= 2.0 * cells as f64 { at.round() } else { at }
}

/// From so many values on, equal ratios have an axis with round ticks in place of labels of their own.
const MANY: usize = 8;

/// The axis of a length along which many values lie at equal ratios.
fn logarithmic(values: &[f64], length: f64) -> Option<Axis> {
    let (first, last) = (values.first()?, values.last()?);
    let ratio = (last / first).powf(1.0 / (values.len() - 1) as f64);
    let is_even = values.windows(2).all(|pair| (pair[1] / pair[0] / ratio - 1.0).abs() < 1e-6);
    let ends = [first / ratio.sqrt(), last * ratio.sqrt()];
    (values.len() >= MANY && is_even).then(|| Axis::covering_logs(ends.into_iter(), 0.0, ticks_of_height(length)))
}

/// Every `step` values or some more, so that their labels are short: of four values in each decade, the powers of ten.
fn shortest_labels(values: &[f64], step: usize) -> Vec<(usize, String)> {
    let chosen = |step: usize, first: usize| -> Vec<(usize, String)> {
        let places: Vec<usize> = (first..values.len()).step_by(step).collect();
        let labels = distinct(&places.iter().map(|place| values[*place]).collect::<Vec<f64>>());
        places.into_iter().zip(labels).collect()
    };
    let length = |labels: &[(usize, String)]| {
        labels.iter().map(|(_, label)| width(label, TICK_EM)).sum::<f64>() / labels.len().max(1) as f64
    };
    // with another step, at least three values are still named
    let steps = (step..=step + 3).filter(|other| *other == step || values.len() > 2 * *other);
    let all = steps.flat_map(|step| (0..step.min(values.len())).map(move |first| (step, first)));
    let named = all
        .filter(|(step, first)| *first == 0 || values.len() - first > 2 * step)
        .map(|(step, first)| chosen(step, first));
    named.min_by(|a, b| length(a).total_cmp(&length(b))).unwrap_or_default()
}

/// Every how many cells there is room for a label of this length.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both lengths are positive and finite")]
fn every(label: f64, cell: f64) -> usize {
    ((label / cell).ceil() as usize).max(1)
}
