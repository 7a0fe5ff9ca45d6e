//! The mean function as a statistic: curves become integer vectors whose noise is white.

pub(crate) mod axes;
pub(crate) mod document;
pub(crate) mod domain;
pub(crate) mod encoder;
pub(crate) mod function;
pub(crate) mod mean_error;
pub(crate) mod noise_law;
pub(crate) mod noisy_mean;
pub(crate) mod prepared;
pub(crate) mod private;
pub(crate) mod rectangle;
pub(crate) mod roughness;
pub(crate) mod second_moments;
pub(crate) mod smoother_choice;
pub(crate) mod sums;
pub(crate) mod viewer;

use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Domain, Grid};
use dpfda_mechanism::{Fact, Mechanism, NoisyCenter, Purchases, ReadError, Release, Statistic, close, demand};
use dpfda_privacy::{
    ClippedBall, ClippedMoments, Law, Moments, NestedRadius, NestedRecord, OneHot, PrivacyUnit, ProductsOf,
    PublicBasis, Radii, rounding_of_record, steps_to_unit,
};
use dpfda_smoothing::{Ball, BallError};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::bound_fact::bound_fact;
use crate::coordinates::curve_room::CurveRoom;
use crate::coordinates::encode::CurveRecord;
use crate::coordinates::rotation::{Rotation, whole_frequencies};
use crate::coordinates::sobolev::SobolevOrder;
use crate::coordinates::whitening::{Coordinates, Whitening, unit_columns};
use crate::mean::axes::mapped;
use crate::mean::domain::MeanDomain;
use crate::mean::mean_error::{MOST_COORDINATES, MeanError};
use crate::purchase::bought::{self, Bought};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::Weighing;

pub use crate::coordinates::whitening::MeanMechanism;

/// The largest number of coordinates of a Sobolev norm that are all mapped.
const MOST_MAPPED: usize = 256;

/// The sum of curves, or of surfaces, in a public ball, in whitened coordinates.
///
/// ```text
/// isonormal:       z_i = sqrt(w_i) (P(X) - c)(t_i) / tau
/// Cameron-Martin:  z_j = (a_j / a) <P(X) - c, v_j> / tau,    a_j = s_j / sqrt(lambda_j),  a = max_j a_j
/// Sobolev:         z = A (sqrt(w) (X - c)) / tau,  |A x| the norm;  P shortens what is longer than 1
/// coordinates:     z_j = <P(X) - c, q_j> / tau,    q_j orthonormal, the smoothest functions first
/// ```
///
/// `t_i` are the points of any [`Domain`]. A rectangle has isonormal noise, in the ball without second moments, or in the product of two
/// half-Sobolev norms: `docs/proofs/surfaces.md`, `docs/proofs/bodies.md`.
///
/// Second moments of isonormal coordinates are those along `K` smooth functions, a [`PublicBasis`] that is applied to the sum of all
/// products, unless `K = n`.
///
/// Its plan is `{ball, grid, mechanism, rank, moments}`, the moments only where there are any: the rank says how many eigenfunctions count as not zero, so that every machine
/// encodes in as many coordinates.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "MeanPlan<D>", into = "MeanPlan<D>", bound = "D: MeanDomain")]
pub struct Mean<D = Grid> {
    ball: Ball,
    grid: D,
    whitening: Whitening,
    body: ClippedBall,
    moments: Option<Moments>,
    /// The functions of second moments in isonormal coordinates, a column for each, where there are fewer than coordinates.
    functions: Option<Arc<Array2<f64>>>,
    bought: Option<Arc<Bought>>,
}

impl<D: MeanDomain> PartialEq for Mean<D> {
    fn eq(&self, other: &Self) -> bool {
        MeanPlan::from(self.clone()) == MeanPlan::from(other.clone())
    }
}

impl<D: MeanDomain> Mean<D> {
    /// The mean of records on this domain, each projected on the ball.
    ///
    /// # Errors
    /// [`MeanError`] for a centre curve of another length, a kernel without a spectrum on the grid, a Sobolev norm with another number of
    /// lengths than there are axes, and on a rectangle for other noise than isonormal and the norm of order one.
    pub fn new(ball: Ball, grid: D, mechanism: &MeanMechanism) -> Result<Self, MeanError> {
        let whitening = whitening_on(&grid, mechanism, DEFAULT_TOLERANCE, usize::MAX)?;
        Self::in_coordinates(ball, grid, whitening)
    }

