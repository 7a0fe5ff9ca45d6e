//! Covariates: what a column says about a record, between public bounds.

use dpfda_mechanism::is_name;
use dpfda_smoothing::{Said, stated_name};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why there is no such covariate. Everything in it is public.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CovariateError {
    #[error(
        "each covariate needs a name of its own, with 1 to 100 characters on one line, but covariate {place} has none such"
    )]
    Name {
        /// The place of the covariate, from 1.
        place: usize,
    },
    #[error("the bounds of `{name}` must be finite and increasing, got {lower:?} and {upper:?}")]
    Bounds { name: String, lower: f64, upper: f64 },
    #[error(
        "`{name}` needs at least 2 different levels, each with 1 to 100 characters on one line that cells of a table surely say: no word \
         for a missing value, and no number from 2^53 on. 1, 01 and 1.0 are one level"
    )]
    Levels { name: String },
    #[error(
        "a regression has from 1 to 19 columns of covariates beside the intercept, got {found}; a category of k levels has k - 1"
    )]
    Columns { found: usize },
}

/// A covariate with its public range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Covariate {
    /// A number between two bounds. A number outside counts as the nearer bound.
    Number {
        /// The column.
        name: String,
        /// The least value.
        lower: f64,
        /// The largest value.
        upper: f64,
    },
    /// One of some levels. The first is the reference: each other level has a coefficient of its own.
    Category {
        /// The column.
        name: String,
        /// The levels.
        levels: Vec<String>,
    },
}

/// One column of a design: its coefficient is the change of the mean for one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignColumn {
    /// What the coefficient is called.
    pub name: String,
    /// The middle of the range.
    pub middle: f64,
    /// Half of the range.
    pub half: f64,
}

impl Covariate {
    /// The name of the column.
    pub fn name(&self) -> &str {
        match self {
            Self::Number { name, .. } | Self::Category { name, .. } => name,
        }
    }

    /// The columns of the design.
    pub fn columns(&self) -> Vec<DesignColumn> {
        match self {
            Self::Number { name, lower, upper } => {
                let (middle, half) = (lower / 2.0 + upper / 2.0, upper / 2.0 - lower / 2.0);
                vec![DesignColumn { name: name.clone(), middle, half }]
            }
            Self::Category { name, levels } => {
                let column = |level: &String| DesignColumn { name: format!("{name}={level}"), middle: 0.5, half: 0.5 };
                levels.iter().skip(1).map(column).collect()
            }
        }
    }

    /// The number of columns of the design.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Number { .. } => 1,
            Self::Category { levels, .. } => levels.len().saturating_sub(1),
        }
    }

    /// What a cell says, a number for each column: from -1 to 1 between the ends of the range. A cell that is missing or no number says the
    /// middle, and one that is no level the mean of all levels, `2/k - 1` of `k`.
    pub fn standardised(&self, cell: Option<&str>) -> Vec<f64> {
        match self {
            Self::Number { .. } => {
                let value = cell.and_then(|cell| cell.parse::<f64>().ok()).filter(|value| !value.is_nan());
                let of = |column: DesignColumn| {
                    value.map_or(0.0, |value| ((value - column.middle) / column.half).clamp(-1.0, 1.0))
                };
                self.columns().into_iter().map(of).collect()
            }
            Self::Category { levels, .. } => {
                let known = cell.and_then(|cell| place(levels, cell));
                let unknown = 2.0 / levels.len() as f64 - 1.0;
                (1..levels.len())
                    .map(|level| known.map_or(unknown, |known| if known == level { 1.0 } else { -1.0 }))
                    .collect()
            }
        }
    }

    /// Whether a cell is within the range: a number between the bounds, or a level.
    pub fn holds(&self, cell: &str) -> bool {
        match self {
            Self::Number { lower, upper, .. } => {
                cell.parse().is_ok_and(|value: f64| (*lower..=*upper).contains(&value))
            }
            Self::Category { levels, .. } => place(levels, cell).is_some(),
        }
    }

    /// Checks the range of this covariate alone.
    ///
    /// # Errors
    /// [`CovariateError::Bounds`] and [`CovariateError::Levels`].
    pub fn check_range(&self) -> Result<(), CovariateError> {
        match self {
            Self::Number { name, lower, upper } => {
                let is_range = lower.abs() <= 1e100 && upper.abs() <= 1e100 && upper - lower > 0.0;
                let is_wide = (upper - lower) / (lower.abs() + upper.abs()) > 1e-9;
                if !(is_range && is_wide) {
                    return Err(CovariateError::Bounds { name: name.clone(), lower: *lower, upper: *upper });
                }
            }
            Self::Category { name, levels } => {
                let said: Option<Vec<_>> = levels.iter().map(|level| stated_name(level)).collect();
                let differ =
                    said.is_some_and(|said| said.iter().enumerate().all(|(i, level)| !said[..i].contains(level)));
                if levels.len() < 2 || !differ || !levels.iter().all(|level| is_name(level)) {
                    return Err(CovariateError::Levels { name: name.clone() });
                }
            }
        }
        Ok(())
    }

    /// Checks all covariates of a regression.
    pub(crate) fn check(all: &[Self]) -> Result<(), CovariateError> {
        for (index, covariate) in all.iter().enumerate() {
            let name = covariate.name();
            if !is_name(name) || all[..index].iter().any(|other| other.name() == name) {
                return Err(CovariateError::Name { place: index + 1 });
            }
            covariate.check_range()?;
        }
        let found = all.iter().map(Self::width).sum();
        if (1..20).contains(&found) { Ok(()) } else { Err(CovariateError::Columns { found }) }
    }
}

/// Which of the levels a cell says, see [`Said`].
fn place(levels: &[String], cell: &str) -> Option<usize> {
    let said = Said::of_text(cell).name()?;
    levels.iter().position(|level| stated_name(level).is_some_and(|level| level == said))
}
