//! The covariates of a regression, each with its public range.

use dpfda::release::Covariate;

use crate::refusal::Refusal;
use crate::sections::Regression;

impl Regression {
    /// The covariates in the order of `on`, each with its range.
    ///
    /// # Errors
    /// [`Refusal`] for a covariate without a range, and for a range of no covariate.
    pub fn covariates(&self) -> Result<Vec<Covariate>, Refusal> {
        let names = self.on.clone().unwrap_or_default();
        let ranges: Vec<(&str, &str)> = self.covariate_bounds.iter().flatten().map(|part| pair(part)).collect();
        if let Some((name, _)) = ranges.iter().find(|(name, _)| !names.iter().any(|known| known == name)) {
            let why = format!("`{name}` is not among the covariates; {{on}} names {}", names.join(", "));
            return Err(Refusal::of("covariate_bounds", why));
        }
        let covariate = |name: String| {
            let refusal = || {
                let why = format!(
                    "give the range of `{name}`: two bounds such as {name}=1:8, or levels such as {name}=control|case with the \
                     reference first"
                );
                Refusal::of("covariate_bounds", why)
            };
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
}

/// A name and what stands behind its `=`.
fn pair(part: &str) -> (&str, &str) {
    let (name, range) = part.split_once('=').unwrap_or((part, ""));
    (name.trim(), range.trim())
}
