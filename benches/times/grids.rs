//! Long grids: time beside NumPy, memory, and errors beside the dense answers. Writes `docs/results/grids.md`.
//!
//! `DPFDA_PYTHON` names the Python with NumPy (default `python3`). With `spectra`, `release` or `errors`, one part is measured
//! and printed, and nothing is written.

mod errors;
mod release;

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::process::Command;

use dpfda::kernels::{DEFAULT_TOLERANCE, Gaussian, Grid, Matern, Spectrum};

use crate::seconds;

const PAGE: &str = "docs/results/grids.md";
const RUNS: usize = 9;
const HEAD: &str =
    "| task | time, best / median | NumPy, best / median | ratio, best / median | at most |\n|---|---|---|---|---|\n";

/// The best and the median of several runs, in seconds.
#[derive(Clone, Copy)]
struct Times {
    best: f64,
    median: f64,
}

pub fn measure(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    if let [release::ALONE, points] = arguments {
        return release::alone(points.parse()?);
    }
    let only = arguments.first();
    let wanted = |name: &str| only.is_none_or(|only| *only == name);
    let mut part = String::from(
        "# What long grids cost\n\nWritten by `cargo run --release -p dpfda-benches --bin times -- grids`.\n\n",
    );
    if wanted("spectra") {
        part += &spectra()?;
    }
    if wanted("release") {
        part += &release::report()?;
    }
    if wanted("errors") {
        part += &errors::report()?;
    }
    println!("{part}");
    if only.is_none() { Ok(fs::write(PAGE, part)?) } else { Ok(()) }
}

fn spectra() -> Result<String, Box<dyn Error>> {
    let mut part = format!(
        "Best and median of {RUNS} runs on one thread, and of NumPy's seven in the same run of the program, on a uniform grid. Machines \
         differ: read the ratios, of best to best and of median to median.\n\n{HEAD}"
    );
    let task = "spectrum, Gaussian kernel of length scale .1, n = 1000, over `eigh`";
    row(&mut part, task, gaussian()?, numpy(&["eigh", "1000", "gaussian"], 1.0), 0.03)?;
    let task = "leading pairs, Matern 3/2 kernel of range .2, n = 10^4, over `eigh` at n = 4000 times 2.5^3";
    let cubed = (10_000.0_f64 / 4000.0).powi(3);
    row(&mut part, task, matern()?, numpy(&["eigh", "4000", "matern32"], cubed), 0.01)?;
    Ok(part + "\n")
}

fn row(part: &mut String, task: &str, ours: Times, numpy: Option<Times>, target: f64) -> Result<(), Box<dyn Error>> {
    let both = |times: Times| format!("{:.2} / {:.2} ms", times.best * 1e3, times.median * 1e3);
    let target_text = if target.is_nan() { "-".to_owned() } else { target.to_string() };
    let Some(numpy) = numpy else {
        writeln!(part, "| {task} | {} | not measured | not measured | {target_text} |", both(ours))?;
        return Ok(());
    };
    let (best, median) = (ours.best / numpy.best, ours.median / numpy.median);
    let missed = if best > target { " (missed)" } else { "" };
    writeln!(part, "| {task} | {} | {} | {best:.4} / {median:.4} | {target_text}{missed} |", both(ours), both(numpy))?;
    Ok(())
}

/// NumPy's times, multiplied.
fn numpy(arguments: &[&str], factor: f64) -> Option<Times> {
    let python = std::env::var("DPFDA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python).arg("benches/numpy/long_grids.py").args(arguments).output().ok()?;
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(Times { best: line["best_seconds"].as_f64()? * factor, median: line["median_seconds"].as_f64()? * factor })
}

fn times<T>(mut work: impl FnMut() -> Result<T, Box<dyn Error>>) -> Result<Times, Box<dyn Error>> {
    work()?;
    let seconds = seconds(RUNS, work);
    Ok(Times { best: seconds[0], median: seconds[RUNS / 2] })
}

fn gaussian() -> Result<Times, Box<dyn Error>> {
    let (kernel, grid) = (Gaussian::new(0.02)?, Grid::uniform(0.0, 1.0, 1000)?);
    times(|| Ok(Spectrum::leading(kernel, grid.clone(), DEFAULT_TOLERANCE)?))
}

fn matern() -> Result<Times, Box<dyn Error>> {
    let (kernel, grid) = (Matern::new(1.5, 0.2)?, Grid::uniform(0.0, 1.0, 10_000)?);
    times(|| Ok(Spectrum::leading(kernel, grid.clone(), DEFAULT_TOLERANCE)?))
}
