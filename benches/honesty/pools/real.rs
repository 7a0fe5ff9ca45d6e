//! The real tracts, drawn again, and people who have their mean and covariance: where `DPFDA_DATA` names the folder of `dti_cca.csv`.

use std::path::PathBuf;

use dpfda::prelude::*;
use dpfda::release::ChangeOf;
use dpfda::smoothing::TableFiles;
use ndarray::{Array2, Axis};

use super::Pool;
use super::process::{Draws, PEOPLE, outer};
use crate::Fault;

pub const NAME: &str = "cca";

/// Of people with the mean of the tracts: a normal process; amplitudes of a gamma law of shape 2 with 70% of the variance; and two clusters,
/// 30% of people below the others by 2 standard deviations, each with a fifth of the variance. `cca-smoothed` are tracts drawn again with a
/// normal deviation added: a population of its own, where the tracts alone have a centile every 1/376.
pub const LIKE: [&str; 4] = ["cca-normal", "cca-skew", "cca-two", "cca-smoothed"];

const OF_AMPLITUDES: f64 = 0.7;
const BELOW: (f64, f64) = (0.3, 2.0);
const WITHIN: f64 = 0.2;

/// The deviation that is added, in standard deviations: the rule of thumb `1.06 n^(-1/5)` for 376 curves (Silverman 1986, section 3.4).
/// What is drawn is drawn nearer to the mean, so that the covariance stays that of the tracts (section 6.4).
const BANDWIDTH: f64 = 0.324;

/// Whether a pool needs the data.
pub fn is_real(pool: &str) -> bool {
    pool == NAME || LIKE.contains(&pool)
}

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

pub fn pool(name: &str) -> Result<Pool, Fault> {
    let tracts = Pool::of((0.0, 1.0), curves()?.values().to_owned());
    if name == NAME {
        return Ok(tracts);
    }
    let mut draws = Draws::new(name, PEOPLE);
    let people = draws.process(&tracts.covariance);
    let sd = tracts.covariance.diag().mapv(f64::sqrt);
    let people = match name {
        "cca-normal" => people,
        "cca-skew" => {
            let amplitudes = (draws.exponential() + draws.exponential() - 2.0) * (OF_AMPLITUDES / 2.0).sqrt();
            people * (1.0 - OF_AMPLITUDES).sqrt() + outer(&amplitudes, &sd)
        }
        "cca-smoothed" => {
            let drawn = draws.rows_of(&tracts.deviations());
            drawn * (1.0 - BANDWIDTH * BANDWIDTH).sqrt() + people * BANDWIDTH
        }
        "cca-two" => people * WITHIN.sqrt() + outer(&(draws.chosen(BELOW.0) * -BELOW.1), &sd),
        _ => return Err(format!("no pool of tracts is called {name}").into()),
    };
    Ok(Pool::about(tracts.bounds, &tracts.mean, people))
}
