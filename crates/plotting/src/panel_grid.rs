//! Rows of small panels that compare means with and without privacy on the same curves.

use std::fmt;

use dpfda_privacy::NonPrivate;

use crate::canvas::text::cleaned;
use crate::error::FigureError;
use crate::figure::{Exposure, Figure, TwoAxes, check_panels};

mod layout;
#[cfg(test)]
mod tests;

/// More panels in a row, or more rows, are too small to read.
const MOST_PANELS: usize = 6;
const MOST_ROWS: usize = 4;

/// Curves, their mean and a sanitised estimate of it.
#[derive(Clone, PartialEq)]
pub struct GridPanel {
    /// What stands above the panel; empty for nothing.
    pub label: String,
    /// The points, at least one.
    pub t: Vec<f64>,
    /// The curves, grey; a value that is not a number is a gap.
    pub curves: Vec<Vec<f64>>,
    /// The mean without noise, smoothed as the estimate is, green.
    pub mean: Vec<f64>,
    /// The sanitised estimate, vermilion.
    pub released: Vec<f64>,
}

impl GridPanel {
    fn check(&self, row: usize, panel: usize) -> Result<(), FigureError> {
        let mut series = self.curves.iter().chain([&self.mean, &self.released]);
        if self.t.is_empty() || series.any(|values| values.len() != self.t.len()) {
            return Err(FigureError::Lengths { row, panel });
        }
        let mut whole = self.t.iter().chain(&self.mean).chain(&self.released);
        if whole.all(|value| value.is_finite()) { Ok(()) } else { Err(FigureError::Gaps { row, panel }) }
    }
}

/// Shows no values: they may be a person's.
impl fmt::Debug for GridPanel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GridPanel")
            .field("label", &self.label)
            .field("points", &self.t.len())
            .field("curves", &self.curves.len())
            .finish_non_exhaustive()
    }
}

/// Up to 4 rows of up to 6 panels with curves, their mean and a sanitised estimate of it.
///
/// All panels share both axes, so that rows can be compared. The vertical axis is over all curves and means. Estimates extend it to at
/// most three times that range, and are cut off where they leave it. A row of fewer panels has wider ones. If a panel has more than 100 curves,
/// the figure shows curves at equal distances in their order.
///
/// ```
/// use dpfda_plotting::{GridPanel, PanelGrid};
///
/// # fn main() -> Result<(), dpfda_plotting::FigureError> {
/// let panel = GridPanel {
///     label: "epsilon = 1".to_owned(),
///     t: vec![0.0, 0.5, 1.0],
///     curves: vec![vec![0.1, 0.4, 0.2], vec![0.3, 0.6, 0.4]],
///     mean: vec![0.2, 0.5, 0.3],
///     released: vec![0.25, 0.45, 0.35],
/// };
/// let grid = PanelGrid::of_simulated(vec![("One row".to_owned(), vec![panel])])?.caption("N = 2");
/// assert!(grid.to_svg()?.contains("nobody’s data"));
/// # Ok(())
/// # }
/// ```
pub type PanelGrid = Figure<Rows>;

/// Rows of panels with curves, each row under its heading.
#[derive(Debug)]
pub struct Rows {
    rows: Exposure<Vec<(String, Vec<GridPanel>)>>,
    caption: String,
}

impl TwoAxes for Rows {}

impl PanelGrid {
    /// The grid over curves of people, each row with its heading. The axes are `t` and `value` until they are named.
    ///
    /// This figure is private data. Every part of it is watermarked `NOT PRIVATE - CURATOR ONLY`.
    ///
    /// # Errors
    /// - [`FigureError::NoPanels`] if there is no row or a row without panels, [`FigureError::TooMany`] for more than 4
    ///   rows or more than 6 panels in one.
    /// - [`FigureError::Lengths`] if a panel has no points, or another number of values than points,
    ///   [`FigureError::Gaps`] if a point or a value of a mean or an estimate is not finite.
    pub fn of_people(rows: NonPrivate<Vec<(String, Vec<GridPanel>)>>) -> Result<Self, FigureError> {
        Self::of_exposed(Exposure::Private(rows.map(cleaned_rows)))
    }

    /// The grid over simulated curves, which are nobody's data, as the caption says.
    pub fn of_simulated(rows: Vec<(String, Vec<GridPanel>)>) -> Result<Self, FigureError> {
        Self::of_exposed(Exposure::Public(cleaned_rows(rows)))
    }

    fn of_exposed(rows: Exposure<Vec<(String, Vec<GridPanel>)>>) -> Result<Self, FigureError> {
        check(rows.shown())?;
        Ok(Self::of(Rows { rows, caption: String::new() }, "Means with and without privacy", &["t", "value"]))
    }

    /// Sets a text below the title.
    #[must_use]
    pub fn caption(mut self, caption: &str) -> Self {
        self.content.caption = cleaned(caption);
        self
    }
}

fn cleaned_rows(mut rows: Vec<(String, Vec<GridPanel>)>) -> Vec<(String, Vec<GridPanel>)> {
    for (heading, panels) in &mut rows {
        *heading = cleaned(heading);
        for panel in panels {
            panel.label = cleaned(&panel.label);
        }
    }
    rows
}

fn check(rows: &[(String, Vec<GridPanel>)]) -> Result<(), FigureError> {
    if rows.is_empty() {
        return Err(FigureError::NoPanels);
    }
    if rows.len() > MOST_ROWS {
        return Err(FigureError::TooMany { what: "rows of panels", found: rows.len(), most: MOST_ROWS });
    }
    for (row, (_, panels)) in rows.iter().enumerate() {
        check_panels(panels.len(), MOST_PANELS)?;
        panels.iter().enumerate().try_for_each(|(panel, its)| its.check(row, panel))?;
    }
    Ok(())
}
