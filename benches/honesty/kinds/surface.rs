//! The mean of surfaces.

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda_study::Kind;
use ndarray::Axis;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::Claim;
use crate::foretold;
use crate::pools::surface;
use crate::truth::unordered_unit;

pub fn settings() -> Vec<Setting> {
    every(&[""], &surface::NAMES, &[376, 1000, 10_000])
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid, records) = (surface::pool(&cell.pool)?, surface::grid()?, cell.records);
    let settings = PrivateMean::isonormal(pool.ball()?, budget(cell)?).wanting(Wanted::default());
    let (first, second) = grid.shape();
    let shape = format!("{first},{second}");
    let foretold = foretold::means(Kind::Surface, cell, &pool, 0, &[("surface", &shape)])?;
    let unit = unordered_unit(&(&pool.covariance / records as f64));
    Ok(Box::new(move |seed| {
        let people = pool.drawn(records, &mut ChaCha20Rng::seed_from_u64(seed));
        let raw = people.sum_axis(Axis(0)) / records as f64;
        let surfaces = CurveSet::new(grid.places()?, people)?;
        let release = settings.prepare_on(&surfaces, &grid, None)?.draw_unrecorded(&mut noise(seed));
        let estimated = Estimated::<Surface>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let band = estimated.estimate();
        let foretold = foretold::outcome(foretold.first(), Some(band), &raw);
        let (values, lower, upper) = (band.values.clone(), band.lower.clone(), band.upper.clone());
        Ok(vec![Claim { values, lower, upper, truth: pool.mean.clone(), unit }.outcome("band"), foretold])
    }))
}
