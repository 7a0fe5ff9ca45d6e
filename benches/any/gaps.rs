//! Missing cells of curves on one grid: three treatments, on real curves.

use std::fmt::Write as _;

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::kernels::KernelName;
use dpfda::prelude::*;
use dpfda::release::{Mean, Rows};
use dpfda::smoothing::GaussianFill;
use ndarray::Array1;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::measured::{MISSED, Measured, of_seeds};
use super::{BUDGETS, Outcome, RADIUS, ball, budget};

/// Releases of each cell, each with its own noise and its own gaps.
const DRAWS: u64 = 60;

/// The prior of the command.
const RANGE: f64 = 0.3;
const NOISE: f64 = 0.1;

/// Which cells are missing.
#[derive(Clone, Copy)]
enum Gaps {
    /// This share, at random.
    Random(f64),
    /// All after a time, uniform on the last 70% of the domain.
    Dropout,
    /// The same, after an earlier time for lower curves.
    Informative,
}

/// What is done about them.
#[derive(Clone, Copy, PartialEq)]
enum Treatment {
    Line,
    Process,
    Rows,
}

/// Rows of the table, with the treatment that `docs/kinds/mean.md` recommends.
const ROWS: [(&str, Gaps, Option<Treatment>); 6] = [
    ("none", Gaps::Random(0.0), Some(Treatment::Line)),
    ("10% at random", Gaps::Random(0.1), Some(Treatment::Line)),
    ("30% at random", Gaps::Random(0.3), Some(Treatment::Line)),
    ("70% at random", Gaps::Random(0.7), Some(Treatment::Rows)),
    ("dropout", Gaps::Dropout, Some(Treatment::Rows)),
    ("informative dropout", Gaps::Informative, None),
];

impl Gaps {
    fn planted(self, people: &CurveSet, seed: u64) -> Outcome<CurveSet> {
        let mut generator = ChaCha20Rng::seed_from_u64(seed ^ 0x6A95);
        let mut values = people.values().to_owned();
        let points = values.ncols();
        let mean = values.mean().unwrap_or(0.0);
        for mut curve in values.rows_mut() {
            let level = curve.mean().unwrap_or(0.0) - mean;
            let last = match self {
                Self::Random(_) => 1.0,
                Self::Dropout => generator.random_range(0.3..1.0),
                // a standard deviation below the mean takes a third of the domain away
                Self::Informative => (0.8 + 5.0 * level + generator.random_range(-0.1..0.1)).clamp(0.3, 1.0),
            };
            for (place, value) in curve.iter_mut().enumerate() {
                let is_lost = matches!(self, Self::Random(share) if generator.random_range(0.0..1.0) < share);
                if is_lost || place as f64 > last * (points - 1) as f64 {
                    *value = f64::NAN;
                }
            }
        }
        Ok(CurveSet::new(people.grid().clone(), values)?)
    }
}

/// The error of one release, and whether its default band holds the mean of all people everywhere.
fn measured(
    people: &CurveSet,
    (gaps, treatment): (Gaps, Treatment),
    guarantee: (f64, f64),
    seed: u64,
) -> Outcome<(f64, f64)> {
    let curves = gaps.planted(people, seed)?;
    let truth = people.raw_mean().into_revealed();
    let points: Vec<f64> = people.grid().points().to_vec();
    let mut noise = SeededRandomness::from_seed(seed);
    let estimates = match treatment {
        Treatment::Rows => {
            let ends = (people.grid().lower(), people.grid().upper());
            let plan = PrivateRows::new(ball()?, ends, budget(guarantee)?);
            let release = plan.rows_of(&curves)?.release(&mut noise)?;
            Estimated::<Rows>::new(release, &Band::Population, DEFAULT_LEVEL)?.at(&points)?
        }
        Treatment::Line | Treatment::Process => {
            let curves = match treatment {
                Treatment::Process => {
                    let kernel = KernelName::Matern(1.5).with_range(RANGE)?;
                    curves.filled(&GaussianFill::new(&ball()?, people.grid(), kernel, NOISE)?)?
                }
                _ => curves,
            };
            let private_mean = PrivateMean::isonormal(ball()?, budget(guarantee)?).buying(BallShares::NONE);
            Estimated::<Mean>::new(private_mean.release(&curves, &mut noise)?, &Band::Population, DEFAULT_LEVEL)?
                .points()
        }
    };
    let squares: Array1<f64> =
        estimates.iter().zip(&truth).map(|(found, true_mean)| (found.value - true_mean).powi(2)).collect();
    let error = (people.grid().integrate(squares.view()) / people.grid().length()).sqrt();
    let holds = estimates.iter().zip(&truth).all(|(found, true_mean)| (found.lower..=found.upper).contains(true_mean));
    Ok((error, f64::from(u8::from(holds))))
}

/// The table, and how often bands hold.
pub fn section(people: &CurveSet) -> Outcome<String> {
    let mut page = format!(
        "## Missing cells on a common grid\n\nRoot-mean-square error to the mean of the {} complete real profiles themselves, of which cells are \
         taken away, for (1, 0.1) and (1, 1e-5), {DRAWS} draws of gaps and noise; centre 0.5, radius {RADIUS} stated. In brackets the standard \
         error, then how often the default band ({DEFAULT_LEVEL}) holds the whole mean. *Line*: each curve is filled between its own points. *Process*: \
         from a public Gaussian process (matern32, range {RANGE}, noise {NOISE}). *Rows*: what was seen, in 20 bins. Dropout: the last value at a \
         uniform time of the last 70% of the domain. Informative dropout: low curves leave early, which biases every treatment. The recommended \
         treatment is in bold.\n\n| missing | budget | line | process | rows |\n|---|---|---|---|---|\n",
        people.len()
    );
    for (name, gaps, recommended) in ROWS {
        for guarantee in BUDGETS {
            let mut cells = Vec::new();
            for treatment in [Treatment::Line, Treatment::Process, Treatment::Rows] {
                let found = of_seeds(DRAWS, |seed| measured(people, (gaps, treatment), guarantee, seed))?;
                let error = Measured::of(found.iter().map(|(error, _)| *error)).shown();
                let covered = found.iter().map(|(_, holds)| holds).sum::<f64>() / found.len() as f64;
                let is_recommended = recommended == Some(treatment);
                let missed = if is_recommended && covered < 0.9 { MISSED } else { "" };
                let mark = if is_recommended { "**" } else { "" };
                cells.push(format!("{mark}{error}{mark}, {covered:.2}{missed}"));
            }
            writeln!(page, "| {name} | ({}, {:e}) | {} |", guarantee.0, guarantee.1, cells.join(" | "))?;
        }
    }
    Ok(page)
}

/// The error of a bought radius with a stated one that is a guess, at 3 points a subject.
pub fn bought(errors: impl Fn((f64, f64)) -> Outcome<Measured>) -> Outcome<String> {
    /// The errors of the reference, each with room for its standard error.
    const TARGETS: [f64; 2] = [0.0085, 0.0155];
    let mut page = String::from(
        "## A radius that is bought\n\n1000 subjects with 3 points each, a stated radius of 0.5 about 0.5, of which 5% of `mu` squared buys a \
         smaller one.\n\n| budget | error |\n|---|---|\n",
    );
    for (guarantee, target) in BUDGETS.into_iter().zip(TARGETS) {
        writeln!(page, "| ({}, {:e}) | {} |", guarantee.0, guarantee.1, errors(guarantee)?.at_most(Some(target)))?;
    }
    Ok(page)
}
