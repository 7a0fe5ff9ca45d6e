//! The mean of curves on an interval.

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda_study::Kind;
use ndarray::Axis;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{OneRelease, RECORDS, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::curve::outcomes_of;
use crate::floor;
use crate::foretold;
use crate::pools::{Pool, line};
use crate::truth::Truth;

pub fn settings() -> Vec<Setting> {
    every(&[""], &line::NAMES, &RECORDS)
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?);
    let floor = floor::squared_error(cell, &pool, &grid)?;
    of_pool(cell, pool, grid, Some(floor))
}

/// Releases of people of a pool on a line or a circle: their band, what was foretold of it, and how far it is above a floor.
pub fn of_pool(cell: &Cell, pool: Pool, grid: Grid, floor: Option<f64>) -> Result<OneRelease, Fault> {
    let (records, settings) =
        (cell.records, PrivateMean::isonormal(pool.ball()?, budget(cell)?).wanting(Wanted::default()));
    let periodic = if grid.is_periodic() { "true" } else { "false" };
    let foretold = foretold::means(Kind::Mean, cell, &pool, grid.len(), &[("periodic", periodic)])?;
    let truth = truth_of(&pool, &grid, records);
    Ok(Box::new(move |seed| {
        let people = pool.drawn(records, &mut ChaCha20Rng::seed_from_u64(seed));
        let raw = people.sum_axis(Axis(0)) / records as f64;
        let curves = CurveSet::new(grid.clone(), people)?;
        let release = settings.release(&curves, &mut noise(seed))?;
        let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let mut found = outcomes_of("", Some(estimated.mean()), &truth)?;
        found.push(foretold::outcome(foretold.first(), Some(estimated.estimate()), &raw));
        found.extend(floor.map(|floor| floor::outcome(floor, estimated.estimate(), &truth.values)));
        Ok(found)
    }))
}

/// The mean of a pool, and its estimate by so many people.
pub fn truth_of(pool: &Pool, grid: &Grid, records: usize) -> Truth {
    let covariance = &pool.covariance / records as f64;
    Truth { grid: grid.clone(), values: pool.mean.clone(), covariance }
}
