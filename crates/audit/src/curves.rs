//! Attacks on the mechanisms for curves.

use dpfda_kernels::{Grid, KernelName, SurfaceGrid};
use dpfda_mechanism::{Release, Statistic};
use dpfda_privacy::{
    Law as NoiseLaw, MixingLaw, NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness, Word,
};
use dpfda_release::{
    BallShares, LinearFunctional, MomentsChoice, PrivateFunctionals, PrivateMean, PrivatePath, PrivateSurface,
};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::{Array2, Axis};

use crate::attack::Attack;
use crate::bought::{Bargain, Records};
use crate::claim::Claim;
use crate::error::AuditError;
use crate::law::{AddedNoise, Law};
use crate::mechanism::AuditedMechanism;
use crate::pairs::{self, Record};
use crate::sums::{exact_sums, laws, same_sums};

/// Evaluations at both points: they span everything.
const FUNCTIONALS: [LinearFunctional; 2] =
    [LinearFunctional::Evaluation { t: 0.0 }, LinearFunctional::Evaluation { t: 1.0 }];

/// The mean of both points, by symmetry: with the number of records two numbers. For t noise, which rarely comes near its
/// largest loss in more dimensions: with three no epsilon shows a tenth less noise in a million draws.
const FEWER: [LinearFunctional; 1] = [LinearFunctional::Evaluation { t: 0.5 }];

/// Degrees of freedom of the t noise that is audited.
const DEGREES_OF_FREEDOM: f64 = 5.0;

/// The public settings of an audit of curves: two points, the ends of `[0, 1]`.
#[derive(Debug, Clone)]
pub(crate) struct CurveSettings {
    pub(crate) ball: Ball,
    pub(crate) smoother: PenalizedMean,
}

impl CurveSettings {
    /// The unit ball about zero, and a smoother.
    pub(crate) fn standard() -> Result<Self, AuditError> {
        let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.2)?, 0.01, 1.0)?;
        Ok(Self { ball: Ball::new(Center::Constant(0.0), 1.0)?, smoother })
    }

    /// Two curves, for what is the same for all data.
    fn some(&self) -> Result<CurveSet, AuditError> {
        self.curves(&[&[[0.0, 0.0]], &[[0.0, 0.0]]])
    }

    /// The records on the grid, in the units of the ball.
    pub(crate) fn curves(&self, records: &[Record]) -> Result<CurveSet, AuditError> {
        let grid = Grid::uniform(0.0, 1.0, 2)?;
        let (center, radius) = (self.ball.center_at(&grid)?, self.ball.radius());
        let owned =
            records.iter().enumerate().flat_map(|(owner, curves)| curves.iter().map(move |curve| (owner, curve)));
        let (owners, rows): (Vec<usize>, Vec<&[f64; 2]>) = owned.unzip();
        let value = |(row, column): (usize, usize)| {
            let value: f64 = center[column] + radius * rows[row][column];
            // an infinite value is refused before anything else
            if value.is_nan() { value } else { value.clamp(f64::MIN, f64::MAX) }
        };
        let curves = CurveSet::new(grid, Array2::from_shape_fn((rows.len(), 2), value))?;
        // one curve each is a data set of curves, more one of subjects
        if records.iter().all(|record| record.len() == 1) { Ok(curves) } else { Ok(curves.with_subjects(&owners)?) }
    }
}

/// An attack on sums with noise.
fn attack(
    name: &'static str,
    settings: &CurveSettings,
    (neighbours, claim): (NeighbouringRelation, Claim),
    noise: AddedNoise,
    release: impl Fn(&CurveSet, &mut SeededRandomness) -> Result<Vec<i64>, AuditError>,
) -> Result<Attack, AuditError> {
    let law_of = |number: usize, records: &[Record]| {
        let curves = settings.curves(records)?;
        exact_sums(name, number, &noise, |randomness| release(&curves, randomness)).map(Law::Sums)
    };
    let (laws, pairs) = laws(pairs::of_curves(neighbours), law_of, same_sums)?;
    Ok(Attack { name, neighbours, claim, noise: Some(noise), laws, pairs })
}

/// All integers of a release: those of few records fit in 64 bits.
pub(crate) fn words<S: Statistic>(release: &Release<S>) -> Vec<i64> {
    release.words().map(|word| in_64_bits(word.to_i128())).collect()
}

pub(crate) fn in_64_bits(word: i128) -> i64 {
    i64::try_from(word).unwrap_or(if word < 0 { i64::MIN } else { i64::MAX })
}

/// White noise, with second moments or without, K-norm noise, or noise of the smoother's kernel.
pub(crate) fn mean(
    mechanism: AuditedMechanism,
    settings: &CurveSettings,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let ball = settings.ball.clone();
    let (private_mean, moments) = match mechanism {
        AuditedMechanism::CameronMartin => (PrivateMean::cameron_martin(ball, budget), MomentsChoice::None),
        AuditedMechanism::IsonormalMoments => {
            (PrivateMean::isonormal(ball, budget).buying(BallShares::NONE), MomentsChoice::Mean)
        }
        AuditedMechanism::IsonormalCovariance => {
            (PrivateMean::isonormal(ball, budget).buying(BallShares::NONE), MomentsChoice::Covariance)
        }
        _ => (PrivateMean::isonormal(ball, budget).buying(BallShares::NONE), MomentsChoice::None),
    };
    let private_mean = private_mean.smoother(&settings.smoother).neighbours(neighbours).moments(moments);
    let noise = AddedNoise::plain(private_mean.prepare(&settings.some()?)?.mechanism().noise());
    let claim = match mechanism {
        AuditedMechanism::IsonormalPure => Claim::Pure { epsilon: budget.epsilon() },
        _ => Claim::gaussian(budget)?,
    };
    attack(mechanism.name(), settings, (neighbours, claim), noise, |curves, randomness| {
        Ok(words(&private_mean.prepare(curves)?.draw_unrecorded(randomness)))
    })
}

