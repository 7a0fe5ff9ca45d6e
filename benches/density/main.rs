//! Measures what is claimed of density releases and writes `docs/results/density.md`.
//!
//! ```text
//! cargo run --release -p dpfda-benches --bin density
//! ```
//!
//! It needs no data. Speed is compared with `benches/numpy/histogram.py`, run in turn with ours by the Python that
//! `DPFDA_PYTHON` names (default `python3`). Simulations are seeded, so all numbers but times repeat. The program fails for a
//! missed target, for a comparison that could not be run, and where a remark is not true of what was measured.

mod beta;
mod chain;
mod distances;
#[path = "../common/parallel.rs"]
mod parallel;
mod rates;
mod speed;
mod studies;
#[path = "../common/timing.rs"]
mod timing;

use std::error::Error;
use std::fs;

use timing::{MISSED, NOT_MEASURED};

/// What stands beside a number that its remark does not describe.
const NOT_DESCRIBED: &str = " (not as remarked)";

/// Errors that may cross threads.
type Fault = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut page = String::from(
        "# Results for densities\n\nWritten by `cargo run --release -p dpfda-benches --bin density`; not edited by hand. All points \
         are simulated, from fixed seeds. WZ is Wasserman and Zhou (2010), from slides; `alpha` is epsilon.\n\n",
    );
    page += &rates::report().map_err(|fault| fault.to_string())?;
    page += &beta::report().map_err(|fault| fault.to_string())?;
    page += &speed::report()?;
    fs::write("docs/results/density.md", &page)?;
    print!("{page}");
    if [MISSED, NOT_MEASURED, NOT_DESCRIBED].iter().any(|mark| page.contains(mark)) {
        return Err("a target was missed, not measured, or not as remarked: see docs/results/density.md".into());
    }
    Ok(())
}