    fn in_coordinates(ball: Ball, grid: D, whitening: Whitening) -> Result<Self, MeanError> {
        ball.center_at(&grid)?;
        let body = ClippedBall::new(whitening.dimension(), Radii::Any, None)?;
        Ok(Self { ball, grid, whitening, body, moments: None, functions: None, bought: None })
    }

    /// The same with second moments, or without.
    ///
    /// # Errors
    /// [`MeanError::MomentsOfSmoothed`] for the Cameron-Martin mechanism, [`MeanError::EvenOnCircle`] for an even number of coordinates
    /// on a circle that has more points, [`MeanError::Lattice`] unless moments are of from 2 to 1024
    /// coordinates, and of no more than there are points.
    pub fn with_moments(mut self, moments: Option<Moments>) -> Result<Self, MeanError> {
        if let Some(moments) = moments {
            match (self.grid.line(), &self.whitening) {
                (Some(line), _) => check_frequencies(line, moments.coordinates)?,
                // the first coordinates of a norm are those of smooth surfaces
                (None, Whitening::Sobolev(_)) => {}
                (None, _) => return Err(MeanError::OnRectangle { what: "a second moment in the ball" }),
            }
        }
        let dimension = self.whitening.dimension();
        self.functions = None;
        let of = match (&self.whitening, moments) {
            (_, None) => None,
            (Whitening::CameronMartin(_), _) => return Err(MeanError::MomentsOfSmoothed),
            (Whitening::Coordinates(_), _) => return Err(MeanError::MomentsWithoutDelta),
            (Whitening::Isonormal { .. }, Some(Moments { coordinates, .. }))
                if (2..dimension).contains(&coordinates) =>
            {
                let functions = Rotation::new(&self.grid.unit_axes()?[0], coordinates).basis();
                let columns: Vec<Vec<f64>> = functions.columns().into_iter().map(|column| column.to_vec()).collect();
                self.functions = Some(Arc::new(functions));
                Some(ProductsOf::Along(Arc::new(PublicBasis::new(&columns)?)))
            }
            (_, Some(Moments { coordinates, .. })) => Some(ProductsOf::First(coordinates)),
        };
        let of_body = moments.zip(of).map(|(Moments { emphasis, .. }, of)| ClippedMoments { emphasis, of });
        self.body = ClippedBall::new(dimension, Radii::Any, of_body)?;
        self.moments = moments;
        Ok(self)
    }

    /// Which second moments are released with the mean, if any.
    pub fn moments(&self) -> Option<Moments> {
        self.moments
    }

    /// How the ball was bought; `None` for a ball that was stated.
    pub fn bought(&self) -> Option<&Bought> {
        self.bought.as_deref()
    }

    /// The public ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// The centre at the points of the domain, the last axis fastest.
    pub fn center(&self) -> Array1<f64> {
        self.ball.center_at(&self.grid).unwrap_or_else(|_| unreachable!("the constructor checked the centre"))
    }

    /// The domain: the points the records are seen at.
    pub fn grid(&self) -> &D {
        &self.grid
    }

    /// Which coordinates the noise is white in.
    pub fn mechanism(&self) -> MeanMechanism {
        self.whitening.mechanism()
    }

    /// One step of the public lattice, in data units of the whitened sum: the radius over [`steps_to_unit`], just above
    /// `radius * 2^-22`.
    pub fn lattice_step(&self) -> f64 {
        self.ball.radius() / steps_to_unit(self.whitening.dimension())
    }

    /// The linear map of isonormal coordinates `sqrt(w_i) (X - c)(t_i)`, a column for each whitened coordinate; `None` where
    /// the whitened coordinates are the isonormal ones.
    ///
    /// Of the coordinates of a Sobolev norm, where there are more than 256, these are the first 128, which are those of smooth
    /// functions.
    pub fn map(&self) -> Option<Array2<f64>> {
        let coordinates = self.whitening.coordinates();
        let dimension = coordinates.dimension();
        let kept = match coordinates {
            Coordinates::Isonormal { .. } => return None,
            Coordinates::Mapped(_) => dimension,
            Coordinates::Sobolev(_) => mapped(dimension, self.grid.line().is_some_and(Grid::is_periodic)),
        };
        Some(coordinates.transposed(unit_columns(dimension, kept)))
    }

