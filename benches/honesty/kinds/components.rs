//! Components: the total variance, the first eigenvalue, and its share, each with its interval.

use dpfda::analysis::{Components, DEFAULT_LEVEL};
use dpfda::kernels::eigenpairs;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use ndarray::Array1;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{OneRelease, RECORDS, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Claim, Quantity, Unit, outcomes};
use crate::pools::{Pool, line};

/// Half of an interval of 95%, in standard deviations.
const CRITICAL: f64 = 1.96;

/// What is true of a population, and of how many people the covariance is estimated.
struct Spread {
    eigenvalues: Array1<f64>,
    records: f64,
}

type OfComponents = fn(&Components, &Spread) -> Option<Claim>;

const QUANTITIES: [Quantity<OfComponents>; 3] = [
    Quantity { name: "total", of: total },
    Quantity { name: "eigenvalue", of: eigenvalue },
    Quantity { name: "share", of: share },
];

pub fn settings() -> Vec<Setting> {
    every(&[""], &["smooth", "cluster", "step", "t3", "cca"], &RECORDS[..4])
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid, records) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?, cell.records);
    let settings = PrivateMean::isonormal(pool.ball()?, budget(cell)?).wanting(Wanted::default());
    let spread = Spread::of(&pool, &grid, records)?;
    Ok(Box::new(move |seed| {
        let people = pool.drawn(records, &mut ChaCha20Rng::seed_from_u64(seed));
        let release = settings.release(&CurveSet::new(grid.clone(), people)?, &mut noise(seed))?;
        let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let components = Components::new(estimated.population())?;
        outcomes(&QUANTITIES, |of| Ok(of(&components, &spread)))
    }))
}

impl Spread {
    fn of(pool: &Pool, grid: &Grid, records: usize) -> Result<Self, Fault> {
        let roots = grid.to_unit()?.weights().mapv(f64::sqrt);
        let column = roots.view().insert_axis(ndarray::Axis(1));
        let eigenvalues = eigenpairs(&(&pool.covariance * &roots * column))?.values;
        Ok(Self { eigenvalues, records: records as f64 })
    }

    fn total(&self) -> f64 {
        self.eigenvalues.sum()
    }

    fn first(&self) -> f64 {
        self.eigenvalues[self.eigenvalues.len() - 1]
    }

    fn squares(&self) -> f64 {
        self.eigenvalues.dot(&self.eigenvalues)
    }

    /// The interval without privacy of a number with this variance over samples of normal curves.
    fn unit(variance: f64) -> Unit {
        Unit::of_variances(&Array1::from_elem(1, variance), CRITICAL)
    }
}

#[allow(clippy::unnecessary_wraps, reason = "quantities of one list have one type")]
fn total(components: &Components, spread: &Spread) -> Option<Claim> {
    let (lower, upper) = components.total_variance_interval();
    let unit = Spread::unit(2.0 * spread.squares() / spread.records);
    Some(Claim::number((components.total_variance(), lower, upper), spread.total(), unit))
}

/// Known where a component is told from noise.
fn eigenvalue(components: &Components, spread: &Spread) -> Option<Claim> {
    let first = components.all().first()?;
    let (lower, upper) = first.eigenvalue_interval;
    let unit = Spread::unit(2.0 * spread.first().powi(2) / spread.records);
    Some(Claim::number((first.eigenvalue, lower, upper), spread.first(), unit))
}

fn share(components: &Components, spread: &Spread) -> Option<Claim> {
    let first = components.all().first()?;
    let (value, (lower, upper)) = first.explained.zip(first.explained_interval)?;
    let share = spread.first() / spread.total();
    let variance = share.powi(2) * (1.0 - 2.0 * share + spread.squares() / spread.total().powi(2));
    let unit = Spread::unit(2.0 * variance / spread.records);
    Some(Claim::number((value, lower, upper), share, unit))
}
