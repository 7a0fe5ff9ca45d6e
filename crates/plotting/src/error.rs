//! The errors of this crate.

use thiserror::Error;

/// Why a figure could not be made.
///
/// Rows and panels are counted from 0, from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FigureError {
    #[error("a figure needs at least one release")]
    NoReleases,
    #[error("the width and the height of a figure must be from {least} to {most} CSS pixels, got {width} and {height}")]
    Size { width: f64, height: f64, least: f64, most: f64 },
    #[error("a figure holds at most {most} {what}, got {found}; make several figures")]
    TooMany { what: &'static str, found: usize, most: usize },
    #[error("neighbours need a figure of one release, but this figure has {found}")]
    SeveralReleases { found: usize },
    #[error("neighbour {neighbour} is on another grid than the release; smooth the release itself")]
    OtherGrid { neighbour: usize },
    #[error("neighbour {neighbour} has another privacy, unit or ball than the release; smooth the release itself")]
    OtherRelease { neighbour: usize },
    #[error("a figure, and every row of it, needs at least one panel")]
    NoPanels,
    #[error(
        "a surface needs at least one value of each parameter, got {columns} for the columns and {rows} for the rows"
    )]
    NoCandidates { columns: usize, rows: usize },
    #[error("the parameters of a surface must be positive and finite, got {value:?}")]
    Candidate { value: f64 },
    #[error("{rows} x {columns} parameters need {rows} x {columns} values, got {found_rows} x {found_columns}")]
    Shape { rows: usize, columns: usize, found_rows: usize, found_columns: usize },
    #[error("the value in row {row}, column {column} is not finite")]
    Score { row: usize, column: usize },
    #[error("a panel needs at least one series")]
    NoSeries,
    #[error("series {series} has no points")]
    EmptySeries { series: usize },
    #[error("series {series} needs the same number of x and y, got {x} and {y}")]
    SeriesLengths { series: usize, x: usize, y: usize },
    #[error(
        "point {point} of series {series} is ({x:?}, {y:?}): both numbers must be finite, and positive on a logarithmic axis"
    )]
    SeriesPoint { series: usize, point: usize, x: f64, y: f64 },
    #[error("a reference line must be finite, and positive on a logarithmic axis, got {value:?}")]
    Reference { value: f64 },
    #[error("a second line and the distribution function need a density on one axis, but this density has {found}")]
    SeveralAxes { found: usize },
    #[error("a density on {axes} axes needs {axes} names of axes, got {found}")]
    AxisNames { axes: usize, found: usize },
    #[error("panel {panel} of row {row} needs at least one point, and one value for each point in every curve")]
    Lengths { row: usize, panel: usize },
    #[error("points, mean and estimate of panel {panel} of row {row} must be finite; only curves may have gaps")]
    Gaps { row: usize, panel: usize },
    #[error("the embedded font could not be read")]
    Font,
    #[error("the figure could not be drawn")]
    Drawing,
    #[error("the figure could not be encoded")]
    Encoding,
}