    /// The squared noise of a sum in squared radii, times `mu^2`: 4 under substitute-one; under add/remove-one with a count of its own 5/4, and
    /// 7/4 with second moments.
    pub(crate) fn squared_noise_of_sum(&self, is_public: bool) -> f64 {
        match (is_public, self.moments) {
            (true, _) => 4.0,
            (false, None) => 1.25,
            (false, Some(_)) => 1.75,
        }
    }

    /// Whether statistics of several means are made of it: in isonormal coordinates, or in those of a half norm.
    pub(crate) fn takes_other_statistics(&self) -> bool {
        match self.mechanism() {
            MeanMechanism::Isonormal => true,
            MeanMechanism::Sobolev(norm) => norm.order() == SobolevOrder::Half,
            MeanMechanism::CameronMartin(_) | MeanMechanism::Coordinates(_) => false,
        }
    }

    /// Whether the ball is that of its bounds, where it has any.
    pub(crate) fn is_of_its_bounds(&self) -> bool {
        match &self.mechanism() {
            MeanMechanism::Sobolev(norm) => roughness::is_of_its_bounds(&self.ball, norm),
            _ => self.ball.is_of_its_bounds(),
        }
    }

    /// Whether a part of its ball can be bought.
    fn sells(&self) -> bool {
        matches!(self.whitening, Whitening::Isonormal { .. } | Whitening::Sobolev(_))
    }

    /// The mean alone with isonormal noise in the same ball, which a centre is bought with.
    pub(crate) fn of_center(&self) -> Self {
        let mean = Self::new(self.ball.clone(), self.grid.clone(), &MeanMechanism::Isonormal);
        mean.unwrap_or_else(|_| unreachable!("the ball fits the grid"))
    }

    /// How long the vectors are that second moments are formed along, in integers.
    pub(crate) fn length_of_basis(&self) -> f64 {
        if self.functions.is_some() { PublicBasis::LENGTH } else { 1.0 }
    }

    /// The functions that second moments are formed along; `None` for the coordinates themselves.
    pub(crate) fn functions(&self) -> Option<&Array2<f64>> {
        self.functions.as_deref()
    }

    pub(crate) fn whitening(&self) -> &Whitening {
        &self.whitening
    }

    /// The noisy mean in whitened coordinates, and the standard deviation of each in data units: that of the noise with what the rounding
    /// of records adds ([`dpfda_privacy::with_rounding`]).
    pub fn whitened(&self, release: &Release<Self>) -> (Array1<f64>, f64) {
        let (units, sd) = (release.units(), release.noise().sd());
        (self.decoded(release.coordinates(), units), self.error_sd(units, sd, release.unit()))
    }

    /// The mean in whitened coordinates from the integers of some records, which begin with those of the mean.
    pub(crate) fn decoded(&self, integers: &[i128], units: f64) -> Array1<f64> {
        let factor = self.lattice_step() / units;
        let of_mean = integers.iter().take(self.whitening.dimension());
        of_mean.map(|&k| k as f64 * factor).collect()
    }

    /// How far rounding moves a record at most, in lattice steps: [`rounding_of_record`] times the coarseness of a bought radius.
    pub(crate) fn rounding(&self, unit: PrivacyUnit) -> f64 {
        let coarseness = self.bought().map_or(1.0, |bought| bought.radius().coarseness());
        coarseness * rounding_of_record(self.whitening.dimension(), unit)
    }

    /// The standard deviation of a coordinate of the mean of so many records, rounding included, from that of the noise in lattice steps.
    pub(crate) fn error_sd(&self, units: f64, noise_sd: f64, unit: PrivacyUnit) -> f64 {
        self.lattice_step() / units * noise_sd.hypot(units * self.rounding(unit))
    }
}

impl<D: MeanDomain> InBall for Mean<D> {
    fn ball(&self) -> &Ball {
        &self.ball
    }

    fn bought(&self) -> Option<&Bought> {
        self.bought.as_deref()
    }

    fn stated_radius(&self) -> Option<f64> {
        let radius = self.bought()?.stated_ball().radius();
        match self.mechanism() {
            MeanMechanism::Sobolev(norm) => roughness::stated_before(radius, &norm),
            _ => Some(radius),
        }
    }

    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError> {
        ball.center_at(&self.grid)?;
        Ok(Self { ball, bought: bought.map(Arc::new), ..self.clone() })
    }

