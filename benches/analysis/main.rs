//! Measures what analyses of a release are worth and writes `docs/results-analysis.md`.
//!
//! ```text
//! DPFDA_DATA=/folder/with/dti_cca.csv cargo run --release --example analysis
//! ```
//!
//! `data/README.md` says where `dti_cca.csv` comes from. Every release has a seed, so the page is the same on every run. The
//! program fails for a missed target.

mod components;
mod data;
mod measured;
#[path = "../common/parallel.rs"]
mod parallel;
mod synthetic;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use data::Corpus;
use measured::MISSED;

fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        std::env::var_os("DPFDA_DATA").map(PathBuf::from).ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    let corpus = Corpus::read(&folder.join("dti_cca.csv"))?;
    let mut page = String::from(
        "# Results of analyses\n\nWritten by `cargo run --release --example analysis`; not edited by hand. The curves are the 376 \
         complete corpus-callosum profiles described in `data/README.md`, which are not part of this repository, or draws \
         from the Gaussian process with their mean and covariance (simulated). Centre 0.5, radius 0.25 where nothing else is \
         said; every scan is protected alone. Standard errors are in brackets.\n\n",
    );
    page += &components::report(&corpus)?;
    page += &synthetic::report(&corpus)?;
    fs::write("docs/results-analysis.md", &page)?;
    print!("{page}");
    if page.contains(MISSED) {
        return Err("a target was missed: see docs/results-analysis.md".into());
    }
    Ok(())
}
