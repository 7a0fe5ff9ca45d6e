//! Attacks on the change of people between two visits.

use dpfda_kernels::Grid;
use dpfda_mechanism::Mechanism;
use dpfda_privacy::NeighbouringRelation;
use dpfda_release::{BallShares, Change, ChangeOf, MomentsChoice, PrivateChange, ReleaseError};
use dpfda_smoothing::{CurveSet, TextColumn};
use ndarray::Array2;

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::pairs::{self, Curve, Pair, Record};
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// The curves of a record at the later visit, and whether it has the earlier one, where its curve is 0.
type Visited = (Record, bool);

/// Of the first pairs, which are of extremes, each record is there in place of nothing as well.
const ABSENCES: usize = 6;

/// Who else is there.
const OTHER: Visited = (pairs::OTHERS, true);

fn private(target: &Target, moments: MomentsChoice, shares: BallShares) -> PrivateChange {
    let of = ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() };
    PrivateChange::new(target.ball.clone(), target.budget, of)
        .neighbours(target.neighbours)
        .moments(moments)
        .buying(shares)
}

/// So many others that the number of records is not refused.
fn others(mechanism: &Mechanism<Change>) -> usize {
    Change::least_records(mechanism).and_then(|least| usize::try_from(least).ok()).unwrap_or(0)
}

/// The change between two visits, in the ball that is stated.
pub(crate) fn change(target: &Target, moments: MomentsChoice) -> Result<Attack, AuditError> {
    let private = private(target, moments, BallShares::NONE);
    let mechanism = private.mechanism(&grid()?, None)?;
    let others = vec![OTHER; others(&mechanism)];
    let noise = AddedNoise::plain(mechanism.noise());
    target.attack_sums(
        noise,
        pairs_of(pairs::of_curves(target.neighbours), target.neighbours),
        |records, randomness| {
            let (curves, visits) = data(target, &[records, &others].concat())?;
            Ok(words(&private.release(&curves, &visits, randomness)?))
        },
    )
}

/// The same in a ball of which the centre or the radius is bought, with every answer.
pub(crate) fn bought(target: &Target, moments: MomentsChoice, shares: BallShares) -> Result<Attack, AuditError> {
    let private = private(target, moments, shares);
    let mechanism = private.mechanism(&grid()?, None)?;
    let body = mechanism.body().clone();
    let records = |records: &[Visited]| {
        let changes = changes(target, records)?;
        let groups = (0..changes.len()).map(|record| is_known(records[record]).then_some(0)).collect();
        Ok(Records::Groups { curves: Box::new(changes), groups, body: body.clone() })
    };
    let least = mechanism.least_for_radius().map_err(ReleaseError::from)?.max(Change::least_records(&mechanism));
    let bargain = Bargain { ball: target.ball.clone(), shares, least, other: OTHER };
    let pairs = pairs_of(pairs::of_bought(target.neighbours), target.neighbours);
    bargain.attack(target, pairs, records, |records, randomness| {
        let (curves, visits) = data(target, records)?;
        Ok(private.release(&curves, &visits, randomness)?)
    })
}

fn grid() -> Result<Grid, AuditError> {
    Ok(Grid::uniform(0.0, 1.0, 2)?)
}

/// A curve of the later visit, in the units of the data.
fn value(target: &Target, curve: Curve) -> Result<Curve, AuditError> {
    let (center, radius) = (target.ball.center_at(&grid()?)?, target.ball.radius());
    // an infinite value is refused before anything else
    Ok([0, 1].map(|point| (center[point] + radius * curve[point]).clamp(f64::MIN, f64::MAX)))
}

/// The curves of all visits with whose they are, and the visit of each.
fn data(target: &Target, records: &[Visited]) -> Result<(CurveSet, TextColumn), AuditError> {
    let (mut values, mut owners, mut visits) = (Vec::new(), Vec::new(), Vec::new());
    for (owner, (record, is_there)) in records.iter().enumerate() {
        let earlier = is_there.then_some(([0.0, 0.0], "1"));
        let later =
            record.iter().map(|curve| Ok((value(target, *curve)?, "2"))).collect::<Result<Vec<_>, AuditError>>()?;
        for (curve, visit) in earlier.into_iter().chain(later) {
            values.extend(curve);
            owners.push(owner);
            visits.push(Some(visit.to_owned()));
        }
    }
    let values = Array2::from_shape_fn((owners.len(), 2), |(row, point)| values[2 * row + point]);
    Ok((CurveSet::new(grid()?, values)?.with_subjects(&owners)?, TextColumn::new(visits)))
}

/// Whether a record has both visits: a curve without any value is none.
fn is_known((record, is_there): Visited) -> bool {
    is_there && record.iter().flatten().any(|value| !value.is_nan())
}

/// The changes, found otherwise than by the library: the mean of the later curves, as the earlier one is 0.
fn changes(target: &Target, records: &[Visited]) -> Result<CurveSet, AuditError> {
    let mut values = Array2::zeros((records.len(), 2));
    for (one, mut row) in records.iter().zip(values.rows_mut()) {
        // a value that is missing is that of the other point
        let seen = one.0.iter().filter_map(|&[a, b]| match (a.is_nan(), b.is_nan()) {
            (true, true) => None,
            (true, false) => Some([b, b]),
            (false, true) => Some([a, a]),
            (false, false) => Some([a, b]),
        });
        let mut seen = seen.map(|curve| value(target, curve)).collect::<Result<Vec<Curve>, AuditError>>()?;
        seen.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        for curve in seen.iter().filter(|_| is_known(*one)) {
            (0..2).for_each(|point| row[point] += curve[point] / seen.len() as f64);
        }
    }
    let owners: Vec<usize> = (0..records.len()).collect();
    Ok(CurveSet::new(grid()?, values)?.with_subjects(&owners)?)
}

/// The pairs of changes, and those of a change with nothing in its place: an absence weighs as much as an opposite change.
fn pairs_of(changes: Vec<Pair<Record>>, neighbours: NeighbouringRelation) -> Vec<Pair<Visited>> {
    let mut all = Vec::new();
    for (place, Pair { name, left, right }) in changes.into_iter().enumerate() {
        // a curve without any value is no visit, and no curve at the centre
        let name = if name == "missing for the centre" { "absent for the centre" } else { name };
        let there = |records: &[Record]| records.iter().map(|record| (*record, true)).collect::<Vec<Visited>>();
        let (left, right) = (there(&left), there(&right));
        all.push(Pair { name, left: left.clone(), right: right.clone() });
        if neighbours == NeighbouringRelation::SubstituteOne && place < ABSENCES {
            // only the first record may differ
            let absent = |records: &[Visited]| {
                records.iter().enumerate().map(|(place, one)| (one.0, place > 0 && one.1)).collect()
            };
            all.push(Pair { name: "present against absent", left: left.clone(), right: absent(&right) });
            all.push(Pair { name: "absent against present", left: absent(&left), right });
        }
    }
    all
}
