//! Errors of densities.

use dpfda::density::{
    BoundsError, CellsError, DensityError, HistogramError, KsExponentialError, PointsCsvError, SeriesError,
    SmoothedHistogramError,
};

use super::{Blame, Blamed, of};

impl Blamed for BoundsError {
    fn blame(&self) -> Blame {
        of(&["bounds"])
    }
}

impl Blamed for DensityError {
    fn blame(&self) -> Blame {
        of(&["cells"])
    }
}

impl Blamed for CellsError {
    fn blame(&self) -> Blame {
        match self {
            Self::Bounds(error) => error.blame(),
            Self::Zero | Self::TooMany { .. } => of(&["cells"]),
        }
    }
}

impl Blamed for PointsCsvError {
    fn blame(&self) -> Blame {
        match self {
            Self::NoColumn { .. } | Self::SeveralColumns { .. } => of(&["columns"]),
            Self::NoId { .. } => of(&["subject"]),
            _ => Blame::Data,
        }
    }
}

impl Blamed for HistogramError {
    fn blame(&self) -> Blame {
        match self {
            Self::BoundsDiffer => of(&["bounds"]),
            Self::PrivateCount | Self::NotADivisor { .. } => of(&["cells"]),
            Self::Cells(error) => error.blame(),
            Self::Mechanism(error) => error.blame(),
        }
    }
}

impl Blamed for SmoothedHistogramError {
    fn blame(&self) -> Blame {
        match self {
            Self::Epsilon { .. } | Self::NothingLeft { .. } => of(&["epsilon"]),
            Self::Delta { .. } => of(&["delta"]),
            Self::AddRemove => of(&["neighbours"]),
            Self::Draws { .. } | Self::Condition { .. } | Self::Mixture { .. } => of(&["draws"]),
            Self::Bounds => of(&["bounds"]),
            Self::NoRecords | Self::OtherRecords { .. } => Blame::Data,
        }
    }
}

impl Blamed for KsExponentialError {
    fn blame(&self) -> Blame {
        match self {
            Self::Epsilon { .. } => of(&["epsilon"]),
            Self::Delta { .. } => of(&["delta"]),
            Self::SeveralAxes { .. } => of(&["mechanism"]),
            Self::TooLarge { cells, draws, .. } if cells > draws => of(&["cells"]),
            Self::NoDraws | Self::TooLarge { .. } => of(&["draws"]),
            Self::Bounds => of(&["bounds"]),
            Self::NoRecords | Self::TooManyRecords => Blame::Data,
        }
    }
}

impl Blamed for SeriesError {
    fn blame(&self) -> Blame {
        match self {
            Self::Mechanism(error) => error.blame(),
            Self::Basis(_) | Self::Smoothness { .. } | Self::PrivateRecords | Self::Terms { .. } => of(&["mechanism"]),
        }
    }
}
