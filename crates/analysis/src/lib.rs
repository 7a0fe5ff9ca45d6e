//! What a private release is worth. Everything here is a function of a release and of public numbers, and costs no privacy.
//!
//! ```text
//! Release<S>  ->  Population (one, or several under names)  ->  Band  ->  Estimate<P>        all of it: Estimated<S>
//!                 a line, a circle   Observation, Ladder (public prior)  ->  Posterior, with a SamplingCovariance
//!                 a rectangle        SurfacePosterior
//! Population      ->  Difference, with another one
//! whatever has a curve  ->  Features: slopes over a window, areas, the maximum
//! PopulationMean with second moments  ->  Components  ->  SyntheticCurves, NormalCentiles
//! NoisyDistribution  ->  Chart, centiles with a band
//! PopulationMean with second moments  ->  Components  ->  SyntheticCurves
//!                 Components  ->  Person  ->  the bands of people, Completion
//! Release<Regression>  ->  Outcome: correlation with a band, SlopeFunction
//! ```
//!
//! No type in this crate has seen a curve: the crate imports neither curves nor ledgers.

mod band;
mod chart;
mod clipping;
mod components;
mod defaults;
mod difference;
mod error;
mod estimate;
mod estimated;
mod features;
#[cfg(test)]
mod golden;
mod halves;
mod outcome;
mod person;
mod population;
mod posterior;
mod psd;
mod sampling;
mod surfaces;
mod uncertain;

pub use band::critical::{sidak, tube};
pub use band::{Band, Target};
pub use chart::Chart;
pub use chart::noisy::NoisyDistribution;
pub use chart::of_moments::NormalCentiles;
pub use components::synthetic::SyntheticCurves;
pub use components::{Component, Components, ComponentsError};
pub use defaults::DEFAULT_LEVEL;
pub use difference::{Difference, EqualityTest, GroupsTest};
pub use error::AnalysisError;
pub use estimate::document::EstimateDocument;
pub use estimate::{DomainPoint, Estimate, PointEstimate};
pub use estimated::means::{Banded, Means, Named, Several};
pub use estimated::{CentileCurves, Estimable, Estimated, Fitted, SurfaceSlopes, View};
pub use features::{DEFAULT_WINDOW, Extreme, Features, Place, Slope, Within};
pub use halves::in_halves;
pub use outcome::{Explained, Outcome, SlopeFunction};
pub use person::Person;
pub use person::completion::Completion;
pub use population::{Population, PopulationMean};
pub use posterior::Posterior;
pub use posterior::ladder::{Ladder, LadderEnd};
pub use posterior::observed::Observation;
pub use posterior::outside::share_outside;
pub use sampling::SamplingCovariance;
pub use sampling::decoded::DecodedMoments;
pub use surfaces::surface_posterior::SurfacePosterior;
pub use uncertain::{Feature, Uncertain};
