//! Figures whose colours are numbers: surfaces, covariances and scores.

pub(crate) mod covariance;
pub(crate) mod mean_surface;
pub(crate) mod scores;
