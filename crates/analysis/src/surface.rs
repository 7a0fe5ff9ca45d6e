//! Mean surfaces: kernels on both axes.

pub(crate) mod axis;
pub(crate) mod pair;
mod population;
pub(crate) mod posterior;
