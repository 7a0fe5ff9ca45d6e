//! Errors of guarantees, balls, kernels and everything that is released of curves.

use dpfda::kernels::{GridError, KernelError, SpectrumError, SurfaceGridError};
use dpfda::mechanism::{MechanismError, Purchase, exact};
use dpfda::privacy::{BudgetError, CalibrationError, LatticeError, NoiseError};
use dpfda::release::{
    CentilesError, ChangeError, ChangeOfError, CovariateError, GroupingError, GroupsError, MeanError, RegressionError,
    RegressionPlanError, ReleaseError, RowsError,
};
use dpfda::smoothing::{BallError, CurveSetError, FillError, PenaltyError};

use super::{Blame, Blamed, of};
use crate::advice::advice;

/// One range for every refusal of an epsilon or a delta, whoever refused it.
fn of_epsilon(value: f64) -> String {
    let value = exact(value);
    format!("epsilon must be 0, or from 1e-6 to 50, because outside it the calibration is not proved; got {value}")
}

fn of_delta(value: f64) -> String {
    let value = exact(value);
    format!("delta must be from 1e-15 to 0.5, because outside it the calibration is not proved; got {value}")
}

impl Blamed for BudgetError {
    fn blame(&self) -> Blame {
        match self {
            Self::Epsilon { .. } => of(&["epsilon"]),
            Self::Delta { .. } => of(&["delta"]),
        }
    }

    fn why(&self) -> String {
        match *self {
            Self::Epsilon { value } => of_epsilon(value),
            Self::Delta { value } if value < 1.0 => of_delta(value),
            Self::Delta { .. } => self.to_string(),
        }
    }
}

/// A sensitivity follows from the bound.
impl Blamed for CalibrationError {
    fn blame(&self) -> Blame {
        match self {
            Self::DeltaZero | Self::Delta { .. } => of(&["delta"]),
            Self::Epsilon { .. } | Self::Mu { .. } => of(&["epsilon"]),
            Self::ClassicalEpsilon { .. } => of(&["classical"]),
            Self::Sensitivity { .. } => of(&["radius"]),
        }
    }

    fn why(&self) -> String {
        match *self {
            Self::Epsilon { value } => of_epsilon(value),
            Self::Delta { value } => of_delta(value),
            Self::ClassicalEpsilon { value: 0.0 } => {
                "epsilon must be above 0 for the classical scale, which divides by epsilon; got 0. The tight calibration holds for \
                 an epsilon of 0"
                    .to_owned()
            }
            Self::Sensitivity { value } => {
                format!("sensitivity must be a positive number from 1e-100 to 1e100, got {}", exact(value))
            }
            _ => self.to_string(),
        }
    }
}

impl Blamed for BallError {
    fn blame(&self) -> Blame {
        match self {
            Self::Radius { .. } | Self::Rounding { .. } => of(&["radius"]),
            Self::Bounds { .. } => of(&["bounds"]),
            Self::Points { .. } => of(&["surface"]),
            _ => of(&["center"]),
        }
    }
}

impl Blamed for CurveSetError {
    fn blame(&self) -> Blame {
        match self {
            Self::Infinite { .. } => Blame::Data,
            Self::Subjects { .. } => of(&["subject"]),
            Self::Columns { .. } | Self::Grid(_) => of(&["grid"]),
        }
    }
}

impl Blamed for FillError {
    fn blame(&self) -> Blame {
        match self {
            Self::Noise { .. } => of(&["gaps_noise"]),
            Self::Kernel(KernelError::Range { .. }) => of(&["gaps_range"]),
            Self::Kernel(_) => of(&["gaps_kernel"]),
            Self::Ball(_) => of(&["center"]),
            Self::Points { .. } | Self::Grid { .. } => of(&["gaps"]),
        }
    }
}

impl Blamed for GridError {
    fn blame(&self) -> Blame {
        of(&["grid"])
    }
}

