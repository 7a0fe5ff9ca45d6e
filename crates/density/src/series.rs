//! Orthogonal series on the cosine basis, with noise of the basis's own sensitivity.

mod basis;
mod density;
mod encoding;
mod mechanism;
mod noise;
mod release;
mod selection;
mod sensitivity;

pub use basis::{BasisError, CosineBasis};
pub use density::SeriesDensity;
pub use mechanism::{SeriesError, SeriesMechanism, SeriesTerms};
pub use noise::SeriesNoiseError;
pub use release::{SeriesReadError, SeriesRelease};
pub use selection::SeriesSelection;
pub use sensitivity::SeriesSensitivity;

pub(crate) use encoding::encode;
pub(crate) use sensitivity::l2_steps;
