//! Measures what curves cost when there are many, and writes docs/results-scale.md.
//!
//! ```text
//! DPFDA_PYTHON=python cargo run --release -p dpfda-benches --bin scale [rows]      Python with NumPy, polars and pyarrow
//! ```
//!
//! Every limit is a ratio within this run. Nothing else should run on the machine; the files take some gigabytes.

mod measure;

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use dpfda::mechanism::PartId;
use dpfda::prelude::*;
use dpfda::privacy::PrivacyUnit;
use dpfda::release::{BallShares, Mean, MomentsChoice, Plan};
use measure::{Taken, Times, forget_peak, peak_of, python, times, watched};
use ndarray::{Array2, ArrayView2};

const POINTS: usize = 93;
const RUNS: usize = 7;
const PAGE: &str = "docs/results-scale.md";

/// One line of the table.
struct Line {
    work: String,
    measured: f64,
    most: f64,
    detail: String,
}

type Lines = Result<Vec<Line>, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = std::env::args().nth(1).map_or(Ok(1_000_000), |rows| rows.parse())?;
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folder = root.join("target/scale");
    fs::create_dir_all(&folder)?;
    let mut lines = Vec::new();
    lines.extend(in_memory(rows)?);
    lines.extend(generated(rows)?);
    lines.extend(text(rows, &folder)?);
    lines.extend(columnar(rows, &folder)?);
    fs::write(root.join(PAGE), page(rows, &lines)?)?;
    let missed = lines.iter().filter(|line| line.measured > line.most).count();
    if missed > 0 { Err(format!("{missed} limits were missed, see {PAGE}").into()) } else { Ok(()) }
}

fn settings() -> Result<PrivateMean, Box<dyn Error>> {
    let mean = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
    Ok(mean.buying(BallShares::NONE).moments(MomentsChoice::None))
}

fn value(row: usize, point: usize) -> f64 {
    let x = (row.wrapping_mul(2_654_435_761) ^ point.wrapping_mul(40_503)) % 1_000_003;
    0.5 + 0.3 * ((point as f64 / 15.0).sin() + x as f64 / 1_000_003.0 - 0.5)
}

/// A release of an array, against sums and clipped means of the same memory.
fn in_memory(rows: usize) -> Lines {
    let values = Array2::from_shape_fn((rows, POINTS), |(row, point)| value(row, point));
    let sum = times(RUNS, || {
        std::hint::black_box(values.iter().sum::<f64>());
    });
    let numpy = Times::of(python(
        "import sys, time, numpy as np\nx = np.random.default_rng(1).random((int(sys.argv[1]), 93))\n\
         for _ in range(7):\n t = time.perf_counter(); np.clip(x, 0.0, 1.0).mean(0); print(time.perf_counter() - t)",
        &[&rows.to_string()],
    )?);
    let plan = settings()?.plan(&Grid::uniform(0.0, 1.0, POINTS)?, PrivacyUnit::Curve)?;
    let mut lines = Vec::new();
    let before = peak_after_forgetting();
    for (threads, of_numpy, of_sum) in [(1, 0.25, 2.8), (2, 0.14, 1.6)] {
        let release = times(RUNS, || encode_borrowed(&plan, values.view(), threads));
        let detail = format!(
            "{:.0} ms (median {:.0}); NumPy {:.0} (median {:.0}), sum {:.0} (median {:.0})",
            release.best * 1e3,
            release.median * 1e3,
            numpy.best * 1e3,
            numpy.median * 1e3,
            sum.best * 1e3,
            sum.median * 1e3
        );
        let name = |of: &str| format!("release of {rows} x {POINTS} in memory, threads: {threads}; of {of}");
        lines.push(Line {
            work: name("NumPy's clipped mean"),
            measured: release.best / numpy.best,
            most: of_numpy,
            detail: detail.clone(),
        });
        lines.push(Line { work: name("a sum of the memory"), measured: release.best / sum.best, most: of_sum, detail });
    }
    let extra = (peak_of("self").unwrap_or(f64::NAN) - before) / 1e6;
    lines.push(Line { work: "extra memory of it, MB".into(), measured: extra, most: 16.0, detail: String::new() });
    Ok(lines)
}

