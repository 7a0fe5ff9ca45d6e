//! The mean of one population over any domain, as far as a release tells it.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use dpfda_kernels::Grid;
use dpfda_mechanism::{exact, rounded};
use dpfda_release::{PenalizedMean, ReleasedFunction, SecondMoments};
use ndarray::{Array, Array1, Array2, ArrayView1, Dimension, Ix1};

use crate::band::Band;
use crate::band::process::{Parts, Path, critical_value, population_covariance};
use crate::error::{AnalysisError, check_level};
use crate::estimate::{DomainPoint, Estimate, PointEstimate, kernel_in_words};
use crate::person::Person;
use crate::posterior::Posterior;
use crate::posterior::ladder::{Ladder, LadderEnd};
use crate::posterior::observed::Observation;
use crate::sampling::SamplingCovariance;
use crate::uncertain::Uncertain;

/// The posterior of the mean of some people, and how much the mean of others from their population would differ.
pub trait Population: Clone + Debug + 'static {
    /// A point of the domain.
    type Point: DomainPoint;
    /// The points that the mean was released at.
    type Grid: PartialEq;
    /// Of the values at these points.
    type Dimension: Dimension;
    /// What follows from the release for the mean of the people in it.
    type Posterior;
    /// What `noise_sd` is, in words.
    const NOISE: &'static str = "the privacy noise alone";

    /// The points that the mean was released at.
    fn grid(&self) -> &Self::Grid;

    /// The posterior of the mean of the people in the release.
    fn posterior(&self) -> &Self::Posterior;

    /// The radius of the prior: the size of the numbers.
    fn radius(&self) -> f64;

    /// The number of records, noisy where it is private.
    fn records(&self) -> f64;

    /// The estimate with a band.
    fn estimate(&self, band: &Band, level: f64) -> Result<Estimate<Self::Point>, AnalysisError>;

    /// An estimate of this mean at any points of the domain.
    fn at(
        &self,
        estimate: &Estimate<Self::Point>,
        points: &[Self::Point],
    ) -> Result<Vec<PointEstimate<Self::Point>>, AnalysisError>;

    /// How the estimate with a band was made, in words.
    fn method(&self, band: &Band) -> String;

    /// What a band promises and what it does not.
    fn promise(&self, band: &Band) -> String;

    /// The error of the posterior as a fraction of that of the centre; see [`Posterior::error_relative_to_the_centre`].
    fn error_relative_to_the_centre(&self) -> f64;

    /// Whether the release tells the mean and the centre apart.
    fn tells_mean_and_centre_apart(&self) -> bool;

    /// The ends of the prior that the values around which a band lies point at.
    fn ends_of_ladder(&self, _band: &Band) -> Vec<LadderEnd> {
        Vec::new()
    }

    /// How far the pull on records outside a bought ball may move the mean, in data units; 0 in a stated ball.
    fn allowance(&self) -> f64;

    /// What it is a mean of.
    fn quantity(&self) -> &'static str;

    /// Whether the noise of another mean depends on that of this one: both are of one release, and not of two of its groups.
    fn shares_noise_with(&self, other: &Self) -> bool;

    /// The first mean less the second one at the grid's points, with a band of this level for the populations.
    fn minus(&self, other: &Self, level: f64) -> Result<Spread<Self::Dimension>, AnalysisError>;

    /// The same at any points of the domain, with the standard deviation of everything that the band covers.
    fn minus_at(
        &self,
        other: &Self,
        spread: &Spread<Self::Dimension>,
        points: &[Self::Point],
    ) -> Result<Vec<Uncertain>, AnalysisError>;
}

/// Values at the points of a grid with a band.
#[derive(Debug, Clone)]
pub struct Spread<D: Dimension> {
    pub(crate) values: Array<f64, D>,
    /// The standard deviation of everything that the band covers.
    pub(crate) sd: Array<f64, D>,
    /// How many of them the band reaches to each side.
    pub(crate) critical: f64,
}

/// The mean of one population on a line or a circle.
#[derive(Debug, Clone)]
pub struct PopulationMean {
    posterior: Posterior,
    sampling: SamplingCovariance,
    moments: Option<SecondMoments>,
    /// Noisy numbers that other means were made of as well.
    shared: Option<Array2<f64>>,
    /// The release through its smoother.
    function: Option<ReleasedFunction>,
    /// The same for all groups of one release.
    release: Option<Arc<()>>,
    /// What it is a mean of.
    quantity: &'static str,
    /// What the second moments tell of one person, once it was asked for.
    person: Arc<OnceLock<Result<Person, AnalysisError>>>,
}

