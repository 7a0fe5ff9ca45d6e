//! A release against its ledger.

use super::toy::ledger;
use super::*;

#[test]
fn a_release_agrees_with_its_ledger_and_an_edited_one_does_not() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let outcome = release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
    let history = LedgerHistory::from_json(&ledger.history().unwrap().to_json().unwrap()).unwrap();
    let request = history.request(&"a".parse().unwrap()).unwrap().1;
    let claim = Claim {
        reference: outcome.reference.clone(),
        kind: Some("toy".to_owned()),
        budget: Some(budget(0.1, 0.0)),
        neighbours: Some(NeighbouringRelation::SubstituteOne),
        unit: Some(PrivacyUnit::Subject),
        spend: Some(request.spend().clone()),
        plan: Some(request.plan()),
        private: Some(true),
        integers: Some(Digest::of(&dpfda_mechanism::Drawn::stored(&outcome.release).bytes)),
    };
    assert_eq!(history.verify(&claim), []);
    let reference = |dataset: &str, id: &str, entry| {
        LedgerReference::new(dataset, id.parse().unwrap(), entry, outcome.reference.head()).unwrap()
    };
    let edited = [
        (Mismatch::Dataset, Claim { reference: reference("other", "a", 1), ..claim.clone() }),
        (Mismatch::Unknown, Claim { reference: reference("tracts", "b", 1), ..claim.clone() }),
        (Mismatch::Entry, Claim { reference: reference("tracts", "a", 2), ..claim.clone() }),
        (Mismatch::Kind, Claim { kind: Some("mean".to_owned()), ..claim.clone() }),
        (Mismatch::Budget, Claim { budget: Some(budget(0.01, 0.0)), ..claim.clone() }),
        (Mismatch::Neighbours, Claim { neighbours: Some(NeighbouringRelation::AddRemoveOne), ..claim.clone() }),
        (Mismatch::Unit, Claim { unit: Some(PrivacyUnit::Curve), ..claim.clone() }),
        (Mismatch::Spend, Claim { spend: Some(Spend::of_budget(&budget(0.01, 0.0))), ..claim.clone() }),
        (Mismatch::Plan, Claim { plan: Some(Digest::of(b"other")), ..claim.clone() }),
        (Mismatch::Private, Claim { private: Some(false), ..claim.clone() }),
        (Mismatch::Integers, Claim { integers: Some(Digest::of(b"other")), ..claim.clone() }),
    ];
    for (mismatch, claim) in edited {
        assert_eq!(history.verify(&claim), [mismatch]);
    }
}

#[test]
fn a_release_that_was_paid_for_and_not_stored_is_not_verified() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    // its mechanism makes another number of bytes than it said
    let error = release(&mut ledger, "a", Toy { length: 32, ..Toy::pure(0.1) }).unwrap_err();
    assert!(matches!(error, LedgerError::NotKept { .. }), "{error}");
    let id: ReleaseId = "a".parse().unwrap();
    let history = ledger.history().unwrap();
    let paid = history.request(&id).unwrap().0;
    let claim = Claim {
        reference: LedgerReference::new("tracts", id, paid.sequence, paid.hash).unwrap(),
        kind: None,
        budget: None,
        neighbours: None,
        unit: None,
        spend: None,
        plan: None,
        private: None,
        integers: None,
    };
    assert!(history.holds(&claim.reference));
    assert_eq!(history.verify(&claim), [Mismatch::NotStored]);
}
