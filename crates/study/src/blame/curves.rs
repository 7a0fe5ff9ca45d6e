//! Errors of guarantees, balls, kernels and everything that is released of curves.

use dpfda::kernels::{GridError, KernelError, SpectrumError};
use dpfda::mechanism::{MechanismError, Purchase};
use dpfda::privacy::{BudgetError, CalibrationError, LatticeError, NoiseError};
use dpfda::release::{
    GroupingError, GroupsError, MeanError, RegressionError, RegressionPlanError, ReleaseError, RowsError,
};
use dpfda::smoothing::{BallError, FillError, PenaltyError};

use super::{Blame, Blamed, of};

impl Blamed for BudgetError {
    fn blame(&self) -> Blame {
        match self {
            Self::Epsilon { .. } => of(&["epsilon"]),
            Self::Delta { .. } => of(&["delta"]),
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
            Self::Plan(RegressionPlanError::Covariate(_)) => of(&["covariate_bounds"]),
            _ => of(&["on"]),
        }
    }
}

impl Blamed for GroupsError {
    fn blame(&self) -> Blame {
        match self {
            Self::Release(error) => error.blame(),
            Self::Emphasis => of(&["moments"]),
            Self::PublicUnderAddRemove
            | Self::SubjectInTwoGroups
            | Self::Grouping(GroupingError::Unsure { .. } | GroupingError::Lattice(LatticeError::Groups { .. })) => {
                of(&["private_labels"])
            }
            Self::Grouping(GroupingError::Lattice(LatticeError::Memberships { .. })) => of(&["groups_of_subject"]),
            _ => of(&["by"]),
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
            Self::RoughnessOnCircle => of(&["periodic"]),
            Self::MomentsOfSmoothed | Self::MomentsBudget | Self::MomentsWithoutDelta => of(&["moments"]),
            _ => of(&["values"]),
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
            Self::Length { .. } | Self::RoughnessNeedsRadius => of(&["roughness"]),
            Self::RoughSmoothed | Self::NotWhite => of(&["mechanism"]),
            Self::Rows(error) => error.blame(),
            Self::Mean(error) => error.blame(),
            Self::Grid(error) => error.blame(),
            Self::Kernel(error) => error.blame(),
            Self::Penalty(error) => error.blame(),
            Self::Ball(error) => error.blame(),
            Self::Spectrum(error) => error.blame(),
            Self::Mechanism(error) => error.blame(),
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
}
