//! The posterior of a mean given its release.

use dpfda_kernels::{Grid, Kernel};
use dpfda_mechanism::Release;
use dpfda_release::Mean;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use crate::error::AnalysisError;
use crate::halves::in_halves;
use crate::posterior::ladder::{Ladder, LadderEnd};
use crate::posterior::observed::Observation;
use crate::posterior::rung::{Rung, Section};
use crate::posterior::seen::{Reduced, Rows};
use crate::posterior::summary::{Summary, covariance, linear_map};
use crate::posterior::support::{MOST_POINTS, Support};
use crate::posterior::weights::Weights;

pub(crate) mod bins;
pub(crate) mod draws;
pub(crate) mod ladder;
pub(crate) mod lattice;
mod linear;
pub(crate) mod observed;
pub(crate) mod observed_rows;
pub(crate) mod outside;
pub(crate) mod rung;
pub(crate) mod second_opinion;
pub(crate) mod seen;
pub(crate) mod summary;
pub(crate) mod support;
#[cfg(test)]
mod tests;
pub(crate) mod unmapped;
pub(crate) mod weights;

/// The release tells mean and centre apart where the evidence for the ladder is this many times the evidence for the centre.
pub(crate) const CLEAR_EVIDENCE: f64 = 10.0;

/// The posterior of the mean given its release: a mixture of Gaussian processes, solved from public numbers alone.
///
/// ```text
/// y = z + sigma W,   f - c ~ GP(0, a k),   k and a from a Ladder
/// log evidence(k, a) = -1/2 sum_j [ log(2 pi v_j) + b_j^2 / v_j ],   b = U'y,   v_j = a lambda_j + sigma^2
/// mean(k, a)         = U diag(a lambda_j / v_j) b
/// covariance(k, a)   = sigma^2 U diag(a lambda_j / v_j) U'
/// weights            ~ exp(log evidence + log prior)
/// mean               = sum of weights x means,   covariance = sum of weights x (covariance + spread of the means)
/// ```
///
/// `(lambda_j, u_j)` are the eigenpairs of `W^{1/2} K W^{1/2}` on the grid mapped to `[0, 1]`. Values between the grid's points
/// are those of the same processes. Pairs `(k, a)` of weight below `1e-14` are left out. `docs/proofs/posterior.md` says what is
/// exact here and what is an assumption.
///
/// On a [circle](Grid::periodic) every kernel of the ladder is that of chords ([`DomainKernel`](dpfda_kernels::DomainKernel)): the
/// posterior closes up, with its standard deviation.
///
/// The posterior is about the mean of the bounded curves in the release. [`Band`](crate::Band) adds what is needed for a
/// population. Under add/remove-one the noise of the number of records is in every standard deviation, to first order.
///
/// A grid of more than 256 points is averaged in 256 bins first, and the posterior is solved for the averages.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Ladder, Posterior};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// let values = Array2::from_shape_fn((400, 40), |(i, k)| 0.5 + 0.1 * ((i % 7 + k) as f64 / 9.0).sin());
/// let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 40)?, values)?;
/// let ball = Ball::new(Center::Constant(0.5), 0.2)?;
/// let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?);
/// let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
///
/// // from here on only the release is used: nothing more is spent
/// let posterior = Posterior::of(&release, &Ladder::default())?;
/// let (values, sd) = (posterior.values(), posterior.sd());
/// assert!(values.len() == 40 && sd.iter().all(|sd| *sd > 0.0));
///
/// // between the grid's points, and the integral with its standard deviation
/// let value = posterior.evaluate(&[0.123])?[0];
/// let integral = posterior.integral();
/// assert!(value.is_finite() && integral.sd > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Posterior {
    pub(crate) observation: Observation,
    pub(crate) support: Support,
    pub(crate) reduced: Reduced,
    ladder: Ladder,
    weights: Weights,
    pub(crate) rungs: Vec<Rung>,
    /// The values at the support, one section a rung.
    pub(crate) sections: Vec<Section>,
    pub(crate) at_support: Summary,
    representers: Vec<Array1<f64>>,
    /// `f - c` at the grid's points, in data units.
    deviation: Array1<f64>,
    values: Array1<f64>,
    sd: Array1<f64>,
    noise_sd: Array1<f64>,
    /// What the population band adds to the variance at each point of the support beyond its covariance, in squared data units.
    pub(crate) beyond: Option<Array1<f64>>,
}

