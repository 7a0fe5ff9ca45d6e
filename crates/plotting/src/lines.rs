//! Labelled series of points, as lines and markers.

use crate::error::FigureError;
use crate::font;
use crate::look::MOST_LOOKS;
use crate::render;
use crate::scene::Scene;
use crate::text::cleaned;

mod layout;
#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
const MOST_PANELS: usize = 4;

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

/// What is drawn of a series; one that is a single point always has its marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesStyle {
    /// A line from point to point.
    Line,
    /// A marker at every point.
    Points,
    /// Both.
    Both,
}

/// Points in the order in which a line joins them.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What the legend says; series with the same label look the same, and the empty label is not in the legend.
    pub label: String,
    /// Where the points are across, at least one.
    pub x: Vec<f64>,
    /// Where they are up.
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
}

impl LinePanel {
    /// The panel of these series under its label, with these scales of the horizontal and the vertical axis.
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
            if its.x.is_empty() && its.y.is_empty() {
                return Err(FigureError::EmptySeries { series: index });
            }
            if its.x.len() != its.y.len() {
                return Err(FigureError::SeriesLengths { series: index, x: its.x.len(), y: its.y.len() });
            }
            let points = its.x.iter().zip(&its.y);
            let hidden = |(_, (x, y)): &(usize, (&f64, &f64))| !(x_scale.shows(**x) && y_scale.shows(**y));
            if let Some((point, (&x, &y))) = points.enumerate().find(hidden) {
                return Err(FigureError::SeriesPoint { series: index, point, x, y });
            }
            its.label = cleaned(&its.label);
        }
        Ok(Self { label: cleaned(label), x_scale, y_scale, series, reference: None })
    }

    /// With a horizontal reference line and what it means.
    ///
    /// # Errors
    /// [`FigureError::Reference`] if it is not finite, or not positive on a logarithmic axis.
    pub fn reference(mut self, y: f64, label: &str) -> Result<Self, FigureError> {
        if !self.y_scale.shows(y) {
            return Err(FigureError::Reference { value: y });
        }
        self.reference = Some((y, cleaned(label)));
        Ok(self)
    }
}

/// Up to 4 panels of labelled series, such as risks against the number of cells of a histogram.
///
/// Each panel has axes of its own over all of its series and its reference line; the names of the axes are those of all
/// panels. Series with the same label look the same in all panels and are once in the legend. A reference line is in the
/// legend when it means the same in all panels that have one, and in the heading of its panel when not.
///
/// The same series give the same file, byte for byte.
#[derive(Debug, Clone, PartialEq)]
pub struct LineFigure {
    panels: Vec<LinePanel>,
    title: String,
    x_name: String,
    y_name: String,
}

impl LineFigure {
    /// The figure of these panels: up to three side by side, four two by two.
    ///
    /// # Errors
    /// [`FigureError::NoPanels`], [`FigureError::TooManyPanels`] (at most 4) and [`FigureError::TooManySeries`] (at most
    /// 12 labels on the figure).
    pub fn new(panels: Vec<LinePanel>) -> Result<Self, FigureError> {
        match panels.len() {
            0 => return Err(FigureError::NoPanels),
            found if found > MOST_PANELS => return Err(FigureError::TooManyPanels { found, most: MOST_PANELS }),
            _ => {}
        }
        let figure = Self { panels, title: String::new(), x_name: "x".to_owned(), y_name: "y".to_owned() };
        let found = figure.labels().len();
        if found > MOST_LOOKS { Err(FigureError::TooManySeries { found, most: MOST_LOOKS }) } else { Ok(figure) }
    }

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

    /// A title.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = cleaned(title);
        self
    }

    /// The names of the horizontal and the vertical axes, in place of `x` and `y`.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        self.x_name = cleaned(x);
        self.y_name = cleaned(y);
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
