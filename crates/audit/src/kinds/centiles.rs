//! Attacks on centiles.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::Release;
use dpfda_privacy::{NeighbouringRelation, PrivacyUnit, SeededRandomness};
use dpfda_release::{BallShares, CentileData, Centiles, InBall, PrivateCentiles, ReleaseError};
use dpfda_smoothing::CurveSet;

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::encoded_centiles::{BOUNDS, LEVELS, POINTS};
use crate::kinds::encoded_rows::{BINS, SeenRows};
use crate::kinds::pairs::{self, Pair, Record};
use crate::kinds::rows as of_rows;
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// Who else is in the data where a distance is bought: just beyond one level, so that a small one is.
const BESIDE: SeenRows = &[(0.5, -0.35)];

/// Both fill the ball that is bought, share no coordinate, and are in two cells.
const FAR_AND_BESIDE: (SeenRows, SeenRows) = (&[(4.5, 1.0)], &[(7.5, -0.35)]);

/// The points that rows count at.
fn points_of_rows() -> Result<Grid, AuditError> {
    Ok(Grid::uniform(0.0, BINS as f64, POINTS)?)
}

/// Centiles of rows: no integer depends on the bounds, and the rows of the pairs are made for a unit about 0.
fn private_of_rows(target: &Target, shares: BallShares) -> Result<PrivateCentiles, AuditError> {
    let ball = Centiles::ball_of_rows_within(BOUNDS, None, None, &points_of_rows()?).map_err(ReleaseError::from)?;
    Ok(PrivateCentiles::new(ball, target.budget).levels(LEVELS).neighbours(target.neighbours).buying(shares).of_rows())
}

/// Shares below levels and what they are weighed with, of rows on either side of the centre, at the same points and at others.
pub(crate) fn rows(target: &Target) -> Result<Attack, AuditError> {
    let private = private_of_rows(target, BallShares::NONE)?;
    let mechanism = private.mechanism(&points_of_rows()?, PrivacyUnit::Subject, None)?;
    let noise = AddedNoise::plain(mechanism.noise());
    target.attack_sums(noise, of_rows::pairs(target.neighbours), |records, randomness| {
        Ok(words(&release_rows(&private, records, randomness)?))
    })
}

/// The same about a distance that is bought, with every answer.
pub(crate) fn rows_bought(target: &Target, shares: BallShares) -> Result<Attack, AuditError> {
    let private = private_of_rows(target, shares)?;
    let mechanism = private.mechanism(&points_of_rows()?, PrivacyUnit::Subject, None)?;
    let (ball, least) =
        (mechanism.statistic().ball().clone(), mechanism.least_for_radius().map_err(ReleaseError::from)?);
    let records = |records: &[SeenRows]| Ok(Records::CentilesOfRows(records.to_vec()));
    let bargain = Bargain { ball, shares, least, other: BESIDE };
    let mut pairs = of_rows::pairs_of_bought(target.neighbours);
    if target.neighbours == NeighbouringRelation::SubstituteOne {
        let (far, beside) = FAR_AND_BESIDE;
        let (left, right) = (vec![far, BESIDE], vec![beside, BESIDE]);
        pairs.push(Pair { name: "one row each, at other points and in another cell", left, right });
    }
    bargain.attack(target, pairs, records, |records, randomness| release_rows(&private, records, randomness))
}

fn release_rows(
    private: &PrivateCentiles,
    records: &[SeenRows],
    randomness: &mut SeededRandomness,
) -> Result<Release<Centiles>, AuditError> {
    let points = points_of_rows()?;
    let mut rows = private.rows(&points)?;
    of_rows::push(&mut rows, records);
    let mechanism = private.mechanism(&points, PrivacyUnit::Subject, Some(records.len()))?;
    let data = CentileData::Rows(&rows);
    Ok(mechanism.prepare_data(data).map_err(ReleaseError::from)?.draw_unrecorded(randomness))
}

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
    let data = CentileData::Curves(curves, NonZeroUsize::MIN);
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
