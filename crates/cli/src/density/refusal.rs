//! A refusal of the density library, at the argument it concerns.

use dpfda::density::{
    BoundsError, CellsError, DensityError, HistogramError, KsExponentialError, PointsCsvError, SeriesError,
    SmoothedHistogramError,
};
use dpfda::mechanism::MechanismError;
use dpfda::privacy::BudgetError;
use dpfda_study::Blamed;
use thiserror::Error;

use crate::argument::Argument;
use crate::refusal::{CODES, NAMES, mechanism_text};
use crate::summary::exact;

/// What was refused, in words for the command line.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum DensityRefusal {
    #[error("{}", bounds_text(.0))]
    Bounds(#[from] BoundsError),
    #[error("{}", budget_text(.0))]
    Budget(#[from] BudgetError),
    #[error("{}", cells_text(.0))]
    Cells(#[from] CellsError),
    #[error(transparent)]
    Points(#[from] PointsCsvError),
    #[error("{}", histogram_text(.0))]
    Histogram(#[from] HistogramError),
    #[error(transparent)]
    Smoothed(#[from] SmoothedHistogramError),
    #[error(transparent)]
    Exponential(#[from] KsExponentialError),
    #[error("{}", series_text(.0))]
    Series(#[from] SeriesError),
    #[error(transparent)]
    Resolution(#[from] DensityError),
}

impl DensityRefusal {
    /// The argument that has to change.
    pub fn argument(&self) -> Argument {
        let error: &dyn Blamed = match self {
            Self::Bounds(error) => error,
            Self::Budget(error) => error,
            Self::Cells(error) => error,
            Self::Points(error) => error,
            Self::Histogram(error) => error,
            Self::Smoothed(error) => error,
            Self::Exponential(error) => error,
            Self::Series(error) => error,
            Self::Resolution(error) => error,
        };
        Argument::of(error.blame(), Argument::Points)
    }

    /// What to do instead, where it is not what the argument says everywhere.
    pub fn advice(&self) -> Option<&'static str> {
        match (self, self.argument()) {
            (Self::Cells(CellsError::Zero) | Self::Histogram(HistogramError::Cells(CellsError::Zero)), _) => {
                Some("give a number such as 20, or leave --cells out for the default")
            }
            (Self::Points(PointsCsvError::HeaderIsData), _) => Some(NAMES),
            (Self::Points(PointsCsvError::Code { .. }), _) => Some(CODES),
            (Self::Histogram(HistogramError::Mechanism(MechanismError::TooFewRecords { .. })), _) => {
                Some("the density of one person is that person's own point: release the density of more people")
            }
            (Self::Smoothed(_) | Self::Exponential(_), Argument::Settings(["delta"])) => {
                Some("leave --delta out, or use --mechanism perturbed or series")
            }
            (_, Argument::Settings(["draws"])) => {
                Some("give a smaller number, at least 1, or leave --draws out for the default")
            }
            (_, Argument::Settings(["epsilon"])) => {
                Some("give a number from 1e-6 to 50, such as 1; smaller is more private")
            }
            (_, Argument::Settings(["delta"])) => Some(
                "leave --delta out for 0, pure differential privacy, or give a number from 1e-15 to 0.5, such as 1e-5",
            ),
            _ => None,
        }
    }
}

/// Axes in the order of `--columns`, counted from 1.
fn bounds_text(error: &BoundsError) -> String {
    match *error {
        BoundsError::Dimension { .. } => error.to_string(),
        BoundsError::NotFinite { axis, lower, upper } => format!(
            "the bounds of column {} must be finite, got {} to {}; they are public, from what is known without the data",
            axis + 1,
            exact(lower),
            exact(upper)
        ),
        BoundsError::Inverted { axis, lower, upper } => format!(
            "the lower bound of column {} must be below the upper one, got {} to {}",
            axis + 1,
            exact(lower),
            exact(upper)
        ),
        BoundsError::Width { axis, width } => {
            format!(
                "the width of column {} must be from 1e-80 to 1e80, got {}; choose other units",
                axis + 1,
                exact(width)
            )
        }
    }
}

fn budget_text(error: &BudgetError) -> String {
    match error {
        BudgetError::Epsilon { value } => format!("epsilon must be finite and at least 0, got {}", exact(*value)),
        BudgetError::Delta { value } => format!("delta must be at least 0 and below 1, got {}", exact(*value)),
    }
}

fn cells_text(error: &CellsError) -> String {
    match error {
        CellsError::Bounds(error) => bounds_text(error),
        other => other.to_string(),
    }
}

fn histogram_text(error: &HistogramError) -> String {
    match error {
        HistogramError::Cells(error) => cells_text(error),
        HistogramError::Mechanism(error) => mechanism_text(error),
        other => other.to_string(),
    }
}

fn series_text(error: &SeriesError) -> String {
    match error {
        SeriesError::Mechanism(error) => mechanism_text(error),
        other => other.to_string(),
    }
}
