//! Covariates as they are written on the command line.

use dpfda::release::Covariate;
use thiserror::Error;

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

/// A `name=value` pair.
fn pair(part: &str) -> (String, String) {
    match part.split_once('=') {
        Some((name, value)) => (name.trim().to_owned(), value.trim().to_owned()),
        None => (part.trim().to_owned(), String::new()),
    }
}

/// The values of `--at` in the order of the covariates, each within its range.
pub fn values_at(at: &str, covariates: &[Covariate]) -> Result<Vec<String>, CovariateRefusal> {
    let given: Vec<_> = at.split(',').map(pair).collect();
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
