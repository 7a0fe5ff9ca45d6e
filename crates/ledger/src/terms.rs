//! What a ledger is an account of.

use dpfda_mechanism::{NameError, is_name};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::group::GroupName;

/// The most groups of a ledger.
const MOST_GROUPS: usize = 100;

/// Whom a ledger protects, and how much may be spent on them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TermsDocument", into = "TermsDocument")]
pub struct LedgerTerms {
    dataset: String,
    unit: PrivacyUnit,
    neighbours: NeighbouringRelation,
    total: PrivacyBudget,
    groups: Vec<GroupName>,
}

/// Why terms or a request were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TermsError {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(
        "a total must have an epsilon of 0 or from 1e-6 to 50 and a delta of 0 or from 1e-15 to 0.5, and not be (0, 0), which \
         allows no release at all"
    )]
    Total,
    #[error("the name of a mechanism must have from 1 to 100 characters, on one line")]
    Mechanism,
    #[error("the groups of a ledger must be from 2 to {MOST_GROUPS}, each with a name of its own")]
    Groups,
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
        Ok(Self { dataset: dataset.to_owned(), unit, neighbours, total, groups: Vec::new() })
    }

    /// The same terms for data that consist of disjoint groups. A release of one group costs this group alone, and the total
    /// holds for each person: disjoint groups cost their maximum.
    ///
    /// This is the curator's word on three things: every record belongs to one group; the group of a record follows from
    /// public facts and never changes; and neighbouring data sets differ *within* a group. By substitution, a record is
    /// replaced by another of the same group: who belongs to which group, and how many, is not protected.
    pub fn with_groups(self, groups: Vec<GroupName>) -> Result<Self, TermsError> {
        let mut sorted = groups.clone();
        sorted.sort();
        sorted.dedup();
        let are_groups = (2..=MOST_GROUPS).contains(&groups.len()) && sorted.len() == groups.len();
        if are_groups { Ok(Self { groups, ..self }) } else { Err(TermsError::Groups) }
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

    /// The disjoint groups that the data consist of; none where nothing was declared.
    pub fn groups(&self) -> &[GroupName] {
        &self.groups
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TermsDocument {
    dataset: String,
    unit: PrivacyUnit,
    neighbours: NeighbouringRelation,
    total: PrivacyBudget,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<GroupName>,
}

impl TryFrom<TermsDocument> for LedgerTerms {
    type Error = TermsError;

    fn try_from(document: TermsDocument) -> Result<Self, TermsError> {
        let TermsDocument { dataset, unit, neighbours, total, groups } = document;
        let terms = Self::new(&dataset, unit, neighbours, total)?;
        if groups.is_empty() { Ok(terms) } else { terms.with_groups(groups) }
    }
}

impl From<LedgerTerms> for TermsDocument {
    fn from(terms: LedgerTerms) -> Self {
        let LedgerTerms { dataset, unit, neighbours, total, groups } = terms;
        Self { dataset, unit, neighbours, total, groups }
    }
}
