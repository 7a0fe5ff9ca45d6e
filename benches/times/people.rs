//! Measures what running times tell about people, and writes docs/results/timing.md.
//!
//! With a number, so many runs of each data set (default 10^5); with a name behind it, of this work alone, and nothing is written.
//!
//! Two neighbouring data sets are released in turn, in random order. The distance between the two distributions of times is the most by
//! which a watcher's probability of guessing right can exceed one half, doubled: it is what a perfect watcher of one release learns. Beside it stands
//! what the same number of runs shows between two runs of the same data.

use std::cell::RefCell;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use dpfda::density::{Bounds, Cells, PerturbedHistogram, Points};
use dpfda::ledger::{Ledger, LedgerTerms};
use dpfda::prelude::*;
use ndarray::Array2;
use rand::RngExt;

const PAGE: &str = "docs/results/timing.md";
/// Few curves on few points: the less else there is to do, the more a difference shows.
const CURVES: usize = 60;
const POINTS: usize = 24;
/// A ledger waits for the disk: fewer runs.
const LEDGER_SHARE: usize = 50;
/// Payments from one ledger: each reads all entries before it.
const PAYMENTS: u64 = 50;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// One release, all that it needs at hand: this is timed.
type Work = Box<dyn FnOnce() -> Outcome<()>>;

/// Makes the release of the first data set or of the second, each from a fresh copy: where data lie in memory changes times too.
type Works = Box<dyn FnMut(bool) -> Outcome<Work>>;

/// One pair of neighbouring data sets, and what is done with each.
struct Pair {
    what: &'static str,
    neighbours: &'static str,
    runs: usize,
    works: Works,
}

/// What was seen of a pair.
struct Seen {
    medians: [f64; 2],
    distance: f64,
    /// The distance that chance alone exceeds once in a hundred times.
    chance: f64,
}

pub fn measure(arguments: &[&str]) -> Outcome<()> {
    let runs = arguments.first().map_or(Ok(100_000), |runs| runs.parse())?;
    let folder = tempfile::tempdir()?;
    let mut page = head(runs);
    let only = arguments.get(1);
    let is_asked = |pair: &Pair| only.is_none_or(|part| pair.what.contains(*part));
    for mut pair in pairs(runs, folder.path())?.into_iter().filter(is_asked) {
        let seen = watched(&mut pair)?;
        let verdict = if seen.distance <= seen.chance { "not told apart" } else { "told apart" };
        let line = format!(
            "| {} | {} | {} | {:.2} | {:.2} | {:+.2}% | {:.4} | {:.4} | {verdict} |\n",
            pair.what,
            pair.neighbours,
            pair.runs,
            1e6 * seen.medians[0],
            1e6 * seen.medians[1],
            100.0 * (seen.medians[1] / seen.medians[0] - 1.0),
            seen.distance,
            seen.chance
        );
        print!("{line}");
        page.push_str(&line);
    }
    if only.is_some() {
        return Ok(());
    }
    fs::write(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(PAGE), page)?;
    Ok(())
}

