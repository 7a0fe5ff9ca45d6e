//! What was agreed on before the data were seen, as far as a release keeps it beside its mechanism.

use dpfda::density::CellDraws;
use dpfda::mechanism::{Digest, Labels, Release, Source, Statistic};
use dpfda::privacy::PrivacyBudget;
use dpfda_study::{Door, Privacy, Reason, SettingValue};
use pyo3::prelude::*;

use crate::budget::Budget;
use crate::refusal::Refusal;

/// What Python says of it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AgreedArguments {
    /// The digest of the study that is followed.
    study: Option<String>,
    /// Why the guarantee is not a usual one.
    because: Option<String>,
    /// Public names of the first axis of a surface, of the horizontal and of the vertical axis.
    axes: (Option<String>, Option<String>, Option<String>),
    /// The columns that a density is of.
    columns: Vec<String>,
}

/// What a release keeps of it.
#[derive(Debug, Clone, Default)]
pub struct Agreed {
    study: Option<Digest>,
    because: Option<Reason>,
    labels: Labels,
}

/// A release that keeps names of axes and where it comes from.
pub trait Keeps {
    /// The same release with both.
    #[must_use]
    fn keeping(self, labels: Labels, source: Option<Source>) -> Self;
}

impl<S: Statistic> Keeps for Release<S> {
    fn keeping(self, labels: Labels, source: Option<Source>) -> Self {
        self.labelled(labels).read_from(source)
    }
}

impl Keeps for CellDraws {
    fn keeping(self, labels: Labels, source: Option<Source>) -> Self {
        self.labelled(labels).read_from(source)
    }
}

/// Refuses, without a reason, a guarantee that is hardly meant.
#[pyfunction]
#[pyo3(signature = (budget, because))]
pub fn check_usual(budget: Budget, because: Option<&str>) -> Result<(), Refusal> {
    check(&budget.0, because.map(reason).transpose()?.as_ref())
}

fn check(budget: &PrivacyBudget, because: Option<&Reason>) -> Result<(), Refusal> {
    let (epsilon, delta, because) = (Some(budget.epsilon()), Some(budget.delta()), because.cloned());
    let privacy = Privacy { epsilon, delta, because, ..Privacy::default() };
    privacy.check_usual().map_err(|refusal| Refusal::of_study(&refusal, Door::Python))
}

fn reason(text: &str) -> Result<Reason, Refusal> {
    Reason::parse(text).map_err(|error| Refusal::new("because", error))
}

impl TryFrom<AgreedArguments> for Agreed {
    type Error = Refusal;

    fn try_from(arguments: AgreedArguments) -> Result<Self, Refusal> {
        let AgreedArguments { study, because, axes: (s, x, y), columns } = arguments;
        let study = study.map(|digest| digest.parse()).transpose();
        let study = study.map_err(|_| Refusal::new("study", "this is no digest of a study"))?;
        let because = because.as_deref().map(reason).transpose()?;
        // a name that is too long with its units, or fits on no line, is left out
        let labels = Labels::new(x.as_deref(), y.as_deref()).unwrap_or_default();
        let labels = labels.clone().with_s(s.as_deref()).unwrap_or(labels);
        let labels = labels.clone().with_columns(columns).unwrap_or(labels);
        Ok(Self { study, because, labels })
    }
}

impl Agreed {
    /// The same for a plan that follows a study.
    pub fn following(self, study: Option<Digest>) -> Self {
        Self { study, ..self }
    }

    /// Refuses, without a reason, a guarantee that is hardly meant.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check(&self, budget: &PrivacyBudget) -> Result<(), Refusal> {
        check(budget, self.because.as_ref())
    }

    /// The release with what was agreed on; `table` is what else is known of where it comes from.
    pub fn kept_by<R: Keeps>(&self, release: R, table: Option<Source>) -> R {
        let source = table.unwrap_or_else(Source::empty);
        let because = self.because.as_ref().map(|reason| reason.0.as_str());
        // the reason was checked
        let source = source.clone().because(because).unwrap_or(source).following(self.study);
        release.keeping(self.labels.clone(), Some(source).filter(|source| *source != Source::empty()))
    }
}
