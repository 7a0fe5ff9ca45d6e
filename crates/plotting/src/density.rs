//! A released density: a step line, a heat map, or heat maps of its marginals.

use dpfda_density::PiecewiseDensity;

use crate::error::FigureError;
use crate::font;
use crate::render;
use crate::scene::{Point, Scene};
use crate::text::cleaned;

mod layout;
mod line;
mod plane;
mod planes_layout;
#[cfg(test)]
mod tests;

use line::Line;
use plane::Plane;

/// A released density as a figure.
///
/// On one axis it is a step line over the bounds in data units, with a second line and the distribution function where they
/// are asked for. On two axes it is a heat map, and on three the heat maps of its three marginals of two coordinates:
///
/// ```text
/// colour at p = viridis(p / largest)      linear from 0, for each heat map on its own
/// ```
///
/// Where there are more cells than can be seen (720 along a line, 120 along an axis of a heat map), means of neighbouring
/// cells are shown, and the caption says so. What else the caption says is the caller's word.
///
/// The same density gives the same file, byte for byte.
#[derive(Debug, Clone, PartialEq)]
pub struct DensityFigure {
    content: Content,
    title: String,
    names: Vec<String>,
    caption: Vec<String>,
    from_seed: bool,
}

/// What is drawn of a density.
#[derive(Debug, Clone, PartialEq)]
enum Content {
    Line(Line),
    Planes(Vec<Plane>),
}

impl DensityFigure {
    /// The figure of a density, whose axes are `x`, `y` and `z` until they are named.
    pub fn new(density: &PiecewiseDensity) -> Self {
        let dimension = density.cells().bounds().dimension();
        let content = match dimension {
            1 => Content::Line(Line::of(density)),
            _ => Content::Planes(Plane::all_of(density)),
        };
        let names = ["x", "y", "z"].into_iter().take(dimension).map(str::to_owned).collect();
        Self { content, title: "Released density".to_owned(), names, caption: Vec::new(), from_seed: false }
    }

    /// With another density as a thin line below this one, such as that before cells were merged; instead of any second
    /// line so far.
    ///
    /// What is more than twice as high as the density itself is cut off, and the legend says so.
    ///
    /// # Errors
    /// [`FigureError::SeveralAxes`] unless both densities have one axis.
    pub fn with_density(self, label: &str, other: &PiecewiseDensity) -> Result<Self, FigureError> {
        let found = other.cells().bounds().dimension();
        if found != 1 {
            return Err(FigureError::SeveralAxes { found });
        }
        self.with_line(label, Line::of(other).steps)
    }

    /// With a reference as a thin line below the density, such as a density that is known: through the points
    /// `(x[i], y[i])`, instead of any second line so far.
    ///
    /// It is cut off as in [`DensityFigure::with_density`], and at the bounds.
    ///
    /// # Errors
    /// - [`FigureError::SeveralAxes`] unless the density has one axis.
    /// - [`FigureError::EmptySeries`], [`FigureError::SeriesLengths`], and [`FigureError::SeriesPoint`] for a point that is
    ///   not finite.
    pub fn with_reference(self, label: &str, x: &[f64], y: &[f64]) -> Result<Self, FigureError> {
        if x.is_empty() && y.is_empty() {
            return Err(FigureError::EmptySeries { series: 0 });
        }
        if x.len() != y.len() {
            return Err(FigureError::SeriesLengths { series: 0, x: x.len(), y: y.len() });
        }
        let points: Vec<Point> = x.iter().copied().zip(y.iter().copied()).collect();
        match points.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
            Some(point) => Err(FigureError::SeriesPoint { series: 0, point, x: x[point], y: y[point] }),
            None => self.with_line(label, points),
        }
    }

    fn with_line(mut self, label: &str, points: Vec<Point>) -> Result<Self, FigureError> {
        self.line()?.second = Some((cleaned(label), points));
        Ok(self)
    }

    /// With the distribution function in a panel of its own.
    ///
    /// # Errors
    /// [`FigureError::SeveralAxes`] unless the density has one axis.
    pub fn with_distribution(mut self) -> Result<Self, FigureError> {
        self.line()?.shows_distribution = true;
        Ok(self)
    }

    fn line(&mut self) -> Result<&mut Line, FigureError> {
        let found = self.names.len();
        match &mut self.content {
            Content::Line(line) => Ok(line),
            Content::Planes(_) => Err(FigureError::SeveralAxes { found }),
        }
    }

    /// Another title; an empty one leaves the title out.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = cleaned(title);
        self
    }

    /// The names of the axes.
    ///
    /// # Errors
    /// [`FigureError::AxisNames`] unless there is one for each axis.
    pub fn axes(mut self, names: &[&str]) -> Result<Self, FigureError> {
        if names.len() != self.names.len() {
            return Err(FigureError::AxisNames { axes: self.names.len(), found: names.len() });
        }
        self.names = names.iter().map(|name| cleaned(name)).collect();
        Ok(self)
    }

    /// The facts below the title, such as the mechanism, epsilon, delta, the number of records and the cells.
    #[must_use]
    pub fn caption(mut self, facts: &[&str]) -> Self {
        self.caption = facts.iter().map(|fact| cleaned(fact)).collect();
        self
    }

    /// Stamps the figure of a release whose noise came from a seed: `NOISE FROM A SEED: NOT PRIVATE`.
    #[must_use]
    pub fn noise_from_a_seed(mut self) -> Self {
        self.from_seed = true;
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
        Ok(match &self.content {
            Content::Line(line) => layout::composed(self, line),
            Content::Planes(planes) => planes_layout::composed(self, planes),
        })
    }
}
