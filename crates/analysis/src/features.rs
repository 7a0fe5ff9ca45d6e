//! What a curve does: its slopes over a window, the area below it, its maximum and its minimum, each with its uncertainty.

use dpfda_kernels::{Cell, Grid};
use ndarray::{Array1, Array2};
use serde::Serialize;

use crate::band::Target;
use crate::band::critical::sidak;
use crate::band::process::{Path, critical_value};
use crate::error::AnalysisError;
use crate::uncertain::{Feature, Uncertain};

mod extreme;
mod sources;
#[cfg(test)]
mod tests;

use extreme::Shown;
pub use extreme::{Extreme, Place, Within};

/// The length of the window of a slope where none is given, as a part of the domain.
pub const DEFAULT_WINDOW: f64 = 0.1;

/// What the half-width of a slope is multiplied with on top of that of the band: it pays for a mean that bends faster than the kernels
/// that have weight. Measured for windows of [`DEFAULT_WINDOW`] and more, not proved.
const BENDS: f64 = 1.2;

/// Windows of [`DEFAULT_WINDOW`] are not shorter than that by rounding.
const SLACK: f64 = 1e-9;

/// The slope over a window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Slope {
    /// The first end of the window; on a circle it may be above the second one.
    pub from: f64,
    /// The second end of the window.
    pub to: f64,
    /// In units of the data for one unit of the domain. The intervals of all slopes over windows of one length hold together.
    #[serde(flatten)]
    pub slope: Feature,
}

/// What a curve with a band does, without any draws.
///
/// ```text
/// slope     g(t) = (f(t + h/2) - f(t - h/2)) / h = D f,    V = D C D',    h a tenth of the domain by default
///           half-width = 1.2 x 1.06 min(tube(max(kappa(V), 32)), Sidak) sqrt(V_tt)      for all t at once
///           shorter windows    half-width = (half(t + h/2) + half(t - h/2)) / h         from the band alone
/// integral  w'f +- Phi^-1((1 + level) / 2) sqrt(w'C w)                                  for one number at a time
/// maximum   of the band that is shown, see Extreme
/// ```
///
/// `f` is the posterior mean and `C` the covariance of what the band covers: `C_posterior + Sigma / N + E^2 K` for the mean of a
/// population, the sum of both for a difference, the posterior's alone for the mean of the people in the release. At the ends of a
/// domain the window slides inside; on a circle it goes over the end. Of a slice of a surface the band is known and no covariance:
/// there a slope, an area and the standard deviations that are stated are bounds, `sd(w'f) <= sum |w| sd`.
///
/// There is no slope at a point: no band that adapts to the data is honest for it without a bound on how the mean bends.
/// `docs/proofs/posterior.md` says what is proved and what is measured.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, Estimated};
/// # use dpfda_kernels::Grid;
/// # use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// # use dpfda_release::{Mean, PrivateMean};
/// # use dpfda_smoothing::{Ball, Center, CurveSet};
/// # use ndarray::Array2;
/// # let values = Array2::from_shape_fn((400, 40), |(i, k)| 0.5 + 0.1 * ((i % 7 + k) as f64 / 9.0).sin());
/// # let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 40)?, values)?;
/// # let private_mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.2)?, PrivacyBudget::new(1.0, 1e-5)?);
/// # let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
/// let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
/// let features = estimated.mean().features()?;
/// let (slopes, area, maximum) = (features.slopes(&[0.0, 1.0], None)?, features.integral(0.5, 1.0)?, features.maximum());
/// assert_eq!((slopes[0].from, slopes[0].to), (0.0, 0.2));
/// assert!(area.lower < area.value && area.value < area.upper);
/// assert!((0.0..=2.0).contains(&maximum.at.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Features {
    grid: Grid,
    target: Target,
    level: f64,
    /// Where the whole curve is shown.
    points: Array1<f64>,
    /// In data units, increasing, linear between; on a circle the end of the domain is the last.
    knots: Array1<f64>,
    mean: Array1<f64>,
    spread: Spread,
    shown: Shown,
}

/// How far linear functionals of a curve may be off.
#[derive(Debug, Clone)]
enum Spread {
    /// The covariance between the points.
    Covariance(Array2<f64>),
    /// The standard deviations at the points, of unknown correlations, and how many of them the band reaches.
    Deviations(Array1<f64>, f64),
}

/// The two ends of a window.
#[derive(Debug, Clone, Copy)]
struct Window {
    from: f64,
    to: f64,
}

impl Features {
    /// The knots; those of a circle end where they begin.
    fn path(&self) -> Path {
        Path { points: self.knots.len(), is_closed: false }
    }

    /// What slopes and areas are about.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The probability that each statement has.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The points at which the whole curve is shown: those of the grid, or 256 public ones of a larger grid.
    pub fn points(&self) -> &Array1<f64> {
        &self.points
    }

    /// The domain.
    pub fn domain(&self) -> (f64, f64) {
        (self.grid.lower(), self.grid.upper())
    }

    /// The length of a window in units of the domain: by default a tenth of the domain.
    ///
    /// # Errors
    /// [`AnalysisError::Number`] for a window that is not above 0, is longer than the domain, or on a circle than half of it.
    pub fn window(&self, asked: Option<f64>) -> Result<f64, AnalysisError> {
        let domain = self.grid.length();
        let longest = if self.grid.is_periodic() { 0.5 * domain } else { domain };
        let window = asked.unwrap_or(DEFAULT_WINDOW * domain);
        if window > 0.0 && window <= longest {
            return Ok(window);
        }
        let allowed = "above 0 and at most as long as the domain (on a circle half of it)";
        Err(AnalysisError::Number { what: "the window of a slope", allowed, value: window })
    }