    /// The noise in the smooth coordinates; a norm that charges roughness has less in those that are less smooth. Where counts say nothing,
    /// the radius in a half norm is the stated one, and not as many times it as a curve may reach.
    fn weighing(&self, is_public: bool) -> Weighing {
        let (of_sum, noise) = (self.squared_noise_of_sum(is_public), self.smooth_noise());
        Weighing { untrusted: roughness::untrusted(&self.mechanism()), ..Weighing::of(of_sum * noise) }
    }

    fn to_center(&self) -> Option<Self> {
        self.sells().then(|| self.of_center())
    }

    fn centered(&self, center: &NoisyCenter<'_>) -> Option<Ball> {
        let factor = self.ball.radius() / steps_to_unit(self.grid.len()) / center.units;
        let noisy: Vec<f64> = center.coordinates.iter().map(|&k| k as f64 * factor).collect();
        Bought::centered_ball(&self.ball, &self.grid, &noisy, factor * center.sd)
    }

    fn check_mechanism(mechanism: &Mechanism<Self>) -> Result<(), ReadError> {
        let is_of_kind = match (mechanism.statistic().mechanism(), mechanism.law()) {
            // older releases have the noise of the ball under either relation
            (MeanMechanism::Coordinates(_), law) => matches!(law, Law::KNorm {} | Law::KNormCylinder {}),
            (_, law) => matches!(law, Law::Gaussian { .. }),
        };
        demand("noise.law", is_of_kind)?;
        demand("statistic.ball.bounds", mechanism.statistic().is_of_its_bounds())
    }
}

impl<D: MeanDomain> Statistic for Mean<D> {
    type Body = ClippedBall;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = CurveRoom;

    const KIND: &'static str = D::KIND;
    const RECORD: &'static str = D::RECORD;
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> ClippedBall {
        self.body.clone()
    }

    fn stated_body(&self, _law: &Law) -> ClippedBall {
        self.body.stated()
    }

    fn scratch(&self) -> CurveRoom {
        CurveRoom::new(self.grid.len(), self.whitening.dimension())
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut CurveRoom, vector: &mut NestedRecord) {
        scratch.encode_rows(record.curves, &record.rows, &self.whitening.coordinates(), vector);
    }

    fn center_body(&self) -> Option<ClippedBall> {
        self.sells().then(|| ClippedBall::new(self.grid.len(), Radii::Stated, None).ok()).flatten()
    }

    fn radius_body(&self) -> Option<OneHot> {
        self.sells().then(|| Norms::body(1))
    }

    fn needs_radius(&self) -> bool {
        roughness::untrusted(&self.mechanism()) != NestedRadius::STATED
    }

    fn under(&self, purchases: &Purchases<'_>) -> Self {
        bought::under(self, purchases)
    }

    fn facts(&self) -> Vec<Fact> {
        let (mechanism, caption) = match self.mechanism() {
            MeanMechanism::Isonormal => ("white noise on the mean".to_owned(), "white noise".to_owned()),
            MeanMechanism::CameronMartin(_) => (
                "noise with the smoother's kernel on the smoothed mean (Cameron-Martin)".to_owned(),
                "noise with the smoother's kernel".to_owned(),
            ),
            MeanMechanism::Sobolev(_) => {
                ("white noise, weaker on short waves".to_owned(), "white noise, weaker on short waves".to_owned())
            }
            MeanMechanism::Coordinates(number) => (
                format!(
                    "K-norm noise on {number} public coordinates of the mean, those of the smoothest functions, with delta 0; the rest of \
                     the mean is not released"
                ),
                format!("K-norm noise on {number} coordinates"),
            ),
        };
        let mut facts: Vec<Fact> = rectangle::fact(self.grid.axes()).into_iter().collect();
        facts.push(bound_fact(&self.ball, &self.grid, &self.mechanism(), self.bought()));
        facts.extend(self.bought().map(|bought| bought.fact(&self.ball, D::RECORD)));
        facts.push(Fact::new("mechanism", mechanism.clone()).briefly(mechanism).captioned(caption));
        facts.extend(self.moments().map(|moments| {
            let (first, all) = (moments.coordinates, self.whitening.dimension());
            let which = if first < all { format!("the first {first}") } else { format!("all {all}") };
            Fact::new("moments", format!("second moments of {which} coordinates, and their total"))
        }));
        facts
    }
}

