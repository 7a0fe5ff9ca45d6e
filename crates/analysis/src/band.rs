//! Named bands around a mean, and what each of them promises.

use std::fmt;

use dpfda_release::PenalizedMean;
use serde::{Deserialize, Serialize};

mod around;
pub(crate) mod critical;
pub(crate) mod process;
mod smoother;
#[cfg(test)]
mod tests;

/// A band around a mean curve. All bands are simultaneous: they are about the whole curve at once.
///
/// Everything is a function of the release and of public numbers. `docs/proofs/posterior.md` says what is proved and what is
/// measured.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, Ladder, Posterior, SamplingCovariance};
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
/// let posterior = Posterior::of(&release, &Ladder::default())?;
/// let band = Band::Population.around(&posterior, &SamplingCovariance::Body, 0.95)?;
/// assert!(band.lower.iter().zip(&band.upper).all(|(lower, upper)| lower < upper));
/// println!("{} {}", band.band.promises(), band.band.does_not_promise());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Band {
    /// The mean of the population: privacy, smoothing and sampling. The default.
    #[default]
    Population,
    /// The mean of these very people: privacy and smoothing.
    Posterior,
    /// The population mean as seen through one smoother: privacy and sampling, and no bias by construction.
    Smoothed(PenalizedMean),
    /// The population mean, around the smoother with a hundredth of the penalty.
    Undersmoothed(PenalizedMean),
    /// The population mean at the grid's points, around the release itself.
    Unsmoothed,
    /// The population mean, if its roughness about the centre is at most this number.
    Honest {
        /// A public bound on the norm of `mean - centre` in the space of the Matern 3/2 kernel of range 0.2 on `[0, 1]`.
        roughness: f64,
    },
    /// The noise that was added for privacy, and nothing else.
    Noise,
    /// The curve of a new person: their own deviation from the mean, and the error of the mean.
    Prediction,
    /// The curves of most people, as many as the level says, with a confidence of 90%.
    Tolerance,
}

/// What a band is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The mean of the population that the people come from, their curves bounded.
    PopulationMean,
    /// The mean of the people in the release, their curves bounded.
    SampleMean,
    /// What the smoother makes of the population mean.
    SmoothedPopulationMean,
    /// What the estimate would be without the privacy noise, its weights unchanged.
    EstimateWithoutNoise,
    /// The centiles of the population that the people come from.
    PopulationCentile,
    /// The correlation of an outcome with the values of the population that the people come from.
    PopulationCorrelation,
    /// The curve of a person who is not in the release, bounded.
    NewPerson,
    /// The curves of as many people of the population as the level says.
    MostPeople,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::PopulationMean => "the population mean",
            Self::SampleMean => "the mean of these people",
            Self::SmoothedPopulationMean => "the smoothed population mean",
            Self::EstimateWithoutNoise => "the estimate without privacy noise",
            Self::PopulationCorrelation => "the correlation with the outcome in the population",
            Self::PopulationCentile => "the centiles of the population",
            Self::NewPerson => "the curve of a new person (approximate)",
            Self::MostPeople => "the curves of most people (approximate, 90% confidence)",
        })
    }
}

impl Band {
    /// The name in files and commands.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Population => "population",
            Self::Posterior => "posterior",
            Self::Smoothed(_) => "smoothed",
            Self::Undersmoothed(_) => "undersmoothed",
            Self::Unsmoothed => "unsmoothed",
            Self::Honest { .. } => "honest",
            Self::Noise => "noise",
            Self::Prediction => "prediction",
            Self::Tolerance => "tolerance",
        }
    }

    /// What the band is about.
    pub fn target(&self) -> Target {
        match self {
            Self::Population | Self::Undersmoothed(_) | Self::Unsmoothed | Self::Honest { .. } => {
                Target::PopulationMean
            }
            Self::Posterior => Target::SampleMean,
            Self::Smoothed(_) => Target::SmoothedPopulationMean,
            Self::Noise => Target::EstimateWithoutNoise,
            Self::Prediction => Target::NewPerson,
            Self::Tolerance => Target::MostPeople,
        }
    }

    /// What the band promises, in one sentence.
    pub fn promises(&self) -> &'static str {
        match self {
            Self::Population => {
                "The band holds the whole mean curve of the population with the stated probability, if the prior describes it: \
                 privacy noise, smoothing and sampling are in it."
            }
            Self::Posterior => {
                "The band holds the whole mean curve of these very people with the stated probability, if the prior describes \
                 it: privacy noise and smoothing are in it."
            }
            Self::Smoothed(_) => {
                "The band holds the smoothed mean curve of the population, the mean at this resolution, with the stated \
                 probability: privacy noise and sampling are in it."
            }
            Self::Undersmoothed(_) => {
                "The band held the whole mean curve of the population with the stated probability in our measurements: so \
                 little is smoothed that the bias is small against the noise."
            }
            Self::Unsmoothed => {
                "The band holds the mean of the population at every grid point with the stated probability, whatever its \
                 shape."
            }
            Self::Honest { .. } => {
                "The band holds the mean of the population at every grid point with at least the stated probability, if its \
                 roughness is at most the stated bound."
            }
            Self::Noise => {
                "The band shows how far the privacy noise may have moved the estimate, for the whole curve at once with the \
                 stated probability."
            }
            Self::Prediction => {
                "The band holds the whole curve of a new person of the population with about the stated probability, if people are normal \
                 about their mean: the person's own deviation, and the error of mean and variance are in it."
            }
            Self::Tolerance => {
                "The band holds the whole curves of about the stated share of the population, with a confidence of about 90%, if people \
                 are normal about their mean."
            }
        }
    }

    /// What the band does not promise, in one sentence.
    pub fn does_not_promise(&self) -> &'static str {
        match self {
            Self::Population => {
                "It may miss a peak or a step that is narrower than every kernel of the prior, and it is about curves bounded \
                 by the plan."
            }
            Self::Posterior => {
                "It says nothing about other people, and it may miss a peak or a step that is narrower than every kernel of \
                 the prior."
            }
            Self::Smoothed(_) => "It says nothing about what the smoother removed from the mean.",
            Self::Undersmoothed(_) => "It has no proof, and it may miss a narrow peak.",
            Self::Unsmoothed => {
                "It says nothing between the grid's points, is wide, and is about curves bounded by the plan."
            }
            Self::Honest { .. } => "It promises nothing if the mean is rougher than the bound.",
            Self::Noise => {
                "It does not say how far the mean of the people, or of a population, may be from the estimate: smoothing and \
                 sampling are not in it."
            }
            Self::Prediction | Self::Tolerance => {
                "It is approximate, it is not about the mean, and it says nothing of people whose curves the bound pulls in."
            }
        }
    }

    /// What a band of people assumes and does not promise, which whoever reads its numbers alone must know; `None` for a band of means.
    pub fn caution(&self) -> Option<String> {
        self.is_of_people().then(|| format!("{} {}", self.promises(), self.does_not_promise()))
    }

    /// Whether the band is about the curves of people, and not about their mean.
    pub(crate) fn is_of_people(&self) -> bool {
        matches!(self, Self::Prediction | Self::Tolerance)
    }

    /// Whether the band lies around the posterior mean.
    pub(crate) fn is_around_the_posterior_mean(&self) -> bool {
        !matches!(self, Self::Smoothed(_) | Self::Undersmoothed(_) | Self::Unsmoothed | Self::Honest { .. })
    }
}
