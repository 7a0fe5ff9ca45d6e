//! From curves of people to a release: the two mechanisms and their settings.

use dpfda_kernels::{GridError, Kernel, KernelError, SpectrumError};
use dpfda_privacy::{
    Calibration, CalibrationError, GaussianPrivacy, LatticeError, NeighbouringRelation, NoiseScaleError, PrivacyBudget,
    Randomness, RoundedNormal,
};
use dpfda_smoothing::{Ball, BallError, CurveSet, PenalizedMean, PenaltyError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::defaults::{DEFAULT_KERNEL, cameron_martin_penalty, default_penalty};
use crate::encode::EncodedCurves;
use crate::noise_law::NoiseLaw;
use crate::prepared::PreparedMean;
use crate::release::Release;
use crate::whitening::Whitening;

/// Which coordinates the noise is white in.
#[derive(Debug, Clone, PartialEq)]
pub enum Mechanism {
    /// White noise on the mean itself; every smoother afterwards is free and none needs less noise.
    Isonormal,
    /// Noise of the smoother's own kernel on the smoothed mean (Mirshani, Reimherr and Slavkovic, section 4).
    CameronMartin(PenalizedMean),
}

/// The two mechanisms by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MechanismName {
    Isonormal,
    CameronMartin,
}

/// Why a release was refused. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReleaseError {
    /// A mean of fewer than two records is a record.
    #[error("at least 2 records (subjects or curves) are needed when their number is public, got {found}")]
    TooFewRecords {
        /// The public number of records.
        found: usize,
    },
    /// The penalty of this mechanism acts before the noise, and its default would need the private `N`.
    #[error(
        "the Cameron-Martin mechanism needs an explicit penalty under add-remove: its default is computed from the number of records, which is private there"
    )]
    PenaltyNeeded,
    /// The parts encoded for one release do not belong together.
    #[error("parts of one release must share grid, unit of privacy, ball and mechanism")]
    PartsDiffer,
    /// The grid cannot be mapped to the unit interval.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The kernel is unusable.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The smoother is unusable.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// The ball does not fit the curves.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// The kernel has no spectrum on this grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The budget cannot be met by a Gaussian mechanism.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The noise would leave the integers.
    #[error(transparent)]
    Noise(#[from] NoiseScaleError),
    /// Too many points or records.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// A private mean function, ready to be released.
///
/// ```text
/// Y = c + (1/N) sum_i P(X_i - c) + sigma W,    sigma = Delta / mu,  Delta = 2 tau / N
/// ```
///
/// for the isonormal mechanism under substitute-one: `P` projects on the ball of radius `tau`, `W` is white noise
/// (Theorem 3.3 of Mirshani, Reimherr and Slavkovic with the identity as covariance). The released function is `c + S (Y - c)`
/// for a smoother `S` that may be changed at any time, [`Release::smoothed`].
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateMean {
    pub(crate) ball: Ball,
    pub(crate) budget: PrivacyBudget,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) calibration: Calibration,
    pub(crate) name: MechanismName,
    kernel: Option<Kernel>,
    penalty: Option<f64>,
    power: f64,
}

impl PrivateMean {
    /// The default: white noise on the mean of the bounded curves, smoothed afterwards.
    pub fn isonormal(ball: Ball, budget: PrivacyBudget) -> Self {
        Self::new(MechanismName::Isonormal, ball, budget)
    }

    /// The mechanism of Mirshani, Reimherr and Slavkovic: smooth, then add noise of the smoother's kernel.
    ///
    /// At the same guarantee its noise is never smaller than that of [`PrivateMean::isonormal`] with the same smoother.
    pub fn cameron_martin(ball: Ball, budget: PrivacyBudget) -> Self {
        Self::new(MechanismName::CameronMartin, ball, budget)
    }

    fn new(name: MechanismName, ball: Ball, budget: PrivacyBudget) -> Self {
        Self {
            ball,
            budget,
            neighbours: NeighbouringRelation::default(),
            calibration: Calibration::default(),
            name,
            kernel: None,
            penalty: None,
            power: 1.0,
        }
    }

    /// Sets which data sets are neighbours (default: substitute one).
    #[must_use]
    pub fn neighbours(mut self, neighbours: NeighbouringRelation) -> Self {
        self.neighbours = neighbours;
        self
    }

    /// Sets how the noise is calibrated (default: tight).
    #[must_use]
    pub fn calibration(mut self, calibration: Calibration) -> Self {
        self.calibration = calibration;
        self
    }

    /// Sets the smoother's kernel (default: Matern 5/2 with its [default range](dpfda_kernels::KernelName::default_range)).
    #[must_use]
    pub fn kernel(mut self, kernel: impl Into<Kernel>) -> Self {
        self.kernel = Some(kernel.into());
        self
    }

    /// Sets the smoother's penalty `phi` (default: [`default_penalty`]).
    #[must_use]
    pub fn penalty(mut self, penalty: f64) -> Self {
        self.penalty = Some(penalty);
        self
    }

