//! Private releases of a density on public bounds, after Wasserman and Zhou (2010).
//!
//! The chain is [`Points`] on [`Bounds`] (private) -> [`CellCounts`] on [`Cells`] (private, exact integers) -> a mechanism
//! -> a release with its [`PiecewiseDensity`] (public). What is done to a release afterwards costs nothing.

mod bounds;
mod cell_draws;
mod cells;
mod counts;
mod exact_sampling;
mod exponential;
mod histogram;
mod piecewise;
mod points;
mod series;
mod series_exponential;
mod smoothed;

pub use dpfda_records::RecordError;

pub use bounds::{Bounds, BoundsError};
pub use cell_draws::{CellDraws, CellDrawsReadError, DrawsMechanism, MAX_DRAWS};
pub use cells::{Cells, CellsError, MAX_CELLS};
pub use counts::CellCounts;
pub use exponential::{KsExponential, KsExponentialError};
pub use histogram::{
    HistogramError, HistogramNoise, HistogramReadError, HistogramRelease, MergedRisk, PerturbedHistogram,
    cells_by_rate, cells_to_merge,
};
pub use piecewise::{DensityError, PiecewiseDensity};
pub use points::{Points, PointsCsvError, PointsError};
pub use series::{
    BasisError, CosineBasis, SeriesDensity, SeriesError, SeriesMechanism, SeriesNoiseError, SeriesReadError,
    SeriesRelease, SeriesSelection, SeriesSensitivity, SeriesTerms,
};
pub use series_exponential::{SeriesExponential, SeriesExponentialError, SeriesExponentialRelease};
pub use smoothed::{HistogramSize, SmoothedHistogram, SmoothedHistogramError};
