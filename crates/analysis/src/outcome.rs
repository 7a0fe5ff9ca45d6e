//! How the curves of people go with an outcome of theirs.

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Release, rounded};
use dpfda_release::Regression;
use ndarray::{Array1, Zip};

use crate::band::critical::tube;
use crate::band::process::SMOOTHING;
use crate::band::{Band, Target};
use crate::chart::of_moments::NormalCentiles;
use crate::components::{Components, ComponentsError};
use crate::error::{AnalysisError, check_level};
use crate::estimate::Estimate;
use crate::estimated::Estimated;
use crate::person::Person;
use crate::population::PopulationMean;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;

mod covariance;
mod slope;
#[cfg(test)]
mod tests;

use covariance::OutcomeCovariance;
pub use slope::{Explained, SlopeFunction};

/// Above this mean half-width the band is nearly all of `[-1, 1]`, and slopes did worse than nothing for new people.
const HIDDEN: f64 = 0.9;

/// The path of the band is taken to be as long as that of a mean at least is.
const PATH: f64 = 32.0;

/// How curves go with an outcome: the correlation at each point with its band, and the slope function with the part of the outcome that it
/// explains.
///
/// ```text
/// rho(t) = g(t) / (sqrt(v) s(t)),    g = Cov(y, X(t)),   v = Var y,   s^2(t) = Var X(t)
/// sd^2   = Var g / (v s^2) + (1 - rho^2)^2 / N + rho^2 (r_s^2 + r_v^2) / 4,      band: rho +- 1.06 tube(32) sd, within [-1, 1]
/// E y    = const + integral of b(t) (X - m)(t),      R^2 = integral of b Sigma b / v, of which a least value is told
/// ```
///
/// With further covariates in the regression all of it is partial: what they explain of curves and of the outcome is taken out by the Schur
/// complement of the Gram matrix. `r` are the relative standard deviations of `s^2` and `v`, and `Var g` holds what the pull on curves outside
/// a bought ball may do. Everything follows from a released regression with
/// private covariates and costs no privacy; to first order: `docs/proofs/outcome.md`.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, Estimated};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Covariate, PrivateRegression, Regression};
/// use dpfda_smoothing::{Ball, Center, CurveSet, TextColumn};
/// use ndarray::Array2;
///
/// let size = |i: usize| ((i * 7) % 41) as f64 / 20.0 - 1.0;
/// let values = Array2::from_shape_fn((3000, 20), |(i, k)| 0.5 + 0.1 * size(i) * (k as f64 / 19.0));
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 20)?, values)?;
/// let ages = TextColumn::new((0..3000).map(|i| Some((50.0 + 20.0 * size(i)).to_string())).collect());
/// let age = Covariate::Number { name: "age".to_owned(), lower: 20.0, upper: 80.0 };
/// let ball = Ball::new(Center::Constant(0.5), 0.2)?;
/// let regression = PrivateRegression::new(ball, PrivacyBudget::new(2.0, 1e-5)?, vec![age]).of_outcome("age");
/// let release = regression.release(&curves, &[ages], &mut SystemRandomness::new()?)?;
///
/// // from here on only the release is used: nothing more is spent
/// let outcome = Estimated::<Regression>::new(release, &Band::Population, DEFAULT_LEVEL)?.outcome("age")?;
/// assert!(outcome.correlation().values[19] > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Outcome {
    name: String,
    beside: Vec<String>,
    grid: Grid,
    correlation: Estimate<f64>,
    slope: Result<SlopeFunction, AnalysisError>,
}

impl Estimated<Regression> {
    /// How the curves go with the covariate of this name as an outcome of people, given the other covariates.
    ///
    /// # Errors
    /// [`AnalysisError::NoOutcome`] for a name that is no number or category of two levels among private covariates, and for documents
    /// without the energy of curves, [`AnalysisError::OutcomeHidden`] for a variance of the outcome or of the curves that noise hides,
    /// [`AnalysisError::DesignTooWeak`] where noise hides the other covariates.
    pub fn outcome(&self, name: &str) -> Result<Outcome, AnalysisError> {
        match self.of_outcome() {
            // it was solved when the release was read
            Some(own) if self.release().statistic().outcome() == Some(name) => own.cloned(),
            _ => Outcome::new(self.release(), name, self.means().level()),
        }
    }
}

impl Outcome {
    pub(crate) fn new(release: &Release<Regression>, name: &str, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        let found = OutcomeCovariance::of(release, name)?;
        let curves = PopulationMean::new(found.mean_of_curves()?, Some(found.moments()))?;
        let hidden = |error| match error {
            ComponentsError::IndistinctVariance { total: variance, sd } => {
                AnalysisError::OutcomeHidden { what: "curves", variance, sd }
            }
            error => AnalysisError::of_person(error),
        };
        let components = Components::new(&curves).map_err(hidden)?;
        let varies = NormalCentiles::of_components(&curves, &components).map_err(hidden)?;
        let posterior = Posterior::new(found.observation()?, &Ladder::default())?;
        let of_design = found.noise_of_design(&posterior);
        let pull = posterior.observation().clipping;
        let parts = Zip::from(&of_design).and(posterior.sd()).map_collect(|design, sd| design + sd * sd + pull * pull);
        let counted = Counted { variance: found.variance, relative_sd: found.variance_sd / found.variance };
        let scale = varies.variance().mapv(f64::sqrt);
        let (values, sd) = correlation(
            posterior.values().to_owned(),
            (&parts, posterior.observation().records),
            (&scale, varies.relative_sd()),
            &counted,
        );
        let noise_sd =
            Zip::from(posterior.noise_sd()).and(&scale).map_collect(|sd, s| sd / (s * found.variance.sqrt()));
        let correlation = Estimate {
            at: posterior.grid().points().to_vec(),
            lower: values.clone(),
            upper: values.clone(),
            values,
            posterior_sd: sd,
            noise_sd,
            band: Band::Population,
            level,
            target: Target::PopulationCorrelation,
            critical: 0.0,
        };
        let of_curves = varies.relative_sd().mapv(|sd| sd * sd).mean().unwrap_or_default();
        let uncertain = of_curves + counted.relative_sd.powi(2) + 2.0 / posterior.observation().records;
        let slope = Person::of_components(&curves, &components)
            .and_then(|person| SlopeFunction::of(&found, &posterior, &person, uncertain));
        let (name, beside) = (name.to_owned(), found.beside.clone());
        Ok(Self { name, beside, grid: posterior.grid().clone(), correlation, slope }.with_level(level))
    }

