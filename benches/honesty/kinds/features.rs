//! What a mean does: its slopes, its area and its maximum.

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::mean::truth_of;
use super::{OneRelease, RECORDS, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::outcomes;
use crate::curve::FEATURES;
use crate::pools::{circle, line};

const CIRCLE: &str = "circle";

pub fn settings() -> Vec<Setting> {
    let mut all = every(&["line"], &["smooth", "peak", "wave", "constant", "cluster", "cca"], &RECORDS[..4]);
    all.extend(every(&[CIRCLE], &["smooth", "peak", "constant"], &RECORDS[..4]));
    all
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let is_circle = cell.variant == CIRCLE;
    let pool = if is_circle { circle::pool(&cell.pool)? } else { line::pool(&cell.pool)? };
    let grid = if is_circle { circle::grid()? } else { line::grid(&cell.pool)? };
    let records = cell.records;
    let settings = PrivateMean::isonormal(pool.ball()?, budget(cell)?).wanting(Wanted::default());
    let truth = truth_of(&pool, &grid, records);
    Ok(Box::new(move |seed| {
        let people = pool.drawn(records, &mut ChaCha20Rng::seed_from_u64(seed));
        let release = settings.release(&CurveSet::new(grid.clone(), people)?, &mut noise(seed))?;
        let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let features = estimated.mean().features()?;
        outcomes(&FEATURES, |of| of(&features, &truth))
    }))
}
