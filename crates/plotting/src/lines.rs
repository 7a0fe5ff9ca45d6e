//! Labelled series of points, as lines and markers.

use crate::about::About;
use crate::canvas::text::cleaned;
use crate::error::FigureError;
use crate::figure::{Figure, TwoAxes, check_panels};
use crate::parts::look::MOST_LOOKS;

mod direct;
pub(crate) mod from_means;
mod layout;
#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
pub(crate) const MOST_PANELS: usize = 12;

/// How values become lengths on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; all values must be positive.
    Log10,
}

impl AxisScale {
    fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }
}

/// What is drawn of a series. A series of one point always has a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesStyle {
    /// A line from point to point.
    Line,
    /// A marker at every point.
    Points,
    /// Both.
    Both,
    /// The area within the points, under all lines: a band, from its lower end forward and along its upper end back.
    Area,
    /// A thin, pale line under all others.
    Thin,
}

/// Points in the order in which a line joins them.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name in the legend. Series with the same label look the same; an empty label is not in the legend.
    pub label: String,
    /// The horizontal coordinates of the points, at least one.
    pub x: Vec<f64>,
    /// The vertical coordinates, as many as `x`.
    pub y: Vec<f64>,
    /// What is drawn.
    pub style: SeriesStyle,
}

/// Series on common axes.
#[derive(Debug, Clone, PartialEq)]
pub struct LinePanel {
    label: String,
    x_scale: AxisScale,
    y_scale: AxisScale,
    series: Vec<Series>,
    reference: Option<(f64, String)>,
    /// The name of the vertical axis, where it is not that of the figure.
    y_name: Option<String>,
    /// The least and the largest value that are shown.
    limits: Option<(f64, f64)>,
    /// Stretches of the horizontal axis where the band leaves out 0.
    without_zero: Vec<(f64, f64)>,
}

impl LinePanel {
    /// The panel of these series under its label, with the scales of the horizontal and the vertical axis.
    ///
    /// # Errors
    /// - [`FigureError::NoSeries`] without a series, [`FigureError::EmptySeries`] if one has no points.
    /// - [`FigureError::SeriesLengths`] if one has another number of x than of y, [`FigureError::SeriesPoint`] if one of
    ///   them is not finite, or not positive on a logarithmic axis.
    pub fn new(
        label: &str,
        x_scale: AxisScale,
        y_scale: AxisScale,
        mut series: Vec<Series>,
    ) -> Result<Self, FigureError> {
        if series.is_empty() {
            return Err(FigureError::NoSeries);
        }
        for (index, its) in series.iter_mut().enumerate() {
            check_points(index, (&its.x, x_scale), (&its.y, y_scale))?;
            its.label = cleaned(&its.label);
        }
        Ok(Self { label: cleaned(label), series, ..Self::empty(x_scale, y_scale) })
    }

    fn empty(x_scale: AxisScale, y_scale: AxisScale) -> Self {
        Self {
            label: String::new(),
            x_scale,
            y_scale,
            series: Vec::new(),
            reference: None,
            y_name: None,
            limits: None,
            without_zero: Vec::new(),
        }
    }

    /// Gives the vertical axis a name of its own.
    #[must_use]
    pub fn named(mut self, y: &str) -> Self {
        self.y_name = Some(cleaned(y));
        self
    }

    /// Shows no value beyond these two. A band that reaches beyond them is cut, and the cut is marked.
    #[must_use]
    pub fn within(mut self, limits: Option<(f64, f64)>) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a horizontal reference line and says what the line means.
    pub fn reference(mut self, y: f64, label: &str) -> Result<Self, FigureError> {
        if !self.y_scale.shows(y) {
            return Err(FigureError::Reference { value: y });
        }
        self.reference = Some((y, cleaned(label)));
        Ok(self)
    }
}

