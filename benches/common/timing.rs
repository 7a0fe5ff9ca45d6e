//! Timing against NumPy, in turn, for the programs that write pages of results.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// What stands beside a target that was missed, and in place of a number that could not be had: the program then fails.
pub(crate) const MISSED: &str = " (missed)";
pub(crate) const NOT_MEASURED: &str = "not measured";

/// NumPy and ours are timed in turn this many times; the ratio is that of the medians' median.
const ROUNDS: usize = 3;

/// A row of a table of speeds: the task, our time, NumPy's, the ratio and its target.
pub(crate) fn ratio_row(
    page: &mut String,
    task: &str,
    mut ours: impl FnMut() -> Result<f64, Box<dyn Error>>,
    mut numpy: impl FnMut() -> Option<f64>,
    target: f64,
) -> Result<(), Box<dyn Error>> {
    let (mut own, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let seconds = ours()?;
        own.push(seconds);
        if let Some(reference) = numpy() {
            theirs.push(reference);
            ratios.push(seconds / reference);
        }
    }
    let milliseconds = |times: Vec<f64>| format!("{:.2} ms", median(times) * 1e3);
    if ratios.is_empty() {
        writeln!(
            page,
            "| {task} | {} | {NOT_MEASURED} | {NOT_MEASURED} | <= {} |",
            milliseconds(own),
            ratio_text(target)
        )?;
    } else {
        let ratio = median(ratios);
        let verdict = if ratio <= target { "" } else { MISSED };
        writeln!(
            page,
            "| {task} | {} | {} | {} | <= {}{verdict} |",
            milliseconds(own),
            milliseconds(theirs),
            ratio_text(ratio),
            ratio_text(target)
        )?;
    }
    Ok(())
}

/// Two digits, small ratios as one part in so many.
fn ratio_text(ratio: f64) -> String {
    if ratio < 0.01 { format!("1/{:.0}", 1.0 / ratio) } else { format!("{ratio:.2}") }
}

/// The median seconds of several runs, after one that is not counted.
pub(crate) fn time(runs: usize, mut work: impl FnMut() -> Result<f64, Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    black_box(work()?);
    let mut seconds = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        black_box(work()?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok(median(seconds))
}

/// The median seconds that a NumPy program reports, or nothing where it cannot run.
pub(crate) fn numpy(program: &str, arguments: &[&str]) -> Option<f64> {
    let python = std::env::var("DPFDA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python).arg(format!("benches/numpy/{program}")).args(arguments).output().ok()?;
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    line["median_seconds"].as_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
