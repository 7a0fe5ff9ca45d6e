//! The errors of this crate.

use thiserror::Error;

/// Why a figure could not be made.
///
/// Rows and panels are counted from 0, from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FigureError {
    /// A comparison without a release.
    #[error("a figure needs at least one release")]
    NoReleases,
    /// A size that no figure has.
    #[error("the width and the height of a figure must be from {least} to {most} CSS pixels, got {width} and {height}")]
    Size {
        /// The width given.
        width: f64,
        /// The height given.
        height: f64,
        /// The least there may be.
        least: f64,
        /// The most there may be.
        most: f64,
    },
    /// More releases, panels, rows of panels, neighbours or labels than can be read on one figure.
    #[error("a figure holds at most {most} {what}, got {found}; make several figures")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// The number given.
        found: usize,
        /// The number allowed.
        most: usize,
    },
    /// Neighbours for a figure of several releases.
    #[error("neighbours need a figure of one release, but this figure has {found}")]
    SeveralReleases {
        /// The number of releases in the figure.
        found: usize,
    },
    /// A neighbour at other points than the release.
    #[error("neighbour {neighbour} is on another grid than the release; smooth the release itself")]
    OtherGrid {
        /// Which neighbour, counted from 0.
        neighbour: usize,
    },
    /// A neighbour that is another release, smoothed or not.
    #[error("neighbour {neighbour} has another privacy, unit or ball than the release; smooth the release itself")]
    OtherRelease {
        /// Which neighbour, counted from 0.
        neighbour: usize,
    },
    /// A figure, or a row of it, without panels.
    #[error("a figure, and every row of it, needs at least one panel")]
    NoPanels,
    /// A surface without a cell.
    #[error(
        "a surface needs at least one value of each parameter, got {columns} for the columns and {rows} for the rows"
    )]
    NoCandidates {
        /// The number of values of the columns' parameter.
        columns: usize,
        /// The number of values of the rows' parameter.
        rows: usize,
    },
    /// A parameter of a surface that is not a positive number.
    #[error("the parameters of a surface must be positive and finite, got {value:?}")]
    Candidate {
        /// The parameter.
        value: f64,
    },
    /// Another number of scores than of pairs of parameters.
    #[error("{rows} x {columns} parameters need {rows} x {columns} values, got {found_rows} x {found_columns}")]
    Shape {
        /// The number of values of the rows' parameter.
        rows: usize,
        /// The number of values of the columns' parameter.
        columns: usize,
        /// The number of rows of values.
        found_rows: usize,
        /// The number of columns of values.
        found_columns: usize,
    },
    /// A score that is not a number or is infinite.
    #[error("the value in row {row}, column {column} is not finite")]
    Score {
        /// The row, in the order given.
        row: usize,
        /// The column, in the order given.
        column: usize,
    },
    /// A panel of lines without a line.
    #[error("a panel needs at least one series")]
    NoSeries,
    /// A series without points.
    #[error("series {series} has no points")]
    EmptySeries {
        /// Which series of the panel, counted from 0.
        series: usize,
    },
    /// A series with different numbers of x and y.
    #[error("series {series} needs the same number of x and y, got {x} and {y}")]
    SeriesLengths {
        /// Which series of the panel, counted from 0.
        series: usize,
        /// The number of x.
        x: usize,
        /// The number of y.
        y: usize,
    },
    /// A point that the axes cannot show.
    #[error(
        "point {point} of series {series} is ({x:?}, {y:?}): both numbers must be finite, and positive on a logarithmic axis"
    )]
    SeriesPoint {
        /// Which series of the panel, counted from 0.
        series: usize,
        /// Which point, counted from 0.
        point: usize,
        /// The horizontal coordinate.
        x: f64,
        /// The vertical coordinate.
        y: f64,
    },
    /// A reference line that the axis cannot show.
    #[error("a reference line must be finite, and positive on a logarithmic axis, got {value:?}")]
    Reference {
        /// The height of the line.
        value: f64,
    },
    /// A second line or a distribution function for a density that is not a line.
    #[error("a second line and the distribution function need a density on one axis, but this density has {found}")]
    SeveralAxes {
        /// The number of axes.
        found: usize,
    },
    /// Another number of names than of axes.
    #[error("a density on {axes} axes needs {axes} names of axes, got {found}")]
    AxisNames {
        /// The number of axes.
        axes: usize,
        /// The number of names given.
        found: usize,
    },
    /// A panel without points, or with another number of values than of points.
    #[error("panel {panel} of row {row} needs at least one point, and one value for each point in every curve")]
    Lengths {
        /// Which row.
        row: usize,
        /// Which panel of the row.
        panel: usize,
    },
    /// A number that is not finite, other than in a raw curve.
    #[error("points, mean and estimate of panel {panel} of row {row} must be finite; only curves may have gaps")]
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
