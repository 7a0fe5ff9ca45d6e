//! The domains that means are released on.

use dpfda_kernels::{Domain, Grid, SurfaceGrid};

/// A domain that means are released on. Its type decides what readers call the mean, and which estimate it has.
pub trait MeanDomain: Domain {
    /// What documents call such a mean.
    const KIND: &'static str;
    /// What documents call its plan.
    const PLAN: &'static str;
    /// What a record is.
    const RECORD: &'static str;
}

impl MeanDomain for Grid {
    const KIND: &'static str = "mean";
    const PLAN: &'static str = "planned-mean";
    const RECORD: &'static str = "curve";
}

impl MeanDomain for SurfaceGrid {
    const KIND: &'static str = "surface";
    const PLAN: &'static str = "planned-surface";
    const RECORD: &'static str = "surface";
}