impl Posterior {
    /// The posterior given a release of a mean.
    pub fn of(release: &Release<Mean>, ladder: &Ladder) -> Result<Self, AnalysisError> {
        Self::new(Observation::of(release)?, ladder)
    }

    /// The posterior given an observation.
    pub fn new(observation: Observation, ladder: &Ladder) -> Result<Self, AnalysisError> {
        Self::at_most(observation, ladder, MOST_POINTS)
    }

    /// The posterior given an observation, solved at no more than this many points (at least 3; by default 256).
    ///
    /// Time grows with the cube of the number of points, and memory with the square.
    pub fn at_most(observation: Observation, ladder: &Ladder, points: usize) -> Result<Self, AnalysisError> {
        let support = Support::of(&observation.unit_grid, points);
        let reduced = Reduced::of(&observation, &support)?;
        let kernels: Vec<&Kernel> = ladder.rungs().collect();
        let solve = |kernel: &&Kernel| Rung::solve(kernel, &support, &reduced);
        let rungs = in_halves(&kernels, solve).into_iter().collect::<Result<Vec<_>, _>>()?;
        let weights = Weights::of(&rungs, ladder);
        let rungs = weights.share_out(rungs, ladder);
        let sections = in_halves(&rungs, |rung| rung.at_support(&support, &reduced.rows));
        let parts: Vec<_> = rungs.iter().zip(&sections).collect();
        let at_support = Summary::of(&parts, reduced.sigma);
        let mut posterior = Self {
            representers: rungs.iter().map(|rung| rung.representer(&reduced.rows)).collect(),
            deviation: Array1::zeros(0),
            values: Array1::zeros(0),
            sd: Array1::zeros(0),
            noise_sd: Array1::zeros(0),
            ladder: ladder.clone(),
            observation,
            support,
            reduced,
            weights,
            rungs,
            sections,
            at_support,
            beyond: None,
        };
        posterior.fill_grid();
        Ok(posterior)
    }

    /// The linear map of the coordinates that gives the mean at the support, weights held fixed.
    pub(crate) fn linear_map(&self) -> Array2<f64> {
        linear_map(&self.parts(&self.sections))
    }

    fn fill_grid(&mut self) {
        let (at_support, radius) = (&self.at_support, self.observation.radius);
        self.deviation = self.support.smoothly_on_grid(at_support.mean.view()) * radius;
        let sd = |variance: &Array1<f64>, posterior: &Self| {
            let roots = variance.mapv(|v| v.sqrt() * radius);
            let on_grid = posterior.support.on_grid(roots.view());
            let pairs = on_grid.iter().zip(&posterior.deviation);
            pairs.map(|(sd, deviation)| posterior.with_count(*sd, *deviation)).collect()
        };
        let (posterior_sd, noise_sd) = (sd(&at_support.variance, self), sd(&at_support.noise_variance, self));
        (self.sd, self.noise_sd) = (posterior_sd, noise_sd);
        self.values = &self.observation.center + &self.deviation;
    }

    /// The points the curves were seen at.
    pub fn grid(&self) -> &Grid {
        &self.observation.grid
    }

    /// What was observed.
    pub fn observation(&self) -> &Observation {
        &self.observation
    }