impl Blamed for SurfaceGridError {
    fn blame(&self) -> Blame {
        if let Self::Axis(_) = self { of(&["surface_domain"]) } else { of(&["surface"]) }
    }

    fn instead(&self) -> Option<String> {
        let Self::Axis(_) = self else { return None };
        Some("give the ends of s and of t in increasing order, such as {surface_domain=0,1,0,24}".to_owned())
    }
}

impl Blamed for KernelError {
    fn blame(&self) -> Blame {
        match self {
            Self::Range { .. } => of(&["range"]),
            _ => of(&["kernel"]),
        }
    }
}

impl Blamed for SpectrumError {
    fn blame(&self) -> Blame {
        match self {
            Self::Kernel(error) => error.blame(),
            _ => of(&["range"]),
        }
    }

    fn instead(&self) -> Option<String> {
        Some("leave {kernel} and {range} out for matern52 with its default range".to_owned())
    }
}

impl Blamed for PenaltyError {
    fn blame(&self) -> Blame {
        match self {
            Self::Penalty { .. } => of(&["penalty"]),
            Self::Power { .. } => of(&["eta"]),
        }
    }
}

impl Blamed for RegressionError {
    fn blame(&self) -> Blame {
        match self {
            Self::Release(error) => error.blame(),
            Self::PublicUnderAddRemove | Self::NoCovariate { .. } => of(&["public_design"]),
            Self::Plan(RegressionPlanError::Outcome { .. }) => of(&["outcome"]),
            Self::TooFew { .. } => of(&["epsilon"]),
            Self::Plan(RegressionPlanError::Covariate(
                CovariateError::Bounds { .. } | CovariateError::Levels { .. },
            )) => of(&["covariate_bounds"]),
            _ => of(&["on"]),
        }
    }

    fn why(&self) -> String {
        if let Self::Release(error) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Release(error) => error.instead(),
            Self::TooFew { .. } => Some("release the outcome of more people, or spend a larger budget".to_owned()),
            _ => advice(self.blame().names()),
        }
    }
}

impl Blamed for GroupsError {
    fn blame(&self) -> Blame {
        match self {
            Self::Release(error) => error.blame(),
            Self::Emphasis => of(&["moments"]),
            Self::PublicUnderAddRemove
            | Self::Grouping(GroupingError::Unsure { .. } | GroupingError::Lattice(LatticeError::Groups { .. })) => {
                of(&["private_labels"])
            }
            Self::Grouping(GroupingError::Lattice(LatticeError::Memberships { .. })) => of(&["groups_of_subject"]),
            _ => of(&["by"]),
        }
    }

    fn why(&self) -> String {
        if let Self::Release(error) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Release(error) => error.instead(),
            Self::SubjectInTwoGroups => Some(
                "give the labels as private ones, and the most groups of a subject: {private_labels=case,control} with {groups_of_subject=2}"
                    .to_owned(),
            ),
            _ => advice(self.blame().names()),
        }
    }
}

impl Blamed for ChangeError {
    fn blame(&self) -> Blame {
        match self {
            Self::Groups(GroupsError::Grouping(GroupingError::Change(ChangeOfError::Apart))) => of(&["apart"]),
            Self::Groups(GroupsError::Grouping(GroupingError::Change(_))) | Self::Cells { .. } => of(&["change"]),
            Self::Groups(error) => error.blame(),
            Self::NoSubjects => of(&["subject"]),
            Self::TooFew { .. } => of(&["epsilon"]),
        }
    }

    fn why(&self) -> String {
        if let Self::Groups(error) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Groups(GroupsError::Release(error)) => error.instead(),
            Self::TooFew { .. } => Some("release the change of more people, or spend a larger budget".to_owned()),
            _ => advice(self.blame().names()),
        }
    }
}

impl Blamed for RowsError {
    fn blame(&self) -> Blame {
        match self {
            Self::Bins { .. } => of(&["bins"]),
            Self::Bound { .. } => of(&["bound"]),
            Self::Domain(_) => of(&["domain"]),
            Self::Ball(error) => error.blame(),
            Self::Lattice(_) => of(&["radius"]),
        }
    }
}

