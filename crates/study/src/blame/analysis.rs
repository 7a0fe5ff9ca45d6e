//! Errors of estimates.

use dpfda::analysis::AnalysisError;
use dpfda::crossval::SelectionError;

use super::{Blame, Blamed, of};

impl Blamed for AnalysisError {
    fn blame(&self) -> Blame {
        match self {
            Self::Level { .. } => of(&["level"]),
            Self::Number { .. } => of(&["band_roughness"]),
            Self::Centiles(error) => error.blame(),
            _ => of(&["band"]),
        }
    }
}

impl Blamed for SelectionError {
    fn blame(&self) -> Blame {
        of(&["select"])
    }
}
