//! Scores over two parameters, as heat maps.

use dpfda_privacy::NonPrivate;
use ndarray::Array2;

use crate::canvas::text::cleaned;
use crate::error::FigureError;
use crate::figure::{Exposure, Figure, TwoAxes, check_panels};

mod from_candidates;
mod layout;
mod scale;
#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
const MOST_PANELS: usize = 12;

/// A score for every pair of values of two positive parameters. A smaller score is better.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfacePanel {
    label: String,
    grid: ParameterGrid,
}

impl SurfacePanel {
    /// The surface with the score `scores[[row, column]]` at `rows[row]` and `columns[column]`, under its label.
    ///
    /// The parameters may come in any order. On the figure, they ascend to the right and upwards.
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

    /// Whether parameters beyond the grid might have a smaller score than the least.
    fn is_least_on_edge(&self) -> bool {
        let (row, column) = self.least();
        let on_edge = |index: usize, length: usize| length > 1 && (index == 0 || index + 1 == length);
        on_edge(row, self.grid.rows.len()) || on_edge(column, self.grid.columns.len())
    }
}

/// Heat maps of scores over two parameters, with the least score of each marked.
///
/// All panels have the same colours for the same scores: a logarithmic scale of how far a score is above the least on
/// the figure, with the ramp viridis. Scores far above the least are grey, and the legend says from where on. The caption of a panel says what its least score is and where. If the least score
/// is on the edge of the grid, the caption says so: parameters beyond the grid may do better.
///
/// ```
/// use dpfda_plotting::{SurfaceFigure, SurfacePanel};
/// use ndarray::array;
///
/// # fn main() -> Result<(), dpfda_plotting::FigureError> {
/// let risks = array![[0.4, 0.2, 0.3], [0.3, 0.1, 0.2]];
/// let panel = SurfacePanel::new("Gaussian kernel", vec![0.05, 0.1, 0.2], vec![1e-3, 1e-2], risks)?;
/// let figure = SurfaceFigure::new(vec![panel])?.title("Estimated risk").axes("range", "penalty");
/// assert!(figure.to_svg()?.contains("at range 0.1, penalty 0.01"));
/// # Ok(())
/// # }
/// ```
pub type SurfaceFigure = Figure<Surfaces>;

/// Scores over two parameters, one panel for each.
#[derive(Debug)]
pub struct Surfaces {
    panels: Exposure<Vec<SurfacePanel>>,
    score_name: String,
    /// Facts below the title.
    caption: Vec<String>,
}

impl TwoAxes for Surfaces {}

impl SurfaceFigure {
    /// The figure of surfaces that anyone may see, such as the estimated risk of smoothing a release.
    ///
    /// The axes are `range` and `penalty` until they are named.
    pub fn new(panels: Vec<SurfacePanel>) -> Result<Self, FigureError> {
        Self::of_exposed(Exposure::Public(panels))
    }

    /// The figure of surfaces computed from private data, such as cross-validation scores.
    ///
    /// This figure is private data. Every part of it is watermarked `NOT PRIVATE - CURATOR ONLY`.
    pub fn not_private(panels: NonPrivate<Vec<SurfacePanel>>) -> Result<Self, FigureError> {
        Self::of_exposed(Exposure::Private(panels))
    }

    fn of_exposed(panels: Exposure<Vec<SurfacePanel>>) -> Result<Self, FigureError> {
        check_panels(panels.shown().len(), MOST_PANELS)?;
        let content = Surfaces { panels, score_name: "score".to_owned(), caption: Vec::new() };
        Ok(Self::of(content, "Scores of the candidates", &["range", "penalty"]))
    }

    /// Sets facts below the title, such as what the release cost that the scores are of.
    #[must_use]
    pub fn caption(mut self, facts: &[&str]) -> Self {
        self.content.caption = facts.iter().map(|fact| cleaned(fact)).collect();
        self
    }

    /// Says what the score is; without it, `score`.
    #[must_use]
    pub fn score_name(mut self, name: &str) -> Self {
        self.content.score_name = cleaned(name);
        self
    }
}

/// A finite value for every pair of values of two positive parameters, both ascending.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParameterGrid {
    pub(crate) columns: Vec<f64>,
    pub(crate) rows: Vec<f64>,
    /// The row's parameter comes first.
    pub(crate) values: Array2<f64>,
}

impl ParameterGrid {
    /// Puts the parameters into ascending order; what an error names is where it was before.
    pub(crate) fn new(columns: Vec<f64>, rows: Vec<f64>, values: Array2<f64>) -> Result<Self, FigureError> {
        if columns.is_empty() || rows.is_empty() {
            return Err(FigureError::NoCandidates { columns: columns.len(), rows: rows.len() });
        }
        if let Some(&value) = columns.iter().chain(&rows).find(|value| !(value.is_finite() && **value > 0.0)) {
            return Err(FigureError::Candidate { value });
        }
        let (found_rows, found_columns) = values.dim();
        if (found_rows, found_columns) != (rows.len(), columns.len()) {
            let (rows, columns) = (rows.len(), columns.len());
            return Err(FigureError::Shape { rows, columns, found_rows, found_columns });
        }
        if let Some(((row, column), _)) = values.indexed_iter().find(|(_, value)| !value.is_finite()) {
            return Err(FigureError::Score { row, column });
        }
        let (across, up) = (ascending(&columns), ascending(&rows));
        Ok(Self {
            values: Array2::from_shape_fn(values.dim(), |(row, column)| values[[up[row], across[column]]]),
            columns: across.into_iter().map(|i| columns[i]).collect(),
            rows: up.into_iter().map(|i| rows[i]).collect(),
        })
    }
}

/// The order in which values ascend.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}