    /// The same with a band of another level, which was checked.
    pub(crate) fn with_level(mut self, level: f64) -> Self {
        let band = &mut self.correlation;
        band.critical = SMOOTHING * tube(PATH, 1.0 - level);
        let half = &band.posterior_sd * band.critical;
        band.lower = (&band.values - &half).mapv(|end| end.max(-1.0));
        band.upper = (&band.values + &half).mapv(|end| end.min(1.0));
        band.level = level;
        self
    }

    /// The covariate that is the outcome.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The other covariates, which were taken out.
    pub fn beside(&self) -> &[String] {
        &self.beside
    }

    /// The same in words behind the name, such as ` given sex`; empty where there are none.
    pub fn given(&self) -> String {
        if self.beside.is_empty() { String::new() } else { format!(" given {}", self.beside.join(", ")) }
    }

    /// The points of the curves.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The correlation of the outcome with the value at each point, with a band for all points together.
    pub fn correlation(&self) -> &Estimate<f64> {
        &self.correlation
    }

    /// The slope function.
    ///
    /// # Errors
    /// [`AnalysisError::NoAssociation`] where no association can be told from the noise, [`AnalysisError::CorrelationHidden`] where the band of
    /// the correlation is nearly all that there is.
    pub fn slope(&self) -> Result<&SlopeFunction, AnalysisError> {
        let half_width = self.correlation.half_width();
        if half_width > HIDDEN {
            return Err(AnalysisError::CorrelationHidden { half_width });
        }
        self.slope.as_ref().map_err(|reason| *reason)
    }

    /// What is said of the part of the variance of the outcome that curves explain, with the level of the band.
    ///
    /// # Errors
    /// As [`Outcome::slope`].
    pub fn explained(&self) -> Result<Explained, AnalysisError> {
        Ok(self.slope()?.explained(self.correlation.level))
    }

    /// What a reader is told of it.
    pub(crate) fn facts(&self) -> [Fact; 2] {
        let Self { name, correlation, .. } = self;
        let beside = self.given();
        let (t, largest) = self.largest().unwrap_or((f64::NAN, f64::NAN));
        let (at, most) = (rounded(t), rounded(largest));
        let percent = rounded(100.0 * correlation.level);
        let (explained, of_variance) = match self.explained() {
            Ok(explained) => {
                let least = (explained.at_least * 1e3).floor() / 1e3;
                (
                    format!("R^2 at least {least} with {percent}% confidence"),
                    format!("With {percent}% confidence, {explained}"),
                )
            }
            Err(reason) => ("no association told from the noise".to_owned(), format!("No slope is shown: {reason}")),
        };
        let estimate = format!(
            "correlation of curves with {name}{beside} at each point: the largest is {most}, at {at}. {of_variance}. To first order in the \
             noise"
        );
        let half = rounded(correlation.half_width());
        let band = format!(
            "{percent}% band for the correlation in the population at all points together, {half} to each side on average. It holds privacy, \
             smoothing and sampling for normal values. What clipping at the radius does to variances is not in it"
        );
        [
            Fact::new("estimate", estimate)
                .briefly(format!("largest correlation with {name}{beside}: {most} at {at}; {explained}")),
            Fact::new("band", band)
                .briefly(format!("{percent}% band for the correlation, {half} to each side on average"))
                .captioned(format!("{percent}% band; {explained}")),
        ]
    }

    /// Where the correlation is largest in size: the point, and the correlation.
    pub fn largest(&self) -> Option<(f64, f64)> {
        let pairs = self.correlation.at.iter().copied().zip(self.correlation.values.iter().copied());
        pairs.max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()))
    }
}

/// What the release tells of the spread of an outcome.
struct Counted {
    variance: f64,
    relative_sd: f64,
}

/// The correlation at each point and its standard deviation, from a covariance with the variance of its noise and the number of records,
/// the standard deviations of values with the relative ones of their squares, and the variance of the outcome.
fn correlation(
    covariance: Array1<f64>,
    (noise, records): (&Array1<f64>, f64),
    (scale, relative): (&Array1<f64>, &Array1<f64>),
    outcome: &Counted,
) -> (Array1<f64>, Array1<f64>) {
    let values = (covariance / scale / outcome.variance.sqrt()).mapv(|rho| rho.clamp(-1.0, 1.0));
    let sd = Zip::from(&values).and(noise).and(scale).and(relative).map_collect(|rho, noise, scale, relative| {
        let of_noise = noise / (outcome.variance * scale * scale);
        let of_sampling = (1.0 - rho * rho).powi(2) / records;
        let of_scales = rho * rho * (relative.powi(2) + outcome.relative_sd.powi(2)) / 4.0;
        (of_noise + of_sampling + of_scales).sqrt()
    });
    (values, sd)
}
