//! Attacks on the mechanisms for curves.

use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_privacy::{Law, MixingLaw, NeighbouringRelation, PrivacyUnit};
use dpfda_release::{
    BallShares, CurveNumbers, LinearFunctional, MomentsChoice, PrivateFunctionals, PrivateMean, PrivateNumbers,
    PrivatePath,
};
use dpfda_smoothing::CurveSet;
use ndarray::Axis;

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::claim::Claim;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::pairs::{self, Record};
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// Evaluations at both points, which span everything, and between them.
const FUNCTIONALS: [LinearFunctional; 3] = [
    LinearFunctional::Evaluation { t: 0.0 },
    LinearFunctional::Evaluation { t: 1.0 },
    LinearFunctional::Evaluation { t: 0.5 },
];

/// The mean of both points, by symmetry: with the number of records two numbers. For t noise, which rarely comes near its
/// largest loss in more dimensions: with three no epsilon shows a tenth less noise in a million draws.
const FEWER: [LinearFunctional; 1] = [LinearFunctional::Evaluation { t: 0.5 }];

/// Degrees of freedom of the t noise that is audited.
const DEGREES_OF_FREEDOM: f64 = 5.0;

/// White noise with this choice of second moments; K-norm noise where the claim has no delta.
pub(crate) fn isonormal(target: &Target, moments: MomentsChoice) -> Result<Attack, AuditError> {
    let private = PrivateMean::isonormal(target.ball.clone(), target.budget).buying(BallShares::NONE);
    mean(target, private.moments(moments))
}

/// K-norm noise of a cylinder on three coordinates.
pub(crate) fn isonormal_of_three(target: &Target) -> Result<Attack, AuditError> {
    let private = PrivateMean::isonormal(target.ball.clone(), target.budget).neighbours(target.neighbours);
    let some = on_three_points(&target.some()?)?;
    target.attack_curves(private.prepare(&some)?.mechanism().noise(), |curves, randomness| {
        Ok(words(&private.prepare(&on_three_points(curves)?)?.draw_unrecorded(randomness)))
    })
}

/// The first point's value again at the end: as the ends have half the weight of the middle, all distances stay.
fn on_three_points(curves: &CurveSet) -> Result<CurveSet, AuditError> {
    let values = curves.values().select(Axis(1), &[0, 1, 0]);
    of_owners(curves, CurveSet::new(Grid::uniform(0.0, 1.0, 3)?, values)?)
}

/// These rows as the curves of the same subjects.
fn of_owners(curves: &CurveSet, rows: CurveSet) -> Result<CurveSet, AuditError> {
    if curves.unit() == PrivacyUnit::Curve {
        return Ok(rows);
    }
    let mut owners = vec![0; curves.len()];
    for (owner, rows) in curves.records().enumerate() {
        rows.iter().for_each(|row| owners[*row] = owner);
    }
    Ok(rows.with_subjects(&owners)?)
}

/// Noise of the smoother's kernel.
pub(crate) fn cameron_martin(target: &Target) -> Result<Attack, AuditError> {
    mean(target, PrivateMean::cameron_martin(target.ball.clone(), target.budget).moments(MomentsChoice::None))
}

fn mean(target: &Target, private: PrivateMean) -> Result<Attack, AuditError> {
    let private = private.smoother(&target.smoother).neighbours(target.neighbours);
    target.attack_curves(private.prepare(&target.some()?)?.mechanism().noise(), |curves, randomness| {
        Ok(words(&private.prepare(curves)?.draw_unrecorded(randomness)))
    })
}

/// White noise on surfaces of two by two points: the value of a point is that of two points of the surface, so that all distances stay.
pub(crate) fn surface(target: &Target) -> Result<Attack, AuditError> {
    let axis = Grid::uniform(0.0, 1.0, 2)?;
    let grid = SurfaceGrid::new(axis.clone(), axis)?;
    let private = PrivateMean::isonormal(target.ball.clone(), target.budget).neighbours(target.neighbours);
    let private = private.buying(BallShares::NONE);
    let surfaces = |curves: &CurveSet| -> Result<CurveSet, AuditError> {
        of_owners(curves, CurveSet::new(grid.places()?, curves.values().select(Axis(1), &[0, 1, 0, 1]))?)
    };
    let mechanism = private.mechanism(&grid, target.some()?.unit(), None)?;
    target.attack_curves(mechanism.noise(), |curves, randomness| {
        Ok(words(&private.prepare_on(&surfaces(curves)?, &grid, None)?.draw_unrecorded(randomness)))
    })
}

