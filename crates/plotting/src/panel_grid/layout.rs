//! Where everything goes on a grid of panels.

use super::{GridPanel, Rows};
use crate::canvas::palette::{GREEN, GREY, INK, Paint, VERMILION, WATERMARK};
use crate::canvas::scene::Scene;
use crate::canvas::text::lines_of_words;
use crate::figure::{Content, Labels};
use crate::mean::layer::step_between_shown;
use crate::parts::axis::Axis;
use crate::parts::column::{Column, MARGIN};
use crate::parts::columns::{Columns, Row};
use crate::parts::header::{CURATOR_CAPTION, Header};
use crate::parts::legend::{Entry, Key};
use crate::parts::panel::{MEAN_WIDTH, Panel, RAW_WIDTH, widest_tick};

/// The largest number of curves shown in a panel; more are a grey area.
const MOST_CURVES: usize = 100;
/// The largest range of the vertical axis, in ranges of the curves and means.
const MOST_RANGES: f64 = 3.0;

const SIMULATED: &str = "simulated curves: nobody’s data";
const CUT_OFF: &str = "A sanitised estimate that leaves its panel is cut off at the edge.";

impl Content for Rows {
    fn composed(&self, labels: &Labels) -> Scene {
        let rows = self.rows.shown();
        let panels = || rows.iter().flat_map(|(_, panels)| panels);
        let y = vertical_axis(panels);
        let count = rows.iter().map(|(_, panels)| panels.len()).fold(1, usize::max);
        let (width, height) = match count {
            1 => (800.0, 300.0),
            2 => (800.0, 240.0),
            3..=4 => (1000.0, 190.0),
            _ => (1200.0, 160.0),
        };
        let points: Vec<f64> = panels().flat_map(|panel| &panel.t).copied().collect();
        let columns = |count: usize| Columns::sharing_axis(count, width, widest_tick(&y), &points);

        let mut scene = Scene { width, ..Scene::default() };
        let header = Header {
            facts: &facts(self, &y),
            warning: self.rows.is_private().then_some(CURATOR_CAPTION),
            legend: &legend(panels()),
            ..Header::default()
        };
        let mut column = header.draw(&mut scene, &labels.title);
        column.y += 8.0;
        for (row, (heading, panels)) in rows.iter().enumerate() {
            // a row of fewer panels has wider ones, and no empty place
            let (x, columns) = columns(panels.len());
            column.lines(&mut scene, &lines_of_words(heading, 14.0, column.room, 2), 14.0, INK);
            let names = (labels.axes[0].as_str(), vec![y.labelled(&labels.axes[1])]);
            let is_repeated = rows.get(row + 1).is_some_and(|(_, next)| next.len() == panels.len());
            let below = if is_repeated { panels.len() } else { 0 };
            let place = Row { columns: &columns, height, axes: vec![(&x, &y); panels.len()], names, below };
            let heading = |scene: &mut Scene, column: &mut Column, place: usize| {
                column.lines(scene, &lines_of_words(&panels[place].label, 12.0, column.room, 3), 12.0, INK);
            };
            let content = |scene: &mut Scene, panel: &Panel<'_>, place: usize| draw_panel(scene, panel, &panels[place]);
            column.y = place.draw(&mut scene, column.y + 4.0, heading, content) + 0.7 * MARGIN;
        }
        scene.height = (column.y - 2.0).ceil();
        scene
    }

    fn watermark(&self) -> &'static [Paint] {
        if self.rows.is_private() { &[WATERMARK] } else { &[] }
    }
}

/// The axis of all panels: their curves and means, and as much of their estimates as leaves the curves readable.
fn vertical_axis<'a, I: Iterator<Item = &'a GridPanel>>(panels: impl Fn() -> I) -> Axis {
    let (low, high) = range(panels().flat_map(|panel| panel.curves.iter().chain([&panel.mean]).flatten()));
    let (least, most) = range(panels().flat_map(|panel| &panel.released));
    let spare = (MOST_RANGES - 1.0) * (high - low);
    let (below, above) = ((low - least).max(0.0), (most - high).max(0.0));
    // Each side gets half of the spare room, and the part of the other half that the other side does not need.
    let share = |wanted: f64, other: f64| wanted.min((spare - other).max(0.5 * spare));
    Axis::covering([low, high, low - share(below, above), high + share(above, below)].into_iter(), 0.05, 4.0)
}

fn range<'a>(values: impl Iterator<Item = &'a f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

/// The caption and the notes below it.
fn facts(grid: &Rows, axis: &Axis) -> Vec<Vec<String>> {
    let mut released = grid.rows.shown().iter().flat_map(|(_, panels)| panels).flat_map(|panel| &panel.released);
    let is_cut = released.any(|value| !(0.0..=1.0).contains(&axis.position(*value)));
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

fn draw_panel(scene: &mut Scene, panel: &Panel<'_>, content: &GridPanel) {
    for curve in content.curves.iter().step_by(step_between_shown(content.curves.len(), MOST_CURVES)) {
        panel.draw_curve(scene, &content.t, curve, RAW_WIDTH, GREY);
    }
    panel.draw_curve(scene, &content.t, &content.mean, MEAN_WIDTH, GREEN);
    panel.draw_curve(scene, &content.t, &content.released, MEAN_WIDTH, VERMILION);
}
