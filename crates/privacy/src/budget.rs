//! What a guarantee is: its numbers as exact fractions, its shares, its neighbours and its unit.

pub(crate) mod amount;
pub(crate) mod arithmetic;
pub(crate) mod neighbours;
mod privacy_budget;
pub(crate) mod share;
pub(crate) mod unit;

pub use privacy_budget::{BudgetError, PrivacyBudget};
