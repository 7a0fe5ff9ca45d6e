//! Measures what analyses of a release are worth and writes `docs/results/analysis.md`.
//!
//! ```text
//! DPFDA_DATA=/folder/with/dti_cca.csv cargo run --release -p dpfda-benches --bin analysis
//! ```
//!
//! With the heading of a section, such as `-- Groups`, it measures that section alone and leaves the others as they stand on the page.
//! `data/README.md` says where `dti_cca.csv` comes from. Every release has a seed, so the page is the same on every run. The
//! program fails for a missed target.

mod bought_regression;
mod components;
mod data;
mod groups;
mod measured;
#[path = "../common/parallel.rs"]
mod parallel;
mod regression;
mod synthetic;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use data::Corpus;
use measured::MISSED;

type Report = fn(&Corpus) -> Result<String, Box<dyn Error>>;

/// A section as it stands on the page: from its heading to the next one's.
fn standing(page: &str, heading: &str, next: &str) -> String {
    let from = page.find(&format!("## {heading}\n")).unwrap_or(page.len());
    let rest = &page[from..];
    let until = if next.is_empty() { None } else { rest.find(&format!("## {next}\n")) };
    rest[..until.unwrap_or(rest.len())].to_owned()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        std::env::var_os("DPFDA_DATA").map(PathBuf::from).ok_or("set DPFDA_DATA to the folder of dti_cca.csv")?;
    let corpus = Corpus::read(&folder.join("dti_cca.csv"))?;
    let mut page = String::from(
        "# Results of analyses\n\nWritten by `cargo run --release -p dpfda-benches --bin analysis`; not edited by hand. The curves are the 376 \
         complete corpus-callosum profiles described in `data/README.md`, which are not part of this repository, or draws \
         from the Gaussian process with their mean and covariance (simulated). Centre 0.5, radius 0.25 where nothing else is \
         said; every scan is protected alone. Standard errors are in brackets.\n\n",
    );
    let sections: [(&str, &str, Report); 5] = [
        ("Components", "Synthetic curves", components::report),
        ("Synthetic curves", "Groups", synthetic::report),
        ("Groups", "Regression", groups::report),
        ("Regression", "Bought radius of a regression", regression::report),
        ("Bought radius of a regression", "", bought_regression::report),
    ];
    let only: Vec<String> = std::env::args().skip(1).collect();
    let before = fs::read_to_string("docs/results/analysis.md")?;
    for (heading, next, report) in sections {
        let is_wanted = only.is_empty() || only.iter().any(|name| name == heading);
        let section = if is_wanted { report(&corpus)? } else { standing(&before, heading, next) };
        page = page.trim_end().to_owned() + "\n\n" + &section;
    }
    let page = page.trim_end().to_owned() + "\n";
    fs::write("docs/results/analysis.md", &page)?;
    print!("{page}");
    if page.contains(MISSED) {
        return Err("a target was missed: see docs/results/analysis.md".into());
    }
    Ok(())
}
