//! Covariates as they are written on the command line.

use dpfda::release::Covariate;
use dpfda_study::Regression;
use thiserror::Error;

#[cfg(test)]
#[path = "covariates_tests.rs"]
mod tests;

/// Why covariates were not understood. Everything in it is public.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CovariateRefusal {
    #[error(
        "--on: no column is named `{}`; the file has {columns} columns\nhint: name the columns of the covariates as the header has them",
        column.escape_debug()
    )]
    NoColumn { column: String, columns: usize },
    #[error(
        "--covariate-bounds: give the range of `{name}`: two bounds such as {name}=1:8, or levels such as {name}=control|case with the \
         reference first"
    )]
    Range { name: String },
    #[error("--covariate-bounds: `{name}` is not among the covariates; --on names {}", known.join(", "))]
    Unknown { name: String, known: Vec<String> },
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

/// The covariates in the order of `--on`, each with its range.
pub fn covariates(settings: &Regression) -> Result<Vec<Covariate>, CovariateRefusal> {
    let names = settings.on.clone().unwrap_or_default();
    let ranges: Vec<_> = settings.covariate_bounds.iter().flatten().map(|part| pair(part)).collect();
    if let Some((name, _)) = ranges.iter().find(|(name, _)| !names.contains(name)) {
        return Err(CovariateRefusal::Unknown { name: name.clone(), known: names });
    }
    let covariate = |name: String| {
        let refusal = || CovariateRefusal::Range { name: name.clone() };
        let (_, range) = ranges.iter().find(|(named, _)| *named == name).ok_or_else(refusal)?;
        if range.contains('|') {
            let levels = range.split('|').map(|level| level.trim().to_owned()).collect();
            return Ok(Covariate::Category { name, levels });
        }
        let end = |text: &str| text.trim().parse::<f64>().ok();
        let ends = range.split_once(':').and_then(|(lower, upper)| Some((end(lower)?, end(upper)?)));
        let (lower, upper) = ends.ok_or_else(refusal)?;
        Ok(Covariate::Number { name, lower, upper })
    };
    names.into_iter().map(covariate).collect()
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
