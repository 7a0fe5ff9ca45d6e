//! A released mean, seen through a smoother.

use std::ops::Deref;
use std::sync::Arc;

use dpfda_kernels::{Grid, Kernel, Spectrum, SpectrumError};
use dpfda_mechanism::{Fact, ReadError, Release, close, demand, rounded};
use dpfda_privacy::{Calibration, Law};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::Array1;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::coordinates::whitening::Whitening;
use crate::mean::function::ReleasedFunction;
use crate::mean::noisy_mean::{Decoded, NoisyMean};
use crate::mean::second_moments::{SecondMoments, SecondMomentsDerived};
use crate::mean::{Mean, MeanMechanism, check_bought, relative_count_sd};
use crate::purchase::bought::stated_by_default;
use crate::purchase::in_ball::InBall;

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;

/// A published private mean through a smoother. Everything in it may be shown to anybody.
///
/// The smoother is a view: [`MeanRelease::smoothed`] changes it at no cost. What was drawn, its guarantee and its provenance are
/// those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone)]
pub struct MeanRelease {
    release: Release<Mean>,
    function: ReleasedFunction,
}

impl Deref for MeanRelease {
    type Target = Release<Mean>;

    fn deref(&self) -> &Release<Mean> {
        &self.release
    }
}

impl MeanRelease {
    /// The release through a smoother; `spectrum` is that of the smoother's kernel where it is at hand.
    pub(crate) fn through(
        release: Release<Mean>,
        smoother: &PenalizedMean,
        spectrum: Option<Arc<Spectrum<Kernel>>>,
    ) -> Result<Self, SpectrumError> {
        let noisy = Arc::new(noisy_mean(&release));
        let function = match spectrum {
            Some(spectrum) => noisy.smooth_in(smoother, spectrum),
            None => noisy.smooth(smoother)?,
        };
        Ok(Self { release, function })
    }

    /// The release through this smoother.
    pub fn new(release: Release<Mean>, smoother: &PenalizedMean) -> Result<Self, SpectrumError> {
        Self::through(release, smoother, None)
    }

    /// The released function, through the smoother.
    pub fn function(&self) -> &ReleasedFunction {
        &self.function
    }

    /// The same release with another smoother: post-processing, at no cost.
    pub fn smoothed(&self, smoother: &PenalizedMean) -> Result<Self, SpectrumError> {
        Ok(Self { release: self.release.clone(), function: self.function.resmooth(smoother)? })
    }

    /// [`Release::privacy`] as a number.
    pub fn mu(&self) -> Option<f64> {
        self.privacy().map(|privacy| privacy.mu())
    }

    /// How the noise was calibrated.
    pub fn calibration(&self) -> Calibration {
        match self.release.mechanism().law() {
            Law::Gaussian { calibration } => *calibration,
            _ => Calibration::default(),
        }
    }

    /// The noise of the mean before any smoothing, in units of the radius.
    pub fn relative_noise(&self) -> f64 {
        self.lattice_step() / self.units() * self.noise().sd() / self.ball().radius()
    }

    /// The noisy mean as a deviation from the centre, in the coordinates in which the noise is white, with a standard deviation of
    /// [`MeanRelease::noise_scale`] for isonormal noise: `sqrt(w_i) (Y - c)(t_i)`.
    pub fn whitened(&self) -> Array1<f64> {
        self.statistic().whitened(&self.release).0
    }

    /// The second moments that were released with the mean; `None` for a release without them.
    pub fn second_moments(&self) -> Option<SecondMoments> {
        SecondMoments::of(&self.release)
    }

    /// How many times as large the second moments make the noise of the mean: 1 where they are free, or absent.
    pub fn price_of_moments(&self) -> f64 {
        self.release.mechanism().body().price(self.neighbours())
    }

    /// The public ball that every curve was projected on.
    pub fn ball(&self) -> &Ball {
        self.statistic().ball()
    }

    /// Which coordinates the noise is white in.
    pub fn coordinates_of_noise(&self) -> MeanMechanism {
        self.statistic().mechanism()
    }

