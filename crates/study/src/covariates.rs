//! The covariates of a regression, each with its public range.

use dpfda::release::Covariate;

use crate::refusal::Refusal;
use crate::sections::Regression;

impl Regression {
    /// The covariates in the order of `on`, each with its range, after the outcome.
    ///
    /// # Errors
    /// [`Refusal`] for a covariate without a range, and for a range of no covariate.
    pub fn covariates(&self) -> Result<Vec<Covariate>, Refusal> {
        let names = self.on.as_deref().unwrap_or_default();
        let ranges: Vec<(&str, &str)> = self.covariate_bounds.iter().flatten().map(|part| pair(part)).collect();
        if let Some((name, _)) = ranges.iter().find(|(name, _)| !names.iter().any(|known| known == name)) {
            let why = format!("`{name}` is not among the covariates; {{on}} names {}", names.join(", "));
            return Err(Refusal::of("covariate_bounds", why));
        }
        let of_outcome = self.outcome.iter().map(|text| pair(text)).map(|(name, range)| {
            covariate(name, range).ok_or_else(|| {
                let why = "give one column with its range, such as age=20:80 or status=control|case";
                Refusal::of("outcome", why)
            })
        });
        let others = names.iter().map(|name| {
            let range = ranges.iter().find(|(named, _)| named == name);
            range.and_then(|(_, range)| covariate(name, range)).ok_or_else(|| {
                let why = format!(
                    "give the range of `{name}`: two bounds such as {name}=1:8, or levels such as {name}=control|case with the \
                     reference first"
                );
                Refusal::of("covariate_bounds", why)
            })
        });
        of_outcome.chain(others).collect()
    }

    /// The setting that names a covariate.
    pub(crate) fn setting_of(&self, name: &str) -> &'static str {
        if self.named_outcome() == Some(name) { "outcome" } else { "on" }
    }

    /// The column of the outcome.
    pub fn named_outcome(&self) -> Option<&str> {
        self.outcome.as_deref().map(|text| pair(text).0)
    }
}

/// A covariate with a range as it is written; `None` for another text.
fn covariate(name: &str, range: &str) -> Option<Covariate> {
    let name = name.to_owned();
    if range.contains('|') {
        let levels = range.split('|').map(|level| level.trim().to_owned()).collect();
        return Some(Covariate::Category { name, levels });
    }
    let end = |text: &str| text.trim().parse::<f64>().ok();
    let (lower, upper) = range.split_once(':').and_then(|(lower, upper)| Some((end(lower)?, end(upper)?)))?;
    Some(Covariate::Number { name, lower, upper })
}

/// A name and what stands behind its `=`.
fn pair(part: &str) -> (&str, &str) {
    let (name, range) = part.split_once('=').unwrap_or((part, ""));
    (name.trim(), range.trim())
}
