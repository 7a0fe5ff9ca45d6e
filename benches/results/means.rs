//! Means of other shapes: where the default estimate is near the best, where it is not, and which band still holds.

use std::fmt::Write;

use dpfda::prelude::*;
use ndarray::Array1;
use rand::{SeedableRng, rngs::ChaCha20Rng};

use crate::measure::{Average, Outcome, Truth, holds, over_cells, releases};
use crate::oracle::{Oracle, centre_alone};
use crate::population::{Population, of_kernel};
use crate::{ABOVE, Fault, LEAST_SIMULTANEOUS, MOST_OVER_BEST, budget_text};

const RELEASES: usize = 300;
const PILOTS: u64 = 30;
const RECORDS: [usize; 2] = [142, 1000];
const BUDGETS: [(f64, f64); 2] = [(1.0, 0.1), (1.0, 1e-5)];
/// The ball of all rows.
const CENTER: f64 = 0.5;
const RADIUS: f64 = 0.25;
const POINTS: usize = 93;
/// Seeds of pilots are apart from those of releases.
const PILOT_SEEDS: u64 = 1 << 40;
/// Curves that tell how far the ball moves the mean of a population.
const MANY: usize = 50_000;

struct Mean {
    name: &'static str,
    population: Population,
    /// The mean of the population, its curves bounded: what bands are about.
    bounded: Array1<f64>,
}

/// One row of the table.
struct Cell<'a> {
    mean: &'a Mean,
    records: usize,
    budget: (f64, f64),
}

impl Cell<'_> {
    fn settings(&self) -> Result<PrivateMean, Fault> {
        let budget = PrivacyBudget::new(self.budget.0, self.budget.1)?;
        Ok(PrivateMean::isonormal(ball()?, budget).buying(BallShares::NONE))
    }

    fn sample(&self, seed: u64) -> Result<(CurveSet, MeanRelease), Fault> {
        let curves = self.mean.population.sample(self.records, &mut ChaCha20Rng::seed_from_u64(seed))?;
        let release = self.settings()?.release(&curves, &mut SeededRandomness::from_seed(!seed))?;
        Ok((curves, release))
    }
}

fn ball() -> Result<Ball, Fault> {
    Ok(Ball::new(Center::Constant(CENTER), RADIUS)?)
}

