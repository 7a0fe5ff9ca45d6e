//! The kinds of releases that there are: one row each. Commands, figures, reports and other languages ask this table.

use dpfda_mechanism::{Head, RawValue, ReadError, Release, Statistic};
use dpfda_release::{
    Centiles, Change, CurveNumbers, Functionals, Groups, Mean, MeanRelease, PathRelease, Regression, Rows, Surface,
    Total,
};

#[cfg(feature = "density")]
use dpfda_density::{CellDraws, DrawsMechanism, Histogram, HistogramRelease, Series, SeriesRelease};

mod any_release;
mod capability;
#[cfg(feature = "plotting")]
mod design;
mod kind;
mod notes;
mod other_centiles;
mod picture;
mod published;
mod shown;
mod why;

pub use capability::Can;
pub use dpfda_release::Number;
pub use kind::Kind;
#[cfg(feature = "density")]
pub use notes::of_density as notes_of_density;
pub use notes::weak_delta;
pub use other_centiles::OtherCentiles;
pub use picture::Picture;
#[cfg(feature = "density")]
pub use published::resolution;
pub use published::{OfCurves, Provenance, Published, Recorded, WithEstimate};
pub use shown::{Shown, Table};

/// One row of the table of kinds.
#[derive(Debug)]
pub struct Row {
    /// What documents call such a release.
    pub kinds: &'static [&'static str],
    /// What studies and other languages call it, in one word.
    pub word: &'static str,
    /// What a reader calls it.
    pub title: &'static str,
    /// What can be done with it.
    pub can: &'static [Can],
    /// Why each other thing cannot.
    pub why: &'static [(Can, &'static str)],
}

impl Row {
    /// Whether this can be done with it.
    pub fn can(&self, capability: Can) -> bool {
        self.can.contains(&capability)
    }

    /// The row of a kind of documents; `None` for a kind that this build does not know.
    pub fn of(kind: &str) -> Option<&'static Self> {
        KINDS.iter().find(|row| row.kinds.contains(&kind))
    }
}

const UNKNOWN: ReadError = ReadError::Kind { expected: "of a release that this build knows" };

/// What is done with a kind of numbers of curves, whichever it is: [`of_curves`] finds the kind by its name.
pub trait WithNumbers {
    /// What comes of it.
    type Output;

    /// Does it.
    fn with<S: CurveNumbers>(self) -> Self::Output;
}

/// A row each: name, type, kinds of documents, title, capabilities and why the others are missing; `as` names the statistic of numbers of curves, whose row is all that
/// is needed here, `of` the word of several kinds, which is else that of documents, and `if` the feature of an optional one.
macro_rules! kinds {
    ($($doc:literal $name:ident: $release:ty $(as $numbers:ty)? = $kinds:expr, $title:literal $(of $word:literal)? $(if $feature:literal)?, [$($can:ident)*], $why:ident;)*) => {
        /// A release of one of the kinds that there are, as it is read from a file: where generics stop for commands, figures and other
        /// languages.
        ///
        /// ```
        /// use dpfda::AnyRelease;
        /// # use dpfda::prelude::*;
        /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
        /// # let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 5)?, ndarray::Array2::zeros((9, 5)))?;
        /// # let ball = Ball::new(Center::Constant(0.0), 1.0)?;
        /// # let mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?).buying(dpfda::release::BallShares::NONE);
        /// # let json = mean.release(&curves, &mut SeededRandomness::from_seed(1))?.to_json()?;
        /// let release = AnyRelease::from_json(&json)?;
        /// for fact in release.facts() {
        ///     println!("{}: {}", fact.name, fact.text);
        /// }
        /// # Ok(())
        /// # }
        /// ```
        #[derive(Debug, Clone)]
        pub enum AnyRelease {
            $(#[doc = $doc] $(#[cfg(feature = $feature)])? $name(Box<$release>),)*
        }

        $($(#[cfg(feature = $feature)])? impl From<$release> for AnyRelease {
            fn from(release: $release) -> Self {
                Self::$name(Box::new(release))
            }
        })*

        $($(impl OfCurves for $numbers {})?)*

        /// Does this with the kind of numbers of curves that has this name; `None` where none has.
        pub fn of_curves<V: WithNumbers>(kind: &str, what: V) -> Option<V::Output> {
            $($(if kind == <$numbers as Statistic>::KIND {
                return Some(what.with::<$numbers>());
            })?)*
            let _ = (kind, what);
            None
        }

        /// All kinds that this build knows.
        pub const KINDS: &[Row] = &[
            $($(#[cfg(feature = $feature)])? Row {
                kinds: $kinds,
                word: [$($word,)? $kinds[0]][0],
                title: $title,
                can: &[$(Can::$can),*],
                why: why::$why,
            },)*
        ];

        impl AnyRelease {
            fn of_kind(kind: &str, json: &str) -> Result<(Self, Option<Box<RawValue>>), ReadError> {
                $($(#[cfg(feature = $feature)])? if $kinds.contains(&kind) {
                    let (release, estimate) = <$release as Published>::read(json)?;
                    return Ok((release.into(), estimate));
                })*
                Err(UNKNOWN)
            }

            /// The release, whatever its kind.
            pub fn published(&self) -> &dyn Published {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name(release) => &**release,)*
                }
            }
        }
    };
}

