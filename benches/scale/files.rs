//! Releases of files by the command, against readers that release nothing.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Ratio, Times, python, watched};
use crate::{Fault, Line, POINTS, RUNS, value};

const DEFAULT: &[&str] = &[];
const MEAN: &[&str] = &["--radius-share", "none", "--moments", "none"];

/// The CPU times of three runs of a Python expression over a file.
fn python_cpu(expression: &str, file: &Path) -> Result<Times, Fault> {
    let program = format!(
        "import sys, resource, polars as pl\ndef cpu():\n r = resource.getrusage(resource.RUSAGE_SELF); return r.ru_utime + r.ru_stime\n\
         for _ in range(3):\n t = cpu(); {expression}; print(cpu() - t)"
    );
    Ok(python(&program, &[&file.to_string_lossy()])?.into_iter().collect())
}

/// Three releases of a table: their times, and the most memory.
#[derive(Default)]
struct Runs {
    clock: Times,
    cpu: Times,
    memory: f64,
}

fn release(input: &Path, more: &[&str], threads: &str) -> Result<Runs, Fault> {
    let out = input.with_extension("release");
    let mut runs = Runs::default();
    for _ in 0..RUNS.min(3) {
        let _ = fs::remove_dir_all(&out);
        let mut command = Command::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/dpfda")));
        command.arg("release").arg(input).args(more).arg("--out").arg(&out).args(["--threads", threads]);
        command.args([
            "--bounds",
            "0,1",
            "--epsilon",
            "1",
            "--delta",
            "1e-5",
            "--not-private",
            "--seed",
            "1",
            "--quiet",
        ]);
        let taken = watched(&mut command)?;
        runs.clock.push(taken.seconds);
        runs.cpu.push(taken.cpu);
        runs.memory = runs.memory.max(taken.memory);
    }
    Ok(runs)
}

fn of_curves<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["--values", "v*"], more].concat()
}

fn line(work: impl Into<String>, measured: Ratio, most: f64, detail: String) -> Line {
    Line { work: work.into(), measured, most, detail }
}

/// CSV files, with six digits and with all.
pub fn text(rows: usize, folder: &Path) -> Result<Vec<Line>, Fault> {
    let (short, long) = (folder.join("curves.csv"), folder.join("long.csv"));
    write_csv(&short, rows, |value| format!("{value:.6}"))?;
    write_csv(&long, rows, |value| format!("{value:.17}"))?;
    let polars = python_cpu("pl.read_csv(sys.argv[1])", &short)?;
    let all_digits = python_cpu("pl.read_csv(sys.argv[1])", &long)?;
    let default = release(&short, &of_curves(DEFAULT), "1")?;
    let mean = release(&long, &of_curves(MEAN), "1")?;
    let four = release(&short, &of_curves(DEFAULT), "4")?;
    let cpu = |runs: &Runs, other: &Times| format!("{:.2} s of CPU against {:.2}", runs.cpu.least(), other.least());
    Ok(vec![
        line(
            format!("CSV {rows} x {POINTS}, 6 digits, default, CPU; of polars' read_csv"),
            default.cpu.over(&polars),
            1.3,
            cpu(&default, &polars),
        ),
        line(
            "CSV, 17 digits, the mean alone, CPU; of polars' read_csv",
            mean.cpu.over(&all_digits),
            1.0,
            cpu(&mean, &all_digits),
        ),
        line(
            "one CSV file on 4 threads, wall; of one thread",
            four.clock.over(&default.clock),
            0.4,
            format!("{:.2} s against {:.2}, two cores", four.clock.least(), default.clock.least()),
        ),
        line("CSV, default, one thread: peak memory, MB", Ratio::exactly(default.memory / 1e6), 16.0, String::new()),
    ])
}

fn write_csv(file: &PathBuf, rows: usize, cell: impl Fn(f64) -> String) -> Result<(), Fault> {
    let mut out = BufWriter::new(File::create(file)?);
    let header: Vec<String> = (0..POINTS).map(|point| format!("v{point}")).collect();
    writeln!(out, "{}", header.join(","))?;
    for row in 0..rows {
        let cells: Vec<String> = (0..POINTS).map(|point| cell(value(row, point))).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(out.flush()?)
}

/// Sixteen Parquet files, against polars' clipped mean.
pub fn columnar(rows: usize, folder: &Path) -> Result<Vec<Line>, Fault> {
    let files = folder.join("parquet");
    let _ = fs::remove_dir_all(&files);
    fs::create_dir_all(&files)?;
    python(
        "import sys, numpy as np, pyarrow as pa, pyarrow.parquet as pq\nn = int(sys.argv[1]) // 16\nr = np.random.default_rng(1)\n\
         for i in range(16):\n x = r.random((93, n)); pq.write_table(pa.table({f'v{j}': x[j] for j in range(93)}), f'{sys.argv[2]}/{i:02}.parquet', compression='zstd')",
        &[&rows.to_string(), &files.to_string_lossy()],
    )?;
    let runs = release(&files, &of_curves(DEFAULT), "2")?;
    let mean =
        "pl.scan_parquet(sys.argv[1] + '/*.parquet').select(pl.all().clip(0, 1).mean()).collect(engine='streaming')";
    let polars = python_cpu(mean, &files)?;
    Ok(vec![
        line(
            format!("Parquet {rows} x {POINTS}, 16 files, two threads, default, CPU; of polars' clipped mean"),
            runs.cpu.over(&polars),
            2.0,
            format!(
                "{:.2} s of CPU against {:.2}; {:.2} s on the clock",
                runs.cpu.least(),
                polars.least(),
                runs.clock.least()
            ),
        ),
        line("its peak memory, MB", Ratio::exactly(runs.memory / 1e6), 64.0, String::new()),
    ])
}

/// A long table with ten values of each person, against polars' `group_by`.
pub fn long_table(people: usize, folder: &Path) -> Result<Vec<Line>, Fault> {
    let file = folder.join("rows.csv");
    let mut out = BufWriter::new(File::create(&file)?);
    writeln!(out, "id,t,y")?;
    for row in 0..10 * people {
        let (person, place) = (row / 10, row % 10);
        let t = (place as f64 + value(person, place)) / 10.0;
        writeln!(out, "p{person},{t:.6},{:.6}", value(person, place + 11))?;
    }
    out.flush()?;
    drop(out);
    let more = ["--id", "id", "--time", "t", "--value", "y", "--domain", "0,1"];
    let runs = release(&file, &more, "2")?;
    let polars = python_cpu("pl.read_csv(sys.argv[1]).group_by('id').agg(pl.all().mean())", &file)?;
    Ok(vec![
        line(
            format!(
                "long table of {} rows, {people} people, default, CPU; of polars' read_csv and group_by",
                10 * people
            ),
            runs.cpu.over(&polars),
            1.5,
            format!("{:.2} s of CPU against {:.2}", runs.cpu.least(), polars.least()),
        ),
        line("its peak memory, MB", Ratio::exactly(runs.memory / 1e6), 200.0, String::new()),
    ])
}