impl PopulationMean {
    /// From what was observed. The sampling part comes from the private second moments where there are any and their count can be
    /// trusted, else from the ball.
    ///
    /// # Errors
    /// [`AnalysisError`] for a posterior that cannot be solved; none in practice.
    pub fn new(observation: Observation, moments: Option<SecondMoments>) -> Result<Self, AnalysisError> {
        let posterior = Posterior::new(observation, &Ladder::default())?;
        let sampling = match moments.as_ref().map(|moments| posterior.observation().decode(moments)) {
            Some(Ok(decoded)) => SamplingCovariance::Moments(decoded),
            _ => SamplingCovariance::Body,
        };
        Ok(Self { moments, ..Self::of(posterior, sampling) })
    }

    /// A posterior, and a sampling covariance that is known otherwise.
    pub fn of(posterior: Posterior, sampling: SamplingCovariance) -> Self {
        let person = Arc::default();
        let (shared, function, release, quantity) = (None, None, None, "of curves");
        Self { posterior, sampling, moments: None, shared, function, release, quantity, person }
    }

    /// The same for one of several means that were made of these noisy numbers.
    pub(crate) fn made_of(self, shared: Array2<f64>) -> Self {
        Self { shared: Some(shared), ..self }
    }

    /// The same for one of the groups of a release, whose radius is that of all.
    pub(crate) fn of_group_in(self, release: &Arc<()>) -> Self {
        Self { release: Some(Arc::clone(release)), ..self }
    }

    /// The same of what is no curve of a person, such as a change.
    pub(crate) fn of_quantity(self, quantity: &'static str) -> Self {
        Self { quantity, ..self }
    }

    /// Whether both are groups of one release.
    pub(crate) fn has_one_radius_with(&self, other: &Self) -> bool {
        self.release.as_ref().zip(other.release.as_ref()).is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    }

    /// What the release is through its smoother: between the points of the grid it is the middle of a band around it.
    pub(crate) fn see_through(&mut self, function: ReleasedFunction) {
        self.function = Some(function);
    }

    /// The middle of a band around a smoother of the release, at points of the domain; `None` where it is known on the grid alone.
    fn middle(&self, estimate: &Estimate<f64>, points: &[f64]) -> Option<Array1<f64>> {
        let is_smooth = matches!(estimate.band, Band::Smoothed(_) | Band::Undersmoothed(_));
        let function = self.function.as_ref().filter(|_| is_smooth)?;
        let pairs = function.values().into_iter().zip(&estimate.values);
        let is_middle = pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-9 * self.radius());
        if is_middle { function.evaluate(points).ok() } else { None }
    }

    /// The middle and the ends of a band at any points of the domain: all that a figure shows, without a standard deviation at each point.
    pub(crate) fn band_at(&self, estimate: &Estimate<f64>, points: &[f64]) -> Result<Vec<[f64; 3]>, AnalysisError> {
        let linear = |numbers: ArrayView1<'_, f64>, t: f64| self.grid().cell(t).between(numbers);
        self.posterior.to_units(points)?;
        let values = if estimate.band.is_around_the_posterior_mean() {
            self.posterior.evaluate(points)?
        } else {
            let on_grid = || points.iter().map(|&t| linear(estimate.values.view(), t)).collect();
            self.middle(estimate, points).unwrap_or_else(on_grid)
        };
        let (below, above) = (&estimate.values - &estimate.lower, &estimate.upper - &estimate.values);
        let ends = |(&t, value): (&f64, f64)| [value, value - linear(below.view(), t), value + linear(above.view(), t)];
        Ok(points.iter().zip(values).map(ends).collect())
    }

    /// Where the sampling part of a band comes from.
    pub fn sampling(&self) -> &SamplingCovariance {
        &self.sampling
    }

    /// How the curve of one person of this population varies about the mean. It is found once.
    ///
    /// # Errors
    /// [`AnalysisError::NoMoments`] for a mean without second moments, [`AnalysisError::PersonHidden`] where the total variance cannot be
    /// told from its noise, or has fewer than 5 degrees of freedom, and [`AnalysisError::TooFewRecords`].
    pub fn person(&self) -> Result<&Person, AnalysisError> {
        self.person.get_or_init(|| Person::new(self)).as_ref().map_err(|reason| *reason)
    }

    /// The covariance of the population band between the points of the posterior's support.
    pub(crate) fn covariance(&self) -> Result<Array2<f64>, AnalysisError> {
        population_covariance(&self.posterior, &self.sampling)
    }

    /// The second moments of the curves, where they were released.
    pub fn moments(&self) -> Option<&SecondMoments> {
        self.moments.as_ref()
    }
}

impl Population for PopulationMean {
    type Point = f64;
    type Grid = Grid;
    type Dimension = Ix1;
    type Posterior = Posterior;

    fn grid(&self) -> &Grid {
        self.posterior.grid()
    }

    fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    fn radius(&self) -> f64 {
        self.posterior.observation.radius
    }

