//! A covariance surface, as a heat map.

use ndarray::Array2;

use crate::canvas::palette::DIVERGING;
use crate::canvas::scene::Scene;
use crate::canvas::text::cleaned;
use crate::error::FigureError;
use crate::figure::{Content, Figure, Labels};
use crate::parts::header::Header;
use crate::parts::heat_map::{HeatMap, draw_maps, shown_patches};

#[cfg(test)]
#[path = "covariance_tests.rs"]
mod tests;

/// The width of the figure and the largest height of the heat map.
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 460.0;

/// A covariance between the points of a domain, such as the private covariance of a release.
///
/// ```text
/// colour at C(s, t) = ramp((1 + C(s, t) / m) / 2),    m the largest size of a value
/// ```
///
/// Zero is white. Of more than 120 points, points at equal distances in their order are shown, and the caption says so.
///
/// ```
/// use dpfda_plotting::CovarianceFigure;
/// use ndarray::array;
///
/// # fn main() -> Result<(), dpfda_plotting::FigureError> {
/// let covariance = array![[1.0, 0.5, -0.2], [0.5, 1.0, 0.1], [-0.2, 0.1, 0.8]];
/// let figure = CovarianceFigure::new(&[0.0, 0.5, 1.0], &covariance)?.caption(&["N = 376"]).axis("position");
/// assert!(figure.to_svg()?.contains("N = 376"));
/// # Ok(())
/// # }
/// ```
pub type CovarianceFigure = Figure<Covariance>;

/// The values of a covariance between the points shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariance {
    /// The ends of the domain.
    domain: (f64, f64),
    /// Where patches begin and end, as fractions of the domain.
    ends: Vec<f64>,
    values: Array2<f64>,
    /// What stands beside the bar.
    name: String,
    caption: Vec<String>,
    from_seed: bool,
}

impl CovarianceFigure {
    /// The figure of a covariance between increasing points. The axis is `t` until it is named.
    ///
    /// # Errors
    /// - [`FigureError::NoCandidates`] for fewer than two points.
    /// - [`FigureError::Shape`] if the covariance is not `n x n` for `n` points.
    /// - [`FigureError::SeriesPoint`] for a point that is not finite or not above the one before.
    /// - [`FigureError::Score`] for a value that is not finite.
    pub fn new(points: &[f64], covariance: &Array2<f64>) -> Result<Self, FigureError> {
        let n = points.len();
        if n < 2 {
            return Err(FigureError::NoCandidates { columns: n, rows: n });
        }
        let (found_rows, found_columns) = covariance.dim();
        if (found_rows, found_columns) != (n, n) {
            return Err(FigureError::Shape { rows: n, columns: n, found_rows, found_columns });
        }
        if let Some(((row, column), _)) = covariance.indexed_iter().find(|(_, value)| !value.is_finite()) {
            return Err(FigureError::Score { row, column });
        }
        let bad = |&place: &usize| !points[place].is_finite() || place > 0 && points[place] <= points[place - 1];
        if let Some(point) = (0..n).find(bad) {
            let x = points[point];
            return Err(FigureError::SeriesPoint { series: 0, point, x, y: x });
        }
        Ok(Self::of(Covariance::of(points, covariance), "Covariance of the curves", &["t"]))
    }

    /// Sets the name of both axes.
    #[must_use]
    pub fn axis(mut self, name: &str) -> Self {
        self.labels.axes = vec![cleaned(name)];
        self
    }

    /// Says in which unit the covariance is, behind its name.
    pub(crate) fn unit(mut self, unit: &str) -> Self {
        self.content.name += unit;
        self
    }

    /// Sets facts below the title.
    #[must_use]
    pub fn caption(mut self, facts: &[&str]) -> Self {
        self.content.caption.extend(facts.iter().map(|fact| cleaned(fact)));
        self
    }

    /// Adds the stamp `NOISE FROM A SEED: NOT PRIVATE`.
    #[must_use]
    pub fn noise_from_a_seed(mut self) -> Self {
        self.content.from_seed = true;
        self
    }
}

impl Covariance {
    fn of(points: &[f64], covariance: &Array2<f64>) -> Self {
        let (shown, ends) = shown_patches(points);
        let step = shown.get(1).copied().unwrap_or(1);
        let domain = (points[0], points[points.len() - 1]);
        let values = Array2::from_shape_fn((shown.len(), shown.len()), |(i, j)| covariance[[shown[i], shown[j]]]);
        let caption = (step > 1).then(|| format!("every {step}th point is shown")).into_iter().collect();
        Self { domain, ends, values, name: "covariance".to_owned(), caption, from_seed: false }
    }

    /// The largest size of a value; 1 where all are 0.
    fn largest(&self) -> f64 {
        let largest = self.values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        if largest > 0.0 { largest } else { 1.0 }
    }
}

impl Content for Covariance {
    fn composed(&self, labels: &Labels) -> Scene {
        let mut scene = Scene { width: labels.width(WIDTH), ..Scene::default() };
        let header =
            Header { from_seed: self.from_seed, facts: std::slice::from_ref(&self.caption), ..Header::default() };
        let column = header.draw(&mut scene, &labels.title);
        let largest = self.largest();
        let name = labels.axes.first().map_or("", String::as_str);
        let map = HeatMap {
            domains: [self.domain; 2],
            names: [name; 2],
            ends: [&self.ends; 2],
            value: (&self.name, (-largest, largest), DIVERGING),
            colour: &|across, up| DIVERGING.at(0.5 + 0.5 * self.values[[across, up]] / largest),
            over: &|_, _| {},
        };
        scene.height = draw_maps(&mut scene, &column, &[map], labels.height(HEIGHT)).ceil();
        scene
    }
}
