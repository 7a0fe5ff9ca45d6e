//! Measures what this project claims and writes `docs/results.md`.
//!
//! ```text
//! DPFDA_DATA=/folder/with/dti_cca.csv cargo run --release --example results
//! ```
//!
//! `data/README.md` says where `dti_cca.csv` comes from. Speed is compared with the NumPy programs of `benches/numpy`, run
//! in turn with ours by the Python that `DPFDA_PYTHON` names (default `python3`); the command is timed from `cargo build
//! --release`. What cannot be run is written down as not measured, and the program fails, as it does for a missed target.

mod accuracy;
mod noise;
mod selection;
mod speed;
#[path = "../common/timing.rs"]
mod timing;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use timing::{MISSED, NOT_MEASURED};

fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        std::env::var_os("DPFDA_DATA").map(PathBuf::from).ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    let mut page = String::from(
        "# Results\n\nWritten by `cargo run --release --example results`; not edited by hand. Accuracy is measured on the real \
         corpus-callosum profiles described in `data/README.md`, which are not part of this repository.\n\n",
    );
    page += &accuracy::report(&folder.join("dti_cca.csv"))?;
    page += &noise::report()?;
    page += &speed::report()?;
    fs::write("docs/results.md", &page)?;
    print!("{page}");
    if page.contains(MISSED) || page.contains(NOT_MEASURED) {
        return Err("a target was missed or could not be measured: see docs/results.md".into());
    }
    Ok(())
}
