//! A release whose noise is drawn, with what was made of it: a fault in the one never takes the other with it.

use std::any::Any;

use dpfda::AnyRelease;
use dpfda::analysis::{Estimable, Estimated, View};
use dpfda::kinds::{Kind, Published, Shown};
use dpfda::mechanism::{Fact, Head, Statistic};
use dpfda::privacy::GaussianPrivacy;
use dpfda::release::{Centiles, Change, Functionals, Groups, Mean, PathRelease, Regression, Rows, Surface};
use dpfda_study::{BandChoice, Door};

use crate::refusal::{Refusal, attempt};

/// A release with its estimate, or with the reason why there is none.
pub struct Drawn<S: Estimable> {
    release: S::View,
    estimated: Result<Box<Estimated<S>>, Refusal>,
}

impl<S: Estimable> Drawn<S> {
    /// A release that was just paid for: whatever goes wrong with its estimate is kept beside it.
    pub fn new(release: S::View, estimate: impl FnOnce(S::View) -> Result<Estimated<S>, Refusal>) -> Self {
        let estimated = attempt(|| Ok(Box::new(estimate(release.clone())?)));
        Self { release: estimated.as_ref().map_or(release, |estimated| estimated.release().clone()), estimated }
    }

    /// The release, whatever is estimated from it.
    pub fn release(&self) -> &S::View {
        &self.release
    }

    /// The release with its estimate.
    ///
    /// # Errors
    /// [`Refusal`] where there is none.
    pub fn estimated(&self) -> Result<&Estimated<S>, Refusal> {
        self.estimated.as_deref().map_err(|reason| {
            let text = "the release has no estimate";
            Refusal::new("band", format!("{text}: {}. Ask with_band() for another one, at no cost", reason.text()))
        })
    }

    /// The same with another band, of a release that has no smoother.
    ///
    /// # Errors
    /// [`Refusal`] for a band that the release cannot have.
    pub fn with_band(&self, band: &BandChoice) -> Result<Self, Refusal> {
        Ok(match self.estimated() {
            Ok(estimated) => band.plain_again(estimated.clone())?.into(),
            Err(_) => band.plain::<S>(self.release.clone())?.into(),
        })
    }

    fn of_json(text: &str) -> Result<Self, Refusal> {
        let estimated = Estimated::<S>::from_json(text).map_err(|error| Refusal::of_document(&error))?;
        Ok(estimated.into())
    }
}

impl<S: Estimable> From<Estimated<S>> for Drawn<S> {
    fn from(estimated: Estimated<S>) -> Self {
        Self { release: estimated.release().clone(), estimated: Ok(Box::new(estimated)) }
    }
}

/// What every release shows, whatever its kind.
pub trait Shows {
    /// The release alone.
    fn published(&self) -> &dyn Published;

    /// What it cost as the `mu` of a Gaussian release, where its noise is normal.
    fn privacy(&self) -> Option<GaussianPrivacy>;

    /// What it says of itself and of its estimate, with what should make a reader careful.
    fn facts(&self) -> Vec<Fact> {
        self.shown().map_or_else(|_| self.published().facts(), facts_of)
    }

    /// The document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    fn to_json(&self) -> Result<String, Refusal>;

    /// What tables and figures show.
    ///
    /// # Errors
    /// [`Refusal`] where the release has no estimate.
    fn shown(&self) -> Result<Shown, Refusal>;
}

impl<S: Kind> Shows for Drawn<S>
where
    S::View: Published,
{
    fn published(&self) -> &dyn Published {
        &self.release
    }

    fn privacy(&self) -> Option<GaussianPrivacy> {
        self.release.drawn().privacy()
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(match &self.estimated {
            Ok(estimated) => estimated.to_json()?,
            Err(_) => self.release.write(None::<&()>)?,
        })
    }

    fn shown(&self) -> Result<Shown, Refusal> {
        Ok(Shown::of(self.estimated()?.clone()))
    }
}

/// All that is said of a release, with notes in the words of Python.
pub fn facts_of(shown: Shown) -> Vec<Fact> {
    let notes = shown.notes.iter().map(|note| Fact::new("NOTE", Door::Python.spell(note)));
    shown.facts.into_iter().chain(notes).collect()
}

/// A release that is its own answer.
pub struct Whole<R>(pub R);

impl<R: Published> Shows for Whole<R> {
    fn published(&self) -> &dyn Published {
        &self.0
    }

    fn privacy(&self) -> Option<GaussianPrivacy> {
        None
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(self.0.to_json()?)
    }