fn peak_after_forgetting() -> f64 {
    forget_peak();
    peak_of("self").unwrap_or(f64::NAN)
}

/// Rows of borrowed memory, one encoder a thread.
fn encode_borrowed(plan: &Plan<Mean>, values: ArrayView2<'_, f64>, threads: usize) {
    let each = values.nrows().div_ceil(threads);
    let encoders: Vec<_> = std::thread::scope(|scope| {
        let work: Vec<_> = values
            .axis_chunks_iter(ndarray::Axis(0), each)
            .map(|share| {
                scope.spawn(move || {
                    let mut encoder = plan.encoder(PartId::whole(), None);
                    encoder.push_rows(share).map(|()| encoder)
                })
            })
            .collect();
        work.into_iter().filter_map(|thread| thread.join().ok()?.ok()).collect()
    });
    let mut encoders = encoders.into_iter();
    let Some(mut whole) = encoders.next() else { return };
    assert!(encoders.all(|encoder| whole.absorb(encoder).is_ok()), "shares of one part");
    let prepared = whole.finish().ok().and_then(|part| part.prepare(plan).ok());
    drop(prepared.map(|prepared| prepared.draw_unrecorded(&mut SeededRandomness::from_seed(1))));
}

/// Curves that are never in memory together: a hundred times as many take a hundred times as long.
fn generated(rows: usize) -> Lines {
    let plan = settings()?.plan(&Grid::uniform(0.0, 1.0, POINTS)?, PrivacyUnit::Curve)?;
    let block = Array2::from_shape_fn((1000, POINTS), |(row, point)| value(row, point));
    let run = |rows: usize| {
        let mut encoder = plan.encoder(PartId::whole(), None);
        (0..rows / 1000).for_each(|_| assert!(encoder.push_rows(block.view()).is_ok(), "the block fits the plan"));
        drop(encoder.finish());
    };
    let few = times(RUNS, || run(rows));
    let before = peak_after_forgetting();
    let many = times(1, || run(100 * rows));
    let extra = (peak_of("self").unwrap_or(f64::NAN) - before) / 1e6;
    let per_row = many.best / few.median / 100.0;
    Ok(vec![
        Line {
            work: format!("{} generated rows, time for each against {rows}", 100 * rows),
            measured: per_row,
            most: 1.05,
            detail: format!("{:.1} s against {:.3} s (median)", many.best, few.median),
        },
        Line { work: "its extra memory, MB".into(), measured: extra, most: 1.0, detail: String::new() },
    ])
}

fn command(root: &Path) -> Command {
    Command::new(root.join("target/release/dpfda"))
}

