//! Attacks on centiles.

use std::num::NonZeroUsize;

use dpfda_mechanism::Release;
use dpfda_privacy::{PrivacyUnit, SeededRandomness};
use dpfda_release::{BallShares, CentileData, Centiles, InBall, PrivateCentiles, ReleaseError};
use dpfda_smoothing::CurveSet;

use crate::attack::Attack;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::encoded_centiles::{BOUNDS, LEVELS};
use crate::kinds::pairs::{self, Record};
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// The centiles that are attacked: those that are shown change nothing.
fn private(target: &Target, shares: BallShares) -> Result<PrivateCentiles, AuditError> {
    let grid = target.some()?.grid().clone();
    let ball = Centiles::ball_within(BOUNDS, None, None, &grid).map_err(ReleaseError::from)?;
    Ok(PrivateCentiles::new(ball, target.budget).levels(LEVELS).neighbours(target.neighbours).buying(shares))
}

/// Whatever the number of people: a chart of so few is refused as useless, and its noise is the same.
fn release(
    private: &PrivateCentiles,
    curves: &CurveSet,
    randomness: &mut SeededRandomness,
) -> Result<Release<Centiles>, AuditError> {
    let mechanism = private.mechanism(curves.grid(), curves.unit(), Some(curves.units()))?;
    let data = CentileData::new(curves, NonZeroUsize::MIN);
    Ok(mechanism.prepare_data(data).map_err(ReleaseError::from)?.draw_unrecorded(randomness))
}

/// Shares below levels, of people on either side of the centre.
pub(crate) fn stated(target: &Target) -> Result<Attack, AuditError> {
    let private = private(target, BallShares::NONE)?;
    let mechanism = private.mechanism(target.some()?.grid(), PrivacyUnit::Curve, None)?;
    target.attack_curves(mechanism.noise(), |curves, randomness| Ok(words(&release(&private, curves, randomness)?)))
}

/// The same about a distance that is bought, with every answer.
pub(crate) fn bought(target: &Target, shares: BallShares) -> Result<Attack, AuditError> {
    let private = private(target, shares)?;
    let mechanism = private.mechanism(target.some()?.grid(), PrivacyUnit::Curve, None)?;
    let (ball, least) =
        (mechanism.statistic().ball().clone(), mechanism.least_for_radius().map_err(ReleaseError::from)?);
    let records = |records: &[Record]| Ok(Records::Centiles(Box::new(target.curves(records)?)));
    let bargain = Bargain { ball, shares, least, other: pairs::OTHERS };
    bargain.attack(target, pairs::of_bought(target.neighbours), records, |records, randomness| {
        release(&private, &target.curves(records)?, randomness)
    })
}
