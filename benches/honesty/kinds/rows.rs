//! The mean of curves that were seen at times of their own: so many visits each, evenly over the domain.

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda_study::Kind;
use ndarray::Axis;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use super::mean::truth_of;
use super::{OneRelease, RECORDS, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::curve::outcomes_of;
use crate::foretold;
use crate::pools::line;

/// The error of a measurement, as a part of the distance of the bounds.
const MEASURED: f64 = 0.02;

pub fn settings() -> Vec<Setting> {
    every(&["m=1", "m=3", "m=8"], &["smooth", "cluster", "peak", "constant", "periodic", "cca"], &RECORDS[..4])
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid, records) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?, cell.records);
    let visits: usize = cell.variant.trim_start_matches("m=").parse()?;
    let domain = (grid.lower(), grid.upper());
    let settings = PrivateRows::new(pool.ball()?, domain, budget(cell)?).wanting(Wanted::default());
    let foretold = foretold::means(Kind::Rows, cell, &pool, visits, &[])?;
    let truth = truth_of(&pool, &grid, records);
    let error = MEASURED * (pool.bounds.1 - pool.bounds.0);
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let people = pool.drawn(records, &mut generator);
        let mut rows = settings.rows_of_records(Some(records as u64))?;
        for (id, curve) in people.rows().into_iter().enumerate() {
            for _ in 0..visits {
                let time = generator.random_range(domain.0..domain.1);
                let place = grid.cell(time);
                let value = curve[place.left] * (1.0 - place.share) + curve[place.right] * place.share;
                let normal: f64 = StandardNormal.sample(&mut generator);
                rows.push(&id.to_le_bytes(), time, value + error * normal);
            }
        }
        let release = rows.release(&mut noise(seed))?;
        let estimated = Estimated::<Rows>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let mut found = outcomes_of("", Some(estimated.mean()), &truth)?;
        let band = estimated.estimate();
        let raw = truth.interpolation(&band.at).dot(&(people.sum_axis(Axis(0)) / records as f64));
        found.push(foretold::outcome(foretold.first(), Some(band), &raw));
        Ok(found)
    }))
}
