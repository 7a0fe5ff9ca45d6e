//! The real tracts, drawn again: where `DPFDA_DATA` names the folder of `dti_cca.csv`.

use std::path::PathBuf;

use dpfda::prelude::*;
use dpfda::release::ChangeOf;
use dpfda::smoothing::TableFiles;
use ndarray::{Array2, Axis};

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

/// How far the changes of people between their first two visits are from their mean.
pub fn changes() -> Result<Array2<f64>, Fault> {
    let folder = folder().ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    let (path, layout) = (folder.join("dti_cca.csv"), CurveLayout::new("cca_*")?.subject("ID"));
    let visits = TableFiles::find(&path)?.text_columns(&layout, &["visit"])?;
    let of = ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() };
    let seen = of.seen(&CurveSet::read_csv(&path, &layout)?, visits.first().ok_or("visits")?);
    let changes = seen.reveal().0.values().to_owned();
    let mean = changes.sum_axis(Axis(0)) / changes.nrows() as f64;
    Ok(changes - &mean)
}

pub fn grid() -> Result<Grid, Fault> {
    Ok(curves()?.grid().clone())
}

pub fn pool() -> Result<Pool, Fault> {
    Ok(Pool::of((0.0, 1.0), curves()?.values().to_owned()))
}
