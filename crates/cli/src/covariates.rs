//! Covariates as they are written on the command line.

use dpfda::release::Covariate;
use thiserror::Error;

use crate::error::own_refusals;

#[cfg(test)]
#[path = "covariates_tests.rs"]
mod tests;

/// Why covariates were not understood. Everything in it is public.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CovariateRefusal {
    #[error(
        "--at: give one value for each covariate of the release, such as {}; this release has {}",
        known.iter().map(|name| format!("{name}=...")).collect::<Vec<_>>().join(","),
        known.join(", ")
    )]
    At { known: Vec<String> },
    #[error(
        "--at: the value of `{name}` is outside the range of the release; a regression is not extrapolated. Give {allowed}"
    )]
    Outside { name: String, allowed: String },
}

own_refusals!(CovariateRefusal);

/// The name of a covariate and its value.
pub type Value = (String, String);

/// The pairs of a text such as `age=60,case=1`.
pub fn pairs(text: &str) -> Vec<Value> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (name.trim().to_owned(), value.trim().to_owned())
    };
    text.split(',').map(pair).collect()
}

/// Values in the order of the covariates, each within its range.
pub fn values_at(given: &[Value], covariates: &[Covariate]) -> Result<Vec<String>, CovariateRefusal> {
    let refusal = || CovariateRefusal::At { known: covariates.iter().map(|one| one.name().to_owned()).collect() };
    if given.len() != covariates.len() {
        return Err(refusal());
    }
    let value = |covariate: &Covariate| {
        let (_, value) = given.iter().find(|(name, _)| name == covariate.name()).ok_or_else(refusal)?;
        if covariate.holds(value) {
            return Ok(value.clone());
        }
        let allowed = match covariate {
            Covariate::Number { lower, upper, .. } => format!("a number from {lower} to {upper}"),
            Covariate::Category { levels, .. } => levels.join(" or "),
        };
        Err(CovariateRefusal::Outside { name: covariate.name().to_owned(), allowed })
    };
    covariates.iter().map(value).collect()
}
