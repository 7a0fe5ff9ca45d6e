//! A released density: a step line, a heat map, or heat maps of its marginals.

use dpfda_density::PiecewiseDensity;

use crate::canvas::scene::{Point, Scene};
use crate::canvas::text::cleaned;
use crate::error::FigureError;
use crate::figure::{Content, Figure, Labels};
use crate::lines::{AxisScale, check_points};
use crate::parts::column::Column;
use crate::parts::header::Header;
use crate::parts::legend::Entry;

/// What steps and cells are called that noise alone could make of nothing.
const NOT_TOLD_FROM_EMPTY: &str = "not distinguishable from empty";

mod line;
mod planes;
#[cfg(test)]
mod tests;

use line::Line;
use planes::{Plane, Shown};

/// A released density.
///
/// A density on one axis is a step line over the bounds in data units; a second line and the distribution function are
/// optional. A density on two axes is a heat map. A density on three axes is the heat maps of its three marginals of two
/// coordinates:
///
/// ```text
/// colour at p = viridis(p / largest)      linear from 0, for each heat map on its own
/// ```
///
/// Where there are more cells than can be seen (720 along a line, 120 along an axis of a heat map), the figure shows means
/// of neighbouring cells, and the caption says so. The caller writes the rest of the caption.
///
/// ```
/// use dpfda_density::{Bounds, Cells, PiecewiseDensity};
/// use dpfda_plotting::DensityFigure;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let cells = Cells::new(Bounds::new(vec![(0.0, 100.0)])?, 4)?;
/// let density = PiecewiseDensity::new(cells, vec![0.1, 0.4, 0.3, 0.2])?;
/// let figure = DensityFigure::new(&density).axes(&["age"])?.with_distribution()?;
/// assert!(figure.caption(&["n = 382"]).to_svg()?.contains("n = 382"));
/// # Ok(())
/// # }
/// ```
pub type DensityFigure = Figure<Density>;

/// A density, its caption and its stamp.
#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    shape: Shape,
    caption: Vec<String>,
    /// What is said where there is no band.
    note: Option<String>,
    from_seed: bool,
}

/// The title until the axes are named.
const TITLE: &str = "Density";

/// What is said where the noise of cells adds up.
const OF_SUMS: &str = "no band: each colour is of a sum of cells, whose noise adds up";

/// What is drawn of a density.
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Line(Line),
    Planes(Vec<Plane>),
}

impl Content for Density {
    fn composed(&self, labels: &Labels) -> Scene {
        match &self.shape {
            Shape::Line(line) => line::composed(self, line, labels),
            Shape::Planes(planes) => planes::composed(self, planes, labels),
        }
    }
}

impl Density {
    /// Draws what stands above the panels; `note` says which means of cells are shown.
    fn draw_header(&self, scene: &mut Scene, title: &str, note: Option<String>, legend: &[Entry]) -> Column {
        let facts = self.caption.iter().chain(&self.note).cloned().chain(note).collect();
        Header { from_seed: self.from_seed, facts: &[facts], legend, ..Header::default() }.draw(scene, title)
    }
}

impl DensityFigure {
    /// The figure of a density, whose axes are `x`, `y` and `z` until they are named.
    pub fn new(density: &PiecewiseDensity) -> Self {
        let dimension = density.cells().bounds().dimension();
        let shape = match dimension {
            1 => Shape::Line(Line::of(density)),
            _ => Shape::Planes(Plane::all_of(density)),
        };
        let content = Density { shape, caption: Vec::new(), note: None, from_seed: false };
        Self::of(content, TITLE, &["x", "y", "z"][..dimension.min(3)])
    }

    /// Adds another density as a thin line below this one, such as the density before cells were merged. The new line
    /// replaces an earlier second line.
    ///
    /// The line is cut off at twice the height of the density itself, and the legend says so.
    pub fn with_density(self, label: &str, other: &PiecewiseDensity) -> Result<Self, FigureError> {
        let found = other.cells().bounds().dimension();
        if found != 1 {
            return Err(FigureError::SeveralAxes { found });
        }
        self.with_line(label, Line::of(other).steps)
    }