    fn shown(&self) -> Result<Shown, Refusal> {
        self.0.shown(None).map_err(|error| Refusal::of_document(&error))
    }
}

/// A release by its kind.
pub enum Answer {
    /// The mean of curves.
    Mean(Drawn<Mean>),
    /// The means of groups.
    Groups(Drawn<Groups>),
    /// The change between visits.
    Change(Drawn<Change>),
    /// The mean of rows.
    Rows(Drawn<Rows>),
    /// The mean of surfaces.
    Surface(Drawn<Surface>),
    /// Coefficient functions.
    Regression(Drawn<Regression>),
    /// Centile curves.
    Centiles(Drawn<Centiles>),
    /// A density.
    Density(Box<crate::density::DrawnDensity>),
    /// Some numbers of a mean.
    Functionals(Whole<dpfda::mechanism::Release<Functionals>>),
    /// Some numbers of a path.
    Path(Whole<PathRelease>),
}

impl Answer {
    /// Reads a document by its kind, and checks that its numbers agree.
    ///
    /// # Errors
    /// [`Refusal`] for a document that is no release of these kinds.
    pub fn of_json(text: &str) -> Result<Self, Refusal> {
        let refused = |error| Refusal::of_document(&error);
        let kind = Head::read(text).map_err(refused)?.kind;
        Ok(match kind.as_str() {
            <Mean>::KIND => Self::Mean(Drawn::of_json(text)?),
            Groups::KIND => Self::Groups(Drawn::of_json(text)?),
            Change::KIND => Self::Change(Drawn::of_json(text)?),
            Rows::KIND => Self::Rows(Drawn::of_json(text)?),
            Surface::KIND => Self::Surface(Drawn::of_json(text)?),
            Regression::KIND => Self::Regression(Drawn::of_json(text)?),
            Centiles::KIND => Self::Centiles(Drawn::of_json(text)?),
            Functionals::KIND => Self::Functionals(Whole(dpfda::mechanism::Release::from_json(text).map_err(refused)?)),
            PathRelease::KIND => Self::Path(Whole(PathRelease::from_json(text).map_err(refused)?)),
            _ => Self::Density(Box::new(AnyRelease::from_json(text).map_err(refused)?.try_into()?)),
        })
    }

    /// An answer of one of the kinds.
    pub fn of<S: Kind>(drawn: Drawn<S>) -> Option<Self> {
        let mut drawn = Some(drawn);
        let drawn: &mut dyn Any = &mut drawn;
        let mut answer = None;
        let mut take = |found: Option<Self>| answer = answer.take().or(found);
        take(drawn.downcast_mut::<Option<Drawn<Mean>>>().and_then(Option::take).map(Self::Mean));
        take(drawn.downcast_mut::<Option<Drawn<Groups>>>().and_then(Option::take).map(Self::Groups));
        take(drawn.downcast_mut::<Option<Drawn<Change>>>().and_then(Option::take).map(Self::Change));
        take(drawn.downcast_mut::<Option<Drawn<Rows>>>().and_then(Option::take).map(Self::Rows));
        take(drawn.downcast_mut::<Option<Drawn<Surface>>>().and_then(Option::take).map(Self::Surface));
        take(drawn.downcast_mut::<Option<Drawn<Regression>>>().and_then(Option::take).map(Self::Regression));
        take(drawn.downcast_mut::<Option<Drawn<Centiles>>>().and_then(Option::take).map(Self::Centiles));
        answer
    }

    /// The word for its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mean(_) => "mean",
            Self::Groups(_) => "groups",
            Self::Change(_) => "change",
            Self::Rows(_) => "rows",
            Self::Surface(_) => "surface",
            Self::Regression(_) => "regression",
            Self::Centiles(_) => "centiles",
            Self::Density(_) => "density",
            Self::Functionals(_) => "functionals",
            Self::Path(_) => "path",
        }
    }

    /// What every release shows.
    pub fn shows(&self) -> &dyn Shows {
        match self {
            Self::Mean(drawn) => drawn,
            Self::Groups(drawn) => drawn,
            Self::Change(drawn) => drawn,
            Self::Rows(drawn) => drawn,
            Self::Surface(drawn) => drawn,
            Self::Regression(drawn) => drawn,
            Self::Centiles(drawn) => drawn,
            Self::Density(drawn) => &**drawn,
            Self::Functionals(whole) => whole,
            Self::Path(whole) => whole,
        }
    }
}