fn head(runs: usize) -> String {
    format!(
        "# What running times tell\n\n\
         Written by `cargo run --release -p dpfda-benches --bin times -- people`, {runs} runs of each data set (a ledger waits for the disk: one {LEDGER_SHARE}th of them). \
         Two data sets that differ in one record are released in random order by one process, each from a fresh copy, and a watcher sees each running time to the nanosecond. \
         The distance is that of Kolmogorov and Smirnov between the two distributions of times. A watcher who sees one release and guesses which \
         data set it was is right with a probability of at most one half plus half of the best distance over all events, of which this one, \
         over thresholds, is the part that a threshold uses. Chance alone exceeds the last number once in a hundred times.\n\n\
         | work | neighbours | runs each | median, first, us | second, us | difference | distance | by chance | verdict |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    )
}

/// Times both data sets of a pair in random order.
fn watched(pair: &mut Pair) -> Outcome<Seen> {
    let mut order = SeededRandomness::from_seed(1);
    let mut times = [Vec::with_capacity(pair.runs), Vec::with_capacity(pair.runs)];
    // the first runs fill caches
    for warm in 0..pair.runs.min(200) {
        (pair.works)(warm % 2 == 1)?()?;
    }
    while times[0].len() < pair.runs || times[1].len() < pair.runs {
        let second = order.random::<bool>();
        let work = (pair.works)(second)?;
        let start = Instant::now();
        work()?;
        let time = start.elapsed().as_secs_f64();
        let of_one = &mut times[usize::from(second)];
        if of_one.len() < pair.runs {
            of_one.push(time);
        }
    }
    for of_one in &mut times {
        of_one.sort_by(f64::total_cmp);
    }
    let [first, second] = &times;
    let chance = 1.628 * (2.0 / pair.runs as f64).sqrt();
    Ok(Seen { medians: [median(first), median(second)], distance: distance(first, second), chance })
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

/// The largest difference of two empirical distribution functions.
fn distance(first: &[f64], second: &[f64]) -> f64 {
    let (mut i, mut j, mut largest) = (0, 0, 0.0_f64);
    while i < first.len() && j < second.len() {
        let at = first[i].min(second[j]);
        while first.get(i).is_some_and(|time| *time <= at) {
            i += 1;
        }
        while second.get(j).is_some_and(|time| *time <= at) {
            j += 1;
        }
        largest = largest.max((i as f64 / first.len() as f64 - j as f64 / second.len() as f64).abs());
    }
    largest
}

/// Curves, with another one in the place of the first.
fn curves(first: impl Fn(usize) -> f64) -> Outcome<CurveSet> {
    let value = |row: usize, point: usize| 0.5 + 0.2 * ((row * 31 + point * 7) as f64).sin();
    let values =
        Array2::from_shape_fn((CURVES, POINTS), |(row, point)| if row == 0 { first(point) } else { value(row, point) });
    Ok(CurveSet::new(Grid::uniform(0.0, 1.0, POINTS)?, values)?)
}

fn pairs(runs: usize, place: &Path) -> Outcome<Vec<Pair>> {
    let usual = |point: usize| 0.5 + 0.2 * (point as f64).sin();
    let mut pairs = Vec::new();
    let others: [(&'static str, CurveSet); 4] = [
        ("the same data twice", curves(usual)?),
        ("a curve inside the ball; one far outside", curves(|_| 1e9)?),
        ("a whole curve; one without any value", curves(|_| f64::NAN)?),
        ("a whole curve; one with gaps", curves(|point| if point % 2 == 0 { f64::NAN } else { 0.5 })?),
    ];
    for (neighbours, other) in others {
        pairs.push(Pair { what: "mean", neighbours, runs, works: of_means(curves(usual)?, other)? });
    }
    for (neighbours, other) in [("a point inside; one outside", 1e9), ("a point inside; a missing one", f64::NAN)] {
        pairs.push(Pair { what: "density", neighbours, runs, works: of_densities(other)? });
    }
    for (neighbours, other, folder) in [
        ("the same data twice", curves(usual)?, "same"),
        ("a curve inside the ball; one far outside", curves(|_| 1e9)?, "other"),
    ] {
        let folder = place.join(folder);
        fs::create_dir(&folder)?;
        let works = of_ledgers(folder, curves(usual)?, other)?;
        pairs.push(Pair { what: "mean paid by a ledger", neighbours, runs: (runs / LEDGER_SHARE).max(50), works });
    }
    Ok(pairs)
}

fn private_mean() -> Outcome<PrivateMean> {
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    Ok(PrivateMean::isonormal(ball, PrivacyBudget::new(1e-3, 1e-9)?).buying(BallShares::NONE))
}

fn of_means(first: CurveSet, second: CurveSet) -> Outcome<Works> {
    let private_mean = Rc::new(private_mean()?);
    let randomness = Rc::new(RefCell::new(SystemRandomness::new()?));
    Ok(Box::new(move |is_second| {
        let curves = if is_second { second.clone() } else { first.clone() };
        let (private_mean, randomness) = (Rc::clone(&private_mean), Rc::clone(&randomness));
        Ok(Box::new(move || {
            black_box(private_mean.release(black_box(&curves), &mut *randomness.borrow_mut())?);
            Ok(())
        }))
    }))
}

fn of_densities(other: f64) -> Outcome<Works> {
    let bounds = Bounds::new(vec![(0.0, 100.0)])?;
    let points = |first: f64| {
        let values = Array2::from_shape_fn((1000, 1), |(row, _)| if row == 0 { first } else { (row % 100) as f64 });
        Points::new(values, bounds.clone())
    };
    let (first, second) = (points(37.0)?, points(other)?);
    let histogram = PerturbedHistogram::new(Cells::new(bounds.clone(), 60)?, PrivacyBudget::new(0.5, 0.0)?);
    let histogram = Rc::new(histogram);
    let randomness = Rc::new(RefCell::new(SystemRandomness::new()?));
    Ok(Box::new(move |is_second| {
        let points = if is_second { second.clone() } else { first.clone() };
        let (histogram, randomness) = (Rc::clone(&histogram), Rc::clone(&randomness));
        Ok(Box::new(move || {
            black_box(histogram.release(black_box(&points), &mut *randomness.borrow_mut())?);
            Ok(())
        }))
    }))
}

/// Every run pays, draws and keeps; the budget of one is small enough for all.
fn of_ledgers(folder: PathBuf, first: CurveSet, second: CurveSet) -> Outcome<Works> {
    let total = PrivacyBudget::new(50.0, 1e-3)?;
    let terms = LedgerTerms::new("timing", PrivacyUnit::Curve, NeighbouringRelation::SubstituteOne, total)?;
    let private_mean = Rc::new(private_mean()?);
    let randomness = Rc::new(RefCell::new(SystemRandomness::new()?));
    let mut ledger = Rc::new(RefCell::new(Ledger::create(&folder.join("0.ledger"), &terms)?));
    let mut run = 0_u64;
    Ok(Box::new(move |is_second| {
        run += 1;
        if run.is_multiple_of(PAYMENTS) {
            ledger = Rc::new(RefCell::new(Ledger::create(&folder.join(format!("{run}.ledger")), &terms)?));
        }
        let curves = if is_second { second.clone() } else { first.clone() };
        let (private_mean, randomness, ledger) = (Rc::clone(&private_mean), Rc::clone(&randomness), Rc::clone(&ledger));
        let id = format!("run-{run}").parse()?;
        Ok(Box::new(move || {
            let prepared = private_mean.prepare(&curves)?;
            black_box(ledger.borrow_mut().release(id, prepared, &mut *randomness.borrow_mut())?);
            Ok(())
        }))
    }))
}
