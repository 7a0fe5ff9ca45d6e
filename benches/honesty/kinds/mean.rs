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

/// The variant of releases under add/remove.
const ADD_REMOVE: &str = "add-remove";

pub fn settings() -> Vec<Setting> {
    let mut settings = every(&[""], &line::NAMES, &RECORDS);
    settings.extend(every(&[ADD_REMOVE], &["smooth", "cluster", "step", "rough", "t3"], &RECORDS));
    settings
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?);
    // its cosines are orthonormal on even grids, and its noise is that of substitution
    let has_floor = cell.pool != "uneven" && cell.variant.is_empty();
    let floor = has_floor.then(|| floor::squared_error(cell, &pool, &grid)).transpose()?;
    of_pool(cell, pool, grid, floor)
}

/// Releases of people of a pool on a line or a circle: their band, what was foretold of it, and how far it is above a floor.
pub fn of_pool(cell: &Cell, pool: Pool, grid: Grid, floor: Option<f64>) -> Result<OneRelease, Fault> {
    let is_add_remove = cell.variant == ADD_REMOVE;
    let relation = if is_add_remove { NeighbouringRelation::AddRemoveOne } else { NeighbouringRelation::SubstituteOne };
    let settings = PrivateMean::isonormal(pool.ball()?, budget(cell)?).wanting(Wanted::default()).neighbours(relation);
    let records = cell.records;
    let periodic = if grid.is_periodic() { "true" } else { "false" };
    let mut more = vec![("periodic", periodic)];
    if is_add_remove {
        more.push(("neighbours", ADD_REMOVE));
    }
    let foretold = foretold::means(Kind::Mean, cell, &pool, grid.len(), &more)?;
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
