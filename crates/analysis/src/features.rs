//! What a mean does: its slope, the area below it and its maximum, each with an uncertainty.

use dpfda_kernels::{Cell, Grid};
use ndarray::{Array1, Array2, ArrayView1};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};
use serde::Serialize;

use crate::band::Target;
use crate::band::critical::{quantile, sidak};
use crate::band::process::beyond_the_posterior;
use crate::error::AnalysisError;
use crate::estimated::means::Banded;
use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;
use crate::psd::square_root;
use crate::uncertain::{Feature, Uncertain};

#[cfg(test)]
mod tests;

/// The seed of the draws: public, so that every reader finds the same numbers.
const SEED: u64 = 17;

const DRAWS: usize = 4000;

/// A curve is drawn at this many points at least.
const FEWEST_POINTS: usize = 128;

/// Where a mean is largest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Maximum {
    /// The point.
    pub at: Feature,
    /// The value there.
    pub value: Feature,
    /// The share of draws that are largest at an end of the domain; 0 on a circle, which has no ends.
    pub at_an_end: f64,
}

/// Draws of a mean curve, from which its features get their uncertainty.
///
/// ```text
/// draw = posterior draw + sampling part,   sampling part ~ N(0, Sigma / N + E^2 K) for the mean of the population
/// ```
///
/// The intervals are for one number at a time. Those of areas and of the maximum hold the middle share of the draws. The interval
/// of a slope is that of a normal variable with the standard deviation of the slope.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, Estimated, MeanDraws};
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
/// let draws = MeanDraws::of(estimated.mean())?;
/// let (area, maximum) = (draws.integral(0.5, 1.0)?, draws.maximum());
/// assert!(area.lower < area.value && area.value < area.upper);
/// assert!((0.0..=2.0).contains(&maximum.at.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MeanDraws<'a> {
    posterior: &'a Posterior,
    target: Target,
    level: f64,
    /// In data units, increasing.
    points: Array1<f64>,
    /// The posterior mean at the points.
    mean: Array1<f64>,
    /// A row for each draw.
    curves: Array2<f64>,
    /// The covariance of the sampling part between the points of the posterior's support.
    sampling: Option<Array2<f64>>,
}

impl<'a> MeanDraws<'a> {
    /// Draws for an estimate, with intervals of the level of its band: of the mean of the people in the release where that is what
    /// the band is about, otherwise of the mean of the population.
    pub fn of(mean: &'a Banded<PopulationMean>) -> Result<Self, AnalysisError> {
        let (population, band) = (mean.population(), mean.estimate());
        let posterior = population.posterior();
        let (target, sampling) = match band.target {
            Target::SampleMean | Target::EstimateWithoutNoise => (Target::SampleMean, None),
            Target::PopulationMean | Target::SmoothedPopulationMean => {
                (Target::PopulationMean, Some(beyond_the_posterior(posterior, population.sampling())?))
            }
        };
        let support = posterior.support();
        let mut randomness = ChaCha20Rng::seed_from_u64(SEED);
        let closed = posterior.grid().is_periodic().then(|| posterior.grid().upper());
        let whole: Array1<f64> = support.iter().copied().chain(closed).collect();
        let is_dense = support.len() >= FEWEST_POINTS;
        let points = if is_dense { whole } else { refined(&whole) };
        let mut curves = if is_dense && closed.is_none() {
            posterior.draws(DRAWS, &mut randomness)?
        } else {
            posterior.draws_at(points.as_slice().unwrap_or_default(), DRAWS, &mut randomness)?
        };
        if let Some(sampling) = &sampling {
            let at_points = interpolation(posterior, &points).dot(&square_root(sampling)?);
            let normals = Array2::from_shape_simple_fn((DRAWS, support.len()), || {
                let normal: f64 = StandardNormal.sample(&mut randomness);
                normal
            });
            curves += &normals.dot(&at_points.t());
        }
        let mean = posterior.evaluate(points.as_slice().unwrap_or_default())?;
        Ok(Self { posterior, target, level: band.level, points, mean, curves, sampling })
    }

    /// What the numbers are about.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The probability that each interval states.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The slope `df/dt` at a point of the domain, as [`Posterior::derivative`] says it. The sampling part is that of the chord
    /// between the neighbouring points of the posterior's support.
    pub fn slope(&self, t: f64) -> Result<Feature, AnalysisError> {
        let slope = self.posterior.derivative(&[t])?[0];
        let sampling = self.sampling.as_ref().map_or(0.0, |covariance| {
            let Cell { left, right, length, .. } = self.posterior.support.cell(self.posterior.grid().to_unit_point(t));
            let length = length * self.posterior.grid().length();
            let both = covariance[[left, left]] + covariance[[right, right]] - 2.0 * covariance[[left, right]];
            both.max(0.0) / (length * length)
        });
        let sd = (slope.sd * slope.sd + sampling).sqrt();
        Ok(Uncertain { value: slope.value, sd }.within(sidak(1, 1.0 - self.level)))
    }

