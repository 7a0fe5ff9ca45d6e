//! Where errors of the library become exceptions of Python. No text of the library shows a private value.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dpfda::analysis::{AnalysisError, ComponentsError, RiskError};
use dpfda::audit::AuditError;
use dpfda::crossval::SelectionError;
use dpfda::density::{
    BoundsError, CellsError, DensityError, HistogramError, KsExponentialError, PointsError, SeriesError,
    SmoothedHistogramError,
};
use dpfda::kernels::{GridError, KernelError, SpectrumError, SurfaceGridError};
use dpfda::ledger::{GroupNameError, LedgerError, ReleaseIdError, TermsError};
use dpfda::mechanism::{AgainError, NameError, PartError, PartialError, ReadError};
use dpfda::plotting::FigureError;
use dpfda::privacy::{BudgetError, CalibrationError, LogConcaveError, NoiseFamilyError, RandomnessError};
use dpfda::release::{BallShareError, EncodeError, FunctionError, ReleaseError};
use dpfda::smoothing::{
    BallError, CurveSetError, FillError, PenaltyError, PublicCurveError, SeparatorError, TableError, Unfit,
};
use dpfda_signature::SignatureError;
use dpfda_study::{Blame, Blamed};
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

    fn of(class: Class, parameter: &'static str, reason: impl Display) -> Self {
        Self { class, ..Self::new(parameter, reason) }
    }

    /// The same refusal of another argument.
    pub fn at(self, parameter: &'static str) -> Self {
        Self { parameter, ..self }
    }

    /// The same refusal of a table that is no file.
    pub fn in_memory(self) -> Self {
        Self { text: self.text.replace(": look at the first line of the file", ""), ..self }
    }

    /// The same refusal where an argument has another name.
    pub fn renamed(self, from: &str, to: &'static str) -> Self {
        if self.parameter == from { self.at(to) } else { self }
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

    /// The refusal of a plan, likewise.
    pub fn of_plan(error: &serde_json::Error) -> Self {
        let text = format!("the document is no plan: line {}, column {}", error.line(), error.column());
        Self::of(Class::Document, "text", text)
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
    BudgetError => Argument, |error| blamed(error, "curves");
    CalibrationError => Argument, of_calibration;
    LogConcaveError => Argument, of_log_concave;
    NoiseFamilyError => Argument, |_| "family";
    BallError => Argument, |error| blamed(error, "curves");
    BallShareError => Argument, |_| "radius_share";
    SurfaceGridError => Argument, |error| if matches!(error, SurfaceGridError::TooMany { .. }) { "shape" } else { "grid_points" };
    FillError => Argument, |error| blamed(error, "curves");
    PublicCurveError => Argument, |_| "center";
    KernelError => Argument, |error| blamed(error, "curves");
    PenaltyError => Argument, |error| blamed(error, "curves");
    SpectrumError => Argument, |error| blamed(error, "curves");
    GridError => Argument, |error| blamed(error, "curves");
    CurveSetError => Argument, of_curves;
    TableError => Argument, of_table;
    SeparatorError => Argument, |_| "delimiter";
    AgainError => Argument, |_| "curves";
    EncodeError => Argument, of_encoding;
    ReleaseError => Argument, of_release;
    AnalysisError => Argument, of_analysis;
    ComponentsError => Argument, |_| "release";
    RiskError => Argument, of_risk;
    SelectionError => Argument, |_| "select";
    FunctionError => Argument, |_| "points";
    FigureError => Argument, |_| "release";
    RandomnessError => Argument, |_| "seed";
    AuditError => Argument, |_| "release";
    BoundsError => Argument, |error| blamed(error, "points");
    CellsError => Argument, |error| blamed(error, "points");
    DensityError => Argument, |error| blamed(error, "points");
    PointsError => Argument, |_| "points";
    HistogramError => Argument, |error| blamed(error, "points");
    SmoothedHistogramError => Argument, |error| blamed(error, "points");
    KsExponentialError => Argument, |error| blamed(error, "points");
    SeriesError => Argument, |error| blamed(error, "points");
    LedgerError => Ledger, |_| "ledger";
    TermsError => Ledger, of_terms;
    ReleaseIdError => Ledger, |_| "release_id";
    GroupNameError => Ledger, |_| "groups";
    NameError => Part, |_| "part";
    PartError => Part, |_| "part";
    PartialError => Part, |_| "part";
    serde_json::Error => Document, |_| "release";
}

/// What the arguments of Python are called where they are no settings of a study by the same name.
const ARGUMENTS: [(&str, &str); 6] = [
    ("classical", "calibration"),
    ("covariate_bounds", "covariates"),
    ("domain", "domain_range"),
    ("grid", "grid_points"),
    ("on", "covariates"),
    ("surface", "shape"),
];

/// Which argument has to change: the setting that every door blames, or the data.
pub fn blamed(error: &impl Blamed, data: &'static str) -> &'static str {
    let Blame::Settings([setting, ..]) = error.blame() else { return data };
    ARGUMENTS.iter().find(|(named, _)| named == setting).map_or(setting, |(_, argument)| argument)
}

/// A sensitivity that is no consequence of a bound is an argument.
fn of_calibration(error: &CalibrationError) -> &'static str {
    if let CalibrationError::Sensitivity { .. } = error { "sensitivity" } else { blamed(error, "curves") }
}

/// Which argument a release was refused for.
pub fn of_release(error: &ReleaseError) -> &'static str {
    match blamed(error, "curves") {
        // the columns of an array have no names
        "values" => "grid_points",
        parameter => parameter,
    }
}

/// Which argument a table was refused for.
pub fn of_table(error: &TableError) -> &'static str {
    match innermost(error) {
        TableError::Code { .. } | TableError::MissingCodes => "missing",
        error => blamed(error, "curves"),
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
        CurveSetError::Infinite { .. } => "curves",
        CurveSetError::Subjects { .. } => "subject",
        CurveSetError::Columns { .. } | CurveSetError::Grid(_) => "grid_points",
    }
}

/// What is wrong with a table, whichever of its files and cells it is told of.
pub fn innermost(error: &TableError) -> &TableError {
    match error {
        TableError::InFile { source, .. } => innermost(source),
        TableError::AndMore { first, .. } => innermost(first),
        error => error,
    }
}

fn of_encoding(error: &EncodeError) -> &'static str {
    match error {
        EncodeError::Table(error) => of_table(error),
        EncodeError::Subject { .. } | EncodeError::Subjects { .. } => "subject",
        EncodeError::Points { .. } | EncodeError::Grid => "grid_points",
        EncodeError::Infinite { .. } | EncodeError::Partial(_) => "curves",
    }
}

fn of_analysis(error: &AnalysisError) -> &'static str {
    match error {
        AnalysisError::Level { .. } => "level",
        AnalysisError::OutsideDomain { .. } => "points",
        AnalysisError::Number { .. } => "roughness",
        _ => "band",
    }
}

fn of_risk(error: &RiskError) -> &'static str {
    match error {
        RiskError::Records { .. } => "records",
        RiskError::Error { .. } | RiskError::Unreachable { .. } => "error",
        RiskError::NotIsonormal | RiskError::Coordinates { .. } => "mechanism",
        RiskError::Analysis(error) => of_analysis(error),
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