    /// The prior.
    pub fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// The posterior mean at the grid's points. On a grid of more than 256 points it is cubic between 256 points.
    pub fn values(&self) -> ArrayView1<'_, f64> {
        self.values.view()
    }

    /// The pointwise posterior standard deviation at the grid's points: privacy noise and what smoothing may have removed.
    ///
    /// On a grid of more than 256 points it is linear between 256 points.
    pub fn sd(&self) -> ArrayView1<'_, f64> {
        self.sd.view()
    }

    /// The standard deviation of the privacy noise in [`Posterior::values`], with the weights of the ladder held fixed.
    ///
    /// It does not say how far the mean may be: what the posterior has smoothed away has no noise.
    pub fn noise_sd(&self) -> ArrayView1<'_, f64> {
        self.noise_sd.view()
    }

    /// The posterior mean at any points of the domain, in any order. What other points are asked for changes rounding alone.
    pub fn evaluate(&self, points: &[f64]) -> Result<Array1<f64>, AnalysisError> {
        let deviation = self.deviation_at(self.to_units(points)?.view());
        Ok(points.iter().zip(&deviation).map(|(&t, deviation)| self.center_at(t) + deviation).collect())
    }

    /// The pointwise posterior standard deviation at any points of the domain.
    pub fn sd_at(&self, points: &[f64]) -> Result<Array1<f64>, AnalysisError> {
        let unit = self.to_units(points)?;
        let sections = self.sections_at(unit.view());
        let summary = Summary::of(&self.parts(&sections), self.reduced.sigma);
        let radius = self.observation.radius;
        let pairs = summary.variance.iter().zip(&summary.mean);
        Ok(pairs.map(|(variance, mean)| self.with_count(variance.sqrt() * radius, mean * radius)).collect())
    }

    /// The points at which covariances and draws are computed and bands hold together: the grid's points, or 256 public points
    /// of a larger grid.
    pub fn support(&self) -> Array1<f64> {
        self.support.points.mapv(|t| self.grid().lower() + t * self.grid().length())
    }

    /// The posterior covariance between the points of [`Posterior::support`].
    pub fn covariance(&self) -> Array2<f64> {
        let points = &self.support.points;
        self.in_data_units(&self.sections, |rung, section| rung.open_between(points, section), &self.at_support.mean)
    }

    /// The posterior covariance between any points of the domain.
    pub fn covariance_at(&self, points: &[f64]) -> Result<Array2<f64>, AnalysisError> {
        let unit = self.to_units(points)?;
        let sections = self.sections_at(unit.view());
        let mean = Summary::of(&self.parts(&sections), self.reduced.sigma).mean;
        Ok(self.in_data_units(&sections, |rung, section| rung.open_between(&unit, section), &mean))
    }

    fn in_data_units(
        &self,
        sections: &[Section],
        open: impl Fn(&Rung, &Section) -> Option<Array2<f64>>,
        mean: &Array1<f64>,
    ) -> Array2<f64> {
        let mut covariance = covariance(&self.parts(sections), open);
        let column = mean.view().insert_axis(Axis(1));
        covariance.scaled_add(self.observation.relative_count_sd.powi(2), &column.dot(&column.t()));
        covariance * self.observation.radius.powi(2)
    }

    /// The log evidence of every kernel (rows) and amplitude (columns), as a density of the observation in data units.
    pub fn log_evidence(&self) -> Array2<f64> {
        let coordinates = self.reduced.coordinates.len() as f64;
        &self.weights.log_evidence - coordinates * self.observation.radius.ln()
    }

    /// The weight of every kernel (rows) and amplitude (columns); all weights sum to 1.
    pub fn weights(&self) -> ArrayView2<'_, f64> {
        self.weights.normalised.view()
    }

    /// The kernel with most weight, and its weight.
    pub fn leading_kernel(&self) -> (&Kernel, f64) {
        let weights = self.weights.normalised.sum_axis(Axis(1));
        let place = largest(&weights);
        let kernel = self.ladder.rungs().nth(place);
        (kernel.unwrap_or_else(|| unreachable!("there is a weight for every kernel")), weights[place])
    }

    /// The ends of the ladder that have most weight: where the release asks for more than the prior offers.
    ///
    /// The kernel with most weight is compared with the ends of its family, the amplitude with most weight with the smallest
    /// and the largest.
    pub fn at_the_end_of_the_ladder(&self) -> Vec<LadderEnd> {
        let weights = &self.weights.normalised;
        let (kernel, amplitude) = (largest(&weights.sum_axis(Axis(1))), largest(&weights.sum_axis(Axis(0))));
        let last = self.ladder.amplitudes().len() - 1;
        let of_amplitude = match amplitude {
            _ if last == 0 => None,
            0 => Some(LadderEnd::Smallest),
            place => (place == last).then_some(LadderEnd::Largest),
        };
        self.ladder.end_of_family(kernel).into_iter().chain(of_amplitude).collect()
    }

    /// The log of how many times more likely the release is under the ladder than if the mean were the centre.
    pub fn log_evidence_against_the_centre(&self) -> f64 {
        let Reduced { coordinates, sigma, .. } = &self.reduced;
        let noise = sigma * sigma;
        let constant = coordinates.len() as f64 * (std::f64::consts::TAU * noise).ln();
        self.weights.total + 0.5 * (constant + coordinates.dot(coordinates) / noise)
    }

    /// Whether the release tells the mean and the centre apart: the evidence for the ladder is at least 10 times the evidence
    /// for the centre alone.
    pub fn tells_mean_and_centre_apart(&self) -> bool {
        self.log_evidence_against_the_centre() >= CLEAR_EVIDENCE.ln()
    }

    /// The posterior's root-mean-square error as a fraction of the error of the centre alone, both as the posterior expects
    /// them. Near 1 the estimate is hardly better than the centre.
    ///
    /// ```text
    /// sqrt( int sd^2 / int (sd^2 + (f - c)^2) )
    /// ```
    pub fn error_relative_to_the_centre(&self) -> f64 {
        let weights = self.grid().weights();
        let error = weights.dot(&self.sd.mapv(|sd| sd * sd));
        (error / (error + weights.dot(&self.deviation.mapv(|d| d * d)))).sqrt()
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.reduced.rows
    }

    pub(crate) fn deviation(&self) -> &Array1<f64> {
        &self.deviation
    }

    pub(crate) fn parts<'a>(&'a self, sections: &'a [Section]) -> Vec<(&'a Rung, &'a Section)> {
        self.rungs.iter().zip(sections).collect()
    }

    pub(crate) fn sections_at(&self, unit: ArrayView1<'_, f64>) -> Vec<Section> {
        self.rungs.iter().map(|rung| rung.at(unit, &self.support, self.rows())).collect()
    }

    /// A standard deviation with the noise of the number of records, to first order.
    pub(crate) fn with_count(&self, sd: f64, deviation: f64) -> f64 {
        sd.hypot(deviation * self.observation.relative_count_sd)
    }

    pub(crate) fn to_units(&self, points: &[f64]) -> Result<Array1<f64>, AnalysisError> {
        points.iter().map(|&t| self.to_unit(t)).collect()
    }

    fn to_unit(&self, t: f64) -> Result<f64, AnalysisError> {
        let (lower, upper) = (self.grid().lower(), self.grid().upper());
        if (lower..=upper).contains(&t) {
            Ok(self.grid().to_unit_point(t))
        } else {
            Err(AnalysisError::OutsideDomain { value: t, lower, upper })
        }
    }

    /// `f - c` at points of the unit interval, in data units.
    fn deviation_at(&self, unit: ArrayView1<'_, f64>) -> Array1<f64> {
        let mut sum = Array1::zeros(unit.len());
        for (rung, representer) in self.rungs.iter().zip(&self.representers) {
            sum += &rung.expand(unit, &self.support, self.rows(), representer);
        }
        let (radius, total) = (self.observation.radius, self.rungs.iter().map(Rung::weight).sum::<f64>());
        sum.mapv_into(|sum| sum * radius / total)
    }

    /// The centre at a point of the domain, linear between the grid's points.
    pub(crate) fn center_at(&self, t: f64) -> f64 {
        self.grid().cell(t).between(self.observation.center.view())
    }
}

fn largest(values: &Array1<f64>) -> usize {
    let most = values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    most.map_or(0, |(place, _)| place)
}
