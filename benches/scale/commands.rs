//! Whole commands on small and on long tables, in milliseconds on the clock.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::measure::{Ratio, Times};
use crate::{Fault, Line, POINTS, RUNS, value};

/// The people of the small table, and the points of the long one.
const FEW: usize = 142;
const MANY_POINTS: usize = 100_000;
/// The points of a surface along each axis.
const SIDE: usize = 256;

/// A release of few people with its figures, and what is asked of releases of many points afterwards.
pub fn whole(folder: &Path) -> Result<Vec<Line>, Fault> {
    let [small, long, surfaces] = ["small", "long-grid", "surfaces"].map(|name| folder.join(name));
    let [small_file, long_file, surface_file] = [&small, &long, &surfaces].map(|place| place.with_extension("csv"));
    table(&small_file, FEW, POINTS)?;
    table(&long_file, 40, MANY_POINTS)?;
    table(&surface_file, 20, SIDE * SIDE)?;
    let grid = format!("{SIDE},{SIDE}");
    let of_surfaces = ["--surface", grid.as_str()];
    let release = |name: &str, file: &Path, out: &Path, more: &[&str], most| {
        let mut command = vec!["release", text(file)?, "--out", text(out)?, "--force", "--quiet", "--values", "v*"];
        command.extend(["--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", "--not-private", "--seed", "1"]);
        command.extend(more);
        line(name, &command, most)
    };
    Ok(vec![
        release("release of 142 x 93 with figures", &small_file, &small, &[], 25.0)?,
        release("the same without PNG", &small_file, &small, &["--formats", "svg,pdf"], 25.0)?,
        release("release of 40 x 100000", &long_file, &long, &[], f64::INFINITY)?,
        line("evaluate at one of 100000 points", &["evaluate", text(&long)?, "--at", "0.5"], 200.0)?,
        line("show of 100000 points", &["show", text(&long)?], 200.0)?,
        release("release of 20 surfaces of 256 x 256", &surface_file, &surfaces, &of_surfaces, 1000.0)?,
        line("evaluate at one of 256 x 256 points", &["evaluate", text(&surfaces)?, "--at", "0.5,0.5"], 100.0)?,
    ])
}

fn text(path: &Path) -> Result<&str, Fault> {
    Ok(path.to_str().ok_or("a folder whose name is no text")?)
}

fn table(file: &Path, people: usize, points: usize) -> Result<(), Fault> {
    let mut out = BufWriter::new(File::create(file)?);
    let names: Vec<String> = (0..points).map(|point| format!("v{point}")).collect();
    writeln!(out, "{}", names.join(","))?;
    for person in 0..people {
        let cells: Vec<String> = (0..points).map(|point| format!("{:.4}", value(person, point % 1000))).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(out.flush()?)
}

/// The least of seven runs.
fn line(name: &str, arguments: &[&str], most: f64) -> Result<Line, Fault> {
    let program = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/dpfda"));
    let mut times = Times::default();
    for _ in 0..RUNS {
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::null());
        let start = Instant::now();
        if !command.status()?.success() {
            return Err(format!("{command:?} failed").into());
        }
        times.push(start.elapsed().as_secs_f64());
    }
    let measured = Ratio::exactly(1e3 * times.least());
    Ok(Line { work: format!("{name}, ms on the clock"), measured, most, detail: String::new() })
}
