//! Noise that is drawn exactly, and the randomness that it is drawn from.

pub(crate) mod discrete_laplace;
pub mod exact_sampling;
pub(crate) mod law;
pub(crate) mod lazy_uniform;
pub(crate) mod noise;
pub(crate) mod noise_error;
pub(crate) mod randomness;
pub(crate) mod rounded_cylinder;
pub(crate) mod rounded_k_norm;
pub(crate) mod rounded_normal;
pub(crate) mod spherical_noise;
