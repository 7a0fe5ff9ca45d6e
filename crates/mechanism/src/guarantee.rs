//! What a release promises, and to whom.

use dpfda_privacy::{BudgetError, NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use serde::{Deserialize, Serialize};

#[cfg(test)]
#[path = "guarantee_tests.rs"]
mod tests;

/// A privacy guarantee with everything that it is about: how much, for which neighbours, for what unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GuaranteeDocument", into = "GuaranteeDocument")]
pub struct Guarantee {
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
}

impl Guarantee {
    /// The guarantee `budget` for neighbours by this relation, where a record is one `unit`.
    pub fn new(budget: PrivacyBudget, neighbours: NeighbouringRelation, unit: PrivacyUnit) -> Self {
        Self { budget, neighbours, unit }
    }

    /// Epsilon and delta.
    pub fn budget(&self) -> PrivacyBudget {
        self.budget
    }

    /// Which data sets must look alike.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.unit
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GuaranteeDocument {
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
}

impl TryFrom<GuaranteeDocument> for Guarantee {
    type Error = BudgetError;

    fn try_from(document: GuaranteeDocument) -> Result<Self, BudgetError> {
        let GuaranteeDocument { epsilon, delta, neighbours, unit } = document;
        Ok(Self::new(PrivacyBudget::new(epsilon, delta)?, neighbours, unit))
    }
}

impl From<Guarantee> for GuaranteeDocument {
    fn from(guarantee: Guarantee) -> Self {
        let Guarantee { budget, neighbours, unit } = guarantee;
        Self { epsilon: budget.epsilon(), delta: budget.delta(), neighbours, unit }
    }
}
