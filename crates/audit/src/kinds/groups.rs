//! Attacks on the means of groups.

use dpfda_privacy::NeighbouringRelation;
use dpfda_release::{BallShares, Grouping, MomentsChoice, PrivateGroups, ReleaseError};
use dpfda_smoothing::{CurveSet, TextColumn};

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::pairs::{self, Pair, Record};
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// The groups that are asked for where labels are private; a third label is that of no group.
const NAMES: [&str; 2] = ["one", "other"];

/// A record with the label of each of its curves, over and over.
type Labelled = (Record, &'static [&'static str]);

const ONE: &[&str] = &["one"];
const OTHER: &[&str] = &["other"];
const BOTH: &[&str] = &["one", "other"];
const NEITHER: &[&str] = &["stranger"];

/// Private labels of which a record counts in at most `most`: nobody has one beyond the first two.
fn of_private(most: usize) -> Grouping {
    let more = (NAMES.len()..most).map(|place| format!("group {place}"));
    Grouping::Private { names: NAMES.map(str::to_owned).into_iter().chain(more).collect(), most }
}

/// Two groups with public labels, or with private ones of which a record counts in at most `most`.
pub(crate) fn groups(target: &Target, most: Option<usize>, moments: MomentsChoice) -> Result<Attack, AuditError> {
    let grouping = most.map_or(Grouping::Public, of_private);
    let private = PrivateGroups::new(target.ball.clone(), target.budget, grouping)
        .neighbours(target.neighbours)
        .moments(moments)
        .buying(BallShares::NONE);
    let (curves, labels) = data(target, &[ONE, ONE, OTHER, OTHER].map(|labels| (pairs::OTHERS, labels)))?;
    let noise = AddedNoise::plain(private.prepare(&curves, &labels)?.mechanism().noise());
    let pairs = labelled(pairs::of_curves(target.neighbours), target.neighbours, most);
    target.attack_sums(noise, pairs, |records, randomness| {
        let (curves, labels) = data(target, records)?;
        Ok(words(&private.release(&curves, &labels, randomness)?))
    })
}

/// Two groups in a ball of which the centre or the radius is bought, with every answer: with public labels, or with private ones of which a
/// record counts in at most `most`.
pub(crate) fn bought(
    target: &Target,
    most: Option<usize>,
    moments: MomentsChoice,
    shares: BallShares,
) -> Result<Attack, AuditError> {
    let of = |grouping| {
        let private = PrivateGroups::new(target.ball.clone(), target.budget, grouping).neighbours(target.neighbours);
        private.moments(moments).buying(shares)
    };
    let unit = target.some()?;
    // how many buy a radius does not depend on the labels, and the sizes of groups are not known before the data
    let mechanism = of(of_private(most.unwrap_or(1))).mechanism(unit.grid(), unit.unit(), None)?;
    let (ball, least) = (target.ball.clone(), mechanism.least_for_radius().map_err(ReleaseError::from)?);
    let (private, body) = if let Some(most) = most {
        (of(of_private(most)), mechanism.body().clone())
    } else {
        let private = of(Grouping::Public);
        let enough = usize::try_from(least.unwrap_or_default()).unwrap_or(usize::MAX).max(2);
        let everyone: Vec<Labelled> =
            [ONE, OTHER].iter().flat_map(|labels| vec![(pairs::OTHERS, *labels); enough]).collect();
        let (curves, labels) = data(target, &everyone)?;
        let body = private.prepare(&curves, &labels)?.mechanism().body().clone();
        (private, body)
    };
    let records = |records: &[Labelled]| {
        let (curves, labels) = data(target, records)?;
        let place = |label: Option<&str>| NAMES.iter().position(|name| label == Some(name));
        Ok(Records::Groups {
            curves: Box::new(curves),
            groups: labels.cells().map(place).collect(),
            body: body.clone(),
        })
    };
    let mut pairs = labelled(pairs::of_bought(target.neighbours), target.neighbours, most);
    if most.is_some() && target.neighbours == NeighbouringRelation::SubstituteOne {
        // opposite in every group, and counted in another cell
        let record = |record| (record, BOTH);
        let (left, right) = (record(pairs::PLUS_TWICE), record(pairs::HALFWAY_TWICE));
        let name = "opposite points in both groups, one in another cell";
        pairs.push(Pair { name, left: vec![left, left], right: vec![right, left] });
    }
    let bargain = Bargain { ball, shares, least, other: (pairs::OTHERS, ONE) };
    bargain.attack(target, pairs, records, |records, randomness| {
        let (curves, labels) = data(target, records)?;
        Ok(private.release(&curves, &labels, randomness)?)
    })
}

fn data(target: &Target, records: &[Labelled]) -> Result<(CurveSet, TextColumn), AuditError> {
    let curves = target.curves(&records.iter().map(|(record, _)| *record).collect::<Vec<_>>())?;
    let labels = records.iter().flat_map(|(record, labels)| labels.iter().cycle().take(record.len()));
    Ok((curves, TextColumn::new(labels.map(|label| Some((*label).to_owned())).collect())))
}

/// The pairs of curves, each within one group; with private labels also across groups, and of records in both.
fn labelled(curves: Vec<Pair<Record>>, neighbours: NeighbouringRelation, most: Option<usize>) -> Vec<Pair<Labelled>> {
    let mut all = Vec::new();
    for Pair { name, left, right } in curves {
        let within =
            |records: &[Record], labels| records.iter().map(|record| (*record, labels)).collect::<Vec<Labelled>>();
        let (mut one, mut another) = (within(&left, ONE), within(&right, ONE));
        if most.is_none() {
            // the other group, and enough records in each
            let rest = [(pairs::OTHERS, ONE), (pairs::OTHERS, OTHER), (pairs::OTHERS, OTHER)];
            one.extend(rest);
            another.extend(rest);
        }
        all.push(Pair { name, left: one.clone(), right: another.clone() });
        if most.is_none() {
            continue;
        }
        all.push(Pair { name: "in both groups", left: within(&left, BOTH), right: within(&right, BOTH) });
        // only the first record may differ, so only its label does
        let mut moved = |name, labels| {
            if let (NeighbouringRelation::SubstituteOne, Some(first)) = (neighbours, another.first_mut()) {
                first.1 = labels;
                all.push(Pair { name, left: one.clone(), right: another.clone() });
            }
        };
        moved("moved to the other group", OTHER);
        moved("moved to no group", NEITHER);
    }
    if most.is_some() && neighbours == NeighbouringRelation::SubstituteOne {
        // as far apart as any: opposite in every group
        let record = |record| (record, BOTH);
        let (left, right) = (record(pairs::PLUS_TWICE), record(pairs::MINUS_TWICE));
        all.push(Pair { name: "opposite points in both groups", left: vec![left, left], right: vec![right, left] });
    } else if most.is_some() {
        let record = (pairs::PLUS_TWICE, BOTH);
        all.push(Pair { name: "an extreme in both groups", left: vec![record], right: vec![record, record] });
    }
    all
}
