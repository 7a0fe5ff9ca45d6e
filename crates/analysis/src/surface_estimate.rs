//! What a release says about a mean surface, as it is written to a file.

use dpfda_kernels::KernelName;
use dpfda_mechanism::{Fact, ReadError, close, demand, exact, rounded};
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::band::critical::sidak;
use crate::band::{Band, Target};
use crate::error::{AnalysisError, check_level};
use crate::estimate::HARDLY_BETTER;
use crate::surface::posterior::SurfacePosterior;

/// The estimate of a mean surface with its band: numbers for readers, which follow from the release.
///
/// The lists of `values` and after it are in row-major order: `t` runs fastest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceEstimate {
    /// The points of the first axis.
    pub s: Vec<f64>,
    /// The points of the second axis.
    pub t: Vec<f64>,
    /// The posterior mean, the middle of the band.
    pub values: Vec<f64>,
    /// The pointwise standard deviation of the posterior.
    pub posterior_sd: Vec<f64>,
    /// At least the standard deviation of the privacy noise in `values`.
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

/// The estimate at one point of the rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SurfacePoint {
    /// The point on the first axis.
    pub s: f64,
    /// The point on the second axis.
    pub t: f64,
    /// The estimate.
    pub value: f64,
    /// The pointwise standard deviation of the posterior.
    pub posterior_sd: f64,
    /// At least the standard deviation of the privacy noise in the value.
    pub noise_sd: f64,
    /// The lower end of the band.
    pub lower: f64,
    /// The upper end of the band.
    pub upper: f64,
}

/// How a band is made of standard deviations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceBand {
    critical: f64,
    /// The variance of the mean of other people, at every point.
    sampling: f64,
    is_of_noise: bool,
}

impl SurfaceBand {
    /// The band of a level.
    ///
    /// ```text
    /// half-width = Sidak_n sd(s, t),    sd^2 = posterior variance + tau^2 / N for the population,    n the number of points
    /// ```
    ///
    /// Sidak's value holds whatever the correlations are (`docs/proofs/surfaces.md`). `tau^2 / N` is the largest variance that the ball
    /// allows, spread evenly over the rectangle.
    pub(crate) fn new(posterior: &SurfacePosterior, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        let records = posterior.records();
        let sampling = match band {
            Band::Population if records < 2.0 => {
                return Err(AnalysisError::TooFewRecords { band: band.name(), records });
            }
            Band::Population => posterior.radius().powi(2) / records,
            Band::Posterior | Band::Noise => 0.0,
            other => return Err(AnalysisError::BandOfSurface { band: other.name() }),
        };
        let critical = sidak(posterior.grid().len(), 1.0 - level);
        Ok(Self { critical, sampling, is_of_noise: *band == Band::Noise })
    }

    /// How far the band reaches to each side where the posterior and the noise have these standard deviations.
    pub(crate) fn half(&self, posterior_sd: f64, noise_sd: f64) -> f64 {
        self.critical * if self.is_of_noise { noise_sd } else { self.sd(posterior_sd) }
    }

    /// The standard deviation of what the band is about, where the posterior has this one.
    pub(crate) fn sd(&self, posterior_sd: f64) -> f64 {
        posterior_sd.hypot(self.sampling.sqrt())
    }

    /// The critical value, that of the level and the number of points alone.
    pub(crate) fn critical(&self) -> f64 {
        self.critical
    }
}

impl SurfaceEstimate {
    /// The estimate of a posterior with one of its bands.
    ///
    /// # Errors
    /// [`AnalysisError::BandOfSurface`] for another band than `population`, `posterior` and `noise`, [`AnalysisError::Level`] for a level
    /// outside (0.5, 0.9999), [`AnalysisError::TooFewRecords`] for a population of fewer than 2 noisy records.
    pub fn new(posterior: &SurfacePosterior, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let made = SurfaceBand::new(posterior, band, level)?;
        let [s, t] = posterior.grid().axes();
        let list = |of: ArrayView2<'_, f64>| of.iter().copied().collect::<Vec<f64>>();
        let (values, posterior_sd, noise_sd) =
            (list(posterior.values()), list(posterior.sd()), list(posterior.noise_sd()));
        let half: Vec<f64> = posterior_sd.iter().zip(&noise_sd).map(|(sd, noise)| made.half(*sd, *noise)).collect();
        Ok(Self {
            s: s.points().to_vec(),
            t: t.points().to_vec(),
            lower: values.iter().zip(&half).map(|(value, half)| value - half).collect(),
            upper: values.iter().zip(&half).map(|(value, half)| value + half).collect(),
            values,
            posterior_sd,
            noise_sd,
            band: band.clone(),
            level,
            target: band.target(),
        })
    }

