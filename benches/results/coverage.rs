//! How often the default interval and the default band hold, and how wide the band is.

use std::fmt::Write;
use std::path::Path;

use dpfda::analysis::{sidak, tube};
use dpfda::prelude::*;
use dpfda::release::Mean;
use ndarray::{Array1, Array2};
use rand::{SeedableRng, rngs::ChaCha20Rng};

use crate::accuracy::{LEAST_POINTWISE, RealCurves};
use crate::measure::{Average, Outcome, Truth, over_cells, releases};
use crate::population::{Population, covariance};
use crate::timing::MISSED;
use crate::{Fault, LEAST_SIMULTANEOUS, budget_text};

const RELEASES: usize = 300;
const LEAST_AVERAGE_POINTWISE: f64 = 0.93;
const CENTER: f64 = 0.5;
/// How much wider than the study a band may be.
const WIDER: f64 = 1.1;

/// Records, and the widths that the study found for each budget, over the band without privacy.
const RECORDS: [(usize, [f64; 2]); 4] =
    [(142, [2.1, 4.1]), (376, [1.8, 3.2]), (1000, [1.6, 2.7]), (10_000, [1.3, 1.8])];
const BUDGETS: [(f64, f64); 2] = [(1.0, 0.1), (1.0, 1e-5)];
/// The radius of the stated ball, and whether the radius is bought.
const RADII: [(f64, bool); 2] = [(0.25, false), (0.5, true)];
const KINDS: usize = BUDGETS.len() * RADII.len();

/// What is known of missed rows: `docs/adr/0011-what-a-release-shows.md`.
const WHY: &str = "A row can miss its target for two reasons. The prior is stationary, and so the posterior is too sure where the mean \
                   is sharpest. And a share of so many releases has a standard error of about 0.01: of many rows near the target some \
                   fall below it by chance.\n\n";

/// Curves of one kind, and how many.
struct Cell {
    source: &'static str,
    population: usize,
    records: usize,
    /// The width of the study for each budget.
    widths: [f64; 2],
}

/// The settings on the same curves: each budget with each radius.
fn settings() -> Result<Vec<PrivateMean>, Fault> {
    let mut all = Vec::with_capacity(KINDS);
    for budget in BUDGETS {
        for (radius, is_bought) in RADII {
            let ball = Ball::new(Center::Constant(CENTER), radius)?;
            let mean = PrivateMean::isonormal(ball, PrivacyBudget::new(budget.0, budget.1)?);
            all.push(if is_bought { mean } else { mean.buying(BallShares::NONE) });
        }
    }
    Ok(all)
}

fn cells() -> Vec<Cell> {
    let of = |(records, widths)| {
        ["simulated", "real, drawn again"].into_iter().enumerate().map(move |(population, source)| Cell {
            source,
            population,
            records,
            widths,
        })
    };
    RECORDS.into_iter().flat_map(of).collect()
}

pub fn report(data: &Path) -> Result<String, Fault> {
    let scans = RealCurves::read(data)?.scans;
    let (grid, values) = (scans.grid().to_unit()?, scans.values().to_owned());
    let again = Population::again(grid.clone(), values.clone());
    let moments = covariance(&values);
    let populations = [Population::normal(grid.clone(), again.mean.clone(), &moments), again];
    let (cells, settings, count) = (cells(), settings()?, releases(RELEASES));
    let outcomes = over_cells("coverage", &cells, count, |cell, seed| {
        let population = &populations[cell.population];
        let curves = population.sample(cell.records, &mut ChaCha20Rng::seed_from_u64(seed))?;
        let raw = curves.raw_mean().into_revealed();
        let truth = Truth { people: raw.view(), population: population.mean.view() };
        let outcome = |(index, mean): (usize, &PrivateMean)| {
            let mut randomness = SeededRandomness::from_seed(!(KINDS as u64 * seed + index as u64));
            let estimated = Estimated::<Mean>::new(mean.release(&curves, &mut randomness)?, &Band::default(), 0.95)?;
            Outcome::of(&estimated, &truth)
        };
        settings.iter().enumerate().map(outcome).collect::<Result<Vec<Outcome>, Fault>>()
    })?;
    let unit = half_width_without_privacy(&grid, &moments);
    let mut page = heading(count);
    let mut pointwise = Vec::new();
    for kind in 0..KINDS {
        for (cell, outcomes) in cells.iter().zip(&outcomes) {
            let own: Vec<Outcome> = outcomes.iter().map(|all| all[kind]).collect();
            pointwise.push(row(&mut page, cell, kind, &own, unit / (cell.records as f64).sqrt())?);
        }
    }
    page += &averages(&pointwise);
    if page.contains(MISSED) {
        page += WHY;
    }
    Ok(page)
}

