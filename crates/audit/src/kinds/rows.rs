//! Attacks on means of irregular curves.

use dpfda_mechanism::Release;
use dpfda_privacy::{NeighbouringRelation, SeededRandomness};
use dpfda_release::{BallShares, LongRows, OfRows, PrivateRows, Rows};

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::encoded_rows::{BINS, SeenRows};
use crate::kinds::pairs::Pair;
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// A value at the bound in one bin of four weighs as much as the radius: the weights share a quarter of their length, and the rest is
/// apart.
const FAR: SeenRows = &[(0.5, 2.0), (1.5, 0.0), (2.5, 0.0), (3.5, 0.0)];
const FAR_MINUS: SeenRows = &[(0.5, -2.0), (4.5, 0.0), (5.5, 0.0), (6.5, 0.0)];
const ONCE: SeenRows = &[(0.5, 1.0)];
const ONCE_MINUS: SeenRows = &[(0.5, -1.0)];
const ELSEWHERE: SeenRows = &[(7.5, -1.0)];
const CENTRE: SeenRows = &[(0.5, 0.0)];
const NOWHERE: SeenRows = &[];
const EVERYWHERE: SeenRows =
    &[(0.5, 9.0), (1.5, 9.0), (2.5, 9.0), (3.5, 9.0), (4.5, 9.0), (5.5, 9.0), (6.5, 9.0), (7.5, 9.0), (7.6, 9.0)];
const EVERYWHERE_MINUS: SeenRows =
    &[(0.5, -9.0), (1.5, -9.0), (2.5, -9.0), (3.5, -9.0), (4.5, -9.0), (5.5, -9.0), (6.5, -9.0), (7.5, -9.0)];
const OFTEN: SeenRows = &[(0.5, 2.0), (0.5, 2.0), (0.6, 2.0), (0.7, 2.0), (0.8, 2.0)];
const STRANGE: SeenRows = &[(f64::NAN, 1.0), (0.5, f64::NAN), (0.5, f64::INFINITY), (-1.0, 1e300), (8.1, 1.0)];
const HUGE: SeenRows = &[(0.5, f64::MAX), (8.0, f64::MIN)];

/// Who else is in the data.
const OTHERS: [SeenRows; 2] = [CENTRE, EVERYWHERE];

/// Who else is in the data where a radius is bought: near the centre, so that a small one is.
const NEAR: SeenRows = &[(0.5, 0.2)];
/// The same values as [`FAR_MINUS`] and [`ONCE_MINUS`] in a ball of a third of the radius, and in other cells.
const HALFWAY: SeenRows = &[(0.5, -0.7), (4.5, 0.0), (5.5, 0.0), (6.5, 0.0)];
const HALFWAY_ONCE: SeenRows = &[(0.5, -0.7)];

/// The bound on one value that the pairs are made for, in radii.
pub(crate) const USUAL_BOUND: f64 = 2.0;

/// The mean of rows that is attacked, with a bound on one value in radii.
fn private(target: &Target, bound: f64) -> PrivateRows {
    let bound = bound * target.ball.radius();
    PrivateRows::new(target.ball.clone(), (0.0, BINS as f64), target.budget)
        .bins(BINS)
        .bound(bound)
        .neighbours(target.neighbours)
}

fn release(
    of: &PrivateRows,
    records: &[SeenRows],
    randomness: &mut SeededRandomness,
) -> Result<Release<Rows>, AuditError> {
    let mut rows = of.rows()?;
    push(&mut rows, records);
    Ok(rows.prepare()?.draw_unrecorded(randomness))
}

/// Adds the rows of all records.
pub(crate) fn push<S: OfRows>(rows: &mut LongRows<S>, records: &[SeenRows]) {
    for (subject, record) in records.iter().enumerate() {
        let id = subject.to_le_bytes();
        // a subject without rows is a record all the same
        rows.push(&id, f64::NAN, 0.0);
        record.iter().for_each(|(time, value)| rows.push(&id, *time, *value));
    }
}

/// Sums over bins, of weights that are as private as the values.
pub(crate) fn rows(target: &Target, bound: f64) -> Result<Attack, AuditError> {
    let private = private(target, bound);
    let noise = AddedNoise::plain(private.mechanism()?.noise());
    target.attack_sums(noise, pairs(target.neighbours), |records, randomness| {
        Ok(words(&release(&private, records, randomness)?))
    })
}

