//! Attacks on the means of groups.

use dpfda_mechanism::Payable;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda_release::{Grouping, Groups, PrivateGroups};
use dpfda_smoothing::{CurveSet, TextColumn};

use crate::attack::Attack;
use crate::claim::Claim;
use crate::curves::{CurveSettings, words};
use crate::error::AuditError;
use crate::law::{AddedNoise, Law};
use crate::mechanism::AuditedMechanism;
use crate::pairs::{self, Pair, Record};
use crate::sums::{exact_sums, laws, same_sums};

/// The groups that are asked for where labels are private; a third label is that of no group.
const NAMES: [&str; 2] = ["one", "other"];

/// A record with the label of each of its curves, over and over.
type Labelled = (Record, &'static [&'static str]);

const ONE: &[&str] = &["one"];
const OTHER: &[&str] = &["other"];
const BOTH: &[&str] = &["one", "other"];
const NEITHER: &[&str] = &["stranger"];

/// Two groups with public labels, or with private ones of which a record counts in at most `most`.
pub(crate) fn groups(
    mechanism: AuditedMechanism,
    settings: &CurveSettings,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
) -> Result<Attack, AuditError> {
    let most = match mechanism {
        AuditedMechanism::GroupsPublic => None,
        AuditedMechanism::GroupsOfTwo => Some(2),
        _ => Some(1),
    };
    let names = NAMES.map(str::to_owned).into();
    let grouping = most.map_or(Grouping::Public, |most| Grouping::Private { names, most });
    let private = PrivateGroups::new(settings.ball.clone(), budget, grouping)
        .neighbours(neighbours)
        .moments(dpfda_release::MomentsChoice::Mean);
    let prepare = |records: &[Labelled]| -> Result<dpfda_mechanism::Prepared<Groups>, AuditError> {
        let (curves, labels) = data(settings, records)?;
        Ok(private.prepare(&curves, &labels)?)
    };
    let some: Vec<Labelled> =
        vec![(pairs::OTHERS, ONE), (pairs::OTHERS, ONE), (pairs::OTHERS, OTHER), (pairs::OTHERS, OTHER)];
    let noise = AddedNoise::plain(prepare(&some)?.mechanism().noise());
    let law_of = |number: usize, records: &[Labelled]| {
        exact_sums(mechanism.name(), number, &noise, |randomness| Ok(words(&prepare(records)?.draw(None, randomness))))
            .map(Law::Sums)
    };
    let (laws, pairs) = laws(labelled(neighbours, most), law_of, same_sums)?;
    let claim = Claim::gaussian(budget)?;
    Ok(Attack { name: mechanism.name(), neighbours, claim, noise: Some(noise.clone()), laws, pairs })
}

fn data(settings: &CurveSettings, records: &[Labelled]) -> Result<(CurveSet, TextColumn), AuditError> {
    let curves = settings.curves(&records.iter().map(|(record, _)| *record).collect::<Vec<_>>())?;
    let labels = records.iter().flat_map(|(record, labels)| labels.iter().cycle().take(record.len()));
    Ok((curves, TextColumn::new(labels.map(|label| Some((*label).to_owned())).collect())))
}

/// The pairs of curves, each within one group; with private labels also across groups, and of records in both.
fn labelled(neighbours: NeighbouringRelation, most: Option<usize>) -> Vec<Pair<Labelled>> {
    let mut all = Vec::new();
    for Pair { name, left, right } in pairs::of_curves(neighbours) {
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