    /// The smoother of [`MeanRelease::function`].
    pub fn smoother(&self) -> &PenalizedMean {
        self.function.smoother()
    }

    /// The points the curves were seen at.
    pub fn grid(&self) -> &Grid {
        self.statistic().grid()
    }

    /// `sigma`: the scale of the noise process, in data units.
    ///
    /// Isonormal: the noise of the mean is `sigma` times white noise. Cameron-Martin: `sigma` times a process with the
    /// kernel as its covariance. Coordinates alone: the standard deviation of each, `sqrt(d + 1) Delta / epsilon`.
    pub fn noise_scale(&self) -> f64 {
        self.lattice_step() / self.units() * self.noise().sd() * self.statistic().whitening().amplification()
    }

    /// `Delta = mu sigma`: how far neighbours can move the mean, in the Cameron-Martin norm of the noise process; with delta 0 in
    /// `L2`, epsilon times the scale of the noise.
    ///
    /// Under add/remove-one it covers the mean and the count together.
    pub fn sensitivity(&self) -> f64 {
        let own = self.noise().privacy(self.release.mechanism().body(), self.neighbours());
        match own {
            Some(privacy) => self.noise_scale() * privacy.mu(),
            None => self.budget().epsilon() * self.noise().scale() * self.lattice_step() / self.units(),
        }
    }

    /// One step of the public lattice, in data units of the whitened sum.
    pub fn lattice_step(&self) -> f64 {
        self.statistic().lattice_step()
    }

    /// What the release is, in words; see [`Release::facts`]. The mechanism is told with its noise, and the second moments with
    /// their price.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = self.release.facts();
        let calibration = match self.calibration() {
            Calibration::Tight => "tight",
            Calibration::Classical => "classical",
        };
        let scale = rounded(self.noise_scale());
        if let Some(mechanism) = facts.iter_mut().find(|fact| fact.name == "mechanism") {
            let text = &mechanism.text;
            mechanism.text = if matches!(self.coordinates_of_noise(), MeanMechanism::Coordinates(_)) {
                format!("{text}; standard deviation of the noise of a coordinate\u{a0}=\u{a0}{scale}")
            } else {
                format!("{text}, {calibration} calibration; noise scale sigma\u{a0}=\u{a0}{scale}")
            };
            if self.calibration() == Calibration::Classical {
                mechanism.caption.iter_mut().for_each(|words| *words += ", classical calibration");
            }
        }
        let buys_by_default = !matches!(self.coordinates_of_noise(), MeanMechanism::CameronMartin(_));
        if let Some(stated) = stated_by_default(&self.release).filter(|_| buys_by_default) {
            let place = facts.iter().position(|fact| fact.name == "bound").map_or(facts.len(), |place| place + 1);
            facts.insert(place, stated);
        }
        let price = self.price_of_moments();
        if let Some(moments) = facts.iter_mut().find(|fact| fact.name == "moments") {
            let words = if price == 1.0 {
                ", at no cost".to_owned()
            } else {
                format!("; they make the noise of the mean {} times as large", rounded(price))
            };
            moments.text.push_str(&words);
        }
        facts
    }

    /// The release as a JSON document, with the function and the numbers that follow from it.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.release.to_json_with(&MeanDerived::of(self), None::<&()>)
    }

    /// The same with an estimate that was made of the release.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with_estimate<E: Serialize>(&self, estimate: &E) -> Result<String, serde_json::Error> {
        self.release.to_json_with(&MeanDerived::of(self), Some(estimate))
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// This finds damage and contradictions, not forgery: labels that nothing else depends on, such as the unit of privacy
    /// or whether the noise was secret, are taken at their word. Sign a release if its origin must be proved.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::from_json_with_estimate::<IgnoredAny>(json)?.0)
    }

    /// The same with the estimate of the document, where it has one, for a reader that knows how estimates are made.
    pub fn from_json_with_estimate<E: DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        let (release, derived, estimate) = Release::<Mean>::from_json_with::<MeanDerived, E>(json)?;
        Mean::check_mechanism(release.mechanism())?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        let seen = Self::new(release, &derived.smoother);
        let seen = seen.map_err(|_| ReadError::Contradiction { field: "derived.smoother" })?;
        derived.check(&seen)?;
        Ok((seen, estimate))
    }
}

