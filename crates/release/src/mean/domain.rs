//! The domains that means are released on.

use std::fmt::Debug;

use dpfda_kernels::{Domain, Grid, SurfaceGrid};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mean::smoother_choice::SmootherChoice;

/// A domain that means are released on. Its type decides what readers call the mean, and which estimate it has.
pub trait MeanDomain: Domain {
    /// What documents call such a mean.
    const KIND: &'static str;
    /// What a record is.
    const RECORD: &'static str;
    /// How a release is looked at afterwards, as its plan says.
    type View: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// What a plan says of the smoother of some settings.
    fn view(smoother: &SmootherChoice) -> Self::View;
}

impl MeanDomain for Grid {
    const KIND: &'static str = "mean";
    const RECORD: &'static str = "curve";
    type View = SmootherChoice;

    fn view(smoother: &SmootherChoice) -> SmootherChoice {
        smoother.clone()
    }
}

impl MeanDomain for SurfaceGrid {
    const KIND: &'static str = "surface";
    const RECORD: &'static str = "surface";
    /// No smoother: the estimate is a posterior.
    type View = ();

    fn view(_: &SmootherChoice) {}
}
