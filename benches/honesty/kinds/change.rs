//! The change of people between two visits: its band, and that of the difference of both visits in one release of groups.

use dpfda::analysis::{Banded, DEFAULT_LEVEL, Difference};
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda::release::{Change, ChangeOf, PrivateChange};
use dpfda_study::Kind;
use ndarray::{Array2, Axis, concatenate};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::difference::claim;
use super::mean::truth_of;
use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::Outcome;
use crate::curve::outcomes_of;
use crate::foretold;
use crate::pools::process::bump;
use crate::pools::{Pool, line, real};
use crate::truth::Truth;

/// What is released beside the change of two visits, which has no name.
const SLOPE: &str = "slope";
const TWO_MEANS: &str = "two means";

const POOLS: [&str; 5] = ["smooth", "rough", "t3", "skewed", real::NAME];

/// The bounds on a change that a user states, and how many of 100 people come again.
const BOUNDS: (f64, f64) = (-0.5, 0.5);
const PRESENT: u32 = 70;

/// How much the changes of people differ, over how much their curves do in a pool.
const CALMER: f64 = 0.028 / 0.06;

/// The time between visits that is needed for a slope, and the most that it is.
const APART: f64 = 0.5;
const FARTHEST: f64 = 1.5;

pub fn settings() -> Vec<Setting> {
    every(&["", SLOPE, TWO_MEANS], &POOLS, &[376, 1000, 10_000])
}

/// Changes about a smooth mean, as far apart as those of the pool; of the real tracts those between visits.
fn changes(name: &str) -> Result<Pool, Fault> {
    let deviations = if name == real::NAME { real::changes()? } else { line::pool(name)?.deviations() * CALMER };
    let t = line::grid(name)?.to_unit()?.points().to_owned();
    Ok(Pool::about(BOUNDS, &(bump(t.view(), 0.5, 0.15) * -0.02), deviations))
}

/// Everybody at the first visit, and who comes again.
struct Visits {
    curves: CurveSet,
    labels: TextColumn,
    times: TextColumn,
    /// The mean change of those who came again.
    raw: ndarray::Array1<f64>,
}

impl Visits {
    fn of(cell: &Cell, grid: &Grid, changes: &Pool, first: &Pool, seed: u64) -> Result<Self, Fault> {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let (people, changes) =
            (first.drawn(cell.records, &mut generator), changes.drawn(cell.records, &mut generator));
        let again: Vec<usize> = (0..cell.records).filter(|_| generator.random_ratio(PRESENT, 100)).collect();
        let time: Vec<f64> = again.iter().map(|_| generator.random_range(APART..FARTHEST)).collect();
        let own = changes.select(Axis(0), &again);
        let is_slope = cell.variant == SLOPE;
        let moved = Array2::from_shape_fn(own.dim(), |(row, k)| own[[row, k]] * if is_slope { time[row] } else { 1.0 });
        let second = people.select(Axis(0), &again) + moved;
        let owners: Vec<usize> = (0..cell.records).chain(again.iter().copied()).collect();
        let said = |first: &str, later: &dyn Fn(usize) -> String| {
            let later = (0..again.len()).map(|row| Some(later(row)));
            TextColumn::new((0..cell.records).map(|_| Some(first.to_owned())).chain(later).collect())
        };
        Ok(Self {
            labels: said("1", &|_| "2".to_owned()),
            times: said("0", &|row| time[row].to_string()),
            raw: own.sum_axis(Axis(0)) / again.len() as f64,
            curves: CurveSet::new(grid.clone(), concatenate(Axis(0), &[people.view(), second.view()])?)?
                .with_subjects(&owners)?,
        })
    }
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (changes, first, grid) = (changes(&cell.pool)?, line::pool(&cell.pool)?, line::grid(&cell.pool)?);
    let present = cell.records * PRESENT as usize / 100;
    let truth = truth_of(&changes, &grid, present);
    if cell.variant == TWO_MEANS {
        return two_means(cell.clone(), (changes, first), truth);
    }
    let (of, said) = match cell.variant.as_str() {
        SLOPE => (ChangeOf::Slope { per: "year".to_owned(), apart: APART }, ("per", "year")),
        _ => (visits(), ("change", "visit=1,2")),
    };
    let who_will = Cell { records: present, ..cell.clone() };
    let foretold = foretold::means(Kind::Change, &who_will, &changes, grid.len(), &[said])?;
    let settings = PrivateChange::new(changes.ball()?, budget(cell)?, of).wanting(Wanted::default());
    let cell = cell.clone();
    Ok(Box::new(move |seed| {
        let people = Visits::of(&cell, &grid, &changes, &first, seed)?;
        let cells = if cell.variant == SLOPE { &people.times } else { &people.labels };
        let release = settings.release(&people.curves, cells, &mut noise(seed))?;
        let estimated = Estimated::<Change>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let mean = estimated.means().all().iter().find_map(|one| one.mean().ok());
        let mut found = outcomes_of("", mean, &truth)?;
        found.push(foretold::outcome(foretold.first(), mean.map(Banded::estimate), &people.raw));
        Ok(found)
    }))
}

fn visits() -> ChangeOf {
    ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() }
}

/// What one would do without the kind: the means of both visits in one release, and their difference.
fn two_means(cell: Cell, (changes, first): (Pool, Pool), truth: Truth) -> Result<OneRelease, Fault> {
    let grouping = Grouping::Private { names: ["1", "2"].map(str::to_owned).into(), most: 2 };
    let settings = PrivateGroups::new(first.ball()?, budget(&cell)?, grouping).wanting(Wanted::default());
    Ok(Box::new(move |seed| {
        let people = Visits::of(&cell, &truth.grid, &changes, &first, seed)?;
        let release = settings.release(&people.curves, &people.labels, &mut noise(seed))?;
        let estimated = Estimated::<Groups>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let [earlier, later] = estimated.means().all() else { return Err("two visits".into()) };
        Ok(vec![match (later.population(), earlier.population()) {
            (Ok(later), Ok(earlier)) => claim(&Difference::new(later, earlier, DEFAULT_LEVEL)?, &truth).outcome("band"),
            _ => Outcome::unknown("band"),
        }])
    }))
}
