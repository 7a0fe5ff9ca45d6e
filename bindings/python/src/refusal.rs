//! Where errors of the library become exceptions of Python. No text of the library shows a private value.

use std::fmt::{Display, Formatter, Result as Written};
use std::panic::{AssertUnwindSafe, catch_unwind};

use dpfda::analysis::{AnalysisError, ComponentsError};
use dpfda::audit::AuditError;
use dpfda::crossval::SelectionError;
use dpfda::density::{
    CellsError, DensityError, HistogramError, KsExponentialError, PointsCsvError, PointsError, SeriesError,
    SmoothedHistogramError,
};
use dpfda::kernels::{GridError, KernelError, SpectrumError, SurfaceGridError};
use dpfda::ledger::{GroupNameError, LedgerError, ReleaseIdError, TermsError};
use dpfda::mechanism::{AgainError, NameError, PartError, PartialError, ReadError};
use dpfda::plotting::FigureError;
use dpfda::privacy::{BudgetError, CalibrationError, LogConcaveError, NoiseFamilyError, RandomnessError};
use dpfda::release::{ChangeError, EncodeError, FunctionError, GroupsError, RegressionError, ReleaseError};
use dpfda::smoothing::{BallError, CurveSetError, PenaltyError, PublicCurveError, TableError, Unfit};
use dpfda_signature::SignatureError;
use dpfda_study::{Blame, Door, ForecastError};
use pyo3::prelude::*;

mod exception {
    #![allow(missing_docs, reason = "the classes are documented in Python")]

    pyo3::import_exception!(dpfda._errors, DpfdaError);
    pyo3::import_exception!(dpfda._errors, LedgerError);
    pyo3::import_exception!(dpfda._errors, PartError);
    pyo3::import_exception!(dpfda._errors, DocumentError);
}

/// Which exception is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// An argument, or the private table.
    Argument,
    /// A ledger.
    Ledger,
    /// A part of a data set.
    Part,
    /// A document.
    Document,
}

/// A refusal with the argument that has to change.
#[derive(Debug)]
pub struct Refusal {
    class: Class,
    parameter: &'static str,
    text: String,
    /// What Python raised itself.
    raised: Option<PyErr>,
}

/// Makes something of a release whose noise is drawn: a fault of this program is told beside the release, which stays.
///
/// # Errors
/// [`Refusal`], that of `make` or of the fault.
pub fn attempt<T>(make: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    let fault = || Refusal::new("release", "a fault of dpfda, which stands on the error stream; please report it");
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| Err(fault()))
}

impl Refusal {
    /// The refusal of an argument, by whoever says why.
    pub fn new(parameter: &'static str, reason: impl Display) -> Self {
        Self { class: Class::Argument, parameter, text: reason.to_string(), raised: None }
    }

    /// An exception of Python, such as a warning that is an error: it is raised again as it is.
    pub fn raised(error: PyErr) -> Self {
        Self { raised: Some(error), ..Self::new("", "") }
    }

    /// A refusal of a study, or of what it asks for, as a door spells it.
    pub fn of_study(refusal: &dpfda_study::Refusal, door: Door) -> Self {
        Self::new(parameter_of(&refusal.blame), door.refusal(refusal))
    }

    fn of(class: Class, parameter: &'static str, reason: impl Display) -> Self {
        Self { class, ..Self::new(parameter, reason) }
    }

    /// The same refusal of another argument.
    pub fn at(self, parameter: &'static str) -> Self {
        Self { parameter, ..self }
    }

    /// What was refused and why.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The refusal of a number of the argument `parameter`, which stands in `place`.
    pub fn unfit(unfit: Unfit, place: &str, parameter: &'static str) -> Self {
        match unfit {
            Unfit::Infinite => {
                let text =
                    format!("{place} is infinite, or larger than any measurement (1e100); a missing value must be NaN");
                Self::new(parameter, text)
            }
            Unfit::Code => Self::new(
                "missing",
                format!(
                    "{place} is one of -999, -9999 and -99999, which often stand for a missing value; say what it is: name the codes of \
                     this table by missing, such as missing=-999, and every other number is a value"
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
        Self::of(Class::Document, "text", format!("the document is no release that this version reads: {reason}"))
    }

    /// The refusal of a release of another kind than the one that is asked for.
    pub fn of_other_kind() -> Self {
        Self::of(Class::Document, "text", "the document is a release of another kind")
    }

    /// The refusal of a plan, likewise.
    pub fn of_plan(error: &serde_json::Error) -> Self {
        let text = format!("the document is no plan: line {}, column {}", error.line(), error.column());
        Self::of(Class::Document, "text", text)
    }
}

/// The argument that has to change: a setting, the data, or none where it is the study as a whole.
pub fn parameter_of(blame: &Blame) -> &'static str {
    match blame {
        Blame::Data => "data",
        Blame::Settings(names) => names.first().copied().unwrap_or_default(),
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(&self.text)
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        if let Some(error) = refusal.raised {
            return error;
        }
        let arguments = (refusal.text, Some(refusal.parameter).filter(|name| !name.is_empty()));
        match refusal.class {
            Class::Argument => exception::DpfdaError::new_err(arguments),
            Class::Ledger => exception::LedgerError::new_err(arguments),
            Class::Part => exception::PartError::new_err(arguments),
            Class::Document => exception::DocumentError::new_err(arguments),
        }
    }
}

impl From<SignatureError> for Refusal {
    fn from(error: SignatureError) -> Self {
        match error {
            SignatureError::Unsigned
            | SignatureError::NoSignature
            | SignatureError::OtherKey { .. }
            | SignatureError::Changed { .. } => Self::of(Class::Document, "document", error),
            SignatureError::Passphrase => Self::new("passphrase", error),
            error => Self::new("path", error),
        }
    }
}

/// `Error => Class, the argument`: a conversion for each error of the library.
macro_rules! refusals {
    ($($error:ty => $class:ident, $parameter:expr;)*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                let parameter: fn(&$error) -> &'static str = $parameter;
                Self::of(Class::$class, parameter(&error), &error)
            }
        }
    )*};
}

