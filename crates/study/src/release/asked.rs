//! What a study asks for, and its release.

use dpfda::smoothing::CurveLayout;

use super::account::Account;
use super::data::{Data, Work};
use super::repeats::tell_of_repeats;
use super::watch::Watch;
use crate::asked::{AskedCentiles, AskedChange, AskedGroups, AskedMean, AskedRegression, AskedRows, AskedSurface};
use crate::checked::Checked;
use crate::kind::Kind;
use crate::refusal::Refusal;

/// What a study of a kind that has estimates asks for, checked without the data.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "one at a time")]
pub enum Asked<'a> {
    /// The mean of curves.
    Mean(AskedMean<'a>),
    /// The means of groups.
    Groups(AskedGroups<'a>),
    /// The change between visits.
    Change(AskedChange<'a>),
    /// The mean of rows.
    Rows(AskedRows<'a>),
    /// The mean of surfaces.
    Surface(AskedSurface<'a>),
    /// Coefficient functions.
    Regression(AskedRegression<'a>),
    /// Centile curves.
    Centiles(AskedCentiles<'a>),
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
            Kind::Change => Self::Change(AskedChange::of(study)?),
            Kind::Rows => Self::Rows(AskedRows::of(study)?),
            Kind::Surface => Self::Surface(AskedSurface::of(study)?),
            Kind::Regression => Self::Regression(AskedRegression::of(study)?),
            Kind::Centiles => Self::Centiles(AskedCentiles::of(study)?),
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
            Self::Change(asked) => asked.study,
            Self::Rows(asked) => asked.study,
            Self::Surface(asked) => asked.study,
            Self::Regression(asked) => asked.study,
            Self::Centiles(asked) => asked.study,
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
            Self::Change(asked) => asked.layout(),
            Self::Rows(asked) => asked.layout(),
            Self::Surface(asked) => asked.layout(),
            Self::Regression(asked) => asked.layout(),
            Self::Centiles(asked) => asked.layout(),
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
        tell_of_repeats(self.study(), data, watch);
        match self {
            Self::Mean(asked) => asked.release(data, work, account, watch),
            Self::Groups(asked) => asked.release(data, account, watch),
            Self::Change(asked) => asked.release(data, account, watch),
            Self::Rows(asked) => asked.release(data, account, watch),
            Self::Surface(asked) => asked.release(data, work, account, watch),
            Self::Regression(asked) => asked.release(data, account, watch),
            Self::Centiles(asked) => asked.release(data, work, account, watch),
        }
    }
}
