//! Surfaces: what their estimates are worth, and how long they take.

use std::f64::consts::PI;
use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use dpfda::prelude::*;
use ndarray::{Array1, Array2};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{Outcome, budget};
use crate::measured::{MISSED, Measured, of_seeds};

const DRAWS: u64 = 30;
const RADIUS: f64 = 0.3;
const GUARANTEE: (f64, f64) = (1.0, 0.1);

/// People, with the largest error on 64 x 64 points.
const TARGETS: [(usize, f64); 2] = [(200, 0.0165), (1000, 0.0053)];

/// Points an axis, with the most seconds from a release to its estimate; and the largest memory in megabytes.
const TIMES: [(usize, f64); 2] = [(64, 0.1), (256, 3.0)];
const MEMORY: f64 = 500.0;

fn grid(points: usize) -> Outcome<SurfaceGrid> {
    let axis = Grid::uniform(0.0, 1.0, points)?;
    Ok(SurfaceGrid::new(axis.clone(), axis)?)
}

fn mean(s: f64, t: f64) -> f64 {
    0.5 + 0.1 * (2.0 * PI * s).sin() * (PI * t).cos() + 0.05 * t
}

/// A function of both axes at all points of a grid.
fn at_points(grid: &SurfaceGrid, of: impl Fn(f64, f64) -> f64) -> Array1<f64> {
    let [s, t] = grid.axes();
    let points = s.points().into_iter().flat_map(|s| t.points().into_iter().map(move |t| (*s, *t)));
    points.map(|(s, t)| of(s, t)).collect()
}

/// Surfaces of people about the mean: products of three waves an axis, of a root-mean-square size of 0.09 together.
fn people(grid: &SurfaceGrid, records: usize, seed: u64) -> Outcome<CurveSet> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let middle = at_points(grid, mean);
    let waves: Vec<Array1<f64>> = (0..9)
        .map(|wave| {
            let (p, q) = (f64::from(wave / 3), f64::from(wave % 3));
            at_points(grid, |s, t| (PI * p * s).cos() * (PI * q * t).cos() / (1.0 + p + q))
        })
        .collect();
    let weights = grid.unit_weights();
    let size: f64 = waves.iter().map(|wave| weights.dot(&wave.mapv(|x| x * x)) / 3.0).sum::<f64>().sqrt();
    let mut values = Array2::zeros((records, grid.len()));
    for mut row in values.rows_mut() {
        row.assign(&middle);
        for wave in &waves {
            row.scaled_add(0.09 / size * generator.random_range(-1.0..1.0), wave);
        }
    }
    Ok(CurveSet::new(grid.places()?, values)?)
}

fn released(grid: &SurfaceGrid, records: usize, seed: u64) -> Outcome<Release<Surface>> {
    let ball = Ball::new(Center::Constant(0.5), RADIUS)?;
    let plan = PrivateMean::isonormal(ball, budget(GUARANTEE)?).buying(BallShares::NONE);
    let people = people(grid, records, seed)?;
    Ok(plan.prepare_on(&people, grid, None)?.draw_unrecorded(&mut SeededRandomness::from_seed(seed)))
}

/// The distances of the estimate and of the release itself from the mean.
fn errors(records: usize, seed: u64) -> Outcome<[f64; 2]> {
    let grid = grid(64)?;
    let release = released(&grid, records, seed)?;
    let posterior = SurfacePosterior::of(&release, &Ladder::default())?;
    let (truth, weights) = (at_points(&grid, mean), grid.unit_weights());
    let distance = |values: Array1<f64>| weights.dot(&(values - &truth).mapv(|d| d * d)).sqrt();
    let raw = release.statistic().whitened(&release).0 / weights.mapv(f64::sqrt) + 0.5;
    Ok([distance(posterior.values().iter().copied().collect()), distance(raw)])
}

/// The largest memory that the program has had, in megabytes.
fn peak() -> Outcome<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    Ok(kilobytes.ok_or("no VmHWM")?.trim().parse::<f64>()? / 1000.0)
}

/// The section of the page.
pub fn section() -> Outcome<String> {
    let mut page = format!(
        "## Surfaces\n\nPrinted by `cargo run --release -p dpfda-benches --bin any -- surfaces`. Synthetic surfaces on 64 x 64 points about a smooth mean, with a \
         standard deviation of 0.09; centre 0.5, radius {RADIUS}, (1, 0.1), {DRAWS} draws. Root-mean-square distance from the mean of the \
         population: of the estimate, and of the release without smoothing.\n\n| people | estimate | release |\n|---|---|---|\n"
    );
    for (records, target) in TARGETS {
        let found = of_seeds(DRAWS, |seed| errors(records, seed))?;
        let estimate = Measured::of(found.iter().map(|pair| pair[0])).at_most(Some(target));
        let raw = Measured::of(found.iter().map(|pair| pair[1])).shown();
        writeln!(page, "| {records} | {estimate} | {raw} |")?;
    }
    writeln!(
        page,
        "\nFrom a release to its posterior, as a part of the time that is allowed:\n\n| points | part | allowed |\n|---|---|---|"
    )?;
    for (points, most) in TIMES {
        let grid = grid(points)?;
        // people are few, so that memory is that of the estimate
        let release = released(&grid, 20, 1)?;
        let mut parts = Vec::new();
        for _ in 0..5 {
            let start = Instant::now();
            let posterior = SurfacePosterior::of(&release, &Ladder::default())?;
            assert_eq!(posterior.values().len(), grid.len());
            parts.push(start.elapsed().as_secs_f64() / most);
        }
        parts.sort_by(f64::total_cmp);
        let verdict = if parts[2] <= 1.0 { "" } else { MISSED };
        writeln!(page, "| {points} x {points} | {:.2}{verdict} | {most} s |", parts[2])?;
    }
    let memory = peak()?;
    let verdict = if memory <= MEMORY { "" } else { MISSED };
    writeln!(page, "\nThe program had at most {:.0}% of {MEMORY} MB{verdict}.", 100.0 * memory / MEMORY)?;
    Ok(page)
}
