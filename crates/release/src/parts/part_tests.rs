#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::{BallShares, Digest, FingerprintKey, MechanismError, PartError, PartialError, Release};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center};

use super::Part;
use crate::parts::plan::Plan;
use crate::{LongRows, Mean, PrivateRows, ReleaseError, Rows};

fn settings() -> PrivateRows {
    let ball = Ball::new(Center::Constant(0.5), 2.0).unwrap();
    PrivateRows::new(ball, (0.0, 1.0), PrivacyBudget::new(4.0, 1e-3).unwrap())
}

fn bought() -> PrivateRows {
    settings().buying(BallShares::new(None, Some(0.05)).unwrap())
}

/// Settings of every kind.
fn kinds() -> Vec<PrivateRows> {
    let within = Ball::within(0.0, 1.0).unwrap();
    let within = PrivateRows::new(within, (0.0, 1.0), PrivacyBudget::new(4.0, 1e-3).unwrap());
    vec![
        settings(),
        settings().bins(7).bound(3.0).periodic(),
        bought(),
        bought().neighbours(NeighbouringRelation::AddRemoveOne),
        within.clone(),
        within.buying(BallShares::new(None, Some(0.1)).unwrap()),
    ]
}

fn plan(settings: &PrivateRows) -> Plan<Rows> {
    settings.plan().unwrap()
}

/// Rows of these subjects: several in a bin, far values, and rows that are none.
fn rows(plan: &Plan<Rows>, subjects: std::ops::Range<u32>) -> LongRows {
    let mut rows = plan.rows();
    for (visit, subject) in (0..5_u32).flat_map(|visit| subjects.clone().map(move |subject| (visit, subject))) {
        let time = f64::from((subject * 37 + visit * 311) % 1033) / 997.0;
        let far = if subject % 97 == 0 { 40.0 } else { 0.1 };
        let value = 0.5 + far * f64::from(subject * 7 + visit).sin();
        rows.push(&subject.to_le_bytes(), time, if subject % 17 == 3 { f64::NAN } else { value });
    }
    rows
}

fn key() -> FingerprintKey {
    FingerprintKey::from_bytes([4; 32])
}

fn part(plan: &Plan<Rows>, name: &str, subjects: std::ops::Range<u32>) -> Part<Rows> {
    rows(plan, subjects).part(name.parse().unwrap(), Some(&key())).unwrap()
}

fn travelled(part: &Part<Rows>) -> Part<Rows> {
    Part::read(part.reveal().reveal()).unwrap()
}

fn drawn(part: Part<Rows>) -> Release<Rows> {
    let plan = part.plan().clone();
    part.prepare(&plan).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(9))
}

#[test]
fn parts_of_a_long_table_have_the_bits_of_the_whole() {
    let mut radii = Vec::new();
    for settings in kinds() {
        let plan = plan(&settings);
        let all = rows(&plan, 0..500);
        let whole = all.prepare().unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(9));
        let named = |name: &str, subjects| travelled(&part(&plan, name, subjects));
        let mut joined = named("c", 300..500);
        joined.merge(named("a", 0..1)).unwrap();
        joined.merge(named("b", 1..300)).unwrap();
        assert_eq!(joined.parts(), ["a", "b", "c"]);
        assert_eq!(drawn(travelled(&joined)), whole, "{settings:?}");
        assert_eq!(drawn(joined), whole, "{settings:?}");
        radii.push(whole.statistic().ball().radius());
    }
    // a radius was bought, or nothing was tried
    assert!(radii[0] == 2.0 && radii[2] < 1.0 && radii[3] < 1.0, "{radii:?}");
}

#[test]
fn what_cannot_be_joined_is_refused_and_given_back() {
    for settings in [settings(), bought()] {
        let plan = plan(&settings);
        let untagged = rows(&plan, 50..60).part("untagged".parse().unwrap(), None).unwrap();
        let other_key = FingerprintKey::from_bytes([5; 32]);
        let other_key = rows(&plan, 50..60).part("key".parse().unwrap(), Some(&other_key)).unwrap();
        let mut mine = part(&plan, "a", 0..50);
        for (other, reason) in [
            (part(&plan, "a", 50..60), PartialError::SamePart("a".parse().unwrap())),
            (part(&plan, "b", 49..60), PartialError::SameSubject),
            (untagged, PartialError::Untagged),
            (other_key, PartialError::OtherKey),
            (part(&self::plan(&settings.clone().bins(19)), "b", 50..60), PartialError::OtherPlan),
            (part(&self::plan(&settings.clone().bound(2.5)), "b", 50..60), PartialError::OtherPlan),
        ] {
            let bytes = other.reveal().reveal().clone();
            let before = mine.reveal().reveal().clone();
            let refused = mine.merge(other).unwrap_err();
            assert_eq!(refused.reason, ReleaseError::Partial(reason));
            assert_eq!(*refused.part.reveal().reveal(), bytes);
            assert_eq!(*mine.reveal().reveal(), before, "nothing was added");
        }
        assert_eq!(drawn(mine), drawn(part(&plan, "a", 0..50)));
    }
}

#[test]
fn too_few_subjects_are_refused_and_the_part_comes_back() {
    let buying = plan(&bought());
    let least = buying.mechanism().least_for_radius().unwrap().unwrap();
    let few = || part(&buying, "a", 0..u32::try_from(least).unwrap() - 1);
    let refused = few().prepare(&buying).unwrap_err();
    let found = least - 1;
    assert_eq!(refused.reason, ReleaseError::Mechanism(MechanismError::TooFewForRadius { least, found }));
    assert_eq!(refused.part.parts(), ["a"]);
    let stated = plan(&settings());
    assert!(part(&stated, "a", 0..1).prepare(&stated).is_err());
    let private = plan(&bought().neighbours(NeighbouringRelation::AddRemoveOne));
    assert!(part(&private, "a", 0..1).prepare(&private).is_ok(), "a private number decides nothing");
    // a default keeps the stated ball, and says so nowhere but in its shares
    let default = plan(&settings().bound(4.0).buying(BallShares::default()));
    let kept = drawn(part(&default, "a", 0..u32::try_from(found).unwrap()));
    assert!(!kept.mechanism().shares().buys() && !kept.mechanism().shares().is_if_enough());
    assert_eq!(kept, drawn(part(&plan(&settings().bound(4.0)), "a", 0..u32::try_from(found).unwrap())));
}

