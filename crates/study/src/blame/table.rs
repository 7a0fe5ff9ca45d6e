//! Errors of private tables.

use dpfda::smoothing::TableError;

use super::{Blame, Blamed, of};

impl Blamed for TableError {
    fn blame(&self) -> Blame {
        match self {
            Self::Pattern { .. }
            | Self::NoMatch { .. }
            | Self::TooFewColumns { .. }
            | Self::TooManyColumns { .. }
            | Self::DuplicateColumn { .. }
            | Self::PatternCase { .. }
            | Self::SubjectIsNoValue { .. }
            | Self::NotUtf8
            | Self::Stranger { .. }
            | Self::Disorder { .. } => of(&["values"]),
            Self::UnknownSubject { .. } | Self::SubjectCase { .. } => of(&["subject"]),
            Self::LongColumn { .. } | Self::LongColumns => of(&["id", "time", "value"]),
            Self::LongSurfaceColumns => of(&["id", "s", "t", "value"]),
            Self::UnknownColumn { .. } => of(&["by"]),
            Self::GridPoints { .. }
            | Self::Grid(_)
            | Self::UnequalNames { .. }
            | Self::UnclearDates { .. }
            | Self::NoPositions => of(&["grid"]),
            Self::AndMore { first, .. } => first.blame(),
            _ => Blame::Data,
        }
    }
}
