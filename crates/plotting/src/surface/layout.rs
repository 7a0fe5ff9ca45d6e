//! Where everything goes on a figure of surfaces.

use super::scale::{Scale, colour};
use super::{SurfacePanel, Surfaces};
use crate::colour_bar::draw_bar;
use crate::columns::{BELOW_LABEL, Columns, LABEL_EM, draw_label_below, draw_label_beside};
use crate::figure::{Content, Labels};
use crate::font::width;
use crate::header::{Column, Header, WATERMARK};
use crate::legend::{Key, draw_ring};
use crate::numbers::{distinct, rounded};
use crate::panel::{TICK_EM, draw_tick_below, draw_tick_label_beside};
use crate::scene::{INK, PAPER, Paint, SOFT_INK, Scene, VERMILION};
use crate::text::{lines_of_phrases, lines_of_words};

const WARNING: &str = "Curator’s view: these scores, and any choice made by them, come from private data without any \
                       protection. Do not publish.";

/// The size of the largest cells, and about how high all cells of a panel are together.
const CELL_WIDTH: f64 = 72.0;
const CELL_HEIGHT: f64 = 36.0;
const HEIGHT: f64 = 330.0;

impl Content for Surfaces {
    fn composed(&self, labels: &Labels) -> Scene {
        let panels = self.panels.shown();
        let scale = Scale::covering(panels.iter().flat_map(|panel| panel.grid.values.iter().copied()));
        let (count, width, _) = labels.frame(panels.len());
        let mut scene = Scene { width, ..Scene::default() };
        let columns = columns(panels, count, width);

        let header = Header {
            warning: self.panels.is_private().then_some(WARNING),
            legend: &[(Key::Ring(colour(0.0)), "least score of the panel".to_owned())],
            ..Header::default()
        };
        let mut column = header.draw(&mut scene, &labels.title);
        draw_bar(&mut scene, &mut column, &self.score_name, scale.ticks(), colour);
        let mut top = column.y + 12.0;
        for row in panels.chunks(count) {
            top = draw_row(&mut scene, &labels.axes, row, &columns, &scale, top);
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
    Columns::with_own_axes(count, figure_width, widest(|panel| &panel.grid.rows), widest(|panel| &panel.grid.columns))
}

/// Whole pixels, unless there are more cells than pixels.
fn cell_size(room: f64, cells: usize, most: f64) -> f64 {
    let size = (room / cells as f64).min(most);
    if size >= 2.0 { size.floor() } else { size }
}

/// Draws a row of panels and returns where the next may begin.
fn draw_row(
    scene: &mut Scene,
    names: &[String],
    row: &[SurfacePanel],
    columns: &Columns,
    scale: &Scale,
    top: f64,
) -> f64 {
    let heading =
        |scene: &mut Scene, column: &mut Column, place: usize| draw_heading(scene, column, names, &row[place]);
    let top = columns.draw_headings(scene, row.len(), top, heading).ceil();
    let mut lowest = top;
    for (place, panel) in row.iter().enumerate() {
        let cells = Cells::of(panel, columns, place, top);
        cells.draw(scene, panel, scale);
        // A name that is wider than the cells begins where they begin.
        let name = width(&names[0], LABEL_EM).min(columns.width);
        let room = name.max(cells.width * panel.grid.columns.len() as f64);
        draw_label_below(scene, &names[0], cells.left, room, cells.bottom);
        lowest = cells.bottom.max(lowest);
    }
    // A name that is longer than the cells are high ends below them.
    let beside = (lowest - top).max(width(&names[1], LABEL_EM).min(HEIGHT));
    draw_label_beside(scene, &names[1], top, beside);
    (top + beside).max(lowest + BELOW_LABEL) + 14.0
}

/// The panel's name, its least score and where that is.
fn draw_heading(scene: &mut Scene, column: &mut Column, names: &[String], panel: &SurfacePanel) {
    column.panel_label(scene, &panel.label);
    let (row, cell) = panel.least();
    let score = rounded(panel.grid.values[[row, cell]]);
    let least = [
        format!("least {score} at {} {},", names[0], rounded(panel.grid.columns[cell])),
        format!("{} {}", names[1], rounded(panel.grid.rows[row])),
    ];
    column.lines(scene, &lines_of_phrases(&least, 10.0, column.room, 4), 10.0, SOFT_INK);
    if panel.is_least_on_edge() {
        column.lines(scene, &lines_of_words("on the edge of the grid", 10.0, column.room, 2), 10.0, VERMILION);
    }
}

/// Where the cells of a panel are.
struct Cells {
    left: f64,
    bottom: f64,
    width: f64,
    height: f64,
}

impl Cells {
    fn of(panel: &SurfacePanel, columns: &Columns, place: usize, top: f64) -> Self {
        let height = cell_size(HEIGHT, panel.grid.rows.len(), CELL_HEIGHT);
        let width = cell_size(columns.width, panel.grid.columns.len(), CELL_WIDTH);
        Self { left: columns.left_of(place), bottom: top + height * panel.grid.rows.len() as f64, width, height }
    }

    fn draw(&self, scene: &mut Scene, panel: &SurfacePanel, scale: &Scale) {
        for ((row, column), score) in panel.grid.values.indexed_iter() {
            let corner = (self.left + column as f64 * self.width, self.bottom - (row + 1) as f64 * self.height);
            scene.rectangle(corner, self.width, self.height, colour(scale.position(*score)));
        }
        let right = self.left + self.width * panel.grid.columns.len() as f64;
        let top = self.bottom - self.height * panel.grid.rows.len() as f64;
        let corners =
            [(self.left, top), (self.left, self.bottom), (right, self.bottom), (right, top), (self.left, top)];
        scene.line(corners.to_vec(), 1.0, INK);
        self.draw_labels(scene, panel);
        let (row, column) = panel.least();
        let radius = (0.5 * self.width.min(self.height) - 3.0).clamp(4.5, 8.0);
        draw_ring(scene, (self.across(column), self.up(row)), radius);
    }

    /// The middle of a column and of a row.
    fn across(&self, column: usize) -> f64 {
        self.left + (column as f64 + 0.5) * self.width
    }

    fn up(&self, row: usize) -> f64 {
        self.bottom - (row as f64 + 0.5) * self.height
    }

    /// The parameters beside the middles of the cells: all of them, or every few where labels would touch.
    fn draw_labels(&self, scene: &mut Scene, panel: &SurfacePanel) {
        let labels = distinct(&panel.grid.rows);
        for (row, label) in labels.into_iter().enumerate().step_by(every(TICK_EM + 3.0, self.height)) {
            let y = self.up(row);
            scene.line(vec![(self.left - 4.0, y), (self.left, y)], 1.0, SOFT_INK);
            draw_tick_label_beside(scene, (self.left, y), &label);
        }
        let labels = distinct(&panel.grid.columns);
        let widest = labels.iter().map(|label| width(label, TICK_EM)).fold(0.0, f64::max);
        for (column, label) in labels.into_iter().enumerate().step_by(every(widest + 8.0, self.width)) {
            draw_tick_below(scene, (self.across(column), self.bottom), &label);
        }
    }
}

/// Every how many cells there is room for a label of this length.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both lengths are positive and finite")]
fn every(label: f64, cell: f64) -> usize {
    ((label / cell).ceil() as usize).max(1)
}
