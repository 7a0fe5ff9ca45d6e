//! Eigenvalues and eigenfunctions of a kernel on a grid, and the ways to them.

pub(crate) mod centrosymmetric;
pub(crate) mod compressed_kernel;
pub(crate) mod eigenfunctions;
pub(crate) mod eigensolver;
pub(crate) mod local_basis;
pub(crate) mod low_rank;
pub(crate) mod spectrum;
pub(crate) mod weighted_kernel;
