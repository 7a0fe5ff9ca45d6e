//! From a guarantee to a scale of noise, and from scales to what several releases cost.

pub(crate) mod accountant;
#[cfg(test)]
pub(crate) mod audit;
pub(crate) mod clopper_pearson;
pub(crate) mod elliptical;
pub(crate) mod enclosure;
pub(crate) mod gaussian;
pub(crate) mod incomplete_gamma;
pub(crate) mod log_concave;
pub(crate) mod mills;
pub(crate) mod mixing;
pub(crate) mod noise_family;
pub(crate) mod trade_off;
