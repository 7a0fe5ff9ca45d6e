//! From curves of people to a release of their mean: the settings, and the whole chain.

use std::num::NonZeroUsize;
use std::thread;

use dpfda_kernels::{Domain, Grid, Kernel};
use dpfda_mechanism::{BallShares, MOST_BYTES_OF_SUMS, Mechanism, Terms, Wanted};
use dpfda_privacy::{
    Body, ClippedBall, ClippedMoments, Emphasis, LatticeError, Moments, Noise, PrivacyUnit, ProductsOf, Radii,
    Randomness,
};
use dpfda_smoothing::{Ball, CurveSet, PenalizedMean};

use crate::defaults::cameron_martin_penalty;
use crate::mean::document::MeanRelease;
use crate::mean::domain::MeanDomain;
use crate::mean::mean_error::MeanError;
use crate::mean::prepared::{MeanCurves, PreparedMean};
use crate::mean::roughness::Roughness;
use crate::mean::smoother_choice::SmootherChoice;
use crate::mean::viewer::MeanViewer;
use crate::mean::{Mean, MeanMechanism};
use crate::parts::encode_rows::LARGE;
use crate::parts::plan::Plan;
use crate::purchase::ball_data;
use crate::release_error::ReleaseError;
use crate::terms::on_terms;

mod before;
mod pure;

pub use pure::default_coordinates;

/// The two mechanisms by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MechanismName {
    Isonormal,
    CameronMartin,
}

/// What of roughness the body charges.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Shape {
    /// What suits what is bought.
    #[default]
    Usual,
    /// Nothing: the ball.
    Ball,
    Rough(Roughness),
}

impl Shape {
    /// Whether its ball is twice or four times as wide as the stated one, for a radius that is bought: to ask for it is to ask for one.
    fn needs_radius(self) -> bool {
        matches!(self, Self::Rough(Roughness::HalfSobolev(_) | Roughness::HalfOfAxes(_)))
    }
}

/// The length of the half norm where nothing is said, as a part of the domain, and of each axis of a rectangle.
const USUAL_LENGTH: f64 = 0.15;
const USUAL_LENGTH_OF_AXES: f64 = 0.3;

/// Which second moments are released with a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateMean {
    ball: Ball,
    terms: Terms,
    mechanism: MechanismName,
    smoother: SmootherChoice,
    moments: MomentsChoice,
    shape: Shape,
    coordinates: Option<usize>,
}

on_terms!(PrivateMean: neighbours calibration buying wanting);

impl PrivateMean {
    /// The default: white noise on the mean of the bounded curves, smoothed afterwards.
    ///
    /// With delta 0 the noise is [K-norm](dpfda_privacy::Law::KNorm) noise on the first public [coordinates](PrivateMean::coordinates) of the mean.
    ///
    /// A radius is bought with 5% of `mu^2` where nothing else is [said](PrivateMean::buying).
    pub fn isonormal(ball: Ball, terms: impl Into<Terms>) -> Self {
        Self::new(MechanismName::Isonormal, ball, terms.into())
    }

    /// The mechanism of Mirshani, Reimherr and Slavkovic: smooth, then add noise of the smoother's kernel. It buys nothing.
    ///
    /// At the same guarantee its noise is never smaller than that of [`PrivateMean::isonormal`] with the same smoother.
    pub fn cameron_martin(ball: Ball, terms: impl Into<Terms>) -> Self {
        Self::new(MechanismName::CameronMartin, ball, terms.into())
    }

    fn new(mechanism: MechanismName, ball: Ball, terms: Terms) -> Self {
        let (smoother, moments) = (SmootherChoice::default(), MomentsChoice::Auto);
        Self { ball, terms, mechanism, smoother, moments, shape: Shape::Usual, coordinates: None }
    }

    /// Sets the smoother's kernel (default: Matern 5/2 with its default range).
    #[must_use]
    pub fn kernel(mut self, kernel: impl Into<Kernel>) -> Self {
        self.smoother.kernel = Some(kernel.into());
        self
    }

    /// Sets the smoother's penalty `phi` (default: [`default_penalty`](crate::default_penalty)).
    #[must_use]
    pub fn penalty(mut self, penalty: f64) -> Self {
        self.smoother.penalty = Some(penalty);
        self
    }

    /// Sets the power `eta` of the penalty (default: 1).
    #[must_use]
    pub fn power(mut self, power: f64) -> Self {
        self.smoother.power = power;
        self
    }

