//! Errors of densities.

use dpfda::density::{
    BoundsError, CellsError, DensityError, HistogramError, KsExponentialError, PointsCsvError, SeriesError,
    SmoothedHistogramError,
};

use dpfda::mechanism::{MechanismError, exact};

use super::table::{CODES, NAMES};
use super::{Blame, Blamed, of};
use crate::advice::advice;

/// What to do about a setting of a density.
pub(crate) fn of_density(blame: Blame) -> Option<String> {
    let text = match blame.names() {
        ["draws"] => "give a smaller number, at least 1, or leave {draws} out for the default",
        ["epsilon"] => "give a number from 1e-6 to 50, such as 1; smaller is more private",
        ["delta"] => {
            "leave {delta} out for 0, pure differential privacy, or give a number from 1e-15 to 0.5, such as 1e-5"
        }
        names => return advice(names),
    };
    Some(text.to_owned())
}

impl Blamed for BoundsError {
    fn blame(&self) -> Blame {
        of(&["bounds"])
    }

    /// Axes in the order of `columns`, counted from 1.
    fn why(&self) -> String {
        match *self {
            Self::Dimension { .. } => self.to_string(),
            Self::NotFinite { axis, lower, upper } => format!(
                "the bounds of column {} must be finite, got {} to {}; they are public, from what is known without the data",
                axis + 1,
                exact(lower),
                exact(upper)
            ),
            Self::Inverted { axis, lower, upper } => format!(
                "the lower bound of column {} must be below the upper one, got {} to {}",
                axis + 1,
                exact(lower),
                exact(upper)
            ),
            Self::Width { axis, width } => {
                let (column, width) = (axis + 1, exact(width));
                format!("the width of column {column} must be from 1e-80 to 1e80, got {width}; choose other units")
            }
        }
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

    fn why(&self) -> String {
        if let Self::Bounds(error) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Zero => Some("give a number such as 20, or leave {cells} out for the default".to_owned()),
            _ => advice(self.blame().names()),
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

    fn instead(&self) -> Option<String> {
        match self {
            Self::HeaderIsData => Some(NAMES.to_owned()),
            Self::Code { .. } => Some(CODES.to_owned()),
            Self::Separator { delimiter, .. } => Some(format!("give {{delimiter}} {delimiter}")),
            _ => advice(self.blame().names()),
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

    fn why(&self) -> String {
        match self {
            Self::Cells(error) => error.why(),
            Self::Mechanism(error) => error.why(),
            _ => self.to_string(),
        }
    }

    fn instead(&self) -> Option<String> {
        match self {
            Self::Cells(error) => error.instead(),
            Self::Mechanism(MechanismError::TooFewRecords { .. }) => Some(
                "the density of one person is that person's own point: release the density of more people".to_owned(),
            ),
            _ => of_density(self.blame()),
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

    fn instead(&self) -> Option<String> {
        match self {
            Self::Delta { .. } => Some("leave {delta} out, or use {mechanism} perturbed or series".to_owned()),
            _ => of_density(self.blame()),
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

    fn instead(&self) -> Option<String> {
        match self {
            Self::Delta { .. } => Some("leave {delta} out, or use {mechanism} perturbed or series".to_owned()),
            _ => of_density(self.blame()),
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

    fn why(&self) -> String {
        if let Self::Mechanism(error) = self { error.why() } else { self.to_string() }
    }

    fn instead(&self) -> Option<String> {
        of_density(self.blame())
    }
}
