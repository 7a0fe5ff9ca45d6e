//! Mean surfaces: kernels on both axes.

pub(crate) mod axis;
pub(crate) mod pair;
pub(crate) mod posterior;