    /// Sets which second moments are released with the mean (default: those that are free), of the first `min(n, 40)` coordinates. Surfaces have
    /// some with a [roughness of their axes](PrivateMean::roughness_of_axes) alone.
    #[must_use]
    pub fn moments(mut self, moments: MomentsChoice) -> Self {
        self.moments = moments;
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
        self.shape = Shape::Rough(Roughness::Slope(largest));
        self
    }

    /// Charges waves that are shorter than a length, in units of the domain: the body is a ball of the half-Sobolev norm
    /// ([`SobolevNorm`](crate::SobolevNorm) of order half), whose radius is bought from at most twice the stated one. A length of 0.15 of the domain
    /// suits curves of people: it is taken where what is bought is left to [the rule](Self::wanting). A length of 0 charges nothing, and
    /// leaves the ball.
    #[must_use]
    pub fn roughness(mut self, length: f64) -> Self {
        self.shape = if length == 0.0 { Shape::Ball } else { Shape::Rough(Roughness::HalfSobolev(length)) };
        self
    }

    /// The same on a rectangle: the body is a ball of the product of the half-Sobolev norms of a length along each axis, as a part of that axis
    /// ([`SobolevNorm::product`](crate::SobolevNorm::product)). Its radius is bought from at most four times the stated one. Lengths of 0.3 suit
    /// surfaces of people (`docs/adr/0018-surfaces-that-charge-roughness.md`).
    #[must_use]
    pub fn roughness_of_axes(mut self, lengths: [f64; 2]) -> Self {
        self.shape = Shape::Rough(Roughness::HalfOfAxes(lengths));
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
        self.prepare_on(curves, curves.grid(), None)
    }

