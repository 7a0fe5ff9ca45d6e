//! Draws from the posterior.

use std::cell::OnceCell;

use ndarray::{Array1, Array2, Axis};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::rung::{Rung, Section};
use crate::posterior::summary::Summary;
use crate::psd::square_root;

/// Draws of `f - c` at some points, as deviations from the posterior mean, in units of the radius.
///
/// ```text
/// pick (k, a) by weight; then cross diag(sd) Q' xi + mean(k, a) - mean,   xi standard normal, one for each coordinate
/// ```
///
/// Noise enters through `Q diag Q'`, a function of a matrix: the same generator gives the same draws whatever eigenvectors the
/// solver chose.
pub(crate) struct Sampler<'a> {
    posterior: &'a Posterior,
    parts: Vec<(&'a Rung, &'a Section)>,
    /// What the coordinates leave open, where there is something.
    open: Vec<Option<Open>>,
    mean: Array1<f64>,
}

/// A covariance, whose root is found for the first draw that needs it: most kernels of little weight are never drawn.
struct Open {
    covariance: Array2<f64>,
    root: OnceCell<Array2<f64>>,
}

impl Open {
    fn new(covariance: Array2<f64>) -> Self {
        Self { covariance, root: OnceCell::new() }
    }

    fn root(&self) -> Result<&Array2<f64>, AnalysisError> {
        if let Some(root) = self.root.get() {
            return Ok(root);
        }
        let root = square_root(&self.covariance)?;
        Ok(self.root.get_or_init(|| root))
    }
}

/// One draw before it is mapped to the points.
struct Ticket {
    rung: usize,
    amplitude: f64,
    count: f64,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(posterior: &'a Posterior, points: &Array1<f64>, sections: &'a [Section]) -> Self {
        let parts = posterior.parts(sections);
        let open = parts.iter().map(|(rung, section)| rung.open_between(points, section).map(Open::new)).collect();
        let mean = Summary::of(&parts, posterior.reduced.sigma).mean;
        Self { posterior, parts, open, mean }
    }

    /// A column for each draw.
    pub(crate) fn draw<R: Rng + ?Sized>(&self, count: usize, randomness: &mut R) -> Result<Array2<f64>, AnalysisError> {
        let (points, coordinates) = (self.mean.len(), self.posterior.reduced.coordinates.len());
        let open = if self.open.iter().any(Option::is_some) { points } else { 0 };
        let mut normals = Array2::zeros((count, coordinates + open));
        let tickets: Vec<Ticket> = normals
            .rows_mut()
            .into_iter()
            .map(|mut row| {
                let (rung, amplitude) = self.pick(randomness.random());
                row.iter_mut().for_each(|x| *x = StandardNormal.sample(randomness));
                Ticket { rung, amplitude, count: StandardNormal.sample(randomness) }
            })
            .collect();
        let (known, unknown) = normals.view().split_at(Axis(1), coordinates);
        let mut draws = Array2::zeros((points, count));
        for (index, (rung, section)) in self.parts.iter().enumerate() {
            let own: Vec<usize> = (0..count).filter(|&i| tickets[i].rung == index).collect();
            if own.is_empty() {
                continue;
            }
            let mut inner = rung.rotated(&known.select(Axis(0), &own).reversed_axes());
            for (mut column, &i) in inner.columns_mut().into_iter().zip(&own) {
                let amplitude = tickets[i].amplitude;
                column *= &rung.spreads(amplitude).mapv(f64::sqrt);
                column += &rung.coefficients(amplitude);
            }
            let mut values = section.cross.dot(&inner);
            if let Some(open) = &self.open[index] {
                let rest = open.root()?.dot(&unknown.select(Axis(0), &own).t());
                for ((mut column, rest), &i) in values.columns_mut().into_iter().zip(rest.columns()).zip(&own) {
                    column.scaled_add(tickets[i].amplitude.sqrt(), &rest);
                }
            }
            for (value, &i) in values.columns().into_iter().zip(&own) {
                let relative = self.posterior.observation.relative_count_sd * tickets[i].count;
                let deviation = &value - &self.mean + &self.mean * relative;
                draws.column_mut(i).assign(&deviation);
            }
        }
        Ok(draws)
    }

    fn pick(&self, uniform: f64) -> (usize, f64) {
        let total: f64 = self.parts.iter().map(|(rung, _)| rung.weight()).sum();
        let mut left = uniform * total;
        let mut last = (0, 0.0);
        for (index, (rung, _)) in self.parts.iter().enumerate() {
            for &(amplitude, weight) in &rung.pairs {
                last = (index, amplitude);
                if left < weight {
                    return last;
                }
                left -= weight;
            }
        }
        last
    }
}

impl Posterior {
    /// Draws of the mean at the points of [`Posterior::support`]: a row for each draw.
    ///
    /// The generator need not be secret: draws are functions of the release.
    pub fn draws<R: Rng + ?Sized>(&self, count: usize, randomness: &mut R) -> Result<Array2<f64>, AnalysisError> {
        let sampler = Sampler::new(self, &self.support.points, &self.sections);
        let points = self.support();
        self.as_functions(&sampler, points.as_slice().unwrap_or_default(), count, randomness)
    }

    /// Draws of the mean at any points of the domain: a row for each draw.
    pub fn draws_at<R: Rng + ?Sized>(
        &self,
        points: &[f64],
        count: usize,
        randomness: &mut R,
    ) -> Result<Array2<f64>, AnalysisError> {
        let unit = self.to_units(points)?;
        let sections = self.sections_at(unit.view());
        let sampler = Sampler::new(self, &unit, &sections);
        self.as_functions(&sampler, points, count, randomness)
    }

    fn as_functions<R: Rng + ?Sized>(
        &self,
        sampler: &Sampler<'_>,
        points: &[f64],
        count: usize,
        randomness: &mut R,
    ) -> Result<Array2<f64>, AnalysisError> {
        let radius = self.observation.radius;
        let center: Array1<f64> = points.iter().map(|&t| self.center_at(t)).collect();
        let mean = center + &sampler.mean * radius;
        Ok(sampler.draw(count, randomness)?.reversed_axes() * radius + &mean)
    }
}
