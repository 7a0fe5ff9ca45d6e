//! Measures what this project claims and writes `docs/results/means.md`.
//!
//! ```text
//! DPFDA_DATA=/folder/with/dti_cca.csv cargo run --release -p dpfda-benches --bin results [PART ...]
//! ```
//!
//! The parts are accuracy, means, coverage, cost, smoothers, noise and speed. Without a name all parts are measured; with
//! names the other parts stay on the page as they were measured before. `DPFDA_RELEASES` sets another number of releases for
//! the first three, for a quick look.
//!
//! `data/README.md` says where `dti_cca.csv` comes from. Speed is compared with the NumPy programs of `benches/numpy`, run
//! in turn with ours by the Python that `DPFDA_PYTHON` names (default `python3`); the command is timed from `cargo build
//! --release`. What cannot be run is written down as not measured, and the program fails, as it does for a missed target.

mod accuracy;
#[path = "../common/cholesky.rs"]
mod cholesky;
mod cost;
mod coverage;
mod means;
mod measure;
mod noise;
mod oracle;
#[path = "../common/parallel.rs"]
mod parallel;
mod population;
mod selection;
mod smoothers;
mod speed;
#[path = "../common/timing.rs"]
mod timing;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use timing::{MISSED, NOT_MEASURED};

/// Errors that may cross threads.
type Fault = Box<dyn Error + Send + Sync>;

/// How far the default estimate may be above the smaller of the best linear smoother and the centre alone, and what stands
/// beside a number where it is further.
const MOST_OVER_BEST: f64 = 1.25;
const ABOVE: &str = " (above)";
/// The least simultaneous coverage of a band of 95%.
const LEAST_SIMULTANEOUS: f64 = 0.93;

const PAGE: &str = "docs/results/means.md";
const HEADING: &str = "# Results of means\n\nWritten by `cargo run --release -p dpfda-benches --bin results`; not edited by hand. A part can be measured \
                       alone; the others then stay as they were measured before. Accuracy is measured on the real \
                       corpus-callosum profiles described in `data/README.md`, which are not part of this repository.\n\n";

/// One part of the page: its name, and what measures it from `dti_cca.csv`.
type Part = (&'static str, fn(&Path) -> Result<String, Box<dyn Error>>);

const PARTS: [Part; 7] = [
    ("accuracy", |data| plain(accuracy::report(data))),
    ("means", |_| plain(means::report())),
    ("coverage", |data| plain(coverage::report(data))),
    ("cost", |_| cost::report()),
    ("smoothers", |data| plain(smoothers::report(data))),
    ("noise", |_| noise::report()),
    ("speed", |_| speed::report()),
];

/// A fault of a thread as an error of this one.
fn plain(report: Result<String, Fault>) -> Result<String, Box<dyn Error>> {
    report.map_err(|fault| fault as Box<dyn Error>)
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let [word, points] = asked.as_slice()
        && word == cost::ALONE
    {
        return cost::alone(points.parse()?);
    }
    if let Some(unknown) = asked.iter().find(|name| PARTS.iter().all(|part| part.0 != **name)) {
        return Err(format!("no part is called {unknown}").into());
    }
    let folder =
        std::env::var_os("DPFDA_DATA").map(PathBuf::from).ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    let data = folder.join("dti_cca.csv");
    let mut page = HEADING.to_owned();
    for (name, report) in PARTS {
        let is_asked = asked.is_empty() || asked.iter().any(|asked| asked == name);
        let kept = if is_asked { None } else { kept(name) };
        page += &marker(name);
        page += &kept.map_or_else(|| report(&data), Ok)?;
    }
    fs::write(PAGE, page.trim_end().to_owned() + "\n")?;
    print!("{page}");
    if page.contains(MISSED) || page.contains(NOT_MEASURED) {
        return Err("a target was missed or could not be measured: see docs/results/means.md".into());
    }
    Ok(())
}

/// Epsilon and delta in a table.
fn budget_text((epsilon, delta): (f64, f64)) -> String {
    format!("({epsilon}, {delta:?})")
}

/// The line before a part, by which it is found again.
fn marker(name: &str) -> String {
    format!("<!-- part: {name} -->\n")
}

/// A part as it stands on the page; nothing where it was never measured.
fn kept(name: &str) -> Option<String> {
    let page = fs::read_to_string(PAGE).ok()?;
    let (_, rest) = page.split_once(&marker(name))?;
    let text = rest.split("<!-- part: ").next()?;
    Some(text.trim_end().to_owned() + "\n\n")
}
