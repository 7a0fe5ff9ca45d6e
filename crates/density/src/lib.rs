//! Private releases of a density on public bounds, after Wasserman and Zhou (2010).
//!
//! The chain is [`Points`] on [`Bounds`] (private) -> a mechanism -> a release with its [`PiecewiseDensity`] or
//! [`SeriesDensity`] (public). [`PerturbedHistogram`] and [`SeriesMechanism`] add noise to exact integers;
//! [`SmoothedHistogram`], [`KsExponential`] and [`SeriesExponential`] draw cells. What is done to a release afterwards costs
//! nothing.

mod bounds;
mod cells;
mod counts;
mod draws;
mod exponential;
mod facts;
mod histogram;
mod piecewise;
mod points;
mod series;
mod series_exponential;
mod smoothed;

pub use dpfda_privacy::{BasisError, CosineBasis, SeriesSensitivity};
pub use dpfda_tables::RecordError;

pub use bounds::{Bounds, BoundsError};
pub use cells::{Cells, CellsError, MAX_CELLS, MAX_DRAWS};
pub use counts::CellCounts;
pub use draws::{CellDraws, DrawsMechanism, PreparedDraws};
pub use exponential::{KsExponential, KsExponentialError};
pub use histogram::{
    Histogram, HistogramError, HistogramRelease, MergedRisk, PerturbedHistogram, cells_by_rate, cells_to_merge,
};
pub use piecewise::{DensityError, PiecewiseDensity};
pub use points::{PointLayout, Points, PointsCsvError, PointsError};
pub use series::{Series, SeriesDensity, SeriesError, SeriesMechanism, SeriesRelease, SeriesSelection, SeriesTerms};
pub use series_exponential::{SeriesExponential, SeriesExponentialError};
pub use smoothed::{HistogramSize, SmoothedHistogram, SmoothedHistogramError};
