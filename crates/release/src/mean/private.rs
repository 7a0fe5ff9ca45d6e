//! From curves of people to a release of their mean: the settings, and the whole chain.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, KernelError, Spectrum};
use dpfda_mechanism::{Guarantee, Mechanism, Release};
use dpfda_privacy::{
    Calibration, ClippedBall, ClippedMoments, Emphasis, GaussianPrivacy, LatticeError, Moments, NeighbouringRelation,
    Noise, PrivacyBudget, PrivacyUnit, ProductsOf, Radii, Randomness,
};
use dpfda_smoothing::{Ball, CurveSet, PenalizedMean};
use serde::{Deserialize, Serialize};

use crate::coordinates::rotation::whole_frequencies;
use crate::defaults::{DEFAULT_KERNEL, cameron_martin_penalty, default_penalty};
use crate::mean::document::MeanRelease;
use crate::mean::prepared::{MeanData, PreparedMean, sum_of};
use crate::mean::roughness::Roughness;
use crate::mean::{Mean, MeanError, MeanMechanism};
use crate::purchase::bought::{BallShares, shares_of};
use crate::release_error::ReleaseError;

mod before;
mod pure;

use before::in_radii;
pub use pure::default_coordinates;

/// The two mechanisms by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MechanismName {
    Isonormal,
    CameronMartin,
}

/// Which second moments are released with a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MomentsChoice {
    /// Those that are free: with the emphasis on the mean under substitute-one for isonormal noise, none otherwise, and none for a budget
    /// so small that their noise would leave the integers.
    #[default]
    Auto,
    /// With the emphasis on the mean.
    Mean,
    /// With the emphasis on the second moments.
    Covariance,
    /// None.
    None,
}

/// From this number of values on, curves are worth a second thread.
const LARGE: usize = 1 << 18;

/// The number of coordinates that second moments are of, where there are as many.
pub(crate) const COORDINATES_OF_MOMENTS: usize = 40;

/// A private mean function, ready to be released.
///
/// ```text
/// Y = c + (1/N) sum_i P(X_i - c) + sigma W,    sigma = Delta / mu,  Delta = 2 tau / N
/// ```
///
/// for the isonormal mechanism under substitute-one: `P` projects on the ball of radius `tau`, `W` is white noise
/// (Theorem 3.3 of Mirshani, Reimherr and Slavkovic with the identity as covariance). The released function is `c + S (Y - c)`
/// for a smoother `S` that may be changed at any time, [`MeanRelease::smoothed`].
///
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 30)?, Array2::from_shape_fn((500, 30), |(i, j)| ((i + j) % 9) as f64 / 9.0))?;
/// let ball = Ball::new(Center::Constant(0.5), 0.5)?;
/// let release = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?).release(&curves, &mut SystemRandomness::new()?)?;
/// println!("{}", release.function().evaluate(&[0.5])?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateMean {
    ball: Ball,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
    calibration: Calibration,
    mechanism: MechanismName,
    kernel: Option<Kernel>,
    penalty: Option<f64>,
    power: f64,
    #[serde(default)]
    moments: MomentsChoice,
    #[serde(default)]
    shares: Option<BallShares>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roughness: Option<Roughness>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coordinates: Option<usize>,
}

impl PrivateMean {
    /// The default: white noise on the mean of the bounded curves, smoothed afterwards.
    ///
    /// With delta 0 the noise is [K-norm](dpfda_privacy::Law::KNorm) noise on the first public [coordinates](PrivateMean::coordinates) of the mean.
    pub fn isonormal(ball: Ball, budget: PrivacyBudget) -> Self {
        Self::new(MechanismName::Isonormal, ball, budget)
    }

    /// The mechanism of Mirshani, Reimherr and Slavkovic: smooth, then add noise of the smoother's kernel.
    ///
    /// At the same guarantee its noise is never smaller than that of [`PrivateMean::isonormal`] with the same smoother.
    pub fn cameron_martin(ball: Ball, budget: PrivacyBudget) -> Self {
        Self::new(MechanismName::CameronMartin, ball, budget)
    }