    /// The slope over a window of this length about each of these points, with intervals that hold for all points of the domain at once.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside the domain or not a number, and as [`Features::window`].
    pub fn slopes(&self, at: &[f64], window: Option<f64>) -> Result<Vec<Slope>, AnalysisError> {
        let length = self.window(window)?;
        let is_measured = length >= DEFAULT_WINDOW * self.grid.length() * (1.0 - SLACK);
        let (spread, critical) = match &self.spread {
            Spread::Covariance(covariance) if is_measured => {
                (self.spread.clone(), BENDS * self.critical_of_slopes(covariance, length))
            }
            Spread::Covariance(covariance) => {
                let (critical, sd) = critical_value(covariance, self.path(), self.level);
                (Spread::Deviations(sd, critical), critical)
            }
            Spread::Deviations(_, critical) => (self.spread.clone(), *critical),
        };
        let slope = |&t: &f64| {
            self.check(t)?;
            let window = self.about(t, length);
            let weights = self.of_rise(window);
            let number = Uncertain { value: weights.dot(&self.mean) / length, sd: spread.sd(&weights) / length };
            Ok(Slope { from: window.from, to: window.to, slope: number.within(critical) })
        };
        at.iter().map(slope).collect()
    }

    /// `1.06 min(tube(max(kappa(V), 32)), Sidak)` of the slopes over windows about all points, which is that of the rises.
    fn critical_of_slopes(&self, covariance: &Array2<f64>, length: f64) -> f64 {
        let mut rows = Array2::zeros(covariance.dim());
        for (mut row, &t) in rows.rows_mut().into_iter().zip(&self.knots) {
            row.assign(&self.of_rise(self.about(t, length)));
        }
        critical_value(&rows.dot(covariance).dot(&rows.t()), self.path(), self.level).0
    }

    /// The window of a length about a point.
    fn about(&self, t: f64, length: f64) -> Window {
        let ((lower, upper), half) = (self.domain(), 0.5 * length);
        if self.grid.is_periodic() {
            let folded = |t: f64| lower + (t - lower).rem_euclid(upper - lower);
            return Window { from: folded(t - half), to: folded(t + half) };
        }
        // the whole domain may have no room for rounding
        let from = (t - half).min(upper - length).max(lower);
        Window { from, to: (from + length).min(upper) }
    }

    /// What the values at the points weigh in the rise from the first end of a window to the second one.
    fn of_rise(&self, Window { from, to }: Window) -> Array1<f64> {
        let mut weights = Array1::zeros(self.knots.len());
        for (t, sign) in [(to, 1.0), (from, -1.0)] {
            let Cell { left, right, share, .. } = Cell::of(self.knots.view(), None, t);
            weights[left] += sign * (1.0 - share);
            weights[right] += sign * share;
        }
        weights
    }

    /// The integral `int_a^b f(t) dt`. On a circle with `a > b` it is that of the arc from `a` over the end of the domain to `b`.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for an end outside the domain or not a number, [`AnalysisError::Ends`] for `a = b`, and for
    /// `a > b` unless the domain is a circle.
    pub fn integral(&self, a: f64, b: f64) -> Result<Feature, AnalysisError> {
        [a, b].into_iter().try_for_each(|end| self.check(end))?;
        let is_over_the_end = self.grid.is_periodic() && a > b;
        if !is_over_the_end && a >= b {
            return Err(AnalysisError::Ends { from: a, to: b });
        }
        let (lower, upper) = self.domain();
        let weights = if is_over_the_end {
            trapezoids(&self.knots, a, upper) + trapezoids(&self.knots, lower, b)
        } else {
            trapezoids(&self.knots, a, b)
        };
        let number = Uncertain { value: weights.dot(&self.mean), sd: self.spread.sd(&weights) };
        Ok(number.within(sidak(1, 1.0 - self.level)))
    }

    /// Where the curve is largest, and how large it is there, from the band alone.
    pub fn maximum(&self) -> Extreme {
        self.shown.maximum(&self.grid)
    }

    /// Where the curve is smallest, and how small it is there, from the band alone.
    pub fn minimum(&self) -> Extreme {
        self.shown.negated().maximum(&self.grid).negated()
    }

    fn check(&self, value: f64) -> Result<(), AnalysisError> {
        let (lower, upper) = self.domain();
        if (lower..=upper).contains(&value) {
            Ok(())
        } else {
            Err(AnalysisError::OutsideDomain { value, lower, upper })
        }
    }
}

impl Spread {
    /// The standard deviation of `w'f`, or what it is at most.
    fn sd(&self, weights: &Array1<f64>) -> f64 {
        match self {
            Self::Covariance(covariance) => weights.dot(&covariance.dot(weights)).max(0.0).sqrt(),
            Self::Deviations(sd, _) => weights.mapv(f64::abs).dot(sd),
        }
    }
}

/// What the values at the points weigh in the integral from `a` to `b` of the line through them.
fn trapezoids(points: &Array1<f64>, a: f64, b: f64) -> Array1<f64> {
    let mut weights = Array1::zeros(points.len());
    for left in 0..points.len() - 1 {
        let (from, to) = (points[left], points[left + 1]);
        let length = to - from;
        let (u, v) = (((a - from) / length).clamp(0.0, 1.0), ((b - from) / length).clamp(0.0, 1.0));
        let right = 0.5 * (v * v - u * u) * length;
        weights[left] += (v - u) * length - right;
        weights[left + 1] += right;
    }
    weights
}
