//! Mean surfaces: kernels on both axes.

pub(crate) mod surface_axis;
pub(crate) mod surface_pair;
mod surface_population;
pub(crate) mod surface_posterior;
pub(crate) mod surface_sampling;
