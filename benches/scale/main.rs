//! Measures what curves cost when there are many, with the default settings first, and writes docs/results/scale.md.
//!
//! ```text
//! cargo build --release -p dpfda-cli --features columnar
//! DPFDA_PYTHON=python cargo run --release -p dpfda-benches --bin scale [rows]      Python with NumPy, polars and pyarrow
//! ```
//!
//! Every limit is a ratio within this run. Nothing else should run on the machine; the files take some gigabytes.

mod commands;
mod files;
mod measure;
mod memory;
mod noise;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use measure::Ratio;
use pulp::{Arch, Simd, WithSimd};

/// Errors of any kind.
type Fault = Box<dyn Error + Send + Sync>;

const POINTS: usize = 93;
const RUNS: usize = 7;
const PAGE: &str = "docs/results/scale.md";

/// One line of the table.
struct Line {
    work: String,
    measured: Ratio,
    most: f64,
    detail: String,
}

fn main() -> Result<(), Fault> {
    let rows = std::env::args().nth(1).map_or(Ok(1_000_000), |rows| rows.parse::<usize>())?;
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folder = root.join("target/scale");
    fs::create_dir_all(&folder)?;
    let mut lines = memory::in_memory(rows)?;
    told(&lines);
    lines.extend(noise::exact()?);
    lines.extend(commands::whole(&folder)?);
    lines.extend(files::text(rows, &folder)?);
    lines.extend(files::columnar(rows, &folder)?);
    lines.extend(files::long_table(rows, &folder)?);
    let page = page(&lines)?;
    print!("{page}");
    fs::write(root.join(PAGE), page)?;
    Ok(())
}

/// What is known already: the files take minutes.
fn told(lines: &[Line]) {
    for line in lines {
        eprintln!("{}: {:.2}, {}", line.work, line.measured.value, line.detail);
    }
}

fn value(row: usize, point: usize) -> f64 {
    let x = (row.wrapping_mul(2_654_435_761) ^ point.wrapping_mul(40_503)) % 1_000_003;
    0.5 + 0.3 * ((point as f64 / 15.0).sin() + x as f64 / 1_000_003.0 - 0.5)
}

/// The doubles of the widest registers that are used here.
fn lanes() -> usize {
    struct Lanes;
    impl WithSimd for Lanes {
        type Output = usize;

        fn with_simd<S: Simd>(self, _: S) -> usize {
            S::F64_LANES
        }
    }
    Arch::new().dispatch(Lanes)
}

fn page(lines: &[Line]) -> Result<String, Fault> {
    let mut text = format!(
        "# What many curves cost\n\nWritten by `cargo run --release -p dpfda-benches --bin scale`: ratios within one run, of the \
         least of seven rounds in memory, which take turns, and of the least of three elsewhere, with the standard error of the ratios of \
         rounds. [Together](../together.md) says what to make of them. The machine had registers of {} doubles.\n\n\
         | work | measured | standard error | at most | |\n|---|---|---|---|---|\n",
        lanes(),
    );
    for Line { work, measured, most, detail } in lines {
        let Ratio { value, error } = measured;
        let verdict = if value > most { " **missed**" } else { "" };
        let most = if most.is_finite() { most.to_string() } else { String::new() };
        let error = if *error > 0.0 { format!("{error:.2}") } else { String::new() };
        writeln!(text, "| {work} | {value:.2}{verdict} | {error} | {most} | {detail} |")?;
    }
    Ok(text)
}
