//! The covariates of a regression, each with its public range.

use dpfda::release::Covariate;

use crate::advice::advice;
use crate::refusal::Refusal;
use crate::sections::Regression;

impl Regression {
    /// The outcome, and the covariates in the order of `on`, each with its range.
    ///
    /// # Errors
    /// [`Refusal`] for a covariate without a range, one with a range that is none, and a range of no covariate.
    pub fn covariates(&self) -> Result<Vec<Covariate>, Refusal> {
        let names = self.on.as_deref().unwrap_or_default();
        let ranges: Vec<(&str, &str)> = self.covariate_bounds.iter().flatten().map(|part| pair(part)).collect();
        if let Some((name, _)) = ranges.iter().find(|(name, _)| !names.iter().any(|known| known == name)) {
            let why = format!("`{name}` is not among the covariates; {{on}} names {}", names.join(", "));
            return Err(Refusal::of("covariate_bounds", why));
        }
        let others = names.iter().map(|name| {
            let range = ranges.iter().find(|(named, _)| named == name);
            let covariate = range.and_then(|(_, range)| covariate(name, range)).ok_or_else(|| {
                let why = format!(
                    "give the range of `{name}`: two bounds such as {name}=1:8, or levels such as {name}=control|case with the \
                     reference first"
                );
                Refusal::of("covariate_bounds", why)
            })?;
            within("covariate_bounds", covariate)
        });
        self.of_outcome().into_iter().chain(others).collect()
    }

    /// The outcome with its range, where the study has one.
    fn of_outcome(&self) -> Option<Result<Covariate, Refusal>> {
        let (name, range) = pair(self.outcome.as_deref()?);
        if range.split_once(',').is_some_and(|(_, other)| other.contains('=')) {
            let why = "it names more than one column, and a release has one outcome";
            return Some(Err(Refusal::of("outcome", why).instead("give one column, and the others to {on}")));
        }
        let Some(covariate) = covariate(name, range).filter(|_| !name.is_empty()) else {
            let text = self.outcome.as_deref().unwrap_or_default().escape_debug();
            return Some(Err(refused("outcome", format!("`{text}` is no column with its range"))));
        };
        Some(if self.on.iter().flatten().any(|other| other == name) {
            let why = format!("{{on}} names `{name}` as well: what a covariate explains of itself leaves nothing");
            Err(Refusal::of("outcome", why).instead("leave the column out of {on} and {covariate_bounds}"))
        } else if covariate.columns().len() > 1 {
            Err(refused("outcome", format!("`{name}` has more than two levels")))
        } else if self.public_design == Some(true) {
            let why = "an outcome is as private as the curves, and {public_design} says that covariates are public";
            Err(Refusal::of("outcome", why).instead("leave {public_design} out"))
        } else {
            within("outcome", covariate)
        })
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

/// A covariate whose range can be one, or the refusal of the setting that states it.
fn within(setting: &'static str, covariate: Covariate) -> Result<Covariate, Refusal> {
    match covariate.check_range() {
        Ok(()) => Ok(covariate),
        Err(error) => Err(refused(setting, error.to_string())),
    }
}

/// A refusal of a setting with its usual advice.
fn refused(setting: &'static str, why: impl Into<String>) -> Refusal {
    Refusal { instead: advice(&[setting]), ..Refusal::of(setting, why) }
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
