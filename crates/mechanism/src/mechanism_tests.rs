#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Calibration, Law, MixingLaw, PrivacyBudget, PrivacyUnit, SeededRandomness};

use super::Mechanism;
use crate::digest::Digest;
use crate::error::MechanismError;
use crate::guarantee::Guarantee;
use crate::terms::Terms;
use crate::toy::{Counts, RELATIONS, Vectors, budget, counts, counts_of, vectors};

fn mechanism(cells: usize, budget: PrivacyBudget, law: Law) -> Mechanism<Counts> {
    let guarantee = Guarantee::new(budget, SubstituteOne, PrivacyUnit::Subject);
    Mechanism::new(Counts::new(cells), Terms::of(guarantee, law)).unwrap()
}

const PLAN: &str = concat!(
    r#"{"schema":3,"kind":"counts","#,
    r#""privacy":{"epsilon":1.0,"delta":0.0,"neighbours":"substitute","unit":"subject"},"#,
    r#""law":{"discrete-laplace":{}},"statistic":{"cells":3}}"#
);

#[test]
fn a_plan_is_a_public_document_whose_bytes_the_digest_is_of() {
    let plan = counts(SubstituteOne);
    assert_eq!(serde_json::to_string(&plan).unwrap(), PLAN);
    assert_eq!(plan.digest(), Digest::of(PLAN.as_bytes()));
    // SHA-256 of these bytes by sha256sum: a digest that changes would orphan parts and ledgers
    assert_eq!(plan.digest().to_string(), "f516d50ff8008605de1c8de67392b6facf5a2f5697e9d62d9db0c12841ba2e4e");
}

#[test]
fn a_plan_reads_back_with_its_noise_and_its_digest() {
    let mixing = MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap();
    let laws = [
        Law::GAUSSIAN,
        Law::gaussian(Calibration::Classical),
        Law::DiscreteLaplace {},
        Law::KNorm {},
        Law::StudentT { degrees_of_freedom: 5.0 },
        Law::RandomScale { mixing },
    ];
    for neighbours in RELATIONS {
        for law in &laws {
            let plan = vectors(neighbours, law.clone());
            let read: Mechanism<Vectors> = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
            assert_eq!((&read, read.digest(), read.noise()), (&plan, plan.digest(), plan.noise()));
            assert_eq!((read.law(), read.spend()), (law, plan.spend()));
        }
    }
}

#[test]
fn the_same_plan_has_the_same_digest_and_any_change_another() {
    let with_delta = budget(1.0, 1e-5);
    let all = [
        counts(SubstituteOne),
        counts(AddRemoveOne),
        counts_of(SubstituteOne, PrivacyUnit::Curve),
        mechanism(4, budget(1.0, 0.0), Law::DiscreteLaplace {}),
        mechanism(3, budget(1.0_f64.next_up(), 0.0), Law::DiscreteLaplace {}),
        mechanism(3, with_delta, Law::GAUSSIAN),
        mechanism(3, with_delta, Law::gaussian(Calibration::Classical)),
        mechanism(3, budget(1.0, 2e-5), Law::GAUSSIAN),
        mechanism(3, budget(1.0, 0.0), Law::KNorm {}),
        mechanism(3, budget(1.0, 0.0), Law::StudentT { degrees_of_freedom: 5.0 }),
        mechanism(3, budget(1.0, 0.0), Law::StudentT { degrees_of_freedom: 5.0_f64.next_up() }),
    ];
    for (i, one) in all.iter().enumerate() {
        assert_eq!(one.digest(), one.clone().digest());
        for other in &all[..i] {
            assert!(one != other && one.digest() != other.digest(), "{one:?} {other:?}");
        }
    }
    assert_eq!(counts(SubstituteOne).digest(), mechanism(3, budget(1.0, 0.0), Law::DiscreteLaplace {}).digest());
}

#[test]
fn what_is_no_plan_of_this_kind_is_refused() {
    serde_json::from_str::<Mechanism<Counts>>(PLAN).unwrap();
    for (from, to) in [
        ("\"schema\":3", "\"schema\":2"),
        ("\"kind\":\"counts\"", "\"kind\":\"vectors\""),
        ("\"epsilon\":1.0", "\"epsilon\":-1.0"),
        // no noise meets it
        ("\"epsilon\":1.0", "\"epsilon\":0.0"),
        ("\"delta\":0.0", "\"delta\":0.00001"),
        ("\"cells\":3", "\"cells\":0"),
        ("\"cells\":3", "\"cells\":3,\"more\":1"),
        ("{\"schema\"", "{\"more\":1,\"schema\""),
        ("\"discrete-laplace\":{}", "\"discrete-laplace\":{\"scale\":1}"),
    ] {
        assert!(PLAN.contains(from), "{from}");
        assert!(serde_json::from_str::<Mechanism<Counts>>(&PLAN.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn too_few_records_are_refused_only_where_their_number_is_public() {
    for found in [0, 1] {
        let records = vec![0; found];
        let refused = counts(SubstituteOne).prepare_all(records.clone()).unwrap_err();
        assert_eq!(refused, MechanismError::TooFewRecords { least: 2, found: found as u64 });
        // refusing under add/remove would tell one data set from its neighbour
        counts(AddRemoveOne).prepare_all(records).unwrap();
    }
    let prepared = counts(SubstituteOne).prepare_all([0, 1]).unwrap();
    assert_eq!(prepared.draw_unrecorded(&mut SeededRandomness::from_seed(0)).public_records(), Some(2));
}

#[test]
fn records_that_a_statistic_may_state_are_those_that_can_be_released() {
    let (public, private) = (counts(SubstituteOne), counts(AddRemoveOne));
    let allowed = [None, Some(0), Some(1), Some(2), Some(1 << 40), Some((1 << 40) + 1)];
    assert_eq!(allowed.map(|records| public.allows(records)), [false, false, false, true, true, false]);
    assert_eq!(allowed.map(|records| private.allows(records)), [true, false, false, false, false, false]);
}
