//! Attacks on means of irregular curves.

use dpfda_mechanism::Release;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{Occupancy, PrivateOccupancy};
use dpfda_smoothing::{Ball, Center};

use crate::attack::Attack;
use crate::claim::Claim;
use crate::curves::words;
use crate::error::AuditError;
use crate::law::{AddedNoise, Law};
use crate::pairs::Pair;
use crate::sums::{exact_sums, laws, same_sums};

/// The rows of one subject, times and values; bins have length 1, the radius is 1 and the bound on one value 2.
type Rows = &'static [(f64, f64)];

const BINS: usize = 8;

/// A value at the bound in one bin of four weighs as much as the radius: the weights share a quarter of their length, and the rest is
/// apart.
const FAR: Rows = &[(0.5, 2.0), (1.5, 0.0), (2.5, 0.0), (3.5, 0.0)];
const FAR_MINUS: Rows = &[(0.5, -2.0), (4.5, 0.0), (5.5, 0.0), (6.5, 0.0)];
const ONCE: Rows = &[(0.5, 1.0)];
const ONCE_MINUS: Rows = &[(0.5, -1.0)];
const ELSEWHERE: Rows = &[(7.5, -1.0)];
const CENTRE: Rows = &[(0.5, 0.0)];
const NOWHERE: Rows = &[];
const EVERYWHERE: Rows =
    &[(0.5, 9.0), (1.5, 9.0), (2.5, 9.0), (3.5, 9.0), (4.5, 9.0), (5.5, 9.0), (6.5, 9.0), (7.5, 9.0), (7.6, 9.0)];
const EVERYWHERE_MINUS: Rows =
    &[(0.5, -9.0), (1.5, -9.0), (2.5, -9.0), (3.5, -9.0), (4.5, -9.0), (5.5, -9.0), (6.5, -9.0), (7.5, -9.0)];
const OFTEN: Rows = &[(0.5, 2.0), (0.5, 2.0), (0.6, 2.0), (0.7, 2.0), (0.8, 2.0)];
const STRANGE: Rows = &[(f64::NAN, 1.0), (0.5, f64::NAN), (0.5, f64::INFINITY), (-1.0, 1e300), (8.1, 1.0)];
const HUGE: Rows = &[(0.5, f64::MAX), (8.0, f64::MIN)];

/// Who else is in the data.
const OTHERS: [Rows; 2] = [CENTRE, EVERYWHERE];

/// Sums over bins, of weights that are as private as the values.
pub(crate) fn occupancy(
    name: &'static str,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let ball = Ball::new(Center::Constant(0.0), 1.0)?;
    let private = PrivateOccupancy::new(ball, (0.0, BINS as f64), budget).bins(BINS).neighbours(neighbours);
    let release = |records: &[Rows], randomness: &mut SeededRandomness| -> Result<Release<Occupancy>, AuditError> {
        let mut rows = private.rows()?;
        for (subject, record) in records.iter().enumerate() {
            let id = subject.to_le_bytes();
            // a subject without rows is a record all the same
            rows.push(&id, f64::NAN, 0.0);
            record.iter().for_each(|(time, value)| rows.push(&id, *time, *value));
        }
        Ok(rows.prepare()?.draw_unrecorded(randomness))
    };
    let noise = AddedNoise::plain(private.mechanism()?.noise());
    let law_of = |number: usize, records: &[Rows]| {
        exact_sums(name, number, &noise, |randomness| Ok(words(&release(records, randomness)?))).map(Law::Sums)
    };
    let (laws, pairs) = laws(pairs(neighbours), law_of, same_sums)?;
    let claim = Claim::gaussian(budget)?;
    Ok(Attack { name, neighbours, claim, noise: Some(noise.clone()), laws, pairs })
}

fn pairs(neighbours: NeighbouringRelation) -> Vec<Pair<Rows>> {
    let pair = |name, left: &[Rows], right: &[Rows]| Pair { name, left: left.to_vec(), right: right.to_vec() };
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
