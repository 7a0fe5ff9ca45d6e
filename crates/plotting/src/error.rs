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
    /// Scores or ratios that do not belong to the parameters.
    #[error("{rows} x {columns} parameters need as many values, got {found_rows} x {found_columns}")]
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
    /// A score or a ratio that is not a number or is infinite.
    #[error("the value in row {row}, column {column} is not finite")]
    Score {
        /// Where, as the values were given.
        row: usize,
        /// Where, as the values were given.
        column: usize,
    },
    /// A ratio without a logarithm.
    #[error("the ratio in row {row}, column {column} must be positive, got {value}")]
    Ratio {
        /// Where, as the ratios were given.
        row: usize,
        /// Where, as the ratios were given.
        column: usize,
        /// The ratio.
        value: f64,
    },
    /// Two ratios at one place.
    #[error("every value of a parameter of a ratio must come once, got {value} twice")]
    Repeated {
        /// The parameter.
        value: f64,
    },
    /// Colours that could not tell ratios apart.
    #[error("the ratio with the strongest colour must be finite and at least {least}, got {value}")]
    LargestRatio {
        /// The ratio.
        value: f64,
        /// The least ratio allowed.
        least: f64,
    },
    /// A panel of lines without a line.
    #[error("a panel needs at least one series")]
    NoSeries,
    /// More lines could not be told apart.
    #[error("a figure holds at most {most} labels of series, got {found}; make several figures")]
    TooManySeries {
        /// The number of labels given.
        found: usize,
        /// The number of labels allowed.
        most: usize,
    },
    /// A series without points.
    #[error("series {series} has no points")]
    EmptySeries {
        /// Which series of the panel, counted from 0.
        series: usize,
    },
    /// A series whose values do not belong to its points.
    #[error("series {series} needs as many y as x, got {y} and {x}")]
    SeriesLengths {
        /// Which series of the panel, counted from 0.
        series: usize,
        /// The number of x.
        x: usize,
        /// The number of y.
        y: usize,
    },
    /// A point that is nowhere on the axes.
    #[error("point {point} of series {series} is ({x}, {y}): both must be finite, and positive on a logarithmic axis")]
    SeriesPoint {
        /// Which series of the panel, counted from 0.
        series: usize,
        /// Which point, counted from 0.
        point: usize,
        /// Where it is across.
        x: f64,
        /// Where it is up.
        y: f64,
    },
    /// A reference line that is nowhere on the axis.
    #[error("a reference line must be finite, and positive on a logarithmic axis, got {value}")]
    Reference {
        /// Where it is.
        value: f64,
    },
    /// Only a density on one axis is a line.
    #[error("a second line and the distribution function need a density on one axis, this one has {found}")]
    SeveralAxes {
        /// The number of axes.
        found: usize,
    },
    /// Every axis has one name.
    #[error("a density on {axes} axes needs as many names of axes, got {found}")]
    AxisNames {
        /// The number of axes.
        axes: usize,
        /// The number of names given.
        found: usize,
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
