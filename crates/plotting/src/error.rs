//! Why a figure could not be made.

use thiserror::Error;

/// Why a figure could not be made.
///
/// Rows and panels are counted from 0, from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FigureError {
    /// A comparison needs something to compare.
    #[error("a figure needs at least one release")]
    NoReleases,
    /// Small multiples stop being readable.
    #[error("a figure holds at most {most} releases, got {found}; make several figures")]
    TooManyReleases {
        /// The number of releases given.
        found: usize,
        /// The number of releases allowed.
        most: usize,
    },
    /// Neighbours are drawn around one release.
    #[error("neighbours need a figure of one release, this one has {found}")]
    SeveralReleases {
        /// The number of releases in the figure.
        found: usize,
    },
    /// More lines could not be told apart.
    #[error("a figure holds at most {most} neighbours of a release, got {found}")]
    TooManyNeighbours {
        /// The number of neighbours given.
        found: usize,
        /// The number of neighbours allowed.
        most: usize,
    },
    /// A neighbour that is no other smooth of the release.
    #[error("neighbour {neighbour} is on another grid than the release")]
    OtherGrid {
        /// Which neighbour, counted from 0.
        neighbour: usize,
    },
    /// A neighbour that is no other smooth of the release.
    #[error("neighbour {neighbour} has another privacy, unit or ball than the release")]
    OtherRelease {
        /// Which neighbour, counted from 0.
        neighbour: usize,
    },
    /// A figure, or a row of it, without panels.
    #[error("a figure, and every row of it, needs at least one panel")]
    NoPanels,
    /// Small multiples stop being readable.
    #[error("there is room for {most} panels, got {found}; make several figures")]
    TooManyPanels {
        /// The number of panels given.
        found: usize,
        /// The number of panels allowed.
        most: usize,
    },
    /// Small multiples stop being readable.
    #[error("a figure holds at most {most} rows of panels, got {found}; make several figures")]
    TooManyRows {
        /// The number of rows given.
        found: usize,
        /// The number of rows allowed.
        most: usize,
    },
    /// A surface without a cell.
    #[error("a surface needs values of both parameters, got {columns} for the columns and {rows} for the rows")]
    NoCandidates {
        /// The number of values of the columns' parameter.
        columns: usize,
        /// The number of values of the rows' parameter.
        rows: usize,
    },
    /// A parameter of a surface that is not a positive number.
    #[error("the parameters of a surface must be positive and finite, got {value}")]
    Candidate {
        /// The parameter.
        value: f64,
    },
    /// Scores that do not belong to the parameters.
    #[error("{rows} x {columns} parameters need as many scores, got {found_rows} x {found_columns}")]
    Shape {
        /// The number of values of the rows' parameter.
        rows: usize,
        /// The number of values of the columns' parameter.
        columns: usize,
        /// The number of rows of scores.
        found_rows: usize,
        /// The number of columns of scores.
        found_columns: usize,
    },
    /// A score that is not a number or is infinite.
    #[error("the score in row {row}, column {column} is not finite")]
    Score {
        /// Where, as the scores were given.
        row: usize,
        /// Where, as the scores were given.
        column: usize,
    },
    /// A panel whose series do not belong to its points.
    #[error("panel {panel} of row {row} needs points, and as many values in every series")]
    Lengths {
        /// Which row.
        row: usize,
        /// Which panel of the row.
        panel: usize,
    },
    /// Only raw curves may have gaps.
    #[error("points, mean and estimate of panel {panel} of row {row} must be finite")]
    Gaps {
        /// Which row.
        row: usize,
        /// Which panel of the row.
        panel: usize,
    },
    /// The embedded font could not be read.
    #[error("the embedded font could not be read")]
    Font,
    /// The drawing library refused a line, an area or a text.
    #[error("the figure could not be drawn")]
    Drawing,
    /// The drawing was made but could not be written as SVG or PNG.
    #[error("the figure could not be encoded")]
    Encoding,
}