    fn records(&self) -> f64 {
        self.posterior.observation.records
    }

    fn estimate(&self, band: &Band, level: f64) -> Result<Estimate<f64>, AnalysisError> {
        if !band.is_of_people() {
            return band.around(&self.posterior, &self.sampling, level);
        }
        check_level(level)?;
        let person = self.person()?;
        let (critical, sd) = if *band == Band::Tolerance { person.tolerance(level) } else { person.prediction(level) }?;
        let half = self.posterior.support.on_grid(sd.view()) * critical;
        Ok(band.estimate(&self.posterior, level, Parts::around_mean(&self.posterior, critical, half)))
    }

    fn at(&self, estimate: &Estimate<f64>, points: &[f64]) -> Result<Vec<PointEstimate<f64>>, AnalysisError> {
        let sds = self.posterior.sd_at(points)?;
        let each = points.iter().zip(self.band_at(estimate, points)?).zip(sds);
        let point = |((&at, [value, lower, upper]), posterior_sd): ((&f64, [f64; 3]), f64)| {
            let noise_sd = self.grid().cell(at).between(estimate.noise_sd.view());
            PointEstimate { at, value, posterior_sd, noise_sd, lower, upper }
        };
        Ok(each.map(point).collect())
    }

    fn method(&self, band: &Band) -> String {
        let smoothed = |by: &str, smoother: &PenalizedMean| {
            let (penalty, power) = (rounded(smoother.penalty()), exact(smoother.power()));
            format!("{by} {}, penalty {penalty}, power {power}", kernel_in_words(smoother.kernel(), ", range"))
        };
        match band {
            Band::Population | Band::Posterior | Band::Noise | Band::Prediction | Band::Tolerance => {
                let (kernel, weight) = self.posterior.leading_kernel();
                let percent = rounded((100.0 * weight).round());
                let kernel = kernel_in_words(kernel, ", range");
                format!("posterior mean of a Gaussian process; most weight ({percent}%): {kernel}")
            }
            Band::Smoothed(smoother) => smoothed("the release through the smoother with", smoother),
            Band::Undersmoothed(smoother) => {
                smoothed("the release through a hundredth of the penalty of the smoother with", smoother)
            }
            Band::Unsmoothed => "the release itself, without any smoothing".to_owned(),
            Band::Honest { roughness } => {
                let roughness = exact(*roughness);
                format!("the release through the smoother of least width for a roughness of at most {roughness}")
            }
        }
    }

    fn promise(&self, band: &Band) -> String {
        let text = format!("{} {}", band.promises(), band.does_not_promise());
        let unseen =
            self.posterior.observation.unseen.map(|unseen| format!(" {}", unseen.in_words())).unwrap_or_default();
        match band {
            Band::Posterior | Band::Noise => text,
            Band::Prediction | Band::Tolerance => {
                format!("{text} {}", self.person().map(Person::in_words).unwrap_or_default())
            }
            _ => format!("{text} {}{unseen}", self.sampling.in_words()),
        }
    }

    fn error_relative_to_the_centre(&self) -> f64 {
        self.posterior.error_relative_to_the_centre()
    }

    fn tells_mean_and_centre_apart(&self) -> bool {
        self.posterior.tells_mean_and_centre_apart()
    }

    fn allowance(&self) -> f64 {
        self.posterior.observation.clipping
    }

    fn ends_of_ladder(&self, band: &Band) -> Vec<LadderEnd> {
        // other estimates do not use the prior
        if band.is_around_the_posterior_mean() { self.posterior.at_the_end_of_the_ladder() } else { Vec::new() }
    }

    fn quantity(&self) -> &'static str {
        self.quantity
    }

    fn shares_noise_with(&self, other: &Self) -> bool {
        self.posterior.observation.coordinates == other.posterior.observation.coordinates
            || self.shared.as_ref().is_some_and(|own| Some(own) == other.shared.as_ref())
    }

    fn minus(&self, other: &Self, level: f64) -> Result<Spread<Ix1>, AnalysisError> {
        let [a, b] = [self, other].map(Self::covariance);
        let (critical, sd) = critical_value(&(a? + b?), Path::of(self.grid()), level);
        let values = &self.posterior.values() - &other.posterior.values();
        Ok(Spread { values, sd: self.posterior.support.on_grid(sd.view()), critical })
    }

    fn minus_at(&self, other: &Self, spread: &Spread<Ix1>, points: &[f64]) -> Result<Vec<Uncertain>, AnalysisError> {
        let values = self.posterior.evaluate(points)? - other.posterior.evaluate(points)?;
        let sd = |t: f64| self.grid().cell(t).between(spread.sd.view());
        Ok(points.iter().zip(values).map(|(&t, value)| Uncertain { value, sd: sd(t) }).collect())
    }
}