impl Blamed for MeanError {
    fn blame(&self) -> Blame {
        match self {
            Self::OnRectangle { .. } => of(&["delta"]),
            Self::Coordinates { .. } | Self::EvenOnCircle { .. } => of(&["coordinates"]),
            Self::SlopeOnCircle => of(&["periodic"]),
            Self::MomentsOfSmoothed | Self::MomentsBudget | Self::MomentsWithoutDelta => of(&["moments"]),
            _ => of(&["values"]),
        }
    }
}

impl Blamed for CentilesError {
    fn blame(&self) -> Blame {
        match self {
            Self::NoBounds => of(&["bounds"]),
            Self::Center { .. } => of(&["center"]),
            Self::Distance { .. } => of(&["radius"]),
            Self::TooNoisy { .. } => of(&["epsilon"]),
            Self::Ball(error) => error.blame(),
            _ => of(&["centiles"]),
        }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Distance { .. } => Some("leave {radius} out where no smaller distance is known".to_owned()),
            Self::TooNoisy { .. } => Some("release the centiles of more people, or spend a larger budget".to_owned()),
            _ => advice(self.blame().names()),
        }
    }
}

impl Blamed for ReleaseError {
    fn blame(&self) -> Blame {
        match self {
            Self::Partial(_) => Blame::Data,
            Self::CenterNeedsCurves | Self::CenterNeedsSteps | Self::BuysNoCenter => of(&["center_share"]),
            Self::PenaltyNeeded => of(&["penalty"]),
            Self::BoughtSmoothed | Self::BoughtWithoutDelta => of(&["radius_share"]),
            Self::RoughWithoutDelta => of(&["delta"]),
            Self::CoordinatesWithDelta => of(&["coordinates"]),
            Self::Slope { .. } => of(&["slope"]),
            Self::Length { .. } | Self::Lengths(_) | Self::RoughnessNeedsRadius => of(&["roughness"]),
            Self::RoughSmoothed | Self::NotWhite => of(&["mechanism"]),
            Self::Rows(error) => error.blame(),
            Self::Centiles(error) => error.blame(),
            Self::Mean(error) => error.blame(),
            Self::Grid(error) => error.blame(),
            Self::Kernel(error) => error.blame(),
            Self::Penalty(error) => error.blame(),
            Self::Ball(error) => error.blame(),
            Self::Spectrum(error) => error.blame(),
            Self::Mechanism(error) => error.blame(),
        }
    }

    fn why(&self) -> String {
        if let Self::Mechanism(error) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Mechanism(error) => error.instead(),
            Self::Spectrum(error) => error.instead(),
            Self::Centiles(error) => error.instead(),
            Self::BoughtWithoutDelta => Some("give a {delta} above 0, or leave {radius_share} out".to_owned()),
            _ => advice(self.blame().names()),
        }
    }
}

impl Blamed for MechanismError {
    fn blame(&self) -> Blame {
        match self {
            Self::TooFewRecords { .. } | Self::Lattice(_) => Blame::Data,
            Self::Noise(NoiseError::Gaussian(error)) => error.blame(),
            Self::Noise(NoiseError::DeltaUnused { .. }) => of(&["delta"]),
            Self::NotForSale { what: Purchase::Center, .. } => of(&["center_share"]),
            Self::NotForSale { what: Purchase::Radius, .. }
            | Self::TooFewForRadius { .. }
            | Self::TooWideForRadius { .. }
            | Self::Buys => of(&["radius_share"]),
            Self::Noise(_) => of(&["epsilon"]),
        }
    }

    fn why(&self) -> String {
        if let Self::Noise(NoiseError::Gaussian(error)) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::TooFewRecords { .. } => {
                Some("the mean of one person is that person's own curve: release the mean of more people".to_owned())
            }
            _ => advice(self.blame().names()),
        }
    }
}