    /// Adds a reference, such as a density that is known, as a thin line through the points `(x[i], y[i])`, below the
    /// density. The new line replaces an earlier second line.
    ///
    /// The line is cut off as in [`DensityFigure::with_density`], and at the bounds.
    ///
    /// # Errors
    /// - [`FigureError::SeveralAxes`] unless the density has one axis.
    /// - [`FigureError::EmptySeries`], [`FigureError::SeriesLengths`], and [`FigureError::SeriesPoint`] for a point that is
    ///   not finite.
    pub fn with_reference(self, label: &str, x: &[f64], y: &[f64]) -> Result<Self, FigureError> {
        check_points(0, (x, AxisScale::Linear), (y, AxisScale::Linear))?;
        self.with_line(label, x.iter().copied().zip(y.iter().copied()).collect())
    }

    fn with_line(mut self, label: &str, points: Vec<Point>) -> Result<Self, FigureError> {
        self.line()?.second = Some((cleaned(label), points));
        Ok(self)
    }

    /// Shows how large the privacy noise is, `sd` in the probability of each cell. A density on one axis gets a ribbon of two standard
    /// deviations. A density on two axes gets grey cells where they cannot be told from empty ones, with at most two standard
    /// deviations, and a companion: how far each cell is from empty, in standard deviations. A figure of three axes, or of patches
    /// that are several cells, shows sums of cells, and neither: it says so.
    #[must_use]
    pub fn with_noise(mut self, sd: f64) -> Self {
        match &mut self.content.shape {
            Shape::Line(line) => line.noise_sd = Some(sd),
            Shape::Planes(planes) => {
                planes.retain(|plane| plane.shown != Shown::Certainty);
                for plane in &mut *planes {
                    plane.mark_empty(sd);
                }
                let companion = if let [plane] = &planes[..] { plane.certainty(sd) } else { None };
                self.content.note = companion.is_none().then(|| OF_SUMS.to_owned());
                planes.extend(companion);
            }
        }
        self
    }

    /// Says that no band is shown, because the noise of the release is not that of each cell alone.
    #[must_use]
    pub fn without_noise(mut self) -> Self {
        self.content.note = Some("no band: the noise of this mechanism is not that of each cell alone".to_owned());
        self
    }

    /// Adds the distribution function in a panel of its own.
    pub fn with_distribution(mut self) -> Result<Self, FigureError> {
        self.line()?.shows_distribution = true;
        Ok(self)
    }

    fn line(&mut self) -> Result<&mut Line, FigureError> {
        match &mut self.content.shape {
            Shape::Line(line) => Ok(line),
            Shape::Planes(_) => Err(FigureError::SeveralAxes { found: self.labels.axes.len() }),
        }
    }

    /// Sets the names of the axes, and a title that names them unless there is another.
    pub fn axes(mut self, names: &[&str]) -> Result<Self, FigureError> {
        let (axes, found) = (self.labels.axes.len(), names.len());
        if found != axes {
            return Err(FigureError::AxisNames { axes, found });
        }
        self.labels.axes = names.iter().map(|name| cleaned(name)).collect();
        if self.labels.title == TITLE {
            self.labels.title = match &self.labels.axes[..] {
                [one] => format!("Density of {one}"),
                [most @ .., last] => format!("Density of {} and {last}", most.join(", ")),
                [] => TITLE.to_owned(),
            };
        }
        Ok(self)
    }

    /// Sets the facts below the title, such as the mechanism, epsilon, delta, the number of records and the cells.
    #[must_use]
    pub fn caption(mut self, facts: &[&str]) -> Self {
        self.content.caption = facts.iter().map(|fact| cleaned(fact)).collect();
        self
    }

    /// Stamps the figure of a release whose noise came from a seed: `NOISE FROM A SEED: NOT PRIVATE`.
    #[must_use]
    pub fn noise_from_a_seed(mut self) -> Self {
        self.content.from_seed = true;
        self
    }
}
