//! Rows of panels that have axes of their own but share their names.

use crate::axis::Axis;
use crate::columns::{
    BELOW_LABEL, BESIDE_LABEL, Columns, MARGIN, draw_label_below, draw_label_beside, panel_height, with_ticks_apart,
};
use crate::header::Column;
use crate::panel::{Panel, TICK_GAP, widest_tick};
use crate::scene::{INK, SOFT_INK, Scene};
use crate::text::{lines_of_phrases, lines_of_words};

/// What stands on a panel.
pub(crate) struct Heading {
    pub(crate) label: String,
    /// Lines below the label, in smaller letters.
    pub(crate) phrases: Vec<String>,
}

/// The places of panels and their axes.
pub(crate) struct Plots {
    columns: Columns,
    x: Vec<Axis>,
    y: Vec<Axis>,
    names: (String, String),
}

impl Plots {
    /// One panel for each vertical axis, `count` of them side by side; `x` is the horizontal axis of a panel with about
    /// so many ticks, and the names are those of the axes.
    pub(crate) fn new(
        (count, figure_width): (usize, f64),
        names: (&str, &str),
        y: Vec<Axis>,
        x: impl Fn(usize, f64) -> Axis,
    ) -> Self {
        let beside = y.iter().map(widest_tick).fold(0.0, f64::max);
        let rough = (figure_width - BESIDE_LABEL) / count as f64 - beside - TICK_GAP - MARGIN;
        let x: Vec<Axis> = (0..y.len()).map(|panel| with_ticks_apart(rough, |ticks| x(panel, ticks))).collect();
        let below = x.iter().map(widest_tick).fold(0.0, f64::max);
        let columns = Columns::with_own_axes(count, figure_width, beside, below);
        Self { columns, x, y, names: (names.0.to_owned(), names.1.to_owned()) }
    }

    /// Draws all rows from `top` and returns where they end.
    pub(crate) fn draw(
        &self,
        scene: &mut Scene,
        mut top: f64,
        heading: impl Fn(usize) -> Heading,
        content: impl Fn(&mut Scene, &Panel<'_>, usize),
    ) -> f64 {
        let height = panel_height(self.columns.count);
        for first in (0..self.y.len()).step_by(self.columns.count) {
            let panels = self.columns.count.min(self.y.len() - first);
            top = self.columns.draw_headings(scene, panels, top, |scene, column, place| {
                self.draw_heading(scene, column, &heading(first + place), first + place);
            });
            top = top.ceil();
            for place in 0..panels {
                let (x, y) = (&self.x[first + place], &self.y[first + place]);
                let panel = Panel { left: self.columns.left_of(place), top, width: self.columns.width, height, x, y };
                panel.draw_ticks(scene, true);
                content(scene, &panel, first + place);
                panel.draw_marks(scene);
                panel.draw_frame(scene);
                draw_label_below(scene, &x.labelled(&self.names.0), panel.left, panel.width, top + height);
            }
            let name = if self.common_factor() { self.y[first].labelled(&self.names.1) } else { self.names.1.clone() };
            draw_label_beside(scene, &name, top, height);
            top += height + BELOW_LABEL + 14.0;
        }
        top
    }

    /// Whether the ticks of all vertical axes leave out the same power of ten, so that their name can say it.
    fn common_factor(&self) -> bool {
        self.y.windows(2).all(|pair| pair[0].factor() == pair[1].factor())
    }

    fn draw_heading(&self, scene: &mut Scene, column: &mut Column, heading: &Heading, panel: usize) {
        if !heading.label.is_empty() {
            column.lines(scene, &lines_of_words(&heading.label, 13.0, column.room, 2), 13.0, INK);
            column.y += 1.0;
        }
        column.lines(scene, &lines_of_phrases(&heading.phrases, 10.0, column.room, 4), 10.0, SOFT_INK);
        if let Some(factor) = self.y[panel].factor().filter(|_| !self.common_factor()) {
            column.lines(scene, &[format!("vertical axis {factor}")], 10.0, SOFT_INK);
        }
    }
}
