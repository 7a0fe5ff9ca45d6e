//! Where everything goes on a grid of panels.

use super::{GridPanel, PanelGrid};
use crate::axis::Axis;
use crate::columns::{BELOW_LABEL, BELOW_TICKS, Columns, MARGIN, draw_label_below, draw_label_beside, top_column};
use crate::header::{CURATOR_CAPTION, Header, WATERMARK, draw_watermark};
use crate::layer::step_between_shown;
use crate::legend::{Entry, Key};
use crate::panel::{MEAN_WIDTH, Panel, RAW_WIDTH, widest_tick};
use crate::scene::{GREEN, GREY, INK, Scene, VERMILION};
use crate::text::lines_of_words;

/// More curves are a grey area.
const MOST_CURVES: usize = 100;
/// How much room sanitised estimates may take, in ranges of what they estimate.
const MOST_RANGES: f64 = 3.0;

const SIMULATED: &str = "simulated curves: nobody’s data";
const CUT_OFF: &str = "A sanitised estimate that leaves its panel is cut off at the edge.";

/// Lays a figure out; its height follows from what is on it.
pub(super) fn composed(grid: &PanelGrid) -> Scene {
    let rows = grid.rows.shown();
    let panels = || rows.iter().flat_map(|(_, panels)| panels);
    let axes: Vec<Axis> = rows.iter().map(|(_, panels)| vertical_axis(panels)).collect();
    let count = rows.iter().map(|(_, panels)| panels.len()).fold(1, usize::max);
    let (width, height) = match count {
        1 => (800.0, 300.0),
        2 => (800.0, 240.0),
        3..=4 => (1000.0, 190.0),
        _ => (1200.0, 160.0),
    };
    let points: Vec<f64> = panels().flat_map(|panel| &panel.t).copied().collect();
    let beside = axes.iter().map(widest_tick).fold(0.0, f64::max);
    let (x, columns) = Columns::sharing_axis(count, width, beside, &points);

    let mut scene = Scene { width, ..Scene::default() };
    let mut column = top_column(width);
    let header = Header {
        title: &grid.title,
        facts: &facts(grid, &axes),
        warning: grid.rows.is_private().then_some(CURATOR_CAPTION),
        legend: &legend(panels()),
    };
    header.draw(&mut scene, &mut column);
    column.y += 8.0;
    for (row, (heading, panels)) in rows.iter().enumerate() {
        column.lines(&mut scene, &lines_of_words(heading, 14.0, column.room, 2), 14.0, INK);
        let below = rows.get(row + 1).map_or(0, |(_, panels)| panels.len());
        let place = Row { columns: &columns, x: &x, y: &axes[row], height, below };
        column.y = place.draw(&mut scene, grid, panels, column.y + 4.0);
    }
    scene.height = (column.y - 2.0).ceil();
    if grid.rows.is_private() {
        draw_watermark(&mut scene, WATERMARK);
    }
    scene
}

/// The axis of a row: all of its curves and means, and as much of its estimates as leaves those readable.
fn vertical_axis(panels: &[GridPanel]) -> Axis {
    let (low, high) = range(panels.iter().flat_map(|panel| panel.curves.iter().chain([&panel.mean]).flatten()));
    let (least, most) = range(panels.iter().flat_map(|panel| &panel.released));
    let spare = (MOST_RANGES - 1.0) * (high - low);
    let (below, above) = ((low - least).max(0.0), (most - high).max(0.0));
    // Either side gets half of what is spare, and what the other does not need of its half.
    let share = |wanted: f64, other: f64| wanted.min((spare - other).max(0.5 * spare));
    Axis::covering([low, high, low - share(below, above), high + share(above, below)].into_iter(), 0.05, 4.0)
}

fn range<'a>(values: impl Iterator<Item = &'a f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

/// The caption, and what must be said below it.
fn facts(grid: &PanelGrid, axes: &[Axis]) -> Vec<Vec<String>> {
    let leaves = |(axis, panels): (&Axis, &Vec<GridPanel>)| {
        let mut released = panels.iter().flat_map(|panel| &panel.released);
        released.any(|value| !(0.0..=1.0).contains(&axis.position(*value)))
    };
    let is_cut = axes.iter().zip(grid.rows.shown().iter().map(|(_, panels)| panels)).any(leaves);
    let mut facts = vec![vec![grid.caption.clone()]];
    facts.extend(is_cut.then(|| vec![CUT_OFF.to_owned()]));
    facts.extend((!grid.rows.is_private()).then(|| vec![SIMULATED.to_owned()]));
    facts
}

fn legend<'a>(panels: impl Iterator<Item = &'a GridPanel>) -> Vec<Entry> {
    let most = panels.map(|panel| panel.curves.len()).fold(0, usize::max);
    let curves = if most > MOST_CURVES {
        format!("curves (at most {MOST_CURVES} of up to {most} a panel, at equal distances)")
    } else {
        "curves".to_owned()
    };
    vec![
        (Key::Stroke(RAW_WIDTH, GREY), curves),
        (Key::Stroke(MEAN_WIDTH, GREEN), "smoothed mean, not private".to_owned()),
        (Key::Stroke(MEAN_WIDTH, VERMILION), "sanitised estimate".to_owned()),
    ]
}

/// A row's place on the figure, its axes, and how many panels the row below it has.
struct Row<'a> {
    columns: &'a Columns,
    x: &'a Axis,
    y: &'a Axis,
    height: f64,
    below: usize,
}

impl Row<'_> {
    /// Draws the row and returns where the next may begin.
    fn draw(&self, scene: &mut Scene, grid: &PanelGrid, panels: &[GridPanel], top: f64) -> f64 {
        let top = self.columns.draw_headings(scene, panels.len(), top, |scene, column, place| {
            column.lines(scene, &lines_of_words(&panels[place].label, 12.0, column.room, 3), 12.0, INK);
        });
        let bottom = top + self.height;
        let mut end = bottom + BELOW_TICKS;
        for (place, content) in panels.iter().enumerate() {
            let (left, width) = (self.columns.left_of(place), self.columns.width);
            let panel = Panel { left, top, width, height: self.height, x: self.x, y: self.y };
            draw_panel(scene, &panel, content, place == 0);
            if place >= self.below {
                draw_label_below(scene, &self.x.labelled(&grid.x_label), left, width, bottom);
                end = bottom + BELOW_LABEL;
            }
        }
        draw_label_beside(scene, &self.y.labelled(&grid.y_label), top, self.height);
        end + 0.7 * MARGIN
    }
}

fn draw_panel(scene: &mut Scene, panel: &Panel<'_>, content: &GridPanel, vertical_labels: bool) {
    panel.draw_ticks(scene, vertical_labels);
    for curve in content.curves.iter().step_by(step_between_shown(content.curves.len(), MOST_CURVES)) {
        panel.draw_curve(scene, &content.t, curve, RAW_WIDTH, GREY);
    }
    panel.draw_curve(scene, &content.t, &content.mean, MEAN_WIDTH, GREEN);
    panel.draw_curve(scene, &content.t, &content.released, MEAN_WIDTH, VERMILION);
    panel.draw_frame(scene);
}