refusals! {
    LogConcaveError => Argument, of_log_concave;
    NoiseFamilyError => Argument, |_| "family";
    PublicCurveError => Argument, |_| "center";
    CurveSetError => Argument, of_curves;
    AgainError => Argument, |_| "data";
    ComponentsError => Argument, |_| "release";
    FunctionError => Argument, |_| "points";
    FigureError => Argument, |_| "release";
    RandomnessError => Argument, |_| "seed";
    AuditError => Argument, |_| "release";
    PointsError => Argument, |_| "data";
    LedgerError => Ledger, |_| "ledger";
    TermsError => Ledger, of_terms;
    ReleaseIdError => Ledger, |_| "release_id";
    GroupNameError => Ledger, |_| "groups";
    NameError => Part, |_| "part";
    PartError => Part, |_| "part";
    PartialError => Part, |_| "part";
    serde_json::Error => Document, |_| "release";
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
    AnalysisError, BallError, BudgetError, CalibrationError, CellsError, ChangeError, DensityError, GridError, GroupsError, HistogramError, KernelError,
    KsExponentialError, PenaltyError, RegressionError, ReleaseError, SelectionError, SeriesError, SmoothedHistogramError,
    SpectrumError, SurfaceGridError
}

/// What a forecast refuses; of rows, points are values of a subject.
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

/// A number that may be a code for a missing value is told where codes are named.
impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        let is_code = matches!(innermost(&error), TableError::Code { .. } | TableError::MissingCodes);
        let refusal = Self::from(dpfda_study::Refusal::from(error));
        if is_code { refusal.at("missing") } else { refusal }
    }
}

impl From<PointsCsvError> for Refusal {
    fn from(error: PointsCsvError) -> Self {
        let is_code = matches!(error, PointsCsvError::Code { .. });
        let refusal = Self::from(dpfda_study::Refusal::from(error));
        if is_code { refusal.at("missing") } else { refusal }
    }
}

impl From<EncodeError> for Refusal {
    fn from(error: EncodeError) -> Self {
        let parameter = match error {
            EncodeError::Table(error) => return error.into(),
            EncodeError::Subject { .. } | EncodeError::Subjects { .. } => "subject",
            EncodeError::Points { .. } | EncodeError::Grid => "grid",
            EncodeError::Infinite { .. } | EncodeError::Partial(_) => "data",
        };
        Self::new(parameter, error)
    }
}

/// What is wrong with a table, whichever of its files and cells it is told of.
fn innermost(error: &TableError) -> &TableError {
    match error {
        TableError::InFile { source, .. } => innermost(source),
        TableError::AndMore { first, .. } => innermost(first),
        error => error,
    }
}

impl From<dpfda_study::Refusal> for Refusal {
    fn from(refusal: dpfda_study::Refusal) -> Self {
        Self::of_study(&refusal, Door::Python)
    }
}

fn of_log_concave(error: &LogConcaveError) -> &'static str {
    match error {
        LogConcaveError::Epsilon { .. } => "epsilon",
        LogConcaveError::Sensitivity { .. } => "sensitivity",
        LogConcaveError::SeveralDimensions { .. } => "dimension",
        _ => "delta",
    }
}

fn of_curves(error: &CurveSetError) -> &'static str {
    match error {
        CurveSetError::Infinite { .. } => "data",
        CurveSetError::Subjects { .. } => "subject",
        CurveSetError::Columns { .. } | CurveSetError::Grid(_) => "grid",
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as for every error")]
fn of_terms(error: &TermsError) -> &'static str {
    match error {
        TermsError::Name(_) => "dataset",
        TermsError::Total => "epsilon",
        TermsError::Groups => "groups",
        TermsError::Mechanism => "release_id",
    }
}

/// The refusal of a cell of labels or covariates in memory that may be a code.
pub fn suspected(error: &TableError) -> Refusal {
    let row = if let TableError::Code { row, .. } = error { row - 1 } else { 0 };
    Refusal::unfit(Unfit::Code, &format!("the label or covariate in row {row} (counted from 0)"), "missing")
}

/// The value of a name that an argument may have.
///
/// # Errors
/// [`Refusal`] with the names that are known.
pub fn one_of<T: Copy>(parameter: &'static str, name: &str, known: &[(&str, T)]) -> Result<T, Refusal> {
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("{name:?}")).collect();
        Refusal::new(parameter, format!("{parameter} must be one of {}", names.join(", ")))
    })
}