    /// The same for records on a domain, one in each row of the set, by this many threads or as many as are worth it: the release does
    /// not depend on their number. The grid of the set is not used.
    ///
    /// ```
    /// use dpfda_kernels::{Grid, SurfaceGrid};
    /// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
    /// use dpfda_release::PrivateMean;
    /// use dpfda_smoothing::{Ball, Center, CurveSet};
    /// use ndarray::Array2;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // surfaces, the values of the first s for all t first
    /// let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 8)?, Grid::uniform(0.0, 24.0, 12)?)?;
    /// let values = Array2::from_shape_fn((500, grid.len()), |(i, j)| ((i + j) % 9) as f64 / 9.0);
    /// let surfaces = CurveSet::new(grid.places()?, values)?;
    /// let ball = Ball::new(Center::Constant(0.5), 0.5)?;
    /// let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?);
    /// let release = private_mean.prepare_on(&surfaces, &grid, None)?.draw_unrecorded(&mut SystemRandomness::new()?);
    /// assert_eq!(release.statistic().whitened(&release).0.len(), 96);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`PrivateMean::prepare`], for rows that do not have one value for each point of the domain, and for what a rectangle does not
    /// have.
    pub fn prepare_on<'a, D: MeanDomain>(
        &self,
        curves: &'a CurveSet,
        domain: &D,
        threads: Option<NonZeroUsize>,
    ) -> Result<PreparedMean<'a, D>, ReleaseError> {
        let is_large = curves.values().len() > LARGE;
        let available = || if is_large { thread::available_parallelism().ok() } else { None };
        let threads = threads.or_else(available).unwrap_or(NonZeroUsize::MIN);
        let records = self.terms.has_public_records().then_some(curves.units());
        let mechanism = self.mechanism(domain, curves.unit(), records)?.of_records(curves.units() as u64)?;
        ball_data::prepare(mechanism, MeanCurves(curves, threads))
    }

    /// The shares that buy a part of the ball of so many records, where their number is public and known.
    ///
    /// # Errors
    /// [`ReleaseError::BoughtSmoothed`] where the Cameron-Martin mechanism is asked to buy, and
    /// [`ReleaseError::BoughtWithoutDelta`] where delta is 0.
    pub fn bought_shares(&self, records: Option<usize>) -> Result<BallShares, ReleaseError> {
        let is_asked_for = match (self.terms.shares(), self.terms.wanted()) {
            (Some(shares), _) => shares.buys(),
            (None, Some(wanted)) => wanted.says_share(),
            (None, None) => false,
        };
        match self.mechanism {
            MechanismName::Isonormal if self.is_pure() && is_asked_for => Err(ReleaseError::BoughtWithoutDelta),
            MechanismName::Isonormal if self.is_pure() => Ok(BallShares::NONE),
            MechanismName::Isonormal => {
                let needs_radius = self.shape.needs_radius();
                let terms = match self.terms.wanted() {
                    Some(wanted) => &self.terms.clone().wanting(Wanted { needs_radius, ..wanted }),
                    None => &self.terms,
                };
                shares_in(&self.ball, terms, records)
            }
            MechanismName::CameronMartin if is_asked_for => Err(ReleaseError::BoughtSmoothed),
            MechanismName::CameronMartin => Ok(BallShares::NONE),
        }
    }

    /// From which number of records on their number changes nothing of the plan; `None` where it changes nothing at all, or is private.
    ///
    /// # Errors
    /// [`ReleaseError`] for a budget that no normal noise meets.
    pub fn asks_for_number(&self) -> Result<Option<u64>, ReleaseError> {
        if self.mechanism == MechanismName::CameronMartin || self.is_pure() {
            return Ok(None);
        }
        Ok(self.terms.asks_for_number()?)
    }

    /// What of roughness is charged in a body whose radius is bought or not: by default the half norm, where what is bought follows the rule.
    fn roughness_on(&self, domain: &impl Domain, shares: BallShares) -> Option<Roughness> {
        match self.shape {
            Shape::Rough(roughness) => Some(roughness),
            Shape::Usual => usual_roughness(&self.terms, shares, domain),
            Shape::Ball => None,
        }
    }

    /// The public plan of a release of records on this domain in the stated ball, before the number of records decides what a default buys
    /// ([`Mechanism::of_records`]). `records` is their public number, where there is one.
    ///
    /// # Errors
    /// [`ReleaseError`]; in particular the Cameron-Martin mechanism needs a penalty or the public number of records, and a rectangle has
    /// isonormal noise alone, in the ball or with a roughness of its axes.
    pub fn mechanism<D: MeanDomain>(
        &self,
        domain: &D,
        unit: PrivacyUnit,
        records: Option<usize>,
    ) -> Result<Mechanism<Mean<D>>, ReleaseError> {
        self.smoother.check()?;
        let shares = self.bought_shares(records)?;
        let roughness = self.roughness_on(domain, shares);
        let is_asked_for = self.shape.needs_radius() && self.terms.wanted().is_none();
        let shares = if is_asked_for { shares.asked_for() } else { shares };
        let (points, is_periodic) = (domain.len(), domain.line().is_some_and(Grid::is_periodic));
        let pure = self.pure_coordinates(points, is_periodic)?;
        let (ball, coordinates) = match (self.mechanism, roughness, pure) {
            (_, _, Some(number)) => (self.ball.clone(), MeanMechanism::Coordinates(number)),
            (MechanismName::Isonormal, None, None) => (self.ball.clone(), MeanMechanism::Isonormal),
            (MechanismName::Isonormal, Some(roughness), None) => {
                roughness.body(&self.ball, domain, shares.radius().is_some())?
            }
            (MechanismName::CameronMartin, None, None) => {
                (self.ball.clone(), MeanMechanism::CameronMartin(self.smoother_before_noise(records)?))
            }
            (MechanismName::CameronMartin, Some(_), None) => return Err(ReleaseError::RoughSmoothed),
        };
        let mean = Mean::new(ball, domain.clone(), &coordinates)?;
        let has_moments = mean.has_free_moments() || self.moments != MomentsChoice::Auto;
        let moments = if has_moments { self.moments_of(points, mean.coordinates_of_moments())? } else { None };
        let mean = mean.with_moments(moments)?;
        Ok(Mechanism::new(mean, self.terms.clone().unit(unit).noise(self.law(pure)).buying(shares))?)
    }

    /// The public plan of a release of records on a domain that come in parts, or from a stream.
    ///
    /// # Errors
    /// [`ReleaseError`] for settings that cannot be used on this grid;
    /// [`ReleaseError::PenaltyNeeded`] for the Cameron-Martin mechanism without a penalty.
    pub fn plan<D: MeanDomain>(&self, domain: &D, unit: PrivacyUnit) -> Result<Plan<Mean<D>>, ReleaseError> {
        self.plan_of(domain, unit, None)
    }

    /// The same for so many records, where their number is public and known: it decides what the rule buys.
    ///
    /// # Errors
    /// As [`PrivateMean::plan`].
    pub fn plan_of<D: MeanDomain>(
        &self,
        domain: &D,
        unit: PrivacyUnit,
        records: Option<usize>,
    ) -> Result<Plan<Mean<D>>, ReleaseError> {
        let records = records.filter(|_| self.mechanism == MechanismName::Isonormal);
        Plan::new(self.mechanism(domain, unit, records)?, D::view(&self.smoother))
    }

    /// What looks at a release through the smoother of these settings. Its spectrum is solved here, before the noise, so that
    /// nothing can be refused afterwards.
    pub fn viewer(&self, grid: &Grid) -> Result<MeanViewer, ReleaseError> {
        self.smoother.viewer(grid, self.mechanism == MechanismName::Isonormal)
    }

    /// The ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// The second moments of a release on so many points, of so many coordinates: a function of public settings alone.
    fn moments_of(&self, points: usize, coordinates: usize) -> Result<Option<Moments>, ReleaseError> {
        let (is_asked_for, emphasis) = match self.moments {
            MomentsChoice::None => return Ok(None),
            MomentsChoice::Auto => (false, Emphasis::Mean),
            MomentsChoice::Mean => (true, Emphasis::Mean),
            MomentsChoice::Covariance => (true, Emphasis::Covariance),
        };
        if self.is_pure() {
            return if is_asked_for { Err(MeanError::MomentsWithoutDelta.into()) } else { Ok(None) };
        }
        let is_free = self.terms.has_public_records() && self.mechanism == MechanismName::Isonormal;
        if !is_asked_for && !is_free {
            return Ok(None);
        }
        let moments = Some(Moments { emphasis, coordinates });
        let body = plain_body(points, moments).map_err(MeanError::from)?;
        match Noise::gaussian(self.terms.gaussian()?, &body, self.terms.guarantee().neighbours()) {
            Err(_) if is_asked_for => Err(MeanError::MomentsBudget.into()),
            noise => Ok(moments.filter(|_| noise.is_ok())),
        }
    }

    fn smoother_before_noise(&self, records: Option<usize>) -> Result<PenalizedMean, ReleaseError> {
        let penalty = match (self.smoother.penalty, records) {
            (Some(penalty), _) => penalty,
            (None, Some(records)) if self.terms.has_public_records() => {
                cameron_martin_penalty(self.relative_noise(records.max(1) as f64)?, self.smoother.power)
            }
            _ => return Err(ReleaseError::PenaltyNeeded),
        };
        self.smoother.with_penalty(penalty)
    }
}