    fn new(mechanism: MechanismName, ball: Ball, budget: PrivacyBudget) -> Self {
        Self {
            ball,
            budget,
            neighbours: NeighbouringRelation::default(),
            calibration: Calibration::default(),
            mechanism,
            kernel: None,
            penalty: None,
            power: 1.0,
            moments: MomentsChoice::Auto,
            shares: None,
            roughness: None,
            coordinates: None,
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

    /// Sets the smoother's kernel (default: Matern 5/2 with its default range).
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

    /// Sets which second moments are released with the mean (default: those that are free), of the first `min(n, 40)` coordinates.
    #[must_use]
    pub fn moments(mut self, moments: MomentsChoice) -> Self {
        self.moments = moments;
        self
    }

    /// Sets which part of the ball is bought, and with which shares of the budget (default: the radius with 5% of `mu^2` for
    /// isonormal noise; nothing for the Cameron-Martin mechanism).
    #[must_use]
    pub fn buying(mut self, shares: BallShares) -> Self {
        self.shares = Some(shares);
        self
    }

    /// States the largest root-mean-square slope of a curve about the centre, in data units for one unit of the domain, beside
    /// the radius: curves within both bounds are not changed, and rough functions get less noise.
    ///
    /// ```text
    /// body: theta |X - c|^2 / tau^2 + (1 - theta) |(X - c)'|^2 / L^2 <= 1,    theta of least noise in the first 20 waves
    /// ```
    ///
    /// It is a ball of the [`SobolevNorm`](crate::SobolevNorm) of order one (`docs/proofs/bodies.md`, Theorem 2). A slope so large that it says
    /// nothing leaves the ball. Isonormal noise alone.
    #[must_use]
    pub fn slope(mut self, largest: f64) -> Self {
        self.roughness = Some(Roughness::Slope(largest));
        self
    }

    /// Charges waves that are shorter than a length, in units of the domain: the body is a ball of the half-Sobolev norm
    /// ([`SobolevNorm`](crate::SobolevNorm) of order half), whose radius is bought from at most twice the stated one. A length of 0.15 of the domain
    /// suits curves of people.
    #[must_use]
    pub fn roughness(mut self, length: f64) -> Self {
        self.roughness = Some(Roughness::HalfSobolev(length));
        self
    }

    /// Sets kernel, penalty and power at once.
    #[must_use]
    pub fn smoother(self, smoother: &PenalizedMean) -> Self {
        self.kernel(smoother.kernel().clone()).penalty(smoother.penalty()).power(smoother.power())
    }

    /// Releases the private mean of the curves: **spends the budget**, and no ledger remembers it.
    ///
    /// Calling it twice spends it twice.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        randomness: &mut R,
    ) -> Result<MeanRelease, ReleaseError> {
        let (prepared, viewer) = (self.prepare(curves)?, self.viewer(curves.grid())?);
        viewer.view(prepared.draw_unrecorded(randomness))
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn prepare<'a>(&self, curves: &'a CurveSet) -> Result<PreparedMean<'a>, ReleaseError> {
        let is_large = curves.values().len() > LARGE;
        let threads = if is_large { thread::available_parallelism().ok() } else { None };
        self.prepare_with(curves, threads.unwrap_or(NonZeroUsize::MIN))
    }

