//! What a release of any kind says of itself.

use dpfda_mechanism::{Fact, Guarantee, Labels, LedgerReference, Papers};
use dpfda_privacy::Spend;

use super::AnyRelease;

impl AnyRelease {
    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        self.published().provenance().software
    }

    /// The number of records where it is public: under substitute-one.
    pub fn public_records(&self) -> Option<u64> {
        self.published().provenance().records
    }

    /// The public names of its axes, where it has axes.
    pub fn labels(&self) -> Option<&Labels> {
        self.published().provenance().labels
    }

    /// What the release promises, and to whom.
    pub fn guarantee(&self) -> &Guarantee {
        self.published().provenance().guarantee
    }

    /// Whether the noise was secret.
    pub fn is_private(&self) -> bool {
        self.published().provenance().private
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.published().provenance().ledger
    }

    /// What a row of its own is called, such as a curve or a point.
    pub fn record(&self) -> &'static str {
        self.published().provenance().record
    }

    /// What the papers about it say.
    pub fn papers(&self) -> Papers {
        self.published().provenance().papers
    }

    /// What was spent. The public document of a path holds its guarantee alone, and costs what its guarantee says.
    pub fn spend(&self) -> Spend {
        let provenance = self.published().provenance();
        let stated = || Spend::of_budget(&provenance.guarantee.budget());
        provenance.drawn.map_or_else(stated, |drawn| drawn.spend)
    }

    /// What the release is, in words.
    pub fn facts(&self) -> Vec<Fact> {
        self.published().facts()
    }

    /// What the release claims of the ledger that paid for it, for [`LedgerHistory::verify`](dpfda_ledger::LedgerHistory::verify);
    /// `None` for a release without a ledger. The public document of a path does not hold the whole draw, so less of it can
    /// be compared.
    #[cfg(feature = "ledger")]
    pub fn claim(&self) -> Option<dpfda_ledger::Claim> {
        let provenance = self.published().provenance();
        let (guarantee, drawn) = (provenance.guarantee, provenance.drawn);
        Some(dpfda_ledger::Claim {
            reference: provenance.ledger?.clone(),
            kind: drawn.as_ref().map(|drawn| drawn.kind.to_owned()),
            budget: Some(guarantee.budget()),
            neighbours: Some(guarantee.neighbours()),
            unit: Some(guarantee.unit()),
            spend: drawn.as_ref().map(|drawn| drawn.spend.clone()),
            plan: drawn.as_ref().map(|drawn| drawn.plan),
            private: Some(provenance.private),
            integers: drawn.map(|drawn| dpfda_mechanism::Digest::of(&drawn.stored.bytes)),
        })
    }
}
