//! What one pass over records costs from which the sum for any radius follows, beside what it must at least cost: nanoseconds a
//! record, all tasks in turn in one run, the least and the median of the rounds.
//!
//! Every pass reads its records in blocks of 64, which it copies first, as a release copies curves where it scales them: so memory is
//! read in one stream, beside the least that can be done with it, a sum and a clipped sum in the same blocks.
//!
//! ```text
//! cargo run --release -p dpfda-benches --bin passes                 # 200,000 records of 93 numbers, 9 rounds
//! cargo run --release -p dpfda-benches --bin passes 1000000 93 5    # so many records, numbers and rounds
//! ```

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use dpfda::privacy::{
    Body, ClippedBall, ClippedMoments, Emphasis, ExactSum, NestedRecord, PersonSum, ProductsOf, PublicBasis, Radii,
};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

/// Products are released of so many coordinates.
const COORDINATES: usize = 40;

/// Rows that are copied together, so that they stay in the cache.
const BLOCK: usize = 64;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What is timed, of records and their dimension.
type Run = Box<dyn Fn(&[f64], usize) -> Outcome<()>>;

struct Task {
    name: &'static str,
    run: Run,
    times: Vec<f64>,
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (records, dimension, rounds) = (number(200_000)?, number(93)?, number(9)?);
    let rows = whitened(records, dimension);
    let mut tasks = tasks(dimension)?;
    for round in 0..=rounds {
        for task in &mut tasks {
            let start = Instant::now();
            (task.run)(&rows, dimension)?;
            let time = start.elapsed().as_secs_f64() * 1e9 / records as f64;
            // the first round fills caches
            if round > 0 {
                task.times.push(time);
            }
        }
    }
    println!("{records} records of {dimension} numbers, {rounds} rounds: ns a record");
    println!("{:<44} {:>8} {:>8} {:>10} {:>10}", "task", "least", "median", "/ sum", "/ clipped");
    let medians: Vec<f64> = tasks.iter_mut().map(|task| median(&mut task.times)).collect();
    for (task, median) in tasks.iter().zip(&medians) {
        let least = task.times.first().copied().unwrap_or(f64::NAN);
        let (of_sum, of_clipped) = (median / medians[0], median / medians[1]);
        println!("{:<44} {least:>8.0} {median:>8.0} {of_sum:>10.2} {of_clipped:>10.2}", task.name);
    }
    Ok(())
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Smooth records with norms over three octaves below the stated radius, some outside.
fn whitened(records: usize, dimension: usize) -> Vec<f64> {
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let mut rows = Vec::with_capacity(records * dimension);
    for _ in 0..records {
        let size = (-generator.random_range(-0.2..3.0_f64)).exp2() / (dimension as f64).sqrt();
        let shift: f64 = generator.random_range(-1.0..1.0);
        let root = (1.0 + shift * shift / 3.0).sqrt();
        rows.extend((0..dimension).map(|i| size * (1.0 + shift * ((i as f64) * 0.1).sin()) / root));
    }
    rows
}

fn tasks(dimension: usize) -> Outcome<Vec<Task>> {
    let order = COORDINATES.min(dimension);
    let basis = ProductsOf::Along(PublicBasis::new(&cosines(dimension, order))?.into());
    let mut tasks = Vec::new();
    let mut task = |name, run| tasks.push(Task { name, run, times: Vec::new() });
    let of = |run: fn(&[f64], usize)| -> Run {
        Box::new(move |rows, dimension| {
            run(rows, dimension);
            Ok(())
        })
    };
    task("sum in memory", of(sum));
    task("sum of values clipped to [0, 1], blocked", of(clipped));
    for (names, radii) in [
        (
            [
                "one pass, any radius: mean",
                "one pass, any radius: 40 along a basis",
                "one pass, any radius: all products",
            ],
            Radii::Any,
        ),
        (
            [
                "one pass, stated radius: mean",
                "one pass, stated radius: 40 along a basis",
                "one pass, stated radius: all products",
            ],
            Radii::Stated,
        ),
    ] {
        let products = [None, Some(basis.clone()), Some(ProductsOf::First(dimension.min(1024)))];
        for (name, of) in names.into_iter().zip(products) {
            let moments = of.map(|of| ClippedMoments { emphasis: Emphasis::Mean, of });
            let body = ClippedBall::new(dimension, radii, moments)?;
            task(name, Box::new(move |rows, dimension| one_pass(&body, rows, dimension)));
        }
    }
    task("one pass, any radius: 7 curves a person, mean", Box::new(people));
    Ok(tasks)
}

fn sum(rows: &[f64], dimension: usize) {
    let mut totals = vec![0.0; dimension];
    for row in rows.chunks_exact(dimension) {
        totals.iter_mut().zip(row).for_each(|(total, x)| *total += x);
    }
    black_box(totals);
}

fn clipped(rows: &[f64], dimension: usize) {
    let mut totals = vec![0.0; dimension];
    let mut block = vec![0.0; BLOCK * dimension];
    for rows in rows.chunks(BLOCK * dimension) {
        block.iter_mut().zip(rows).for_each(|(clipped, x)| *clipped = x.clamp(0.0, 1.0));
        for row in block[..rows.len()].chunks_exact(dimension) {
            totals.iter_mut().zip(row).for_each(|(total, x)| *total += x);
        }
    }
    black_box(totals);
}

fn one_pass(body: &ClippedBall, rows: &[f64], dimension: usize) -> Outcome<()> {
    let mut record = body.vector();
    let mut sum = ExactSum::new(body.clone());
    in_blocks(rows, dimension, |row| {
        record.encode(row)?;
        Ok(sum.add(&record)?)
    })?;
    black_box(sum);
    Ok(())
}

/// Gives a copy of each row.
fn in_blocks(rows: &[f64], dimension: usize, mut each: impl FnMut(&[f64]) -> Outcome<()>) -> Outcome<()> {
    let mut block = vec![0.0; BLOCK * dimension];
    for rows in rows.chunks(BLOCK * dimension) {
        let block = &mut block[..rows.len()];
        block.copy_from_slice(rows);
        block.chunks_exact(dimension).try_for_each(&mut each)?;
    }
    Ok(())
}

fn people(rows: &[f64], dimension: usize) -> Outcome<()> {
    let mut record = NestedRecord::new(dimension, Radii::Any)?;
    let mut sum = ExactSum::new(ClippedBall::new(dimension, Radii::Any, None)?);
    let mut person = PersonSum::new(dimension)?;
    for curves in rows.chunks(7 * dimension) {
        person.clear();
        for curve in curves.chunks_exact(dimension) {
            person.add(curve)?;
        }
        person.close(&mut record)?;
        sum.add(&record)?;
    }
    black_box(sum);
    Ok(())
}

/// Orthonormal waves.
fn cosines(length: usize, order: usize) -> Vec<Vec<f64>> {
    let angle = |i: usize, l: usize| std::f64::consts::PI * (i as f64 + 0.5) * l as f64 / length as f64;
    let norm = |l: usize| (if l == 0 { 1.0 } else { 2.0 } / length as f64).sqrt();
    (0..order).map(|l| (0..length).map(|i| norm(l) * angle(i, l).cos()).collect()).collect()
}