fn heading(count: usize) -> String {
    format!(
        "## Coverage\n\nThe population is the 376 scans: normal curves with their mean and covariance, or the scans themselves drawn \
         again with replacement. Each of {count} data sets in a row is released in the four ways of the table. The mean of the population is that of \
         the unbounded curves, so that curves which a ball moves count against the coverage. The stated ball is (0.5, 0.25) \
         where the radius is given, and (0.5, 0.5) where the radius is bought. *People* is the share of points at which the estimate with 1.96 \
         of its `posterior_sd` to each side holds the raw mean of the people. *Population* is the share of points at which \
         1.96 standard deviations of the default band hold the mean of the population. *Band* is the share of data sets in which \
         the default 95% band holds the whole mean of the population. *Width* is the average width of the band over that of the band without \
         privacy, `tube(kappa) sd / sqrt(N)` with the covariance of the scans. Standard errors stand in brackets.\n\n\
         Targets: at least {LEAST_POINTWISE} for each share of points and {LEAST_AVERAGE_POINTWISE} on average, at least {LEAST_SIMULTANEOUS} for \
         each band, and with a bought radius at most {WIDER} times the width of the study.\n\n\
         | (epsilon, delta) | radius | curves | records | people | population | band | width | width, target |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    )
}

/// Writes a row and gives its pointwise coverages.
fn row(page: &mut String, cell: &Cell, kind: usize, own: &[Outcome], unit: f64) -> Result<[f64; 2], Fault> {
    let (budget, is_bought) = (kind / RADII.len(), RADII[kind % RADII.len()].1);
    let mark = |missed: bool| if missed { MISSED } else { "" };
    let people = Average::of(own, |outcome| outcome.people);
    let population = Average::of(own, |outcome| outcome.population);
    let held = Average::of(own, |outcome| outcome.held);
    let width = Average::of(own, |outcome| outcome.half_width).over(unit);
    let most = WIDER * cell.widths[budget];
    let target = if is_bought { format!("<= {most:.2}{}", mark(width.mean > most)) } else { "-".to_owned() };
    writeln!(
        page,
        "| {} | {} | {} | {} | {}{} | {}{} | {}{} | x{} | {target} |",
        budget_text(BUDGETS[budget]),
        if is_bought { "bought" } else { "given" },
        cell.source,
        cell.records,
        people.text(3),
        mark(people.mean < LEAST_POINTWISE),
        population.text(3),
        mark(population.mean < LEAST_POINTWISE),
        held.text(3),
        mark(held.mean < LEAST_SIMULTANEOUS),
        width.text(2),
    )?;
    Ok([people.mean, population.mean])
}

fn averages(pointwise: &[[f64; 2]]) -> String {
    let average = |which: usize| {
        let mean = pointwise.iter().map(|shares| shares[which]).sum::<f64>() / pointwise.len() as f64;
        format!("{mean:.3}{}", if mean < LEAST_AVERAGE_POINTWISE { MISSED } else { "" })
    };
    format!(
        "\nPointwise coverage on average over all rows: people {}, population {} (target: at least {LEAST_AVERAGE_POINTWISE}).\n\n",
        average(0),
        average(1)
    )
}

/// The average half-width of the band without privacy, for one record.
fn half_width_without_privacy(grid: &Grid, covariance: &Array2<f64>) -> f64 {
    let sd: Array1<f64> = covariance.diag().mapv(f64::sqrt);
    let angle = |i: usize| (covariance[[i, i + 1]] / (sd[i] * sd[i + 1])).clamp(-1.0, 1.0).acos();
    let kappa = (0..sd.len() - 1).map(angle).sum();
    grid.integrate(sd.view()) * tube(kappa, 0.05).min(sidak(sd.len(), 0.05))
}