    /// Sets the power `eta` of the penalty (default: 1).
    #[must_use]
    pub fn power(mut self, power: f64) -> Self {
        self.power = power;
        self
    }

    /// Sets kernel, penalty and power at once.
    #[must_use]
    pub fn smoother(self, smoother: &PenalizedMean) -> Self {
        self.kernel(smoother.kernel().clone()).penalty(smoother.penalty()).power(smoother.power())
    }

    /// Releases the private mean of the curves: **spends the budget**.
    ///
    /// Calling it twice spends it twice.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness>(&self, curves: &CurveSet, randomness: &mut R) -> Result<Release, ReleaseError> {
        self.prepare(curves)?.draw(randomness)
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn prepare(&self, curves: &CurveSet) -> Result<PreparedMean, ReleaseError> {
        PreparedMean::new(self, self.encode_for(curves, Some(curves.units()))?)
    }

    /// Encodes one part of the curves as an exact sum; parts are joined with [`EncodedCurves::merge`].
    ///
    /// All curves of a subject must lie in one part: a subject in two parts would count as two records.
    ///
    /// # Errors
    /// [`ReleaseError`]; in particular the Cameron-Martin mechanism needs an explicit penalty here.
    pub fn encode(&self, curves: &CurveSet) -> Result<EncodedCurves, ReleaseError> {
        self.encode_for(curves, None)
    }

    fn encode_for(&self, curves: &CurveSet, total: Option<usize>) -> Result<EncodedCurves, ReleaseError> {
        let noise = self.noise()?;
        let mechanism = match self.name {
            MechanismName::Isonormal => Mechanism::Isonormal,
            MechanismName::CameronMartin => Mechanism::CameronMartin(self.smoother_before_noise(noise, total)?),
        };
        let whitening = Whitening::new(&mechanism, &curves.grid().to_unit()?)?;
        EncodedCurves::new(&self.ball, curves, whitening)
    }

    /// Adds the noise and crosses the privacy boundary: **spends the budget**.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn perturb<R: Randomness>(&self, parts: EncodedCurves, randomness: &mut R) -> Result<Release, ReleaseError> {
        PreparedMean::new(self, parts)?.draw(randomness)
    }

    /// The ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// The law of the noise that a release with these settings has: a function of public numbers alone.
    ///
    /// # Errors
    /// [`ReleaseError`] for a budget that the calibration cannot meet.
    pub fn noise_law(&self) -> Result<NoiseLaw, ReleaseError> {
        let isonormal = self.name == MechanismName::Isonormal;
        Ok(NoiseLaw::new(isonormal, relative_noise(self.noise()?, 1.0) * self.ball.radius()))
    }

    pub(crate) fn noise(&self) -> Result<RoundedNormal, ReleaseError> {
        let privacy = GaussianPrivacy::calibrated(self.calibration, &self.budget)?;
        Ok(RoundedNormal::calibrated(privacy, self.neighbours)?)
    }

    pub(crate) fn kernel_or_default(&self) -> Result<Kernel, KernelError> {
        self.kernel.clone().map_or_else(|| DEFAULT_KERNEL.with_range(DEFAULT_KERNEL.default_range()), Ok)
    }

    /// Refuses a penalty or power that no smoother could have, also where the default penalty will be used.
    pub(crate) fn checked_penalty(&self) -> Result<(), ReleaseError> {
        PenalizedMean::new(self.kernel_or_default()?, self.penalty.unwrap_or(1.0), self.power)?;
        Ok(())
    }

    fn smoother_before_noise(&self, noise: RoundedNormal, total: Option<usize>) -> Result<PenalizedMean, ReleaseError> {
        self.checked_penalty()?;
        let penalty = match (self.penalty, self.neighbours, total) {
            (Some(penalty), _, _) => penalty,
            (None, NeighbouringRelation::SubstituteOne, Some(total)) => {
                let relative = relative_noise(noise, total.max(1) as f64);
                cameron_martin_penalty(relative, self.power)
            }
            _ => return Err(ReleaseError::PenaltyNeeded),
        };
        Ok(PenalizedMean::new(self.kernel_or_default()?, penalty, self.power)?)
    }

    /// The smoother of the released function, once the number of records is public or released.
    pub(crate) fn smoother_after_noise(
        &self,
        mechanism: &Mechanism,
        noise: RoundedNormal,
        units: f64,
    ) -> Result<PenalizedMean, ReleaseError> {
        if let Mechanism::CameronMartin(smoother) = mechanism {
            return Ok(smoother.clone());
        }
        let default = || default_penalty(mechanism, relative_noise(noise, units), self.power);
        Ok(PenalizedMean::new(self.kernel_or_default()?, self.penalty.unwrap_or_else(default), self.power)?)
    }
}

/// `sigma / tau`, the noise of the whitened mean of so many records in units of the radius.
fn relative_noise(noise: RoundedNormal, units: f64) -> f64 {
    noise.scale() as f64 / f64::from(1_u32 << dpfda_privacy::LATTICE_BITS) / units
}
