//! The difference of two releases of so many people each: its band, and the test whether the means are equal.

use dpfda::analysis::{DEFAULT_LEVEL, Difference, PopulationMean};
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::mean::truth_of;
use super::pairs::{NAMES, Pair};
use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Claim, Outcome};
use crate::pools::line;
use crate::truth::Truth;

pub fn settings() -> Vec<Setting> {
    every(&[""], &NAMES, &[376, 1000, 10_000])
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (Pair { sides, is_equal }, records) = (Pair::of(&cell.pool)?, cell.records);
    let settings = PrivateMean::isonormal(sides[0].ball()?, budget(cell)?).wanting(Wanted::default());
    let grid = line::grid("smooth")?;
    let truth = truth_of(&sides[0], &grid, records).minus(&truth_of(&sides[1], &grid, records));
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let mut noise = noise(seed);
        let mut estimated = |side: usize| -> Result<Estimated<Mean>, Fault> {
            let curves = CurveSet::new(grid.clone(), sides[side].drawn(records, &mut generator))?;
            Ok(Estimated::new(settings.release(&curves, &mut noise)?, &Band::default(), DEFAULT_LEVEL)?)
        };
        let (first, second) = (estimated(0)?, estimated(1)?);
        let difference = Difference::new(first.population(), second.population(), DEFAULT_LEVEL)?;
        let test = Outcome::test(difference.equality()?.p_value, is_equal);
        Ok(vec![claim(&difference, &truth).outcome("difference"), test])
    }))
}

/// What the band of a difference says.
pub fn claim(difference: &Difference<'_, PopulationMean>, truth: &Truth) -> Claim {
    Claim {
        values: difference.values().clone(),
        lower: difference.lower(),
        upper: difference.upper(),
        truth: truth.values.clone(),
        unit: truth.unit(),
    }
}
