//! A refusal of the library, at the setting or the argument it concerns.

use std::borrow::Cow;

use dpfda::analysis::AnalysisError;
use dpfda::crossval::{CandidateError, CrossValidationError, FoldError, SelectionError, SurfaceError};
use dpfda::density::{
    DensityError, HistogramError, KsExponentialError, PointsCsvError, SeriesError, SmoothedHistogramError,
};
use dpfda::kernels::{GridError, KernelError, SpectrumError, SurfaceGridError};
use dpfda::ledger::{ReleaseIdError, TermsError};
use dpfda::mechanism::MechanismError;
use dpfda::privacy::{BudgetError, CalibrationError, LogConcaveError};
use dpfda::release::{ChangeError, EncodeError, GroupsError, RegressionError, ReleaseError, RowsError};
use dpfda::smoothing::{BallError, FillError, PenaltyError, TableError};
use dpfda_study::{Blame, Blamed, Door, Refusal as StudyRefusal};
use thiserror::Error;

use crate::argument::Argument;
use crate::output::OutputError;

/// What was refused, in the words of whoever refused it.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Refusal {
    #[error("{}", Door::Flags.spell(&.0.why))]
    Study(StudyRefusal),
    #[error(transparent)]
    Unread(TableError),
    #[error("{}", sensitivity_text(*value))]
    Sensitivity { value: f64 },
    #[error("{}", log_concave_text(.0))]
    LogConcave(#[from] LogConcaveError),
    #[error(transparent)]
    Analysis(AnalysisError),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error(transparent)]
    ReleaseId(#[from] ReleaseIdError),
    #[error(transparent)]
    Encode(EncodeError),
    #[error(transparent)]
    Folds(#[from] FoldError),
    #[error(transparent)]
    Candidates(#[from] CandidateError),
    #[error(transparent)]
    CrossValidation(#[from] CrossValidationError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// What the study blames a setting for.
macro_rules! of_study {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self::Study(error.into())
            }
        }
    )*};
}

of_study!(
    BallError,
    BudgetError,
    ChangeError,
    DensityError,
    FillError,
    HistogramError,
    KsExponentialError,
    SeriesError,
    SmoothedHistogramError,
    GridError,
    GroupsError,
    KernelError,
    MechanismError,
    PenaltyError,
    PointsCsvError,
    RegressionError,
    ReleaseError,
    RowsError,
    SelectionError,
    SpectrumError,
    StudyRefusal,
    SurfaceGridError,
);

/// A sensitivity that is no consequence of a bound is an argument.
impl From<CalibrationError> for Refusal {
    fn from(error: CalibrationError) -> Self {
        if let CalibrationError::Sensitivity { value } = error {
            return Self::Sensitivity { value };
        }
        Self::Study(error.into())
    }
}

/// A file that cannot be read is told with its name.
impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Read { .. } | TableError::File { .. } | TableError::NoFile { .. } => Self::Unread(error),
            error => Self::Study(error.into()),
        }
    }
}

impl From<AnalysisError> for Refusal {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::OutsideDomain { .. }
            | AnalysisError::OtherGrid
            | AnalysisError::OtherQuantity { .. }
            | AnalysisError::SameRelease
            | AnalysisError::DomainsDiffer { .. } => Self::Analysis(error),
            error => Self::Study(error.into()),
        }
    }
}

impl From<EncodeError> for Refusal {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Table(error) => error.into(),
            EncodeError::Partial(error) => ReleaseError::from(error).into(),
            other => Self::Encode(other),
        }
    }
}

impl Refusal {
    /// The argument that has to change.
    pub fn argument(&self) -> Argument {
        match self {
            Self::Study(refusal) => Argument::of(refusal.blame, Argument::Curves),
            Self::Terms(TermsError::Total) => Argument::Settings(&["epsilon"]),
            Self::Sensitivity { .. } => Argument::Sensitivity,
            Self::LogConcave(error) => of_log_concave(error),
            Self::Analysis(AnalysisError::OutsideDomain { .. }) => Argument::At,
            Self::Analysis(_) => Argument::Second,
            Self::Encode(_) | Self::Unread(_) => Argument::Curves,
            Self::Folds(_) => Argument::Folds,
            Self::Candidates(error) => of_candidates(error),
            Self::CrossValidation(error) => of_cross_validation(error),
            Self::Output(_) => Argument::Out,
            Self::Terms(TermsError::Name(_)) => Argument::Dataset,
            Self::Terms(TermsError::Groups) => Argument::Groups,
            Self::ReleaseId(_) | Self::Terms(TermsError::Mechanism) => Argument::ReleaseId,
        }
    }

    /// What to do instead, where the refusal itself does not say it.
    pub fn advice(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Study(refusal) => refusal.instead.as_ref().map(|instead| Door::Flags.spell(instead).into()),
            Self::CrossValidation(CrossValidationError::Surface(SurfaceError::Spectrum(_))) => {
                Some("leave the largest and the least ranges out".into())
            }
            other => other.argument().advice(),
        }
    }

    /// Whether the data have to change.
    pub fn is_of_data(&self) -> bool {
        matches!(self, Self::Study(StudyRefusal { blame: Blame::Data, .. }) | Self::Encode(_) | Self::Unread(_))
    }
}

fn sensitivity_text(value: f64) -> String {
    CalibrationError::Sensitivity { value }.why()
}

fn log_concave_text(error: &LogConcaveError) -> String {
    match error {
        LogConcaveError::Sensitivity { value } => sensitivity_text(*value),
        other => other.to_string(),
    }
}

fn of_log_concave(error: &LogConcaveError) -> Argument {
    match error {
        LogConcaveError::Epsilon { .. } => Argument::Settings(&["epsilon"]),
        LogConcaveError::Sensitivity { .. } => Argument::Sensitivity,
        LogConcaveError::NoBudget
        | LogConcaveError::UnboundedRatio
        | LogConcaveError::Delta { .. }
        | LogConcaveError::Distance { .. }
        | LogConcaveError::NoScale { .. }
        // never asked for here
        | LogConcaveError::SeveralDimensions { .. } => Argument::Settings(&["delta"]),
    }
}

fn of_candidates(error: &CandidateError) -> Argument {
    match error {
        CandidateError::NoKernels => Argument::Settings(&["kernel"]),
        CandidateError::NoRanges => Argument::Settings(&["range"]),
        CandidateError::NoPenalties => Argument::Settings(&["penalty"]),
        CandidateError::NoPowers => Argument::Settings(&["eta"]),
        CandidateError::Kernel(error) => Argument::of(error.blame(), Argument::Curves),
        CandidateError::Penalty(error) => Argument::of(error.blame(), Argument::Curves),
    }
}

fn of_cross_validation(error: &CrossValidationError) -> Argument {
    let blamed = |error: &dyn Blamed| Argument::of(error.blame(), Argument::Curves);
    match error {
        CrossValidationError::Records { .. } => Argument::Folds,
        CrossValidationError::NoDraws => Argument::FoldDraws,
        CrossValidationError::Ball(error) => blamed(error),
        CrossValidationError::Release(error) => blamed(error),
        CrossValidationError::Surface(error) => match error {
            SurfaceError::Spectrum(error) => blamed(error),
            SurfaceError::Kernel(error) => blamed(error),
            SurfaceError::Grid(error) => blamed(error),
            SurfaceError::Penalty(error) => blamed(error),
            SurfaceError::NotFinite | SurfaceError::Shape { .. } => Argument::Curves,
        },
    }
}
