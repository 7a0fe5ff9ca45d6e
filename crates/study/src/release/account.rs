//! Who pays for a release, and what is made of it afterwards.

use std::fmt::Display;

use dpfda::analysis::{Estimable as Viewed, Estimated};
use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Labels, Payable, Release, Source};
use dpfda::privacy::RandomnessError;
use dpfda::release::{EncodeError, ReleaseError};
use dpfda::smoothing::TableError;

use crate::asked::{BandChoice, Selection};
use crate::refusal::Refusal;

/// What a door makes of everything that can be refused before the payment.
pub trait Failure:
    From<Refusal> + From<TableError> + From<EncodeError> + From<ReleaseError> + From<RandomnessError> + Display
{
}

impl<E> Failure for E where
    E: From<Refusal> + From<TableError> + From<EncodeError> + From<ReleaseError> + From<RandomnessError> + Display
{
}

/// Who pays for a release, and what becomes of it.
pub trait Account: Sized {
    /// What the door gives back.
    type Output;
    /// Why there is none.
    type Error: Failure;

    /// Pays, draws, and makes of the release what this door makes: **spends the budget**.
    ///
    /// # Errors
    /// Of the payment, before anything is drawn; what fails afterwards is told beside the release.
    fn pay<S: Estimable>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        finish: Finish<'_, S>,
    ) -> Result<Self::Output, Self::Error>;
}

/// From what was drawn to the release as readers see it.
pub type Viewing<'a, S> = Box<dyn FnOnce(Release<S>) -> Result<<S as Viewed>::View, ReleaseError> + 'a>;

/// From a release to its estimate, and how the smoother was found.
pub type Estimating<'a, S> = Box<dyn FnOnce(<S as Viewed>::View) -> Result<(Estimated<S>, Selection), Refusal> + 'a>;

/// What is made of a release once it is drawn: from the release alone.
pub struct Finish<'a, S: Estimable> {
    /// The release as readers see it, with what was said of it.
    pub view: Viewing<'a, S>,
    /// Its estimate, and how the smoother was found.
    pub estimate: Estimating<'a, S>,
}

impl<'a, S: Estimable> Finish<'a, S> {
    /// What is made of a release with these names of axes, whose table was read as `source` says. Names that the account gave it stand.
    pub fn new(
        labels: Labels,
        source: Option<Source>,
        view: impl FnOnce(Release<S>) -> Result<S::View, ReleaseError> + 'a,
        estimate: impl FnOnce(S::View) -> Result<(Estimated<S>, Selection), Refusal> + 'a,
    ) -> Self {
        let view = move |drawn: Release<S>| {
            let labels = if *drawn.labels() == Labels::default() { labels } else { drawn.labels().clone() };
            view(drawn.labelled(labels).read_from(source))
        };
        Self { view: Box::new(view), estimate: Box::new(estimate) }
    }

    /// The same of a release that has no smoother.
    pub fn plain(labels: Labels, source: Option<Source>, band: &'a BandChoice) -> Self
    where
        S: Estimable<View = Release<S>> + 'a,
    {
        Self::new(labels, source, Ok, |release| Ok((band.plain::<S>(release)?, Selection::Off)))
    }
}
