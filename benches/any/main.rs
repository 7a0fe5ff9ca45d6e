//! Measures what releases of irregular curves are worth and writes `docs/results/any.md`.
//!
//! ```text
//! DPFDA_DATA=/folder/with/dti_cca.csv cargo run --release -p dpfda-benches --bin any
//! ```
//!
//! With `-- pure` it measures releases with delta 0 alone, with `-- surfaces` those of surfaces, and with `-- gaps` missing cells and bought
//! radii, and prints their section.
//!
//! `data/README.md` says where `dti_cca.csv` comes from. Every release has a seed, so the page is the same on every run. The program
//! fails for a missed target.

mod gaps;
#[path = "../analysis/measured.rs"]
mod measured;
#[path = "../common/parallel.rs"]
mod parallel;
mod pure;
mod subjects;
mod surfaces;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::prelude::*;
use dpfda::release::{LongRows, Rows};
use measured::{MISSED, Measured, of_seeds};
use subjects::{Subject, Subjects};

/// `(epsilon, delta)` of the columns.
const BUDGETS: [(f64, f64); 2] = [(1.0, 0.1), (1.0, 1e-5)];

/// Almost no noise: what is left is sampling and smoothing.
const NOISELESS: (f64, f64) = (50.0, 0.5);

const RADIUS: f64 = 0.25;
const RECORDS: usize = 1000;

/// Points a subject, with the largest error for each budget.
const TARGETS: [(usize, [f64; 2]); 3] = [(3, [0.0094, 0.020]), (10, [0.0060, 0.0132]), (50, [0.0040, 0.0090])];

type Outcome<T> = Result<T, Box<dyn Error>>;

fn budget((epsilon, delta): (f64, f64)) -> Outcome<PrivacyBudget> {
    Ok(PrivacyBudget::new(epsilon, delta)?)
}

fn ball() -> Outcome<Ball> {
    Ok(Ball::new(Center::Constant(0.5), RADIUS)?)
}

fn rows(people: &[Subject], plan: &PrivateRows) -> Outcome<LongRows> {
    let mut rows = plan.rows()?;
    for (id, subject) in people.iter().enumerate() {
        for (time, value) in subject {
            rows.push(&id.to_le_bytes(), *time, *value);
        }
    }
    Ok(rows)
}

/// A release with its estimate, of new people.
fn estimated(subjects: &Subjects, sizes: (usize, usize), guarantee: (f64, f64), seed: u64) -> Outcome<Estimated<Rows>> {
    estimated_by(&PrivateRows::new(ball()?, (0.0, 1.0), budget(guarantee)?), subjects, sizes, seed)
}

fn estimated_by(
    plan: &PrivateRows,
    subjects: &Subjects,
    (records, points): (usize, usize),
    seed: u64,
) -> Outcome<Estimated<Rows>> {
    let people = subjects.drawn(records, points, seed);
    let release = rows(&people, plan)?.release(&mut SeededRandomness::from_seed(seed))?;
    Ok(Estimated::<Rows>::new(release, &Band::Population, DEFAULT_LEVEL)?)
}

/// The error of the mean of curves whose missing points are filled within each curve, as tables of curves are read.
fn interpolated(subjects: &Subjects, points: usize, guarantee: (f64, f64), seed: u64) -> Outcome<f64> {
    let people = subjects.drawn(RECORDS, points, seed);
    let curves = subjects.as_curves(&people)?;
    let release = PrivateMean::isonormal(ball()?, budget(guarantee)?)
        .buying(BallShares::NONE)
        .release(&curves, &mut SeededRandomness::from_seed(seed))?;
    let posterior = Posterior::of(&release, &Ladder::default())?;
    Ok(subjects.error(posterior.grid(), &posterior.values().to_owned()))
}

fn error(subjects: &Subjects, estimated: &Estimated<Rows>) -> f64 {
    subjects.error(estimated.posterior().grid(), &estimated.posterior().values().to_owned())
}

fn accuracy(subjects: &Subjects) -> Outcome<String> {
    let mut page = format!(
        "## Points a subject\n\nRoot-mean-square error of the estimate, {RECORDS} subjects, for (1, 0.1) and (1, 1e-5). *Almost without noise* \
         is the same estimate at (50, 0.5): sampling and smoothing. *Interpolation* fills each curve between its own points first, as a table \
         of curves with missing cells is read; its radius is stated too. Releasing the centre alone has an error of {:.4}.\n\n\
         | points | (1, 0.1) | (1, 1e-5) | almost without noise | interpolation, (1, 0.1) |\n|---|---|---|---|---|\n",
        subjects.error_of_centre()
    );
    for (points, targets) in TARGETS {
        let measure = |guarantee| -> Outcome<Measured> {
            let errors =
                of_seeds(60, |seed| Ok(error(subjects, &estimated(subjects, (RECORDS, points), guarantee, seed)?)))?;
            Ok(Measured::of(errors.into_iter()))
        };
        let first = measure(BUDGETS[0])?.at_most(Some(targets[0]));
        let second = measure(BUDGETS[1])?.at_most(Some(targets[1]));
        let noiseless = measure(NOISELESS)?.shown();
        let filled = of_seeds(30, |seed| interpolated(subjects, points, BUDGETS[0], seed))?;
        let filled = Measured::of(filled.into_iter()).shown();
        writeln!(page, "| {points} | {first} | {second} | {noiseless} | {filled} |")?;
    }
    Ok(page)
}

