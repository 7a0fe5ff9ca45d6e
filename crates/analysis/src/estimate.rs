//! What a release says about the mean, as it is written to a file.

use dpfda_kernels::{Kernel, KernelName};
use dpfda_mechanism::{Fact, ReadError, close, demand, exact, rounded};
use dpfda_release::PenalizedMean;
use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};

use crate::band::{Band, ConfidenceBand, Target};
use crate::error::AnalysisError;
use crate::estimated_mean::PointEstimate;
use crate::ladder::LadderEnd;
use crate::posterior::Posterior;
use crate::sampling::SamplingCovariance;

/// Above this fraction of the centre's error the estimate is hardly better than the centre.
pub(crate) const HARDLY_BETTER: f64 = 0.7;

/// The estimate of a mean with its band, at the grid's points: numbers for readers, which follow from the release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The grid's points.
    pub grid: Vec<f64>,
    /// The middle of the band: the posterior mean, or what the band's own smoother gives.
    pub values: Vec<f64>,
    /// The pointwise standard deviation of the posterior, whose mean is in `values` for the bands `population`, `posterior` and
    /// `noise`.
    pub posterior_sd: Vec<f64>,
    /// The standard deviation of the privacy noise in `values`.
    pub noise_sd: Vec<f64>,
    /// The lower end of the band.
    pub lower: Vec<f64>,
    /// The upper end of the band.
    pub upper: Vec<f64>,
    /// Which band.
    pub band: Band,
    /// The probability that the band states.
    pub level: f64,
    /// What the band is about.
    pub target: Target,
}

impl Estimate {
    /// The estimate of a posterior, with one of its bands.
    pub fn new(posterior: &Posterior, band: &ConfidenceBand) -> Self {
        Self {
            grid: posterior.grid().points().to_vec(),
            values: band.middle.to_vec(),
            posterior_sd: posterior.sd().to_vec(),
            noise_sd: band.noise_sd.as_ref().map_or_else(|| posterior.noise_sd().to_vec(), |sd| sd.to_vec()),
            lower: band.lower.to_vec(),
            upper: band.upper.to_vec(),
            band: band.band.clone(),
            level: band.level,
            target: band.target,
        }
    }

    /// The estimate point by point.
    pub fn points(&self) -> Vec<PointEstimate> {
        let point = |i: usize| PointEstimate {
            t: self.grid[i],
            value: self.values[i],
            posterior_sd: self.posterior_sd[i],
            noise_sd: self.noise_sd[i],
            lower: self.lower[i],
            upper: self.upper[i],
        };
        (0..self.grid.len()).map(point).collect()
    }

    /// The estimate at any points, where the middle of the band is `values`: its width and the noise are linear between the grid's
    /// points.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside the domain or not a number.
    pub(crate) fn at(
        &self,
        posterior: &Posterior,
        points: &[f64],
        values: impl IntoIterator<Item = f64>,
    ) -> Result<Vec<PointEstimate>, AnalysisError> {
        let sds = posterior.sd_at(points)?;
        let linear = |numbers: &[f64], t: f64| posterior.grid().cell(t).between(ArrayView1::from(numbers));
        let below: Vec<f64> = self.values.iter().zip(&self.lower).map(|(middle, lower)| middle - lower).collect();
        let above: Vec<f64> = self.values.iter().zip(&self.upper).map(|(middle, upper)| upper - middle).collect();
        let each = points.iter().zip(values).zip(sds);
        Ok(each
            .map(|((&t, value), posterior_sd)| PointEstimate {
                t,
                value,
                posterior_sd,
                noise_sd: linear(&self.noise_sd, t),
                lower: value - linear(&below, t),
                upper: value + linear(&above, t),
            })
            .collect())
    }

    /// Demands that every number is what the release gives, up to another machine's rounding; `size` is that of the data.
    ///
    /// # Errors
    /// [`ReadError::Contradiction`] with the field.
    pub(crate) fn check(&self, derived: &Self, size: f64) -> Result<(), ReadError> {
        let sizes = derived.values.iter().chain(&derived.lower).chain(&derived.upper).chain(&derived.posterior_sd);
        let size = sizes.fold(size, |most, x| most.max(x.abs()));
        let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, size));
        demand("estimate.grid", self.grid == derived.grid)?;
        demand("estimate.values", all_close(&self.values, &derived.values))?;
        demand("estimate.posterior_sd", all_close(&self.posterior_sd, &derived.posterior_sd))?;
        demand("estimate.noise_sd", all_close(&self.noise_sd, &derived.noise_sd))?;
        demand("estimate.lower", all_close(&self.lower, &derived.lower))?;
        demand("estimate.upper", all_close(&self.upper, &derived.upper))?;
        demand("estimate.level", self.level == derived.level)?;
        demand("estimate.target", self.target == derived.target)
    }

    /// The band in words, and what a reader must know before using the estimate.
    pub fn facts(&self, posterior: &Posterior, sampling: &SamplingCovariance) -> Vec<Fact> {
        let percent = rounded(self.level * 100.0);
        let mut text = format!(
            "{percent}% simultaneous band `{}`. {} {}",
            self.band.name(),
            self.band.promises(),
            self.band.does_not_promise()
        );
        if !matches!(self.band, Band::Posterior | Band::Noise) {
            text += " ";
            text += sampling.in_words();
        }
        let band = Fact::new("band", text).captioned(format!("{percent}% band for {}", self.target));
        [self.in_words(posterior), band, self.size()].into_iter().chain(self.notes(posterior)).collect()
    }

    /// Whether the values are those of the posterior mean.
    fn is_posterior_mean(&self) -> bool {
        matches!(self.band, Band::Population | Band::Posterior | Band::Noise)
    }
}