    /// The estimate point by point, `t` fastest.
    pub fn points(&self) -> impl Iterator<Item = SurfacePoint> + '_ {
        let places = self.s.iter().flat_map(|s| self.t.iter().map(move |t| (*s, *t)));
        places.enumerate().map(|(i, (s, t))| SurfacePoint {
            s,
            t,
            value: self.values[i],
            posterior_sd: self.posterior_sd[i],
            noise_sd: self.noise_sd[i],
            lower: self.lower[i],
            upper: self.upper[i],
        })
    }

    /// Demands that every number is what the release gives, up to another machine's rounding; `size` is that of the data.
    ///
    /// # Errors
    /// [`ReadError::Contradiction`] with the field.
    pub(crate) fn check(&self, derived: &Self, size: f64) -> Result<(), ReadError> {
        let sizes = derived.values.iter().chain(&derived.lower).chain(&derived.upper);
        let size = sizes.fold(size, |most, x| most.max(x.abs()));
        let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, size));
        demand("estimate.s", self.s == derived.s)?;
        demand("estimate.t", self.t == derived.t)?;
        demand("estimate.values", all_close(&self.values, &derived.values))?;
        demand("estimate.posterior_sd", all_close(&self.posterior_sd, &derived.posterior_sd))?;
        demand("estimate.noise_sd", all_close(&self.noise_sd, &derived.noise_sd))?;
        demand("estimate.lower", all_close(&self.lower, &derived.lower))?;
        demand("estimate.upper", all_close(&self.upper, &derived.upper))?;
        demand("estimate.target", self.target == derived.target)
    }

    /// The band in words, and what a reader must know before using the estimate.
    pub fn facts(&self, posterior: &SurfacePosterior) -> Vec<Fact> {
        let percent = rounded(self.level * 100.0);
        let promise = match self.band {
            Band::Noise => {
                "The band shows how far the privacy noise may have moved the estimate, at all points at once. It does not say how far the \
                 mean may be from the estimate: smoothing and sampling are not in it."
            }
            Band::Posterior => {
                "The band holds the mean of these very people at all points of the grid at once, if the prior describes it: privacy noise \
                 and smoothing are in it. It says nothing about other people."
            }
            _ => {
                "The band holds the mean of the population at all points of the grid at once, if the prior describes it: privacy noise, \
                 smoothing and sampling are in it. The sampling part assumes the largest variance that the ball allows, spread evenly \
                 over the rectangle."
            }
        };
        let text = format!("{percent}% simultaneous band `{}`. {promise}", self.band.name());
        let band = Fact::new("band", text).captioned(format!("{percent}% band for {}", self.target));
        let average = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let half = 0.5 * (average(&self.upper) - average(&self.lower));
        let text = format!(
            "the band reaches {} to each side on average; posterior_sd\u{a0}=\u{a0}{} and noise_sd (the privacy noise alone, at most) \
             =\u{a0}{} on average",
            rounded(half),
            rounded(average(&self.posterior_sd)),
            rounded(average(&self.noise_sd)),
        );
        let precision = Fact::new("precision", text);
        [in_words(posterior), band, precision].into_iter().chain(notes(posterior)).collect()
    }
}

/// How the estimate was made.
fn in_words(posterior: &SurfacePosterior) -> Fact {
    let ([s, t], weight) = posterior.leading_kernels();
    let kernel = |kernel| {
        KernelName::of(kernel).map_or_else(
            || "a composite kernel".to_owned(),
            |(name, range)| format!("{name} kernel of range {}", exact(range)),
        )
    };
    let percent = rounded((100.0 * weight).round());
    let text = format!(
        "posterior mean of a Gaussian process with a kernel for each axis; most weight ({percent}%): {} along s, {} along t",
        kernel(s),
        kernel(t)
    );
    Fact::new("estimate", text.clone()).captioned(text)
}

/// What should make a reader careful.
fn notes(posterior: &SurfacePosterior) -> Vec<Fact> {
    let mut notes = Vec::new();
    if posterior.records() < 2.0 {
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
    notes.into_iter().map(|text| Fact::new("NOTE", text)).collect()
}