fn growth(subjects: &Subjects) -> Outcome<String> {
    let mut page = String::from(
        "## Number of subjects\n\nThe same with 3 points a subject. The error of interpolation does not fall: it is bias.\n\n\
         | subjects | (1, 0.1) | (1, 1e-5) |\n|---|---|---|\n",
    );
    let mut last = [f64::INFINITY; 2];
    for (records, draws) in [(1000, 40), (10_000, 16), (100_000, 6)] {
        let mut cells = Vec::new();
        for (place, guarantee) in BUDGETS.into_iter().enumerate() {
            let errors =
                of_seeds(draws, |seed| Ok(error(subjects, &estimated(subjects, (records, 3), guarantee, seed)?)))?;
            let measured = Measured::of(errors.into_iter());
            let verdict = if measured.mean < last[place] { "" } else { MISSED };
            last[place] = measured.mean;
            cells.push(format!("{}{verdict}", measured.shown()));
        }
        writeln!(page, "| {records} | {} |", cells.join(" | "))?;
    }
    Ok(page)
}

fn coverage(subjects: &Subjects) -> Outcome<String> {
    let mut page = format!(
        "## Bands\n\nHow often the default band ({DEFAULT_LEVEL}, for the population) holds the whole mean, {RECORDS} subjects, and the average \
         half of its width.\n\n| points | budget | coverage | half-width |\n|---|---|---|---|\n"
    );
    for (points, _) in TARGETS {
        for guarantee in BUDGETS {
            let found = of_seeds(100, |seed| {
                let estimated = estimated(subjects, (RECORDS, points), guarantee, 1000 + seed)?;
                let points = estimated.points();
                let width =
                    points.iter().map(|point| (point.upper - point.lower) / 2.0).sum::<f64>() / points.len() as f64;
                let holds =
                    points.iter().all(|point| (point.lower..=point.upper).contains(&subjects.mean_at(point.at)));
                Ok((f64::from(u8::from(holds)), width))
            })?;
            let covered = Measured::of(found.iter().map(|(holds, _)| *holds)).at_least(Some(0.9));
            let width = Measured::of(found.iter().map(|(_, width)| *width)).shown();
            writeln!(page, "| {points} | ({}, {:e}) | {covered} | {width} |", guarantee.0, guarantee.1)?;
        }
    }
    Ok(page)
}

/// Missing cells, and radii that are bought.
fn gaps_and_radii(subjects: &Subjects) -> Outcome<String> {
    let radii = gaps::bought(|guarantee| {
        let loose = Ball::new(Center::Constant(0.5), 0.5)?;
        let plan = PrivateRows::new(loose, (0.0, 1.0), budget(guarantee)?).buying(BallShares::default());
        let errors = of_seeds(60, |seed| Ok(error(subjects, &estimated_by(&plan, subjects, (RECORDS, 3), seed)?)))?;
        Ok(Measured::of(errors.into_iter()))
    })?;
    Ok(format!("{radii}\n{}", gaps::section(subjects.people())?))
}

fn main() -> Outcome<()> {
    if std::env::args().nth(1).as_deref() == Some("surfaces") {
        let section = surfaces::section()?;
        print!("{section}");
        return if section.contains(MISSED) { Err("a target was missed".into()) } else { Ok(()) };
    }
    let folder =
        std::env::var_os("DPFDA_DATA").map(PathBuf::from).ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    let subjects = Subjects::read(&folder.join("dti_cca.csv"))?;
    if let Some(part) = std::env::args().nth(1) {
        let section = match part.as_str() {
            "pure" => pure::section(&subjects)?,
            "gaps" => gaps_and_radii(&subjects)?,
            _ => return Err("give pure, gaps or nothing".into()),
        };
        print!("{section}");
        return if section.contains(MISSED) { Err("a target was missed".into()) } else { Ok(()) };
    }
    let head = format!(
        "# Results for irregular curves\n\nWritten by `cargo run --release -p dpfda-benches --bin any`; not edited by hand. Subjects are draws from the \
         Gaussian process with the mean and covariance of the 376 complete corpus-callosum profiles described in `data/README.md`, seen at \
         uniform times with noise of standard deviation 0.03. Centre 0.5, radius {RADIUS}, 20 bins, substitute-one. Standard errors are in \
         brackets.\n\n"
    );
    let sections = [
        accuracy(&subjects)?,
        growth(&subjects)?,
        coverage(&subjects)?,
        gaps_and_radii(&subjects)?,
        pure::section(&subjects)?,
        surfaces::section()?,
    ];
    let page = head + &sections.join("\n");
    fs::write("docs/results/any.md", &page)?;
    print!("{page}");
    if page.contains(MISSED) { Err("a target was missed: see docs/results/any.md".into()) } else { Ok(()) }
}