    /// The same by this many threads: the release does not depend on their number.
    ///
    /// # Errors
    /// As [`PrivateMean::prepare`].
    pub fn prepare_with<'a>(
        &self,
        curves: &'a CurveSet,
        threads: NonZeroUsize,
    ) -> Result<PreparedMean<'a>, ReleaseError> {
        let records = (self.neighbours == NeighbouringRelation::SubstituteOne).then_some(curves.units());
        let mechanism = self.mechanism(curves.grid(), curves.unit(), records)?;
        mechanism.check_records(curves.units() as u64)?;
        let (mean, body) = (mechanism.statistic(), mechanism.body());
        let data = if mechanism.shares().center().is_some() {
            MeanData::Curves(curves, threads)
        } else {
            MeanData::from(sum_of(curves, mean, body, threads)?)
        };
        Ok(mechanism.prepare_data(data)?)
    }

    /// The shares that buy a part of the ball.
    ///
    /// # Errors
    /// [`ReleaseError::BoughtSmoothed`] where the Cameron-Martin mechanism is asked to buy, and
    /// [`ReleaseError::BoughtWithoutDelta`] where delta is 0.
    pub fn bought_shares(&self) -> Result<BallShares, ReleaseError> {
        match (self.mechanism, self.shares) {
            (MechanismName::Isonormal, Some(shares)) if self.is_pure() && shares.buys() => {
                Err(ReleaseError::BoughtWithoutDelta)
            }
            (MechanismName::Isonormal, _) if self.is_pure() => Ok(BallShares::NONE),
            (MechanismName::Isonormal, shares) => Ok(shares.unwrap_or_default()),
            (MechanismName::CameronMartin, Some(shares)) if shares.buys() => Err(ReleaseError::BoughtSmoothed),
            (MechanismName::CameronMartin, _) => Ok(BallShares::NONE),
        }
    }

    /// The shares that so many records buy with: decided by public numbers, before anything is paid for.
    pub(crate) fn shares_of(&self, found: u64) -> Result<BallShares, ReleaseError> {
        let shares = self.bought_shares()?;
        // this ball is twice as wide, for a radius that is bought
        let needs_radius = matches!(self.roughness, Some(Roughness::HalfSobolev(_)));
        let shares = if needs_radius { shares.asked_for() } else { shares };
        shares_of(shares, self.least_records_for_radius()?, found)
    }

    /// The public plan of a release of curves on this grid in the stated ball. `records` is the public number of all
    /// records, where there is one.
    ///
    /// # Errors
    /// [`ReleaseError`]; in particular the Cameron-Martin mechanism needs a penalty or the public number of records.
    pub fn mechanism(
        &self,
        grid: &Grid,
        unit: PrivacyUnit,
        records: Option<usize>,
    ) -> Result<Mechanism<Mean>, ReleaseError> {
        self.checked_penalty()?;
        let shares = match records {
            Some(found) => self.shares_of(found as u64)?,
            None => self.bought_shares()?.asked_for(),
        };
        let pure = self.pure_coordinates(grid.len(), grid.is_periodic())?;
        let (ball, coordinates) = match (self.mechanism, self.roughness, pure) {
            (_, _, Some(number)) => (self.ball.clone(), MeanMechanism::Coordinates(number)),
            (MechanismName::Isonormal, None, None) => (self.ball.clone(), MeanMechanism::Isonormal),
            (MechanismName::Isonormal, Some(roughness), None) => {
                roughness.body(&self.ball, grid, shares.radius().is_some())?
            }
            (MechanismName::CameronMartin, None, None) => {
                (self.ball.clone(), MeanMechanism::CameronMartin(self.smoother_before_noise(records)?))
            }
            (MechanismName::CameronMartin, Some(_), None) => return Err(ReleaseError::RoughSmoothed),
        };
        let mean = Mean::new(ball, grid.clone(), &coordinates)?
            .with_moments(self.moments_of(grid.len(), grid.is_periodic())?)?;
        let guarantee = Guarantee::new(self.budget, self.neighbours, unit);
        Ok(Mechanism::buying(mean, guarantee, self.law(), shares)?)
    }

    /// What looks at a release through the smoother of these settings. Its spectrum is solved here, before the noise, so that
    /// nothing can be refused afterwards.
    ///
    /// # Errors
    /// [`ReleaseError`] for a smoother that cannot be used on this grid.
    pub fn viewer(&self, grid: &Grid) -> Result<MeanViewer, ReleaseError> {
        self.checked_penalty()?;
        let spectrum = match self.mechanism {
            MechanismName::Isonormal => {
                let spectrum = Spectrum::for_smoothing(self.kernel_or_default()?, grid.to_unit()?, DEFAULT_TOLERANCE)?;
                Some(Arc::new(spectrum))
            }
            MechanismName::CameronMartin => None,
        };
        Ok(MeanViewer { settings: self.clone(), spectrum })
    }

    /// Whether the noise is white on the mean itself.
    pub fn is_white(&self) -> bool {
        self.mechanism == MechanismName::Isonormal && self.roughness.is_none() && !self.is_pure()
    }

    /// The ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// The second moments of a release of curves on so many points: a function of public settings alone.
    fn moments_of(&self, points: usize, is_periodic: bool) -> Result<Option<Moments>, ReleaseError> {
        let (is_asked_for, emphasis) = match self.moments {
            MomentsChoice::None => return Ok(None),
            MomentsChoice::Auto => (false, Emphasis::Mean),
            MomentsChoice::Mean => (true, Emphasis::Mean),
            MomentsChoice::Covariance => (true, Emphasis::Covariance),
        };
        if self.is_pure() {
            return if is_asked_for { Err(MeanError::MomentsWithoutDelta.into()) } else { Ok(None) };
        }
        let is_free =
            self.neighbours == NeighbouringRelation::SubstituteOne && self.mechanism == MechanismName::Isonormal;
        if !is_asked_for && !is_free {
            return Ok(None);
        }
        let coordinates = whole_frequencies(points, is_periodic, COORDINATES_OF_MOMENTS);
        let moments = Some(Moments { emphasis, coordinates });
        let body = plain_body(points, moments).map_err(MeanError::from)?;
        let privacy = GaussianPrivacy::calibrated(self.calibration, &self.budget)?;
        match Noise::gaussian(privacy, &body, self.neighbours) {
            Err(_) if is_asked_for => Err(MeanError::MomentsBudget.into()),
            noise => Ok(moments.filter(|_| noise.is_ok())),
        }
    }

    fn kernel_or_default(&self) -> Result<Kernel, KernelError> {
        self.kernel.clone().map_or_else(|| DEFAULT_KERNEL.with_range(DEFAULT_KERNEL.default_range()), Ok)
    }

    /// Refuses a penalty or power that no smoother could have, also where the default penalty will be used.
    fn checked_penalty(&self) -> Result<(), ReleaseError> {
        PenalizedMean::new(self.kernel_or_default()?, self.penalty.unwrap_or(1.0), self.power)?;
        Ok(())
    }

    fn smoother_before_noise(&self, records: Option<usize>) -> Result<PenalizedMean, ReleaseError> {
        let penalty = match (self.penalty, self.neighbours, records) {
            (Some(penalty), _, _) => penalty,
            (None, NeighbouringRelation::SubstituteOne, Some(records)) => {
                cameron_martin_penalty(self.relative_noise(records.max(1) as f64)?, self.power)
            }
            _ => return Err(ReleaseError::PenaltyNeeded),
        };
        Ok(PenalizedMean::new(self.kernel_or_default()?, penalty, self.power)?)
    }

    /// The smoother of the released function, once the number of records is public or released.
    fn smoother_after_noise(&self, release: &Release<Mean>) -> Result<PenalizedMean, ReleaseError> {
        let mechanism = release.statistic().mechanism();
        if let MeanMechanism::CameronMartin(smoother) = mechanism {
            return Ok(smoother);
        }
        let relative = in_radii(release.noise(), release.units());
        let default = || default_penalty(&mechanism, relative, self.power);
        Ok(PenalizedMean::new(self.kernel_or_default()?, self.penalty.unwrap_or_else(default), self.power)?)
    }
}