impl Estimate {
    /// How the estimate was made.
    fn in_words(&self, posterior: &Posterior) -> Fact {
        let smoothed = |by: &str, smoother: &PenalizedMean| {
            let (penalty, power) = (rounded(smoother.penalty()), exact(smoother.power()));
            format!("{by} {}, penalty {penalty}, power {power}", kernel_in_words(smoother.kernel()))
        };
        let text = match &self.band {
            Band::Population | Band::Posterior | Band::Noise => {
                let (kernel, weight) = posterior.leading_kernel();
                let percent = rounded((100.0 * weight).round());
                format!("posterior mean of a Gaussian process; most weight ({percent}%): {}", kernel_in_words(kernel))
            }
            Band::Smoothed(smoother) => smoothed("the release through the smoother with", smoother),
            Band::Undersmoothed(smoother) => {
                smoothed("the release through a hundredth of the penalty of the smoother with", smoother)
            }
            Band::Unsmoothed => "the release itself, without any smoothing".to_owned(),
            Band::Honest { roughness } => {
                format!(
                    "the release through the smoother of least width for a roughness of at most {}",
                    exact(*roughness)
                )
            }
        };
        Fact::new("estimate", text.clone()).captioned(text)
    }

    /// How wide the band is, and how large the noise.
    fn size(&self) -> Fact {
        let widths = self.lower.iter().zip(&self.upper).map(|(lower, upper)| (upper - lower) / 2.0);
        let average = |sum: f64| rounded(sum / self.grid.len() as f64);
        let whose = if self.is_posterior_mean() { "" } else { " (of the posterior mean, which is another curve)" };
        let text = format!(
            "the band reaches {} to each side on average; posterior_sd\u{a0}=\u{a0}{}{whose} and noise_sd (the privacy noise alone) \
             =\u{a0}{} on average",
            average(widths.sum()),
            average(self.posterior_sd.iter().sum()),
            average(self.noise_sd.iter().sum()),
        );
        Fact::new("precision", text)
    }
}

/// A kernel in words, such as `matern52 kernel, range 0.4`.
fn kernel_in_words(kernel: &Kernel) -> String {
    KernelName::of(kernel).map_or_else(
        || "a composite kernel".to_owned(),
        |(name, range)| format!("{name} kernel, range {}", exact(range)),
    )
}

impl Estimate {
    /// What should make a reader careful.
    fn notes(&self, posterior: &Posterior) -> Vec<Fact> {
        let mut notes = Vec::new();
        if posterior.observation().records < 2.0 {
            notes.push(
                "The noisy number of records is not above 1: the release says nothing about a population.".to_owned(),
            );
        }
        let relative = posterior.error_relative_to_the_centre();
        if relative > HARDLY_BETTER {
            let percent = rounded((relative * 100.0).round());
            notes.push(format!(
                "The estimate is hardly better than the centre: its expected error is {percent}% of the centre's own."
            ));
        }
        if !posterior.tells_mean_and_centre_apart() {
            notes.push("The mean and the centre cannot be told apart from this release.".to_owned());
        }
        // other estimates do not use the prior
        let ends = if self.is_posterior_mean() { posterior.at_the_end_of_the_ladder() } else { Vec::new() };
        for end in ends {
            let what = match end {
                LadderEnd::Shortest => {
                    "the roughest kernel of its family has most weight: the mean may be rougher than the estimate"
                }
                LadderEnd::Longest => {
                    "the smoothest kernel of its family has most weight: the mean may be smoother than the prior expects"
                }
                LadderEnd::Smallest => {
                    "the smallest amplitude has most weight: the mean may be closer to the centre than the prior allows"
                }
                LadderEnd::Largest => {
                    "the largest amplitude has most weight: the mean may be further from the centre than the prior allows"
                }
            };
            notes.push(format!("The prior ends where the release points: {what}."));
        }
        notes.into_iter().map(|text| Fact::new("NOTE", text)).collect()
    }
}
