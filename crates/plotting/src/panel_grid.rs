//! Rows of small panels that compare means with and without privacy on the same curves.

use std::fmt;

use dpfda_privacy::NonPrivate;

use crate::error::FigureError;
use crate::font;
use crate::render;
use crate::scene::Scene;
use crate::source::Source;
use crate::text::cleaned;

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

/// The rows of a grid: heading and panels.
type Rows = Vec<(String, Vec<GridPanel>)>;

/// Up to 4 rows of up to 6 panels with curves, their mean and a sanitised estimate of it.
///
/// All panels share the horizontal axis. Each row has its own vertical axis, over its curves and means; estimates extend
/// it to at most three times that range, and are cut off where they leave it. Of more than 100 curves of a panel, rows
/// at equal distances are shown.
///
/// The same curves give the same file, byte for byte.
#[derive(Debug)]
pub struct PanelGrid {
    rows: Source<Rows>,
    title: String,
    caption: String,
    x_label: String,
    y_label: String,
}

impl PanelGrid {
    /// The grid over curves of people, each row with its heading.
    ///
    /// This figure is private data. Every part of it is watermarked `NOT PRIVATE - CURATOR ONLY`.
    ///
    /// # Errors
    /// - [`FigureError::NoPanels`] if there is no row or a row without panels, [`FigureError::TooManyRows`] for more
    ///   than 4 rows, [`FigureError::TooManyPanels`] for more than 6 panels in one.
    /// - [`FigureError::Lengths`] if a panel has no points, or another number of values than points,
    ///   [`FigureError::Gaps`] if a point or a value of a mean or an estimate is not finite.
    pub fn of_people(rows: NonPrivate<Vec<(String, Vec<GridPanel>)>>) -> Result<Self, FigureError> {
        Self::of(Source::Private(rows.map(cleaned_rows)))
    }

    /// The grid over simulated curves, which are nobody's data, as the caption says.
    ///
    /// # Errors
    /// As [`PanelGrid::of_people`].
    pub fn of_simulated(rows: Vec<(String, Vec<GridPanel>)>) -> Result<Self, FigureError> {
        Self::of(Source::Public(cleaned_rows(rows)))
    }

    fn of(rows: Source<Rows>) -> Result<Self, FigureError> {
        check(rows.shown())?;
        let title = "Means with and without privacy".to_owned();
        Ok(Self { rows, title, caption: String::new(), x_label: "t".to_owned(), y_label: "value".to_owned() })
    }

    /// Another title; an empty one leaves the title out.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = cleaned(title);
        self
    }

    /// A text below the title.
    #[must_use]
    pub fn caption(mut self, caption: &str) -> Self {
        self.caption = cleaned(caption);
        self
    }

    /// The labels of the horizontal and the vertical axis, in place of `t` and `value`.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        self.x_label = cleaned(x);
        self.y_label = cleaned(y);
        self
    }

    /// The figure as an SVG document; see [`Figure::to_svg`](crate::Figure::to_svg).
    ///
    /// # Errors
    /// As [`Figure::to_svg`](crate::Figure::to_svg).
    pub fn to_svg(&self) -> Result<String, FigureError> {
        render::svg(&self.scene()?)
    }

    /// The figure as a PNG file; see [`Figure::to_png`](crate::Figure::to_png).
    ///
    /// # Errors
    /// As [`Figure::to_svg`](crate::Figure::to_svg).
    pub fn to_png(&self) -> Result<Vec<u8>, FigureError> {
        render::png(&self.scene()?)
    }

    fn scene(&self) -> Result<Scene, FigureError> {
        // Texts are measured while the figure is laid out.
        font::register()?;
        Ok(layout::composed(self))
    }
}

fn cleaned_rows(mut rows: Rows) -> Rows {
    for (heading, panels) in &mut rows {
        *heading = cleaned(heading);
        for panel in panels {
            panel.label = cleaned(&panel.label);
        }
    }
    rows
}

fn check(rows: &Rows) -> Result<(), FigureError> {
    if rows.is_empty() || rows.iter().any(|(_, panels)| panels.is_empty()) {
        return Err(FigureError::NoPanels);
    }
    if rows.len() > MOST_ROWS {
        return Err(FigureError::TooManyRows { found: rows.len(), most: MOST_ROWS });
    }
    for (row, (_, panels)) in rows.iter().enumerate() {
        if panels.len() > MOST_PANELS {
            return Err(FigureError::TooManyPanels { found: panels.len(), most: MOST_PANELS });
        }
        panels.iter().enumerate().try_for_each(|(panel, its)| its.check(row, panel))?;
    }
    Ok(())
}