/// Decodes the coordinates into data units.
fn noisy_mean(release: &Release<Mean>) -> NoisyMean {
    let statistic = release.statistic();
    let grid = statistic.grid();
    let unreachable = "the constructor of the statistic checked the grid";
    let unit_grid = grid.to_unit().unwrap_or_else(|_| unreachable!("{unreachable}"));
    let (mut mean, sd) = statistic.whitened(release);
    let decoded = match statistic.whitening() {
        Whitening::Sobolev(whitening) => {
            if let Some(coordinates) = mean.as_slice_mut() {
                whitening.undo(coordinates);
            }
            let deviation = mean / unit_grid.weights().mapv(f64::sqrt);
            Decoded::Sobolev { whitening: whitening.clone(), deviation, sd }
        }
        Whitening::Coordinates(basis) => {
            let deviation = basis.dot(&mean) / unit_grid.weights().mapv(f64::sqrt);
            Decoded::Coordinates { basis: basis.clone(), deviation, sd }
        }
        Whitening::Isonormal { .. } => Decoded::Isonormal { deviation: mean / unit_grid.weights().mapv(f64::sqrt), sd },
        Whitening::CameronMartin(whitening) => Decoded::CameronMartin {
            smoother: whitening.smoother.clone(),
            coefficients: mean * whitening.spectrum.eigenvalues().mapv(f64::sqrt) * whitening.amplification,
            spectrum: whitening.spectrum.clone(),
            sd: sd * whitening.amplification,
        },
    };
    NoisyMean {
        center: statistic.center(),
        grid: grid.clone(),
        unit_grid,
        decoded,
        relative_count_sd: relative_count_sd(release),
    }
}

/// Numbers that follow from a release and a smoother, for readers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeanDerived {
    smoother: PenalizedMean,
    /// Where a part of it was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<Ball>,
    /// Of normal noise alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mu: Option<f64>,
    units: f64,
    sensitivity: f64,
    noise_scale: f64,
    lattice_step: f64,
    values: Vec<f64>,
    noise_sd: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_moments: Option<SecondMomentsDerived>,
}

impl MeanDerived {
    fn of(release: &MeanRelease) -> Self {
        Self {
            smoother: release.smoother().clone(),
            ball: release.statistic().bought().map(|_| release.ball().clone()),
            mu: release.mu(),
            units: release.units(),
            sensitivity: release.sensitivity(),
            noise_scale: release.noise_scale(),
            lattice_step: release.lattice_step(),
            values: release.function().values().to_vec(),
            noise_sd: release.function().noise_sd().to_vec(),
            second_moments: release.second_moments().as_ref().map(SecondMomentsDerived::of),
        }
    }

    /// Numbers that can be derived from the rest must be what they should be, up to another machine's rounding.
    fn check(&self, release: &MeanRelease) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let sizes = derived.values.iter().chain(&derived.noise_sd);
        let size = sizes.fold(release.ball().radius(), |most, x| most.max(x.abs()));
        let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, size));
        let same = |a: f64, b: f64| close(a, b, b.abs());
        let same_mu = match (self.mu, derived.mu) {
            (Some(stated), Some(derived)) => same(stated, derived),
            (stated, derived) => stated == derived,
        };
        demand("derived.mu", same_mu)?;
        demand("derived.units", same(self.units, derived.units))?;
        demand("derived.sensitivity", same(self.sensitivity, derived.sensitivity))?;
        demand("derived.noise_scale", same(self.noise_scale, derived.noise_scale))?;
        demand("derived.lattice_step", same(self.lattice_step, derived.lattice_step))?;
        demand("derived.values", all_close(&self.values, &derived.values))?;
        demand("derived.noise_sd", all_close(&self.noise_sd, &derived.noise_sd))?;
        SecondMomentsDerived::check(self.second_moments.as_ref(), derived.second_moments.as_ref())
    }
}
