//! What a private release is worth. Everything here is a function of a release and of public numbers, and costs no privacy.
//!
//! ```text
//! Release<Mean>  ->  Observation  ->  Posterior  ->  Band  ->  Estimate
//!                      Ladder (public prior)     SamplingCovariance (from private second moments, or from the body)
//! Release<Groups>  ->  EstimatedGroups  ->  MeanDifference
//! Release<Regression>  ->  EstimatedRegression
//! Release<Occupancy>  ->  EstimatedOccupancy
//! Release<Surface>  ->  SurfacePosterior  ->  EstimatedSurface
//! Posterior, SecondMoments  ->  Components  ->  SyntheticCurves
//! ```
//!
//! Before a release, [`BayesRisk`] says what its error will be: a function of the settings of the release alone.
//!
//! No type in this crate has seen a curve: the crate imports neither curves nor ledgers.

mod band;
mod components;
mod error;
mod estimate;
mod estimated_curve;
mod estimated_groups;
mod estimated_mean;
mod estimated_occupancy;
mod estimated_regression;
mod estimated_surface;
mod features;
mod mean_difference;
mod population_mean;
mod posterior;
mod psd;
mod risk;
mod sampling;
mod surface;
mod surface_difference;
mod surface_estimate;

pub use band::critical::{sidak, tube};
pub use band::{Band, ConfidenceBand, Target};
pub use components::synthetic::SyntheticCurves;
pub use components::{Component, Components, ComponentsError};
pub use error::AnalysisError;
pub use estimate::Estimate;
pub use estimated_curve::EstimatedCurve;
pub use estimated_groups::{EstimatedGroup, EstimatedGroups};
pub use estimated_mean::{DEFAULT_LEVEL, EstimatedMean, PointEstimate};
pub use estimated_occupancy::EstimatedOccupancy;
pub use estimated_regression::EstimatedRegression;
pub use estimated_surface::{EstimatedSurface, SurfaceSlopes};
pub use features::{Feature, Maximum, MeanDraws};
pub use mean_difference::{EqualityTest, MeanDifference};
pub use population_mean::PopulationMean;
pub use posterior::Posterior;
pub use posterior::contrast::{Contrast, Uncertain};
pub use posterior::ladder::{Ladder, LadderEnd};
pub use posterior::observed::Observation;
pub use risk::BayesRisk;
pub use risk::expected_error::{ExpectedError, RiskError};
pub use sampling::SamplingCovariance;
pub use sampling::decoded::DecodedMoments;
pub use surface::posterior::SurfacePosterior;
pub use surface_difference::SurfaceDifference;
pub use surface_estimate::{SurfaceEstimate, SurfacePoint};
