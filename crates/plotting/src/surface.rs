//! Scores over two parameters, as heat maps.

use dpfda_privacy::NonPrivate;
use ndarray::Array2;

use crate::error::FigureError;
use crate::font;
use crate::parameter_grid::ParameterGrid;
use crate::render;
use crate::scene::Scene;
use crate::source::Source;
use crate::text::cleaned;

mod layout;
mod scale;
#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
const MOST_PANELS: usize = 12;

/// A score, the less the better, for every pair of values of two positive parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfacePanel {
    label: String,
    grid: ParameterGrid,
}

impl SurfacePanel {
    /// The surface with `scores[[row, column]]` for every pair of `rows` and `columns`, under its label.
    ///
    /// Whatever their order here, the figure has the parameters ascending: to the right and upwards.
    ///
    /// # Errors
    /// - [`FigureError::NoCandidates`] if a parameter has no value, [`FigureError::Candidate`] if one is not positive
    ///   and finite.
    /// - [`FigureError::Shape`] if the scores are not `rows.len()` x `columns.len()`, [`FigureError::Score`] if one is
    ///   not finite.
    pub fn new(label: &str, columns: Vec<f64>, rows: Vec<f64>, scores: Array2<f64>) -> Result<Self, FigureError> {
        Ok(Self { label: cleaned(label), grid: ParameterGrid::new(columns, rows, scores)? })
    }

    /// Row and column of the least score; of several, the first.
    fn least(&self) -> (usize, usize) {
        let less = |best: ((usize, usize), f64), (at, score): ((usize, usize), &f64)| {
            if *score < best.1 { (at, *score) } else { best }
        };
        self.grid.values.indexed_iter().fold(((0, 0), f64::INFINITY), less).0
    }

    /// Whether the least score might be less yet beyond the grid.
    fn is_least_on_edge(&self) -> bool {
        let (row, column) = self.least();
        let on_edge = |index: usize, length: usize| length > 1 && (index == 0 || index + 1 == length);
        on_edge(row, self.grid.rows.len()) || on_edge(column, self.grid.columns.len())
    }
}

/// Heat maps of scores over two parameters, with the least score of each marked.
///
/// All panels have the same colours for the same scores: a logarithmic scale of how far a score is above the least on
/// the figure, with the ramp viridis. The caption of a panel says what its least score is and where, and whether that
/// is on the edge of its grid, so that other parameters may do better.
///
/// The same scores give the same file, byte for byte.
#[derive(Debug)]
pub struct SurfaceFigure {
    panels: Source<Vec<SurfacePanel>>,
    title: String,
    columns_name: String,
    rows_name: String,
    score_name: String,
}

impl SurfaceFigure {
    /// The figure of surfaces that anyone may see, such as the estimated risk of smoothing a release.
    ///
    /// # Errors
    /// [`FigureError::NoPanels`] and [`FigureError::TooManyPanels`] (at most 12).
    pub fn new(panels: Vec<SurfacePanel>) -> Result<Self, FigureError> {
        Self::of(Source::Public(panels))
    }

    /// The figure of surfaces computed from private data, such as cross-validation scores.
    ///
    /// This figure is private data. Every part of it is watermarked `NOT PRIVATE - CURATOR ONLY`.
    ///
    /// # Errors
    /// As [`SurfaceFigure::new`].
    pub fn not_private(panels: NonPrivate<Vec<SurfacePanel>>) -> Result<Self, FigureError> {
        Self::of(Source::Private(panels))
    }

    fn of(panels: Source<Vec<SurfacePanel>>) -> Result<Self, FigureError> {
        match panels.shown().len() {
            0 => Err(FigureError::NoPanels),
            found if found > MOST_PANELS => Err(FigureError::TooManyPanels { found, most: MOST_PANELS }),
            _ => Ok(Self {
                panels,
                title: "Scores of the candidates".to_owned(),
                columns_name: "range".to_owned(),
                rows_name: "penalty".to_owned(),
                score_name: "score".to_owned(),
            }),
        }
    }

    /// Another title; an empty one leaves the title out.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = cleaned(title);
        self
    }

    /// The names of the columns' and the rows' parameter, in place of `range` and `penalty`.
    #[must_use]
    pub fn axes(mut self, columns_name: &str, rows_name: &str) -> Self {
        self.columns_name = cleaned(columns_name);
        self.rows_name = cleaned(rows_name);
        self
    }

    /// What the score is, in place of `score`.
    #[must_use]
    pub fn score_name(mut self, name: &str) -> Self {
        self.score_name = cleaned(name);
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
