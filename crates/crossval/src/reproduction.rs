//! The experiments of Mirshani, Reimherr and Slavkovic, run again.
//!
//! **Nothing here protects anybody.** [`PaperConvention`] estimates and perturbs as the authors' R package (PFDA, 2016)
//! does, faults included: the radius is read off the curves, the sensitivity is a sum where a maximum belongs, and the
//! noise is too small by `sqrt(n)`. It is kept in this one module, to show what was published and what that was worth;
//! all of its results are [`NonPrivate`](dpfda_privacy::NonPrivate). The arguments are in `docs/errata.md`.

mod convention;

pub use convention::{PaperConvention, PaperRelease};
