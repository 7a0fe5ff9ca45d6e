//! A refusal of the library, at the argument it concerns.

mod table;

use std::borrow::Cow;

use dpfda::analysis::AnalysisError;
use dpfda::crossval::{CandidateError, CrossValidationError, FoldError, SelectionError, SurfaceError};
use dpfda::kernels::{GridError, KernelError, SpectrumError};
use dpfda::ledger::{ReleaseIdError, TermsError};
use dpfda::mechanism::MechanismError;
use dpfda::privacy::{BudgetError, CalibrationError, LogConcaveError, NoiseError};
use dpfda::release::{EncodeError, GroupsError, RegressionError, ReleaseError};
use dpfda::smoothing::{BallError, PenaltyError, TableError};
use dpfda_study::Blamed;
use thiserror::Error;

use crate::argument::Argument;
use crate::center::CenterError;
use crate::density::DensityRefusal;
use crate::output::OutputError;
use crate::selection::ChoiceError;
use crate::summary::exact;

pub use table::{CODES, NAMES};

/// What was refused, in the words of whoever refused it.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Refusal {
    #[error("{}", budget_text(*.0))]
    Budget(#[from] BudgetError),
    #[error("{}", calibration_text(.0))]
    Calibration(#[from] CalibrationError),
    #[error("{}", log_concave_text(.0))]
    LogConcave(#[from] LogConcaveError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Center(#[from] CenterError),
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Csv(#[from] TableError),
    #[error("{}", release_text(.0))]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    Groups(GroupsError),
    #[error(transparent)]
    Regression(RegressionError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    #[error(transparent)]
    Choice(#[from] ChoiceError),
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
    Density(#[from] DensityRefusal),
    #[error(transparent)]
    Output(#[from] OutputError),
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

impl From<SelectionError> for Refusal {
    fn from(error: SelectionError) -> Self {
        Self::Choice(error.into())
    }
}

impl From<GroupsError> for Refusal {
    fn from(error: GroupsError) -> Self {
        match error {
            GroupsError::Release(error) => Self::Release(error),
            other => Self::Groups(other),
        }
    }
}

impl From<RegressionError> for Refusal {
    fn from(error: RegressionError) -> Self {
        match error {
            RegressionError::Release(error) => Self::Release(error),
            other => Self::Regression(other),
        }
    }
}

impl Refusal {
    /// The argument that has to change.
    pub fn argument(&self) -> Argument {
        let blamed = |error: &dyn Blamed| Argument::of(error.blame(), Argument::Curves);
        match self {
            Self::Budget(error) => blamed(error),
            Self::Terms(TermsError::Total) => Argument::Settings(&["epsilon"]),
            Self::Calibration(CalibrationError::Sensitivity { .. }) => Argument::Sensitivity,
            Self::Calibration(error) => blamed(error),
            Self::LogConcave(error) => of_log_concave(error),
            Self::Ball(error) => blamed(error),
            Self::Center(_) => Argument::Settings(&["center"]),
            Self::Kernel(error) => blamed(error),
            Self::Penalty(error) => blamed(error),
            Self::Spectrum(error) => blamed(error),
            Self::Grid(error) => blamed(error),
            Self::Csv(error) => blamed(error),
            Self::Release(error) => blamed(error),
            Self::Groups(error) => blamed(error),
            Self::Regression(error) => blamed(error),
            Self::Analysis(AnalysisError::Level { .. }) => Argument::Settings(&["level"]),
            Self::Analysis(AnalysisError::OutsideDomain { .. }) => Argument::At,
            Self::Analysis(
                AnalysisError::OtherGrid | AnalysisError::SameRelease | AnalysisError::DomainsDiffer { .. },
            ) => Argument::Second,
            Self::Analysis(_) => Argument::Settings(&["band"]),
            Self::Choice(_) => Argument::Settings(&["select"]),
            Self::Encode(_) => Argument::Curves,
            Self::Folds(_) => Argument::Folds,
            Self::Candidates(error) => of_candidates(error),
            Self::CrossValidation(error) => of_cross_validation(error),
            Self::Density(refusal) => refusal.argument(),
            Self::Output(_) => Argument::Out,
            Self::Terms(TermsError::Name(_)) => Argument::Dataset,
            Self::Terms(TermsError::Groups) => Argument::Groups,
            Self::ReleaseId(_) | Self::Terms(TermsError::Mechanism) => Argument::ReleaseId,
        }
    }

    /// What to do instead, where the refusal itself does not say it.
    pub fn advice(&self) -> Option<Cow<'static, str>> {
        let advice = match self {
            Self::Release(ReleaseError::Mechanism(MechanismError::TooFewRecords { .. })) => {
                Some("the mean of one person is that person's own curve: release the mean of more people")
            }
            Self::Csv(error) => return table::advice(error),
            Self::Spectrum(_) | Self::Release(ReleaseError::Spectrum(_)) => {
                Some("leave --kernel and --range out for matern52 with its default range")
            }
            Self::CrossValidation(CrossValidationError::Surface(SurfaceError::Spectrum(_))) => {
                Some("leave the largest and the least ranges out")
            }
            Self::Density(refusal) => refusal.advice(),
            _ => None,
        };
        advice.map(Cow::Borrowed).or_else(|| self.argument().advice())
    }
}

/// One range for every refusal of an epsilon or a delta, whoever refused it.
fn epsilon_text(value: f64) -> String {
    format!(
        "epsilon must be 0, or from 1e-6 to 50, because outside it the calibration is not proved; got {}",
        exact(value)
    )
}

fn delta_text(value: f64) -> String {
    format!("delta must be from 1e-15 to 0.5, because outside it the calibration is not proved; got {}", exact(value))
}

fn budget_text(error: BudgetError) -> String {
    match error {
        BudgetError::Epsilon { value } => epsilon_text(value),
        BudgetError::Delta { value } if value >= 1.0 => error.to_string(),
        BudgetError::Delta { value } => delta_text(value),
    }
}

pub fn calibration_text(error: &CalibrationError) -> String {
    match error {
        CalibrationError::Epsilon { value } => epsilon_text(*value),
        CalibrationError::Delta { value } => delta_text(*value),
        CalibrationError::ClassicalEpsilon { value } if *value == 0.0 => {
            "epsilon must be above 0 for the classical scale, which divides by epsilon; got 0. The tight calibration \
             holds for an epsilon of 0"
                .to_owned()
        }
        CalibrationError::Sensitivity { value } => sensitivity_text(*value),
        other => other.to_string(),
    }
}

/// A mechanism's refusal in the numbers of the command line.
pub fn mechanism_text(error: &MechanismError) -> String {
    match error {
        MechanismError::Noise(NoiseError::Gaussian(error)) => calibration_text(error),
        other => other.to_string(),
    }
}

fn release_text(error: &ReleaseError) -> String {
    match error {
        ReleaseError::Mechanism(error) => mechanism_text(error),
        other => other.to_string(),
    }
}

fn sensitivity_text(value: f64) -> String {
    format!("sensitivity must be a positive number from 1e-100 to 1e100, got {}", exact(value))
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