/// Refuses a series without points, with different numbers of x and y, or with a point that the axes cannot show.
pub(crate) fn check_points(
    series: usize,
    (x, x_scale): (&[f64], AxisScale),
    (y, y_scale): (&[f64], AxisScale),
) -> Result<(), FigureError> {
    if x.is_empty() && y.is_empty() {
        return Err(FigureError::EmptySeries { series });
    }
    if x.len() != y.len() {
        return Err(FigureError::SeriesLengths { series, x: x.len(), y: y.len() });
    }
    match x.iter().zip(y).position(|(x, y)| !(x_scale.shows(*x) && y_scale.shows(*y))) {
        Some(point) => Err(FigureError::SeriesPoint { series, point, x: x[point], y: y[point] }),
        None => Ok(()),
    }
}

/// Up to 12 panels of labelled series, such as risks against the number of cells of a histogram.
///
/// Each panel has its own axes, over all of its series and its reference line; all panels share the names of the axes.
/// Series with the same label look the same in all panels and are once in the legend. A reference line is in the legend if
/// it means the same in all panels that have one, and in the heading of its panel otherwise.
///
/// ```
/// use dpfda_plotting::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
///
/// # fn main() -> Result<(), dpfda_plotting::FigureError> {
/// let (x, y) = (vec![1.0, 10.0, 100.0], vec![0.9, 0.3, 0.1]);
/// let series = Series { label: "risk".to_owned(), x, y, style: SeriesStyle::Both };
/// let panel = LinePanel::new("", AxisScale::Log10, AxisScale::Linear, vec![series])?.reference(0.5, "no data")?;
/// let figure = LineFigure::new(vec![panel])?.title("What data add").axes("records", "mean squared error");
/// assert!(figure.to_svg()?.contains("What data add"));
/// # Ok(())
/// # }
/// ```
pub type LineFigure = Figure<Lines>;

/// Panels of series.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    panels: Vec<LinePanel>,
    has_one_scale: bool,
    /// Whether the names of lines stand at their ends, and not in a legend.
    is_direct: bool,
    caption: Vec<String>,
    from_seed: bool,
}

impl TwoAxes for Lines {}

impl LineFigure {
    /// The figure of these panels: up to three side by side, four two by two. It has no title until one is set, and the
    /// axes are `x` and `y` until they are named.
    pub fn new(panels: Vec<LinePanel>) -> Result<Self, FigureError> {
        check_panels(panels.len(), MOST_PANELS)?;
        let content = Lines { panels, has_one_scale: false, is_direct: false, caption: Vec::new(), from_seed: false };
        let found = content.labels().len();
        if found > MOST_LOOKS {
            return Err(FigureError::TooMany { what: "labels of series", found, most: MOST_LOOKS });
        }
        Ok(Self::of(content, "", &["x", "y"]))
    }

    /// Sets facts below the title.
    #[must_use]
    pub fn caption(mut self, facts: &[&str]) -> Self {
        self.content.caption = facts.iter().map(|fact| cleaned(fact)).collect();
        self
    }

    /// Adds the stamp `NOISE FROM A SEED: NOT PRIVATE`.
    #[must_use]
    pub fn noise_from_a_seed(mut self) -> Self {
        self.content.from_seed = true;
        self
    }

    /// Writes the name of each line at its end, in place of a legend.
    #[must_use]
    pub fn labelled_directly(mut self) -> Self {
        self.content.is_direct = true;
        self
    }

    /// Caption and stamp of a release.
    pub(crate) fn about(mut self, about: &About<'_>) -> Self {
        self.content.caption = about.captions().iter().map(|fact| cleaned(fact)).collect();
        self.content.from_seed = !about.is_private;
        self
    }

    /// Gives all panels whose vertical scales are of one kind the same axis, so that they can be compared.
    #[must_use]
    pub fn with_one_scale(mut self) -> Self {
        self.content.has_one_scale = true;
        self
    }
}

impl Lines {
    /// The labels of all series in the order in which they first come.
    fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !labels.contains(&series.label.as_str()) {
                labels.push(&series.label);
            }
        }
        labels
    }
}
