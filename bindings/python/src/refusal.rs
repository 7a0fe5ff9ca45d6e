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
use dpfda::mechanism::{AgainError, MechanismError, NameError, PartError, PartialError, Purchase, ReadError};
use dpfda::plotting::FigureError;
use dpfda::privacy::{BudgetError, CalibrationError, LogConcaveError, NoiseError, NoiseFamilyError, RandomnessError};
use dpfda::release::{BallShareError, EncodeError, FunctionError, MeanError, ReleaseError, RowsError};
use dpfda::smoothing::{
    BallError, CurveSetError, FillError, PenaltyError, PublicCurveError, SeparatorError, TableError, Unfit,
};
use dpfda_signature::SignatureError;
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
    BudgetError => Argument, of_budget;
    CalibrationError => Argument, of_calibration;
    LogConcaveError => Argument, of_log_concave;
    NoiseFamilyError => Argument, |_| "family";
    BallError => Argument, of_ball;
    BallShareError => Argument, |_| "radius_share";
    SurfaceGridError => Argument, |error| if matches!(error, SurfaceGridError::TooMany { .. }) { "shape" } else { "grid_points" };
    FillError => Argument, of_fill;
    PublicCurveError => Argument, |_| "center";
    KernelError => Argument, of_kernel;
    PenaltyError => Argument, of_penalty;
    SpectrumError => Argument, |_| "range";
    GridError => Argument, |_| "grid_points";
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
    BoundsError => Argument, |_| "bounds";
    CellsError => Argument, |_| "cells";
    DensityError => Argument, |_| "cells";
    PointsError => Argument, |_| "points";
    HistogramError => Argument, of_histogram;
    SmoothedHistogramError => Argument, of_smoothed;
    KsExponentialError => Argument, of_exponential;
    SeriesError => Argument, of_series;
    LedgerError => Ledger, |_| "ledger";
    TermsError => Ledger, of_terms;
    ReleaseIdError => Ledger, |_| "release_id";
    GroupNameError => Ledger, |_| "groups";
    NameError => Part, |_| "part";
    PartError => Part, |_| "part";
    PartialError => Part, |_| "part";
    serde_json::Error => Document, |_| "release";
}

fn of_budget(error: &BudgetError) -> &'static str {
    match error {
        BudgetError::Epsilon { .. } => "epsilon",
        BudgetError::Delta { .. } => "delta",
    }
}

fn of_calibration(error: &CalibrationError) -> &'static str {
    match error {
        CalibrationError::DeltaZero | CalibrationError::Delta { .. } => "delta",
        CalibrationError::Epsilon { .. } | CalibrationError::Mu { .. } => "epsilon",
        CalibrationError::ClassicalEpsilon { .. } => "calibration",
        CalibrationError::Sensitivity { .. } => "sensitivity",
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

/// Which argument a ball was refused for.
pub fn of_ball(error: &BallError) -> &'static str {
    match error {
        BallError::Radius { .. } | BallError::Rounding { .. } => "radius",
        BallError::Bounds { .. } => "bounds",
        BallError::Points { .. } => "shape",
        _ => "center",
    }
}

fn of_fill(error: &FillError) -> &'static str {
    match error {
        FillError::Noise { .. } => "gaps_noise",
        FillError::Kernel(KernelError::Range { .. }) => "gaps_range",
        FillError::Kernel(_) => "gaps_kernel",
        FillError::Ball(error) => of_ball(error),
        FillError::Points { .. } | FillError::Grid { .. } => "gaps",
    }
}

/// Which argument a kernel was refused for.
pub fn of_kernel(error: &KernelError) -> &'static str {
    match error {
        KernelError::Range { .. } => "range",
        _ => "kernel",
    }
}