    /// The integral `int_a^b f(t) dt`, the curve linear between the points of the draws. On a circle with `a > b` it is that of the arc
    /// from `a` over the end of the domain to `b`.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for an end outside the domain or not a number, [`AnalysisError::Ends`] for `a = b`, and for
    /// `a > b` unless the domain is a circle.
    pub fn integral(&self, a: f64, b: f64) -> Result<Feature, AnalysisError> {
        let (lower, upper) = (self.posterior.grid().lower(), self.posterior.grid().upper());
        if let Some(value) = [a, b].into_iter().find(|end| !(lower..=upper).contains(end)) {
            return Err(AnalysisError::OutsideDomain { value, lower, upper });
        }
        let is_over_the_end = self.posterior.grid().is_periodic() && a > b;
        if !is_over_the_end && a >= b {
            return Err(AnalysisError::Ends { from: a, to: b });
        }
        let between = |a, b| trapezoids(self.points.view(), a, b);
        let weights = if is_over_the_end { between(a, upper) + between(lower, b) } else { between(a, b) };
        Ok(self.feature(weights.dot(&self.mean), self.curves.dot(&weights).to_vec()))
    }

    /// Where the curve is largest, and how large it is there. The value is that of the posterior mean; the interval of the place
    /// can be wide, and where two places compete it spans both. On a circle the interval is an arc about the place of the posterior mean:
    /// where its lower end is above the upper one, it goes from the lower end over the end of the domain to the upper one.
    pub fn maximum(&self) -> Maximum {
        let (at, value) = largest(self.points.view(), self.mean.view());
        let drawn = self.curves.rows().into_iter().map(|curve| largest(self.points.view(), curve));
        let (mut places, values): (Vec<f64>, Vec<f64>) = drawn.unzip();
        let value = self.feature(value, values);
        let grid = self.posterior.grid();
        if grid.is_periodic() {
            // counted from half a period before the place of the posterior mean to half a period after
            let period = grid.length();
            for place in &mut places {
                *place -= period * ((*place - at) / period).round();
            }
            return Maximum { at_an_end: 0.0, at: on_circle(self.feature(at, places), grid), value };
        }
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        let ends = places.iter().filter(|place| **place == first || **place == last).count();
        Maximum { at_an_end: ends as f64 / places.len() as f64, at: self.feature(at, places), value }
    }

    /// A number with the spread of its draws.
    fn feature(&self, value: f64, mut draws: Vec<f64>) -> Feature {
        let count = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / count;
        let variance = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / (count - 1.0);
        let tail = 0.5 * (1.0 - self.level);
        let (lower, upper) = (quantile(&mut draws, tail), quantile(&mut draws, 1.0 - tail));
        Feature { value, sd: variance.sqrt(), lower, upper }
    }
}

/// A place and its interval in the domain of a circle; an interval of a period or more is the whole domain.
fn on_circle(place: Feature, grid: &Grid) -> Feature {
    let (lower, period) = (grid.lower(), grid.length());
    let folded = |place: f64| {
        let folded = lower + (place - lower).rem_euclid(period);
        // the end is the first point again
        if folded < grid.upper() { folded } else { lower }
    };
    let is_whole = place.upper - place.lower >= period;
    let (from, to) = if is_whole { (lower, grid.upper()) } else { (folded(place.lower), folded(place.upper)) };
    Feature { value: folded(place.value), sd: place.sd, lower: from, upper: to }
}

/// The points of a grid with so many between each two that there are enough.
fn refined(points: &Array1<f64>) -> Array1<f64> {
    let between = (FEWEST_POINTS - 1).div_ceil(points.len() - 1);
    let cells = points.windows(2).into_iter().flat_map(|ends| {
        let (from, to) = (ends[0], ends[1]);
        (0..between).map(move |step| from + (to - from) * step as f64 / between as f64)
    });
    cells.chain(points.last().copied()).collect()
}

/// The matrix that takes values at the posterior's support to values at any points, linear between.
fn interpolation(posterior: &Posterior, points: &Array1<f64>) -> Array2<f64> {
    let mut matrix = Array2::zeros((points.len(), posterior.support.len()));
    for (mut row, &t) in matrix.rows_mut().into_iter().zip(points) {
        let Cell { left, right, share, .. } = posterior.support.cell(posterior.grid().to_unit_point(t));
        row[left] += 1.0 - share;
        row[right] += share;
    }
    matrix
}

/// What the values at the points weigh in the integral from `a` to `b` of the line through them.
fn trapezoids(points: ArrayView1<'_, f64>, a: f64, b: f64) -> Array1<f64> {
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

/// The place and the value of the largest point of a curve, refined by the parabola through its neighbours where they are equally
/// far away.
fn largest(points: ArrayView1<'_, f64>, curve: ArrayView1<'_, f64>) -> (f64, f64) {
    let best = curve.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(index, _)| index);
    if best == 0 || best + 1 == points.len() {
        return (points[best], curve[best]);
    }
    let (before, after) = (points[best] - points[best - 1], points[best + 1] - points[best]);
    let (rise, fall) = (curve[best] - curve[best - 1], curve[best] - curve[best + 1]);
    let bend = rise + fall;
    if bend <= 0.0 || (before - after).abs() > 1e-6 * before {
        return (points[best], curve[best]);
    }
    let shift = 0.5 * (rise - fall) / bend;
    (points[best] + shift * after, curve[best] + 0.25 * (rise - fall) * shift)
}