/// White noise in a ball of which the centre or the radius is bought, with every answer.
pub(crate) fn bought(target: &Target, shares: BallShares, moments: MomentsChoice) -> Result<Attack, AuditError> {
    let private = PrivateMean::isonormal(target.ball.clone(), target.budget);
    let private = private.neighbours(target.neighbours).moments(moments).buying(shares);
    let unit = target.some()?;
    let has_moments = private.mechanism(unit.grid(), unit.unit(), None)?.statistic().moments().is_some();
    let (ball, least) = (target.ball.clone(), private.least_records_for_radius()?);
    let records = |records: &[Record]| Ok(Records::Curves { curves: Box::new(target.curves(records)?), has_moments });
    let bargain = Bargain { ball, shares, least, other: pairs::OTHERS };
    bargain.attack(target, pairs::of_bought(target.neighbours), records, |records, randomness| {
        Ok(private.prepare(&target.curves(records)?)?.draw_unrecorded(randomness))
    })
}

/// Numbers of curves, with the noise of their budget.
pub(crate) fn numbers<S: CurveNumbers>(target: &Target) -> Result<Attack, AuditError> {
    let private = PrivateNumbers::<S>::new(target.ball.clone(), target.budget).neighbours(target.neighbours);
    let some = target.some()?;
    target.attack_curves(private.mechanism(some.grid(), some.unit())?.noise(), |curves, randomness| {
        Ok(words(&private.release(curves, randomness)?))
    })
}

/// Functionals of this rank, from 1 to 3, with pure noise: three of curves on three points.
pub(crate) fn functionals(target: &Target, law: &Law, rank: usize) -> Result<Attack, AuditError> {
    let functionals: &[LinearFunctional] = if rank == 1 { &FEWER } else { &FUNCTIONALS[..rank.min(3)] };
    let seen = |curves: &CurveSet| if rank > 2 { on_three_points(curves) } else { Ok(curves.clone()) };
    let private = PrivateFunctionals::new(target.ball.clone(), target.budget.epsilon(), target.smoother.clone())?
        .noise(law.clone())
        .neighbours(target.neighbours)
        .idealised_arithmetic();
    target.attack_curves(
        private.prepare(&seen(&target.some()?)?, functionals)?.mechanism().noise(),
        |curves, randomness| Ok(words(&private.release(&seen(curves)?, functionals, randomness)?)),
    )
}

/// t noise, which shows less in more dimensions.
pub(crate) fn student_t(target: &Target) -> Result<Attack, AuditError> {
    functionals(target, &STUDENT_T, if target.neighbours == NeighbouringRelation::AddRemoveOne { 1 } else { 2 })
}

/// The t noise that is audited.
const STUDENT_T: Law = Law::StudentT { degrees_of_freedom: DEGREES_OF_FREEDOM };

/// The mixture that is audited: `V^2` a ratio of degrees of freedom to a chi-squared, truncated as the law says.
pub(crate) fn mixture() -> Result<MixingLaw, AuditError> {
    Ok(MixingLaw::student_t(DEGREES_OF_FREEDOM)?)
}

/// A whole path, of which the attacker is given everything; of a random scale where the claim is of a mixture.
pub(crate) fn path(target: &Target) -> Result<Attack, AuditError> {
    let private = PrivatePath::new(target.ball.clone(), target.budget, target.smoother.clone());
    let private = private.neighbours(target.neighbours);
    let private = match &target.claim {
        Claim::Mixed { privacy, .. } => private.mixing(privacy.law().clone()),
        _ => private,
    };
    let noise = private.prepare(&target.some()?)?.mechanism().noise().clone();
    let noise = AddedNoise { noise, is_of_path: true };
    target.attack_sums(noise, pairs::of_curves(target.neighbours), |records, randomness| {
        let (_, kept) = private.release(&target.curves(records)?, &FUNCTIONALS, randomness)?;
        Ok(words(kept.release()))
    })
}