/// Which argument a smoother was refused for.
pub fn of_penalty(error: &PenaltyError) -> &'static str {
    match error {
        PenaltyError::Penalty { .. } => "penalty",
        PenaltyError::Power { .. } => "eta",
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

/// Which argument a table was refused for.
pub fn of_table(error: &TableError) -> &'static str {
    match innermost(error) {
        TableError::Code { .. } | TableError::MissingCodes => "missing",
        TableError::Pattern { .. }
        | TableError::NoMatch { .. }
        | TableError::TooFewColumns { .. }
        | TableError::TooManyColumns { .. }
        | TableError::PatternCase { .. }
        | TableError::SubjectIsNoValue { .. }
        | TableError::Stranger { .. }
        | TableError::Disorder { .. }
        | TableError::DuplicateColumn { .. } => "values",
        TableError::UnknownSubject { .. } | TableError::SubjectCase { .. } => "subject",
        TableError::GridPoints { .. } | TableError::UnequalNames { .. } | TableError::Grid(_) => "grid_points",
        _ => "curves",
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

/// Which argument a release was refused for.
pub fn of_release(error: &ReleaseError) -> &'static str {
    match error {
        ReleaseError::Partial(_) => "curves",
        ReleaseError::CenterNeedsCurves | ReleaseError::CenterNeedsSteps | ReleaseError::BuysNoCenter => "center_share",
        ReleaseError::PenaltyNeeded => "penalty",
        ReleaseError::BoughtSmoothed | ReleaseError::BoughtWithoutDelta => "radius_share",
        ReleaseError::RoughWithoutDelta | ReleaseError::Mean(MeanError::OnRectangle { .. }) => "delta",
        ReleaseError::CoordinatesWithDelta
        | ReleaseError::Mean(MeanError::Coordinates { .. } | MeanError::EvenOnCircle { .. }) => "coordinates",
        ReleaseError::Slope { .. } => "slope",
        ReleaseError::Length { .. } | ReleaseError::RoughnessNeedsRadius => "roughness",
        ReleaseError::RoughSmoothed | ReleaseError::NotWhite => "mechanism",
        ReleaseError::Kernel(error) | ReleaseError::Spectrum(SpectrumError::Kernel(error)) => of_kernel(error),
        ReleaseError::Penalty(error) => of_penalty(error),
        ReleaseError::Ball(error) => of_ball(error),
        ReleaseError::Spectrum(_) => "range",
        ReleaseError::Mean(
            MeanError::MomentsOfSmoothed | MeanError::MomentsBudget | MeanError::MomentsWithoutDelta,
        ) => "moments",
        ReleaseError::Rows(error) => of_rows(error),
        ReleaseError::Mean(MeanError::RoughnessOnCircle) => "periodic",
        ReleaseError::Grid(_) | ReleaseError::Mean(_) => "grid_points",
        ReleaseError::Mechanism(error) => of_mechanism(error, "curves"),
    }
}

fn of_rows(error: &RowsError) -> &'static str {
    match error {
        RowsError::Bins { .. } => "bins",
        RowsError::Bound { .. } => "bound",
        RowsError::Domain(_) => "domain_range",
        RowsError::Ball(error) => of_ball(error),
        RowsError::Lattice(_) => "radius",
    }
}

/// Which argument a mechanism was refused for; `records` names the data.
pub fn of_mechanism(error: &MechanismError, records: &'static str) -> &'static str {
    match error {
        MechanismError::TooFewRecords { .. } | MechanismError::Lattice(_) => records,
        MechanismError::Noise(NoiseError::Gaussian(error)) => of_calibration(error),
        MechanismError::Noise(NoiseError::DeltaUnused { .. }) => "delta",
        MechanismError::NotForSale { what: Purchase::Center, .. } => "center_share",
        MechanismError::NotForSale { what: Purchase::Radius, .. }
        | MechanismError::TooFewForRadius { .. }
        | MechanismError::TooWideForRadius { .. }
        | MechanismError::Buys => "radius_share",
        MechanismError::Noise(_) => "epsilon",
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

fn of_histogram(error: &HistogramError) -> &'static str {
    match error {
        HistogramError::BoundsDiffer => "bounds",
        HistogramError::PrivateCount | HistogramError::NotADivisor { .. } | HistogramError::Cells(_) => "cells",
        HistogramError::Mechanism(error) => of_mechanism(error, "points"),
    }
}

fn of_smoothed(error: &SmoothedHistogramError) -> &'static str {
    match error {
        SmoothedHistogramError::Epsilon { .. } | SmoothedHistogramError::NothingLeft { .. } => "epsilon",
        SmoothedHistogramError::Delta { .. } => "delta",
        SmoothedHistogramError::AddRemove => "neighbours",
        SmoothedHistogramError::Bounds => "bounds",
        SmoothedHistogramError::NoRecords | SmoothedHistogramError::OtherRecords { .. } => "points",
        _ => "draws",
    }
}

fn of_exponential(error: &KsExponentialError) -> &'static str {
    match error {
        KsExponentialError::Epsilon { .. } => "epsilon",
        KsExponentialError::Delta { .. } => "delta",
        KsExponentialError::SeveralAxes { .. } => "mechanism",
        KsExponentialError::Bounds => "bounds",
        KsExponentialError::NoRecords | KsExponentialError::TooManyRecords => "points",
        KsExponentialError::TooLarge { cells, draws, .. } if cells > draws => "cells",
        _ => "draws",
    }
}

fn of_series(error: &SeriesError) -> &'static str {
    match error {
        SeriesError::Mechanism(error) => of_mechanism(error, "points"),
        _ => "mechanism",
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