/// White noise on surfaces of two by two points: the value of a point is that of two points of the surface, so that all distances stay.
pub(crate) fn surface(
    name: &'static str,
    settings: &CurveSettings,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let axis = Grid::uniform(0.0, 1.0, 2)?;
    let grid = SurfaceGrid::new(axis.clone(), axis)?;
    let private_mean = PrivateSurface::new(settings.ball.clone(), grid.clone(), budget).neighbours(neighbours);
    let surfaces = |curves: &CurveSet| -> Result<CurveSet, AuditError> {
        let surfaces = CurveSet::new(grid.places()?, curves.values().select(Axis(1), &[0, 1, 0, 1]))?;
        if curves.unit() == PrivacyUnit::Curve {
            return Ok(surfaces);
        }
        let mut owners = vec![0; curves.len()];
        for (owner, rows) in curves.records().enumerate() {
            rows.iter().for_each(|row| owners[*row] = owner);
        }
        Ok(surfaces.with_subjects(&owners)?)
    };
    let noise = AddedNoise::plain(private_mean.prepare(&surfaces(&settings.some()?)?)?.mechanism().noise());
    attack(name, settings, (neighbours, Claim::gaussian(budget)?), noise, |curves, randomness| {
        Ok(words(&private_mean.prepare(&surfaces(curves)?)?.draw_unrecorded(randomness)))
    })
}

/// White noise in a ball of which the centre or the radius is bought, with every answer.
pub(crate) fn bought(
    mechanism: AuditedMechanism,
    settings: &CurveSettings,
    (shares, moments): (BallShares, MomentsChoice),
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let private = PrivateMean::isonormal(settings.ball.clone(), budget);
    let private = private.neighbours(neighbours).moments(moments).buying(shares);
    let unit = settings.some()?;
    let planned = private.mechanism(unit.grid(), unit.unit(), None)?;
    let has_moments = planned.statistic().moments().is_some();
    let bargain = Bargain {
        name: mechanism.name(),
        budget,
        neighbours,
        ball: settings.ball.clone(),
        shares,
        least: private.least_records_for_radius()?,
        other: pairs::OTHERS,
    };
    let records = |records: &[Record]| Ok(Records::Curves { curves: Box::new(settings.curves(records)?), has_moments });
    bargain.attack(pairs::of_bought(neighbours), records, |records, randomness| {
        Ok(private.prepare(&settings.curves(records)?)?.draw_unrecorded(randomness))
    })
}

/// Functionals with pure noise.
pub(crate) fn functionals(
    name: &'static str,
    law: &NoiseLaw,
    settings: &CurveSettings,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let epsilon = budget.epsilon();
    let is_heavy = matches!(law, NoiseLaw::StudentT { .. });
    let functionals: &[LinearFunctional] =
        if is_heavy && neighbours == NeighbouringRelation::AddRemoveOne { &FEWER } else { &FUNCTIONALS };
    let private = PrivateFunctionals::new(settings.ball.clone(), epsilon, settings.smoother.clone())?
        .noise(law.clone())
        .neighbours(neighbours)
        .idealised_arithmetic();
    let noise = AddedNoise::plain(private.prepare(&settings.some()?, functionals)?.mechanism().noise());
    attack(name, settings, (neighbours, Claim::Pure { epsilon }), noise, |curves, randomness| {
        Ok(words(&private.release(curves, functionals, randomness)?))
    })
}

/// The t noise that is audited.
pub(crate) fn student_t() -> NoiseLaw {
    NoiseLaw::StudentT { degrees_of_freedom: DEGREES_OF_FREEDOM }
}

/// The mixture that is audited: `V^2` a ratio of degrees of freedom to a chi-squared, truncated as the law says.
pub(crate) fn mixture() -> Result<MixingLaw, AuditError> {
    Ok(MixingLaw::student_t(DEGREES_OF_FREEDOM)?)
}

/// A whole path, of which the attacker is given everything.
pub(crate) fn path(
    name: &'static str,
    law: Option<MixingLaw>,
    settings: &CurveSettings,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let private = PrivatePath::new(settings.ball.clone(), budget, settings.smoother.clone()).neighbours(neighbours);
    let (private, claim) = match &law {
        None => (private, Claim::gaussian(budget)?),
        Some(law) => (private.mixing(law.clone()), Claim::mixed(law.clone(), budget)?),
    };
    let noise = private.prepare(&settings.some()?)?.mechanism().noise().clone();
    let noise = AddedNoise { noise, is_of_path: true };
    attack(name, settings, (neighbours, claim), noise, |curves, randomness| {
        let (_, kept) = private.release(curves, &FUNCTIONALS, randomness)?;
        Ok(words(kept.release()))
    })
}