/// The same in a ball whose radius is bought, with every answer.
pub(crate) fn bought(target: &Target, shares: BallShares) -> Result<Attack, AuditError> {
    let private = private(target, USUAL_BOUND).buying(shares);
    let (ball, least) = (target.ball.clone(), private.least_records_for_radius()?);
    let records = |records: &[SeenRows]| Ok(Records::Rows(records.to_vec()));
    let bargain = Bargain { ball, shares, least, other: NEAR };
    bargain.attack(target, pairs_of_bought(target.neighbours), records, |records, randomness| {
        release(&private, records, randomness)
    })
}

/// Records that differ in their cells and in their values, beside the pairs for a stated ball.
pub(crate) fn pairs_of_bought(neighbours: NeighbouringRelation) -> Vec<Pair<SeenRows>> {
    let own: Vec<(&'static str, &[SeenRows], &[SeenRows])> = match neighbours {
        NeighbouringRelation::SubstituteOne => vec![
            ("opposite values and mostly other times, in another cell", &[FAR, CENTRE], &[HALFWAY, CENTRE]),
            ("another cell, reversed", &[HALFWAY, CENTRE], &[FAR, CENTRE]),
            ("opposite values at the same time, in another cell", &[ONCE, CENTRE], &[HALFWAY_ONCE, CENTRE]),
            ("another cell, the same values in the ball", &[FAR_MINUS, CENTRE], &[HALFWAY, CENTRE]),
            ("the smallest cell for the largest", &[NOWHERE, CENTRE], &[FAR, CENTRE]),
            ("one like the others for a far one", &[NEAR, CENTRE], &[FAR_MINUS, CENTRE]),
        ],
        NeighbouringRelation::AddRemoveOne => vec![
            ("one in a cell within", &[CENTRE], &[CENTRE, HALFWAY]),
            ("one once, in a cell within", &[CENTRE], &[CENTRE, HALFWAY_ONCE]),
            ("one like the others", &[CENTRE], &[CENTRE, NEAR]),
        ],
    };
    let own = own.into_iter().map(|(name, left, right)| Pair { name, left: left.to_vec(), right: right.to_vec() });
    own.chain(pairs(neighbours)).collect()
}

pub(crate) fn pairs(neighbours: NeighbouringRelation) -> Vec<Pair<SeenRows>> {
    let pair = |name, left: &[SeenRows], right: &[SeenRows]| Pair { name, left: left.to_vec(), right: right.to_vec() };
    match neighbours {
        NeighbouringRelation::SubstituteOne => [
            ("opposite values and mostly other times", FAR, FAR_MINUS),
            ("opposite values at the same time", ONCE, ONCE_MINUS),
            ("opposite values at other times", ONCE, ELSEWHERE),
            ("opposite values everywhere", EVERYWHERE, EVERYWHERE_MINUS),
            ("everywhere and once", EVERYWHERE, ONCE_MINUS),
            ("a value and no row", ONCE, NOWHERE),
            ("the centre and no row", CENTRE, NOWHERE),
            ("rows that are none", ONCE, STRANGE),
            ("huge values", HUGE, ONCE_MINUS),
            ("a far value and values everywhere", FAR, EVERYWHERE_MINUS),
            ("many rows at one time and one row", OFTEN, ONCE_MINUS),
        ]
        .into_iter()
        .flat_map(|(name, left, right)| OTHERS.map(|other| pair(name, &[left, other], &[right, other])))
        .collect(),
        NeighbouringRelation::AddRemoveOne => [
            ("a value", ONCE),
            ("values everywhere", EVERYWHERE),
            ("a far value", FAR),
            ("the centre", CENTRE),
            ("no row", NOWHERE),
            ("rows that are none", STRANGE),
            ("huge values", HUGE),
        ]
        .into_iter()
        .flat_map(|(name, added)| {
            let beside = OTHERS.map(|other| pair(name, &[other], &[other, added]));
            beside.into_iter().chain([pair(name, &[], &[added])])
        })
        .collect(),
    }
}