/// A name, and the mean less the centre as a function of `[0, 1]`.
type Shape = (&'static str, fn(f64) -> f64);

const SHAPES: [Shape; 6] = [
    ("narrow peak: height 0.2, sd 0.015", |t| 0.2 * (-0.5 * ((t - 0.35) / 0.015).powi(2)).exp()),
    ("step of 0.2", |t| if t < 0.45 { -0.1 } else { 0.1 }),
    ("high frequency: 15 waves of 0.1", |t| 0.1 * (30.0 * std::f64::consts::PI * t).sin()),
    ("flat, at the centre", |_| 0.0),
    ("flat, half a radius off", |_| 0.125),
    ("at the edge of the ball: half a wave", |t| RADIUS * std::f64::consts::SQRT_2 * (std::f64::consts::PI * t).cos()),
];

fn means() -> Result<Vec<Mean>, Fault> {
    let grid = Grid::uniform(0.0, 1.0, POINTS)?;
    let own = of_kernel(&Matern::new(1.5, 0.2)?.into(), grid.points(), 0.05);
    let subjects = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let rows = subjects.record_means(Array1::from_elem(POINTS, CENTER).view()).into_revealed();
    let mut populations = vec![("`data/dti_like.csv`, subjects drawn again", Population::again(grid.clone(), rows))];
    for (name, shape) in SHAPES {
        let mean = grid.points().mapv(|t| CENTER + shape(t));
        populations.push((name, Population::normal(grid.clone(), mean, &own)));
    }
    let mean = |(name, population): (&'static str, Population)| {
        let curves = population.sample(MANY, &mut ChaCha20Rng::seed_from_u64(0))?;
        let moved = ball()?.bound(&curves)?.mean().into_revealed() - curves.raw_mean().into_revealed();
        Ok(Mean { name, bounded: &population.mean + &moved, population })
    };
    populations.into_iter().map(mean).collect()
}

pub fn report() -> Result<String, Fault> {
    let (means, count) = (means()?, releases(RELEASES));
    let cells: Vec<Cell<'_>> = RECORDS
        .iter()
        .flat_map(|&records| BUDGETS.map(|budget| (records, budget)))
        .flat_map(|(records, budget)| means.iter().map(move |mean| Cell { mean, records, budget }))
        .collect();
    let outcomes = over_cells("other means", &cells, count, |cell, seed| {
        let (curves, release) = cell.sample(seed)?;
        let raw = curves.raw_mean().into_revealed();
        let estimated = Estimated::new(release, &Band::default(), 0.95)?;
        let outcome = Outcome::of(&estimated, &Truth { people: raw.view(), population: cell.mean.bounded.view() })?;
        let unsmoothed = estimated.with_band(&Band::Unsmoothed, 0.95)?;
        Ok((outcome, holds(&unsmoothed, cell.mean.bounded.view())))
    })?;
    let mut page = format!(
        "## Other means\n\nThe ball is ({CENTER}, {RADIUS}) and given. Each of {count} releases in a row has new curves: the mean of the \
         row and normal deviations of sd 0.05 (Matern 3/2, range 0.2), or subjects drawn again. *Error* is the root-mean-square L2 \
         distance of the default estimate from the raw mean of the curves. *Best linear*, *centre alone*, *over the best* and the note \
         \"above\" are those of the table above. The last columns are the shares of releases in which the whole \
         band holds the mean of the population, its curves bounded by the ball. *Holds* names the bands with a \
         share of at least {LEAST_SIMULTANEOUS}. Standard errors stand in brackets.\n\n\
         | mean | records | (epsilon, delta) | error | best linear | centre alone | over the best | default band | `unsmoothed` | holds |\n\
         |---|---|---|---|---|---|---|---|---|---|\n"
    );
    let oracle = Oracle::new(&Grid::uniform(0.0, 1.0, POINTS)?)?;
    for (cell, outcomes) in cells.iter().zip(&outcomes) {
        row(&mut page, cell, outcomes, references(cell, &oracle)?)?;
    }
    page += "\nA narrow peak and a step are rougher than the kernels of the ladder, and so are many waves that the noise hides: the \
             posterior smooths them, and the default band does not know that it did. Where the mean is the centre, the \
             centre alone is nearly the best, and the estimate pays for not knowing so. At the edge of the ball half of the curves are \
             moved into the ball: the error of the estimate and of the oracle has this bias.\n\n";
    Ok(page)
}

fn row(
    page: &mut String,
    cell: &Cell<'_>,
    outcomes: &[(Outcome, f64)],
    (best, centre): (f64, f64),
) -> Result<(), Fault> {
    let error = Average::of(outcomes, |(outcome, _)| outcome.squared_error).root();
    let relative = error.over(best.min(centre));
    let shares = [Average::of(outcomes, |(outcome, _)| outcome.held), Average::of(outcomes, |(_, held)| *held)];
    let holding: Vec<&str> = shares
        .iter()
        .zip(["default", "`unsmoothed`"])
        .filter(|(share, _)| share.mean >= LEAST_SIMULTANEOUS)
        .map(|(_, name)| name)
        .collect();
    writeln!(
        page,
        "| {} | {} | {} | {} | {best:.4} | {centre:.4} | {}{} | {} | {} | {} |",
        cell.mean.name,
        cell.records,
        budget_text(cell.budget),
        error.text(5),
        relative.text(2),
        if relative.mean > MOST_OVER_BEST { ABOVE } else { "" },
        shares[0].text(3),
        shares[1].text(3),
        if holding.is_empty() { "none".to_owned() } else { holding.join(", ") },
    )?;
    Ok(())
}

/// The errors of the best linear smoother and of the centre alone, over some samples.
fn references(cell: &Cell<'_>, oracle: &Oracle) -> Result<(f64, f64), Fault> {
    let (mut best, mut centre) = (0.0, 0.0);
    let stated = Array1::from_elem(POINTS, CENTER);
    for pilot in 0..PILOTS {
        let (curves, release) = cell.sample(PILOT_SEEDS + pilot)?;
        best += oracle.least_error(&release, &curves)?;
        centre += centre_alone(&curves, &stated);
    }
    Ok(((best / PILOTS as f64).sqrt(), (centre / PILOTS as f64).sqrt()))
}
