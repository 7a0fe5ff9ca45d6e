//! A release against the ledger that it says paid for it.

use dpfda_mechanism::{Digest, LedgerReference};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use thiserror::Error;

use crate::history::LedgerHistory;

/// What a release says of itself. What its document does not say is `None`, and is not compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Where it says that it was paid for.
    pub reference: LedgerReference,
    /// The kind of mechanism.
    pub kind: Option<String>,
    /// Epsilon and delta.
    pub budget: Option<PrivacyBudget>,
    /// Which data sets must look alike.
    pub neighbours: Option<NeighbouringRelation>,
    /// What a record is.
    pub unit: Option<PrivacyUnit>,
    /// What it cost.
    pub spend: Option<Spend>,
    /// The digest of the plan.
    pub plan: Option<Digest>,
    /// Whether the noise was secret.
    pub private: Option<bool>,
    /// The digest of the noisy integers at fixed width, as they are stored.
    pub integers: Option<Digest>,
}

/// Where a release and a ledger contradict one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Mismatch {
    #[error("the release says that it was paid for by the ledger of another data set")]
    Dataset,
    #[error("the ledger did not pay for a release of this id")]
    Unknown,
    #[error("the release names another entry, or another hash of it, than the ledger has for this id")]
    Entry,
    #[error("epsilon or delta is not what was paid for")]
    Budget,
    #[error("the neighbouring relation is not that of the payment")]
    Neighbours,
    #[error("the unit of privacy is not that of the payment")]
    Unit,
    #[error("the noise costs something else than was paid")]
    Spend,
    #[error("the kind of mechanism is not what was paid for")]
    Kind,
    #[error("the plan is not what was paid for")]
    Plan,
    #[error("the ledger paid for a release of this id, and did not store one")]
    NotStored,
    #[error("release and ledger do not agree on whether the noise was secret")]
    Private,
    #[error("the noisy integers are not those that are stored")]
    Integers,
}

impl LedgerHistory {
    /// Compares a release with the entries that paid for it and stored it. The list of contradictions is empty where there
    /// are none.
    ///
    /// Releases are not signed: whoever has the ledger or its export can write a document that agrees with it.
    pub fn verify(&self, claim: &Claim) -> Vec<Mismatch> {
        let reference = &claim.reference;
        if reference.dataset() != self.terms().dataset() {
            return vec![Mismatch::Dataset];
        }
        let Some((_, request)) = self.request(reference.id()) else { return vec![Mismatch::Unknown] };
        let stored = self.integers(reference.id());
        let agrees = |what: Option<bool>| what.unwrap_or(true);
        let facts = [
            (self.holds(reference), Mismatch::Entry),
            (agrees(claim.budget.map(|budget| budget == request.guarantee().budget())), Mismatch::Budget),
            (
                agrees(claim.neighbours.map(|relation| relation == request.guarantee().neighbours())),
                Mismatch::Neighbours,
            ),
            (agrees(claim.unit.map(|unit| unit == request.guarantee().unit())), Mismatch::Unit),
            (agrees(claim.spend.as_ref().map(|spend| spend == request.spend())), Mismatch::Spend),
            (agrees(claim.kind.as_ref().map(|kind| kind == request.kind())), Mismatch::Kind),
            (agrees(claim.plan.map(|plan| plan == request.plan())), Mismatch::Plan),
            (self.is_stored(reference.id()), Mismatch::NotStored),
            (agrees(claim.private.zip(stored).map(|(private, stored)| private == stored.private)), Mismatch::Private),
            (agrees(claim.integers.zip(stored).map(|(sha256, stored)| sha256 == stored.sha256)), Mismatch::Integers),
        ];
        facts.into_iter().filter_map(|(agrees, mismatch)| (!agrees).then_some(mismatch)).collect()
    }
}
