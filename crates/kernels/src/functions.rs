//! Covariance functions, and the table that names them.

pub(crate) mod composite;
pub(crate) mod covariance;
pub(crate) mod domain_kernel;
pub(crate) mod exponential;
pub(crate) mod gaussian;
pub(crate) mod kernel;
pub(crate) mod kernel_name;
pub(crate) mod matern;
pub(crate) mod sobolev;
pub(crate) mod table;
