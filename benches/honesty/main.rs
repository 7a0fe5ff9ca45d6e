//! Measures whether bands hold, with the default settings of the library, and prints a table.
//!
//! ```text
//! [DPFDA_DATA=/folder/with/dti_cca.csv] cargo run --release -p dpfda-benches --bin honesty -- [OPTIONS]
//! ```
//!
//! A *cell* is a kind of release, a pool of people, their number, and a budget. A user states the bounds of the values and the budget;
//! all else is the default. Of each quantity of a release the table says how often its 95% band or interval holds the truth about the
//! population, the half-width over that of the band without privacy, and the root-mean-square error over the sampling error; of tests how
//! often they reject; of forecasts what was foretold over what was measured; of means how far above the floor the error is. Standard errors stand in brackets. What `pools.rs` says is
//! true of the pools, and which mean is meant.
//!
//! Each cell is a line in a file, written as soon as it is measured. A cell that is in the file is not measured again, so that a run can
//! go on where another was stopped; its seeds follow from its name alone. The program fails where a band of a pool, other than the
//! hard ones and a peak in rows that is narrower than a bin, holds less often than 0.90 by more than two standard errors, of those that at
//! least half of the releases know.

mod cell;
#[path = "../common/cholesky.rs"]
mod cholesky;
mod claim;
mod curve;
mod flags;
mod floor;
mod foretold;
mod kinds;
mod line;
mod number;
#[path = "../common/parallel.rs"]
mod parallel;
mod pools;
mod run;
mod store;
mod table;
mod truth;

use std::error::Error;
use std::time::Instant;

use cell::Cell;
use flags::{Flags, HELP};
use kinds::KINDS;
use line::Line;
use store::Store;

/// Errors that may cross threads.
type Fault = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Box<dyn Error>> {
    let flags = Flags::of(std::env::args().skip(1)).map_err(|fault| -> Box<dyn Error> {
        eprintln!("{HELP}\n");
        fault
    })?;
    let mut store = Store::open(&flags.file)?;
    let cells = flags.cells();
    let failed =
        if flags.is_table { Vec::new() } else { store.fill(&cells, |cell| measured(cell, flags.releases()))? };
    let lines: Vec<Line> = store.lines().iter().filter(|line| cells.contains(&line.cell)).cloned().collect();
    print!("{}", table::table(&lines));
    let below: usize = lines.iter().map(|line| line.below().count()).sum();
    if !failed.is_empty() || below > 0 {
        return Err(format!("{} cells were not measured, and {below} bands hold too seldom", failed.len()).into());
    }
    Ok(())
}

fn measured(cell: &Cell, releases: usize) -> Result<Line, Fault> {
    let kind = KINDS.iter().find(|kind| kind.name == cell.kind).ok_or("a kind")?;
    let start = Instant::now();
    let line = run::measured(kind, cell, releases)?;
    eprintln!("{cell}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(line)
}
