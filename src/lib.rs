#![allow(clippy::doc_markdown, reason = "the README is prose, and keeps its proper names plain")]
#![cfg_attr(
    all(feature = "audit", feature = "density", feature = "ledger", feature = "plotting"),
    doc = include_str!("../README.md")
)]
#![cfg_attr(
    not(all(feature = "audit", feature = "density", feature = "ledger", feature = "plotting")),
    doc = "Differentially private functional data analysis: the core, built without some of its features."
)]

pub mod kinds;
pub mod prelude;

pub use kinds::AnyRelease;

/// What this build knows besides means and functionals: the features of this crate.
pub const FEATURES: &[&str] = &[
    #[cfg(feature = "audit")]
    "audit",
    #[cfg(feature = "columnar")]
    "columnar",
    #[cfg(feature = "density")]
    "density",
    #[cfg(feature = "ledger")]
    "ledger",
    #[cfg(feature = "plotting")]
    "plotting",
];

pub use dpfda_analysis as analysis;
#[cfg(feature = "audit")]
pub use dpfda_audit as audit;
pub use dpfda_crossval as crossval;
#[cfg(feature = "density")]
pub use dpfda_density as density;
pub use dpfda_kernels as kernels;
#[cfg(feature = "ledger")]
pub use dpfda_ledger as ledger;
pub use dpfda_mechanism as mechanism;
#[cfg(feature = "plotting")]
pub use dpfda_plotting as plotting;
pub use dpfda_privacy as privacy;
pub use dpfda_release as release;
pub use dpfda_smoothing as smoothing;