#[test]
fn a_part_of_another_plan_than_the_one_that_was_agreed_on_is_not_prepared() {
    let (agreed, louder) = (plan(&settings()), plan(&settings().bins(7)));
    let refused = part(&louder, "a", 0..50).prepare(&agreed).unwrap_err();
    assert_eq!(refused.reason, ReleaseError::Partial(PartialError::OtherPlan));
    assert!(refused.part.prepare(&louder).is_ok(), "no sum is lost");
}

#[test]
fn a_plan_of_a_long_table_reads_back_and_another_is_refused() {
    for settings in kinds() {
        let planned = plan(&settings);
        let text = serde_json::to_string(&planned).unwrap();
        let read: Plan<Rows> = serde_json::from_str(&text).unwrap();
        assert_eq!((&read, read.digest()), (&planned, planned.digest()));
        assert_ne!(read.digest(), plan(&settings.clone().bins(9)).digest());
        for (from, to) in [
            ("\"schema\":3", "\"schema\":9"),
            ("planned-rows", "planned-mean"),
            ("\"bins\":", "\"bins\":-"),
            ("\"domain\":[0.0,1.0]", "\"domain\":[1.0,0.0]"),
            ("\"delta\":0.001", "\"delta\":0.0"),
            ("\"unit\"", "\"units\""),
        ] {
            assert!(text.contains(from), "{from}");
            let changed = text.replacen(from, to, 1);
            assert!(serde_json::from_str::<Plan<Rows>>(&changed).is_err(), "{to}");
        }
        let shares = "\"shares\":{\"center\":null";
        assert_eq!(text.contains(shares), planned.mechanism().shares().buys());
        let changed = text.replace(shares, &shares.replace("null", "0.1"));
        assert_eq!(serde_json::from_str::<Plan<Rows>>(&changed).is_err(), planned.mechanism().shares().buys());
    }
}

/// A part whose bytes were changed by somebody who can make its digest.
fn forged(part: &Part<Rows>, change: impl FnOnce(&mut [u8])) -> Result<Part<Rows>, PartError> {
    let mut bytes = part.reveal().reveal().clone();
    let length = bytes.len() - 32;
    change(&mut bytes[..length]);
    let digits = Digest::of(&bytes[..length]).to_string();
    for (byte, at) in bytes[length..].iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    }
    Part::read(&bytes)
}

#[test]
fn a_hostile_part_is_refused_whoever_made_its_digest() {
    for settings in [settings(), bought()] {
        let part = part(&plan(&settings), "a", 0..50);
        assert!(forged(&part, |_| ()).is_ok());
        // the last word is the sum of the weights of the last bin, of the last ball where a radius is bought
        let last = |word: i64| {
            move |bytes: &mut [u8]| bytes.last_chunk_mut::<8>().unwrap().copy_from_slice(&word.to_le_bytes())
        };
        for word in [-1, i64::MIN, i64::MAX, 51 << 21] {
            assert!(matches!(forged(&part, last(word)), Err(PartError::Lattice(_))), "{word}");
        }
        // as many weights as nobody has leave no room for the values beside them
        assert!(matches!(forged(&part, last(0)), Err(PartError::Lattice(_))));
        let whole = part.reveal().reveal().clone();
        for length in [0, 13, 40, whole.len() / 2, whole.len() - 33, whole.len() - 1] {
            assert!(Part::<Rows>::read(&whole[..length]).is_err(), "{length}");
        }
        assert!(matches!(Part::<Mean>::read(&whole), Err(PartError::Plan { .. })), "a part of another kind");
    }
    // the sums of a stated ball under a plan that buys one
    let stated = part(&plan(&settings()), "a", 0..50).reveal().reveal().clone();
    let (plan, buying) = (plan(&settings()), plan(&bought()));
    let (text, other) = (plan.text(), buying.text());
    let start = b"dpfda part 1\n".len() + 8;
    assert_eq!(&stated[start..start + text.len()], text.as_bytes());
    let mut bytes = stated[..start - 8].to_vec();
    bytes.extend((other.len() as u64).to_le_bytes());
    bytes.extend(other.as_bytes());
    bytes.extend(&stated[start + text.len()..stated.len() - 32]);
    let digits = Digest::of(&bytes).to_string();
    bytes.extend((0..64).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()));
    assert!(matches!(Part::<Rows>::read(&bytes), Err(PartError::OtherPlan)));
}

#[test]
fn a_subject_of_a_long_table_has_another_tag_under_every_plan() {
    let plans = [settings(), settings().bins(7)].map(|settings| plan(&settings));
    let tag = |key: &FingerprintKey| {
        let mut tag = key.begin(b"subject");
        tag.add(&5_u32.to_le_bytes());
        tag.finish()[..16].to_vec()
    };
    for plan in &plans {
        let bytes = part(plan, "a", 5..6).reveal().reveal().clone();
        let holds = |tag: Vec<u8>| bytes.windows(16).any(|window| window == tag);
        assert!(!holds(tag(&key())));
        for other in &plans {
            assert_eq!(holds(tag(&key().under(&other.digest()))), other == plan);
        }
    }
}