/// The coordinates of a mechanism on a domain, of which at most the `rank` leading ones are kept.
fn whitening_on(
    domain: &impl Domain,
    mechanism: &MeanMechanism,
    tolerance: f64,
    rank: usize,
) -> Result<Whitening, MeanError> {
    match (mechanism, domain.line()) {
        (MeanMechanism::CameronMartin(_), None) => {
            return Err(MeanError::OnRectangle { what: "the Cameron-Martin mechanism" });
        }
        (MeanMechanism::Coordinates(_), None) => return Err(MeanError::OnRectangle { what: "a delta of 0" }),
        (MeanMechanism::Coordinates(found), Some(line)) => check_coordinates(line, *found)?,
        (MeanMechanism::Sobolev(norm), line) => {
            let (axes, found) = (domain.axes().len(), norm.lengths().count());
            if found != axes {
                return Err(MeanError::Lengths { axes, found });
            }
            if norm.order() == SobolevOrder::One && line.is_none() {
                return Err(MeanError::OnRectangle { what: "a norm of order one" });
            }
            if norm.order() == SobolevOrder::One && line.is_some_and(Grid::is_periodic) {
                return Err(MeanError::SlopeOnCircle);
            }
        }
        (MeanMechanism::Isonormal, _) | (MeanMechanism::CameronMartin(_), Some(_)) => {}
    }
    Ok(Whitening::with_rank(mechanism, &domain.unit_axes()?, tolerance, rank)?)
}

/// Refuses a ball in a document that is not the one that was bought, and one where none was.
pub(crate) fn check_bought<S: InBall>(statistic: &S, told: Option<&Ball>, grid: &impl Domain) -> Result<(), ReadError> {
    let bought = statistic.bought().map(|_| statistic.ball());
    demand(
        "derived.ball",
        match (told, bought) {
            (Some(told), Some(bought)) => balls_agree(told, bought, grid),
            (told, bought) => told.is_none() && bought.is_none(),
        },
    )
}

fn check_coordinates(line: &Grid, found: usize) -> Result<(), MeanError> {
    let most = line.len().min(MOST_COORDINATES);
    if !(1..=most).contains(&found) {
        return Err(MeanError::Coordinates { most, found });
    }
    check_frequencies(line, found)
}

fn check_frequencies(grid: &Grid, found: usize) -> Result<(), MeanError> {
    let is_whole = found >= grid.len() || whole_frequencies(grid.len(), grid.is_periodic(), found) == found;
    if is_whole { Ok(()) } else { Err(MeanError::EvenOnCircle { found }) }
}

/// Whether two balls are the same up to another machine's rounding.
fn balls_agree(mine: &Ball, other: &Ball, grid: &impl Domain) -> bool {
    let (Ok(a), Ok(b)) = (mine.center_at(grid), other.center_at(grid)) else { return false };
    let size = a.iter().fold(mine.radius(), |most, c| most.max(c.abs()));
    mine.bounds() == other.bounds()
        && close(mine.radius(), other.radius(), other.radius())
        && a.iter().zip(&b).all(|(a, b)| close(*a, *b, size))
}

/// The standard deviation of the noise of the count, as a fraction of the count; 0 where the count is public.
pub(crate) fn relative_count_sd<S: Statistic>(release: &Release<S>) -> f64 {
    release.units_sd() / release.units()
}

/// A mean as a public plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeanPlan<D> {
    ball: Ball,
    grid: D,
    mechanism: MeanMechanism,
    rank: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moments: Option<Moments>,
}

impl<D: MeanDomain> From<Mean<D>> for MeanPlan<D> {
    fn from(mean: Mean<D>) -> Self {
        let (mechanism, rank, moments) = (mean.mechanism(), mean.whitening.dimension(), mean.moments());
        Self { ball: mean.ball, grid: mean.grid, mechanism, rank, moments }
    }
}

impl<D: MeanDomain> TryFrom<MeanPlan<D>> for Mean<D> {
    type Error = MeanError;

    fn try_from(plan: MeanPlan<D>) -> Result<Self, MeanError> {
        let MeanPlan { ball, grid, mechanism, rank, moments } = plan;
        // A pair at the very edge of the tolerance may fall on its other side on another machine: keep what was kept.
        let whitening = whitening_on(&grid, &mechanism, DEFAULT_TOLERANCE / 4.0, rank)?;
        let expected = whitening.dimension();
        if expected != rank {
            return Err(MeanError::Rank { expected, found: rank });
        }
        Self::in_coordinates(ball, grid, whitening)?.with_moments(moments)
    }
}
