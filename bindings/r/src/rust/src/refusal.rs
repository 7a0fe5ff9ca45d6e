//! Where errors of the library become conditions of R. No text of the library shows a private value.

use std::fmt::{Display, Formatter, Result as Written};

use dpfda::analysis::{AnalysisError, ComponentsError};
use dpfda::density::{
    CellsError, DensityError, HistogramError, KsExponentialError, PointsCsvError, PointsError, SeriesError,
    SmoothedHistogramError,
};
use dpfda::ledger::{GroupNameError, LedgerError, ReleaseIdError, TermsError};
use dpfda::mechanism::{AgainError, ReadError};
use dpfda::privacy::{BudgetError, RandomnessError};
use dpfda::release::{EncodeError, GroupsError, ReleaseError};
use dpfda::smoothing::{TableError, Unfit};
use dpfda_study::{Blame, Door, ForecastError, UnfitCell};

/// A refusal with the argument that has to change.
#[derive(Debug)]
pub struct Refusal {
    /// What was refused, and why.
    pub text: String,
    /// The argument; empty where it is none.
    pub setting: String,
    /// What else the condition is one of: `ledger` or `document`.
    pub about: &'static str,
    /// What R raised itself.
    pub raised: Option<savvy::Error>,
}

impl Refusal {
    /// The refusal of an argument.
    pub fn new(setting: &str, reason: impl Display) -> Self {
        Self { text: reason.to_string(), setting: setting.to_owned(), about: "", raised: None }
    }

    /// A condition of R, such as a warning that is an error: it is raised again as it is.
    pub fn raised(error: savvy::Error) -> Self {
        Self { raised: Some(error), ..Self::new("", "") }
    }

    /// The same refusal of another argument.
    pub fn at(self, setting: &str) -> Self {
        Self { setting: setting.to_owned(), ..self }
    }

    /// The refusal of a number in `place`, which is a public name of a column, or none for an array.
    pub fn unfit(cell: UnfitCell, place: Option<&str>) -> Self {
        let column = place.map_or_else(|| (cell.column + 1).to_string(), |name| format!("`{}`", name.escape_debug()));
        let place = format!("the value in row {}, column {column}", cell.row + 1);
        match cell.unfit {
            Unfit::Infinite => Self::new(
                "data",
                format!("{place} is infinite, or larger than any measurement (1e100); a missing value must be NA"),
            ),
            Unfit::Code => Self::new(
                "missing",
                format!(
                    "{place} is one of -999, -9999 and -99999, which often stand for a missing value; say what it is: name the codes of \
                     this table by `missing`, such as missing = -999, and every other number is a value"
                ),
            ),
        }
    }

    /// The refusal of a document, which may be a private file that was given by mistake: nothing in it is quoted.
    pub fn of_document(error: &ReadError) -> Self {
        let reason = match error {
            ReadError::Json(error) if error.line() > 0 => {
                format!("line {}, column {}: no release has this here", error.line(), error.column())
            }
            ReadError::Json(_) => "the numbers in it are not those of a release".to_owned(),
            other => other.to_string(),
        };
        Self::document(format!("the document is no release that this version reads: {reason}"))
    }

    /// Another refusal of a document.
    pub fn document(reason: impl Display) -> Self {
        Self { about: "document", ..Self::new("release", reason) }
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(&self.text)
    }
}

impl From<savvy::Error> for Refusal {
    fn from(error: savvy::Error) -> Self {
        Self::raised(error)
    }
}

impl From<dpfda_study::Refusal> for Refusal {
    fn from(refusal: dpfda_study::Refusal) -> Self {
        let setting = match refusal.blame {
            Blame::Data => "data",
            Blame::Settings([first, ..]) => first,
            // what was not given stands in braces
            Blame::Settings([]) => {
                let named = refusal.why.split(['{', '}']).nth(1).and_then(dpfda_study::setting);
                named.map_or("", |setting| setting.name)
            }
        };
        Self::new(setting, Door::R.refusal(&refusal))
    }
}

/// Errors that the map of the study blames settings for.
macro_rules! blamed {
    ($($error:ty),*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                dpfda_study::Refusal::from(error).into()
            }
        }
    )*};
}

blamed! {
    AnalysisError, BudgetError, CellsError, DensityError, GroupsError, HistogramError, KsExponentialError, PointsCsvError, ReleaseError,
    SeriesError, SmoothedHistogramError, TableError
}

/// `Error => what it is about, the argument`
macro_rules! refusals {
    ($($error:ty => $about:literal, $setting:literal;)*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self { about: $about, ..Self::new($setting, &error) }
            }
        }
    )*};
}

refusals! {
    AgainError => "", "data";
    ComponentsError => "", "release";
    PointsError => "", "data";
    RandomnessError => "", "demonstration";
    LedgerError => "ledger", "ledger";
    TermsError => "ledger", "dataset";
    ReleaseIdError => "ledger", "release_id";
    GroupNameError => "ledger", "part_of";
    serde_json::Error => "document", "release";
}

impl From<EncodeError> for Refusal {
    fn from(error: EncodeError) -> Self {
        let setting = match error {
            EncodeError::Table(error) => return error.into(),
            EncodeError::Subject { .. } | EncodeError::Subjects { .. } => "subject",
            EncodeError::Points { .. } | EncodeError::Grid => "grid",
            EncodeError::Infinite { .. } | EncodeError::Partial(_) => "data",
        };
        Self::new(setting, error)
    }
}

/// Of rows, points are values of a subject.
impl From<ForecastError> for Refusal {
    fn from(error: ForecastError) -> Self {
        match error.argument() {
            None => match error {
                ForecastError::Study(refusal) => refusal.into(),
                other => Self::new("study", other),
            },
            Some("points_per_subject") => Self::new("points", error),
            Some(argument) => Self::new(argument, error),
        }
    }
}