/// What of a ball so many records buy, where their number is public and known.
pub(crate) fn shares_in(ball: &Ball, terms: &Terms, records: Option<usize>) -> Result<BallShares, ReleaseError> {
    let records = records.map(|records| records as u64);
    Ok(terms.shares_of(records, ball.bounds().is_some())?.unwrap_or_default())
}

/// What is released of curves in a ball, by a release that leaves what is bought to a rule, or not, and buys this.
pub(crate) fn mean_in(ball: &Ball, grid: &Grid, terms: &Terms, shares: BallShares) -> Result<Mean, ReleaseError> {
    let (ball, mechanism) = match usual_roughness(terms, shares, grid) {
        Some(roughness) => roughness.body(ball, grid, true)?,
        None => (ball.clone(), MeanMechanism::Isonormal),
    };
    Ok(Mean::new(ball, grid.clone(), &mechanism)?)
}

/// The half norm of the usual length on a domain, where what is bought was left to the rule and a radius is: records on so many points that
/// none is bought of them have no such norm, because their stated ball would be wider.
fn usual_roughness(terms: &Terms, shares: BallShares, domain: &impl Domain) -> Option<Roughness> {
    if !terms.charges_roughness() || shares.radius().is_none() {
        return None;
    }
    let coordinates = COORDINATES_OF_MOMENTS.min(domain.len());
    let body = plain_body(domain.len(), Some(Moments { emphasis: Emphasis::Mean, coordinates }));
    let fits = body.is_ok_and(|body| body.bytes_of_sums() <= MOST_BYTES_OF_SUMS);
    let roughness = match domain.line() {
        Some(line) => Roughness::HalfSobolev(USUAL_LENGTH * line.length()),
        None => Roughness::HalfOfAxes([USUAL_LENGTH_OF_AXES; 2]),
    };
    Some(roughness).filter(|_| fits)
}

/// The body of a mean in plain coordinates, whose noise is the same as along a basis.
fn plain_body(points: usize, moments: Option<Moments>) -> Result<ClippedBall, LatticeError> {
    let moments = moments
        .map(|Moments { emphasis, coordinates }| ClippedMoments { emphasis, of: ProductsOf::First(coordinates) });
    ClippedBall::new(points, Radii::Any, moments)
}