/// The body of a mean in plain coordinates, whose noise is the same as along a basis.
fn plain_body(points: usize, moments: Option<Moments>) -> Result<ClippedBall, LatticeError> {
    let moments = moments
        .map(|Moments { emphasis, coordinates }| ClippedMoments { emphasis, of: ProductsOf::First(coordinates) });
    ClippedBall::new(points, Radii::Any, moments)
}

/// The smoother of some settings, ready for a release.
#[derive(Debug, Clone)]
pub struct MeanViewer {
    settings: PrivateMean,
    spectrum: Option<Arc<Spectrum<Kernel>>>,
}

impl MeanViewer {
    /// The release through the smoother: at no cost.
    ///
    /// # Errors
    /// [`ReleaseError`] for a default penalty that is no penalty; none in practice.
    pub fn view(self, release: impl Into<Release<Mean>>) -> Result<MeanRelease, ReleaseError> {
        let release = release.into();
        let smoother = self.settings.smoother_after_noise(&release)?;
        // a release on another grid needs a spectrum of its own
        let spectrum = self
            .spectrum
            .filter(|spectrum| release.statistic().grid().to_unit().is_ok_and(|grid| grid == *spectrum.grid()));
        Ok(MeanRelease::through(release, &smoother, spectrum)?)
    }
}
