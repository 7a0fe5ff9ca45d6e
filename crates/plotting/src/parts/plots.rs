//! Panels with axes of their own, whose names they share.

use crate::canvas::palette::SOFT_INK;
use crate::canvas::scene::Scene;
use crate::canvas::text::lines_of_phrases;
use crate::parts::axis::Axis;
use crate::parts::column::{Column, MARGIN};
use crate::parts::columns::{BESIDE_LABEL, Columns, Row, with_ticks_apart};
use crate::parts::panel::{Panel, TICK_GAP, widest_tick};

/// What stands above a panel.
pub(crate) struct Heading {
    pub(crate) label: String,
    /// Lines below the label, in smaller letters.
    pub(crate) phrases: Vec<String>,
}

/// The places of panels and their axes.
pub(crate) struct Plots<'a> {
    columns: Columns,
    height: f64,
    x: Vec<Axis>,
    y: Vec<Axis>,
    /// The name of the horizontal axes, and that of each vertical one.
    names: (&'a str, Vec<&'a str>),
}

impl<'a> Plots<'a> {
    /// One panel for each vertical axis and its name, `count` of them side by side, each `height` high, with this much room right of the
    /// last. `x` makes the horizontal axis of a panel with about the given number of ticks.
    pub(crate) fn new(
        (count, figure_width, height): (usize, f64, f64),
        names: (&'a str, Vec<&'a str>),
        (y, right): (Vec<Axis>, f64),
        x: impl Fn(usize, f64) -> Axis,
    ) -> Self {
        let width = figure_width - right;
        let beside = y.iter().map(widest_tick).fold(0.0, f64::max);
        let rough = (width - BESIDE_LABEL) / count as f64 - beside - TICK_GAP - MARGIN;
        let x: Vec<Axis> = (0..y.len()).map(|panel| with_ticks_apart(rough, |ticks| x(panel, ticks))).collect();
        let below = x.iter().map(widest_tick).fold(0.0, f64::max);
        let columns = Columns::with_own_axes(count, width, (beside, below), !share(&names.1));
        Self { columns, height, x, y, names }
    }

    /// Draws all rows from `top` and returns where they end.
    pub(crate) fn draw(
        &self,
        scene: &mut Scene,
        mut top: f64,
        heading: impl Fn(usize) -> Heading,
        content: impl Fn(&mut Scene, &Panel<'_>, usize),
    ) -> f64 {
        let count = self.columns.count;
        let has_one_name = share(&self.names.1);
        // the name beside a row has the power of ten that the ticks leave out, if all panels leave out the same
        let has_one_factor = self.y.windows(2).all(|pair| pair[0].factor == pair[1].factor);
        let has_one_x = self.x.windows(2).all(|pair| pair[0] == pair[1]);
        for (row, y) in self.y.chunks(count).enumerate() {
            let first = row * count;
            let labelled = |(axis, name): (&Axis, &&str)| {
                if has_one_name && !has_one_factor { (*name).to_owned() } else { axis.labelled(name) }
            };
            let own = if has_one_name { 1 } else { count };
            let names = y.iter().zip(&self.names.1[first..]).take(own).map(labelled).collect();
            let axes = self.x[first..].iter().zip(y).collect();
            let below = if has_one_x { self.y.len().saturating_sub(first + count) } else { 0 };
            let row = Row { columns: &self.columns, height: self.height, axes, names: (self.names.0, names), below };
            let heading = |scene: &mut Scene, column: &mut Column, place: usize| {
                let factor = y[place].factor.as_ref().filter(|_| has_one_name && !has_one_factor);
                draw_heading(scene, column, &heading(first + place), factor);
            };
            top = row.draw(scene, top, heading, |scene, panel, place| content(scene, panel, first + place)) + 14.0;
        }
        top
    }
}

/// Whether all panels share one name.
fn share(names: &[&str]) -> bool {
    names.windows(2).all(|pair| pair[0] == pair[1])
}

fn draw_heading(scene: &mut Scene, column: &mut Column, heading: &Heading, factor: Option<&String>) {
    column.panel_label(scene, &heading.label);
    column.lines(scene, &lines_of_phrases(&heading.phrases, 10.0, column.room, 4), 10.0, SOFT_INK);
    if let Some(factor) = factor {
        column.lines(scene, &[format!("vertical axis {factor}")], 10.0, SOFT_INK);
    }
}
