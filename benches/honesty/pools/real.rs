//! The real tracts, drawn again: where `DPFDA_DATA` names the folder of `dti_cca.csv`.

use std::path::PathBuf;

use dpfda::prelude::*;

use super::Pool;
use crate::Fault;

pub const NAME: &str = "cca";

/// The folder of the data, where it is known.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("DPFDA_DATA").map(PathBuf::from)
}

fn curves() -> Result<CurveSet, Fault> {
    let folder = folder().ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    Ok(CurveSet::read_csv(folder.join("dti_cca.csv"), &CurveLayout::new("cca_*")?)?.complete())
}

pub fn grid() -> Result<Grid, Fault> {
    Ok(curves()?.grid().clone())
}

pub fn pool() -> Result<Pool, Fault> {
    Ok(Pool::of((0.0, 1.0), curves()?.values().to_owned()))
}
