#![allow(clippy::doc_markdown, reason = "the README is prose, and keeps its proper names plain")]
#![doc = include_str!("../README.md")]

pub use dpfda_audit as audit;
pub use dpfda_crossval as crossval;
pub use dpfda_density as density;
pub use dpfda_kernels as kernels;
pub use dpfda_ledger as ledger;
pub use dpfda_mechanism as mechanism;
pub use dpfda_plotting as plotting;
pub use dpfda_privacy as privacy;
pub use dpfda_release as release;
pub use dpfda_smoothing as smoothing;

pub mod prelude;

/// The pages whose Rust code is tested beside that of the README.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/densities.md")]
    mod densities {}
    #[doc = include_str!("../docs/other-noise.md")]
    mod other_noise {}
}