fn release(input: &Path, out: &Path, more: &[&str]) -> Result<Taken, Box<dyn Error>> {
    let _ = fs::remove_dir_all(out);
    let settings =
        "--values v* --bounds 0,1 --radius-share none --moments none --epsilon 1 --delta 1e-5 --not-private --seed 1";
    let mut command = command(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")));
    command.arg("release").arg(input).args(settings.split(' ')).arg("--out").arg(out).args(more);
    watched(&mut command)
}

/// A CSV file, read by the command as it is and with interleaved subjects.
fn text(rows: usize, folder: &Path) -> Lines {
    let file = folder.join("curves.csv");
    write_csv(&file, rows, |row| row % (rows / 5))?;
    let out = folder.join("release");
    let mut taken = Vec::new();
    for _ in 0..3 {
        taken.push(release(&file, &out, &["--threads", "1"])?);
    }
    let cpu = taken.iter().map(|taken| taken.cpu).fold(f64::INFINITY, f64::min);
    let memory = taken.iter().map(|taken| taken.memory).fold(0.0, f64::max);
    let polars = Times::of(python(
        "import sys, resource, polars as pl\ndef cpu():\n r = resource.getrusage(resource.RUSAGE_SELF); return r.ru_utime + r.ru_stime\n\
         for _ in range(3):\n t = cpu(); pl.read_csv(sys.argv[1]); print(cpu() - t)",
        &[&file.to_string_lossy()],
    )?);
    let of_subjects = release(&file, &out, &["--threads", "1", "--subject", "id"])?;
    let each = (of_subjects.memory - memory) / (rows / 5) as f64;
    Ok(vec![
        Line {
            work: format!("CSV {rows} x {POINTS}: peak memory, MB"),
            measured: memory / 1e6,
            most: 16.0,
            detail: String::new(),
        },
        Line {
            work: "its CPU time, of polars' read_csv alone".into(),
            measured: cpu / polars.best,
            most: 1.0,
            detail: format!("{cpu:.2} s against {:.2} s", polars.best),
        },
        Line {
            work: format!("CSV with {} interleaved subjects: kB for each", rows / 5),
            measured: each / 1e3,
            most: 1.2,
            detail: format!("{:.2} s of CPU", of_subjects.cpu),
        },
    ])
}

fn write_csv(file: &PathBuf, rows: usize, subject: impl Fn(usize) -> usize) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(File::create(file)?);
    let header: Vec<String> = (0..POINTS).map(|point| format!("v{point}")).collect();
    writeln!(out, "id,{}", header.join(","))?;
    for row in 0..rows {
        write!(out, "s{}", subject(row))?;
        for point in 0..POINTS {
            write!(out, ",{:.6}", value(row, point))?;
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Sixteen Parquet files, against polars' clipped mean without privacy.
fn columnar(rows: usize, folder: &Path) -> Lines {
    let files = folder.join("parquet");
    let _ = fs::remove_dir_all(&files);
    fs::create_dir_all(&files)?;
    python(
        "import sys, numpy as np, pyarrow as pa, pyarrow.parquet as pq\nn = int(sys.argv[1]) // 16\nr = np.random.default_rng(1)\n\
         for i in range(16):\n x = r.random((93, n)); pq.write_table(pa.table({f'v{j}': x[j] for j in range(93)}), f'{sys.argv[2]}/{i:02}.parquet', compression='zstd')",
        &[&rows.to_string(), &files.to_string_lossy()],
    )?;
    let mut taken = Vec::new();
    for _ in 0..RUNS {
        taken.push(release(&files, &folder.join("release"), &["--threads", "2"])?);
    }
    let seconds = Times::of(taken.iter().map(|taken| taken.seconds).collect());
    let memory = taken.iter().map(|taken| taken.memory).fold(0.0, f64::max);
    let polars = Times::of(python(
        "import sys, time, polars as pl\n\
         for _ in range(7):\n t = time.perf_counter(); pl.scan_parquet(sys.argv[1] + '/*.parquet').select(pl.all().clip(0, 1).mean()).collect(engine='streaming'); print(time.perf_counter() - t)",
        &[&files.to_string_lossy()],
    )?);
    Ok(vec![
        Line {
            work: format!("Parquet {rows} x {POINTS}, 16 files, two threads, of polars' streaming clipped mean"),
            measured: seconds.best / polars.best,
            most: 1.0,
            detail: format!(
                "{:.2} s (median {:.2}) with the figures of a release; polars {:.2} s (median {:.2})",
                seconds.best, seconds.median, polars.best, polars.median
            ),
        },
        Line { work: "its peak memory, MB".into(), measured: memory / 1e6, most: 100.0, detail: String::new() },
    ])
}

fn page(rows: usize, lines: &[Line]) -> Result<String, Box<dyn Error>> {
    let mut text = String::from(
        "# What many curves cost\n\nWritten by `cargo run --release -p dpfda-benches --bin scale`: ratios within one run; times are the best of seven, \
         with the median beside it. [Any size](scale.md) says what to make of them.\n\n| work | measured | at most | |\n|---|---|---|---|\n",
    );
    for Line { work, measured, most, detail } in lines {
        let verdict = if measured > most { " **missed**" } else { "" };
        writeln!(text, "| {work} | {measured:.3}{verdict} | {most} | {detail} |")?;
    }
    writeln!(text, "\n{rows} curves of {POINTS} points; the mean alone, in a stated ball.")?;
    Ok(text)
}
