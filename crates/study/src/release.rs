//! The way of every release, for every door: what is public is checked, the private data are read and encoded, and whoever pays gets a
//! release that is prepared, with what is to be made of it afterwards.
//!
//! ```text
//! Asked::of(study)              public settings, checked without the data
//! asked.release(data, account)  reads and encodes: everything but payment and noise
//! Account::pay                  pays, draws, and makes what its door makes of a release     <- the privacy boundary
//! ```

use std::fmt::Display;

use dpfda::analysis::{Estimable as Viewed, Estimated};
use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Labels, Payable, Release, Source};
use dpfda::privacy::RandomnessError;
use dpfda::release::{EncodeError, ReleaseError};
use dpfda::smoothing::{CurveLayout, TableError};

use crate::asked::{AskedGroups, AskedMean, AskedRegression, AskedRows, AskedSurface, BandChoice, Selection};
use crate::checked::Checked;
use crate::kind::Kind;
use crate::refusal::Refusal;

mod curves;
mod data;
mod look;
mod repeats;
mod stream;
mod tables;
mod watch;

pub use data::{Data, Work};
use repeats::tell_of_repeats;

pub use look::{Look, columns_in_words};
pub use stream::{Stream, encode};
pub use tables::{column_names, read_curves, read_rows, text_columns};
pub use watch::{FilledBy, Note, Reading, Watch, during, tell_of_ids, tell_of_missing};

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
    /// What is made of a release with these names of axes, whose table was read as `source` says.
    pub fn new(
        labels: Labels,
        source: Option<Source>,
        view: impl FnOnce(Release<S>) -> Result<S::View, ReleaseError> + 'a,
        estimate: impl FnOnce(S::View) -> Result<(Estimated<S>, Selection), Refusal> + 'a,
    ) -> Self {
        let view = move |drawn: Release<S>| view(drawn.labelled(labels).read_from(source));
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

/// What a study of a kind that has estimates asks for, checked without the data.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "one at a time")]
pub enum Asked<'a> {
    /// The mean of curves.
    Mean(AskedMean<'a>),
    /// The means of groups.
    Groups(AskedGroups<'a>),
    /// The mean of rows.
    Rows(AskedRows<'a>),
    /// The mean of surfaces.
    Surface(AskedSurface<'a>),
    /// Coefficient functions.
    Regression(AskedRegression<'a>),
}

impl<'a> Asked<'a> {
    /// Refuses what can be refused without the data. `None` is for a density, which has no estimate.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Option<Self>, Refusal> {
        let asked = match study.kind {
            Kind::Mean => Self::Mean(AskedMean::of(study)?),
            Kind::Groups => Self::Groups(AskedGroups::of(study)?),
            Kind::Rows => Self::Rows(AskedRows::of(study)?),
            Kind::Surface => Self::Surface(AskedSurface::of(study)?),
            Kind::Regression => Self::Regression(AskedRegression::of(study)?),
            Kind::Density => return Ok(None),
        };
        asked.layout()?;
        Ok(Some(asked))
    }

    /// The study.
    pub fn study(&self) -> &'a Checked {
        match self {
            Self::Mean(asked) => asked.study,
            Self::Groups(asked) => asked.study,
            Self::Rows(asked) => asked.study,
            Self::Surface(asked) => asked.study,
            Self::Regression(asked) => asked.study,
        }
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        match self {
            Self::Mean(asked) => asked.layout(),
            Self::Groups(asked) => asked.layout(),
            Self::Rows(asked) => asked.layout(),
            Self::Surface(asked) => asked.layout(),
            Self::Regression(asked) => asked.layout(),
        }
    }

    /// Reads the private data and hands the release over to the account: **spends the budget**.
    ///
    /// # Errors
    /// Of the account; before that, for data that cannot be read or released so.
    pub fn release<A: Account>(
        &self,
        data: &Data<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        tell_of_repeats(self.study(), data, &self.layout()?, watch);
        match self {
            Self::Mean(asked) => asked.release(data, work, account, watch),
            Self::Groups(asked) => asked.release(data, account, watch),
            Self::Rows(asked) => asked.release(data, account, watch),
            Self::Surface(asked) => asked.release(data, work, account, watch),
            Self::Regression(asked) => asked.release(data, account, watch),
        }
    }
}
