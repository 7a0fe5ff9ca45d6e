//! What a ledger is an account of, and what a release asks of it.

use dpfda_mechanism::{Digest, NameError, ReleaseId, is_name};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Whom a ledger protects, and how much may be spent on them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TermsDocument", into = "TermsDocument")]
pub struct LedgerTerms {
    dataset: String,
    unit: PrivacyUnit,
    neighbours: NeighbouringRelation,
    total: PrivacyBudget,
}

/// Why terms or a request were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TermsError {
    /// A name that could not be printed on a line.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A total of nothing, or of more or less than any release has.
    #[error(
        "a total must have an epsilon of 0 or from 1e-6 to 50 and a delta of 0 or from 1e-15 to 0.5, and not be (0, 0), which \
         allows no release at all"
    )]
    Total,
    /// A mechanism that could not be printed on a line.
    #[error("the name of a mechanism must have from 1 to 100 characters, on one line")]
    Mechanism,
}

impl LedgerTerms {
    /// The terms of a ledger.
    ///
    /// # Errors
    /// [`TermsError::Name`] for a name that is empty, longer than 100 characters or has control characters;
    /// [`TermsError::Total`] for a total of (0, 0) and for numbers that no release has.
    pub fn new(
        dataset: &str,
        unit: PrivacyUnit,
        neighbours: NeighbouringRelation,
        total: PrivacyBudget,
    ) -> Result<Self, TermsError> {
        if !is_name(dataset) {
            return Err(NameError.into());
        }
        let (epsilon, delta) = (total.epsilon(), total.delta());
        let is_possible =
            (epsilon == 0.0 || (1e-6..=50.0).contains(&epsilon)) && (delta == 0.0 || (1e-15..=0.5).contains(&delta));
        if !is_possible || (epsilon == 0.0 && delta == 0.0) {
            return Err(TermsError::Total);
        }
        Ok(Self { dataset: dataset.to_owned(), unit, neighbours, total })
    }

    /// The name of the data set.
    pub fn dataset(&self) -> &str {
        &self.dataset
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.unit
    }

    /// Which data sets must look alike.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// The guarantee that all releases together must keep.
    pub fn total(&self) -> PrivacyBudget {
        self.total
    }
}

/// A release that asks for budget. Everything in it is public and known before the noise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RequestDocument", into = "RequestDocument")]
pub struct ReleaseRequest {
    id: ReleaseId,
    mechanism: String,
    unit: PrivacyUnit,
    neighbours: NeighbouringRelation,
    budget: PrivacyBudget,
    spend: Spend,
    settings: Digest,
}

impl ReleaseRequest {
    /// A release of this id, by a mechanism of this name, under this relation and unit, with the guarantee `budget` and the
    /// cost `spend`; `settings` is a digest of everything else that the release depends on, but not of the data.
    ///
    /// # Errors
    /// [`TermsError::Mechanism`] for a name that is empty, longer than 100 characters or has control characters.
    pub fn new(
        id: ReleaseId,
        mechanism: &str,
        (unit, neighbours): (PrivacyUnit, NeighbouringRelation),
        (budget, spend): (PrivacyBudget, Spend),
        settings: Digest,
    ) -> Result<Self, TermsError> {
        if !is_name(mechanism) {
            return Err(TermsError::Mechanism);
        }
        Ok(Self { id, mechanism: mechanism.to_owned(), unit, neighbours, budget, spend, settings })
    }

    /// What the release is called.
    pub fn id(&self) -> &ReleaseId {
        &self.id
    }

    /// The name of the mechanism.
    pub fn mechanism(&self) -> &str {
        &self.mechanism
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.unit
    }

    /// Which data sets must look alike.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// The guarantee that was asked for.
    pub fn budget(&self) -> PrivacyBudget {
        self.budget
    }

    /// What it costs.
    pub fn spend(&self) -> &Spend {
        &self.spend
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TermsDocument {
    dataset: String,
    unit: PrivacyUnit,
    neighbours: NeighbouringRelation,
    total: PrivacyBudget,
}

impl TryFrom<TermsDocument> for LedgerTerms {
    type Error = TermsError;

    fn try_from(document: TermsDocument) -> Result<Self, TermsError> {
        Self::new(&document.dataset, document.unit, document.neighbours, document.total)
    }
}

impl From<LedgerTerms> for TermsDocument {
    fn from(terms: LedgerTerms) -> Self {
        let LedgerTerms { dataset, unit, neighbours, total } = terms;
        Self { dataset, unit, neighbours, total }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestDocument {
    id: ReleaseId,
    mechanism: String,
    unit: PrivacyUnit,
    neighbours: NeighbouringRelation,
    budget: PrivacyBudget,
    spend: Spend,
    settings: Digest,
}

impl TryFrom<RequestDocument> for ReleaseRequest {
    type Error = TermsError;

    fn try_from(document: RequestDocument) -> Result<Self, TermsError> {
        let RequestDocument { id, mechanism, unit, neighbours, budget, spend, settings } = document;
        Self::new(id, &mechanism, (unit, neighbours), (budget, spend), settings)
    }
}

impl From<ReleaseRequest> for RequestDocument {
    fn from(request: ReleaseRequest) -> Self {
        let ReleaseRequest { id, mechanism, unit, neighbours, budget, spend, settings } = request;
        Self { id, mechanism, unit, neighbours, budget, spend, settings }
    }
}