kinds! {
    "A mean function." Mean: MeanRelease = &[<Mean>::KIND], "Private mean function",
        [Study Command Python Parts Stream Dask Ledger AddRemove Pure BoughtRadius BoughtCentre Periodic Forecast Check Band
         Smoother Features Compare Components Report Figure Table Audit Schema], MEAN;
    "The means of groups." Groups: Release<Groups> = &[Groups::KIND], "Private means of groups",
        [Study Command Python Ledger AddRemove BoughtRadius BoughtCentre Periodic Forecast Check Band Features CompareWithin Report Figure
         Table Audit Schema], GROUPS;
    "The mean change of people." Change: Release<Change> = &[Change::KIND], "Private mean change",
        [Study Command Python Ledger AddRemove BoughtRadius BoughtCentre Periodic Forecast Check Band Features Compare Components Report
         Figure Table Audit Schema], CHANGE;
    "Sums of irregular curves over bins." Rows: Release<Rows> = &[Rows::KIND],
        "Private mean function of irregular curves",
        [Study Command Python Parts Stream Ledger AddRemove BoughtRadius Periodic Forecast Check Band Features Compare Report
         Figure Table Audit Schema], ROWS;
    "A mean surface." Surface: Release<Surface> = &[Surface::KIND], "Private mean surface",
        [Study Command Python Parts Stream Ledger AddRemove BoughtRadius BoughtCentre Forecast Check Band Features Compare Report Figure
         Table Audit Schema], SURFACE;
    "The products of covariates and curves." Regression: Release<Regression> = &[Regression::KIND], "Private regression of curves",
        [Study Command Python Ledger AddRemove BoughtRadius BoughtCentre Periodic Forecast Check Band Features Predict Report Figure
         Table Audit Schema], REGRESSION;
    "Centile curves." Centiles: Release<Centiles> = &[Centiles::KIND], "Private centile curves",
        [Study Command Python Ledger AddRemove BoughtRadius Periodic Forecast Check Band Report Figure Table Audit Schema], CENTILES;
    "Some numbers of a mean function." Functionals: Release<Functionals> = &[Functionals::KIND],
        "Private numbers of a mean function",
        [Python Ledger AddRemove Pure Periodic Report Table Audit Schema], FUNCTIONALS;
    "The total of a curve." Total: Release<Total> as Total = &[Total::KIND], "Private total of curves",
        [Ledger AddRemove Pure Periodic Report Table Audit Schema], NUMBERS_OF_CURVES;
    "Some numbers of one noise path." Path: PathRelease = &[PathRelease::KIND],
        "Private numbers of a mean function, with one noise path",
        [Python Ledger AddRemove Periodic Report Table Audit Schema], PATH;
    "Noisy counts of cells." Histogram: HistogramRelease = &[Histogram::KIND], "Private density" of "density" if "density",
        [Study Command Python Ledger AddRemove Pure Check Report Figure Table Audit Schema], DENSITY;
    "Noisy coefficients of a series." Series: SeriesRelease = &[Series::KIND], "Private density" of "density" if "density",
        [Study Command Python Ledger AddRemove Pure Check Report Figure Table Audit Schema], DENSITY;
    "Cells that were drawn." Draws: CellDraws = &DrawsMechanism::KINDS, "Private density" of "density" if "density",
        [Study Command Python Ledger AddRemove Pure Check Report Figure Table Audit Schema], DENSITY;
}

impl AnyRelease {
    /// Reads a document by its kind, through the checks of that kind.
    ///
    /// # Errors
    /// [`ReadError`]: another schema, a kind that is not known here, and whatever the kind refuses.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::of_kind(&Head::read(json)?.kind, json)?.0)
    }

    /// The same, with what the release and the estimate in the document say.
    ///
    /// # Errors
    /// As [`AnyRelease::from_json`], and for an estimate that is not of this release.
    pub fn read_shown(json: &str) -> Result<(Self, Shown), ReadError> {
        let (release, estimate) = Self::of_kind(&Head::read(json)?.kind, json)?;
        let shown = release.published().shown(estimate.as_deref());
        // a fault in the part is told with its place in the whole
        let shown = shown.map_err(|error| release.published().fault(json).unwrap_or(error))?;
        Ok((release, shown))
    }

    /// The row of its kind.
    pub fn row(&self) -> &'static Row {
        let kind = self.published().kind();
        Row::of(kind).unwrap_or_else(|| unreachable!("a release was read by its row"))
    }
}
