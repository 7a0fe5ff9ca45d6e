//! Plants every fault of the table in a copy of the project, one at a time, and sees the tests fail that should.
//!
//! ```text
//! cargo run --example plant_faults                    all faults; writes the table of docs/assurance.md
//! cargo run --example plant_faults -- --only ID       one fault, and its row; may be repeated
//! cargo run --example plant_faults -- --list          what there is
//! cargo run --example plant_faults -- --folder PATH   where copy and builds go (default target/faults)
//! ```
//!
//! A fault is caught when the project compiles with it and a named test fails that passes without it: a compile error, a
//! crash and a test that does not end do not count. The program fails if a fault survives, and its row goes. The copy is
//! rebuilt incrementally: some ten seconds for a fault.

mod copy;
mod page;
mod table;
mod verdict;

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use copy::WorkCopy;
use table::{Fault, faults};
use verdict::{Verdict, run};

const PAGE: &str = "docs/assurance.md";

struct Options {
    only: Vec<String>,
    list: bool,
    folder: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let options = options(root)?;
    let faults = chosen(&options.only)?;
    if options.list {
        for fault in faults {
            println!("{:<28} {}", fault.id, fault.says);
        }
        return Ok(());
    }
    let copy = WorkCopy::make(root, &options.folder)?;
    without_faults(&copy, &faults)?;
    let mut rows = Vec::new();
    for (index, fault) in faults.iter().enumerate() {
        let start = Instant::now();
        let verdict = copy.with(fault, || run(&copy, fault.package, fault.target, fault.tests))??;
        let seconds = start.elapsed().as_secs();
        println!("{}/{} {}: {verdict} ({seconds} s)", index + 1, faults.len(), fault.id);
        let caught = if let Verdict::Failed(tests) = verdict { Some(page::row(fault, &tests)) } else { None };
        rows.push((fault.id, caught));
    }
    page::write(&root.join(PAGE), &rows)?;
    let survivors: Vec<&str> = rows.iter().filter(|(_, row)| row.is_none()).map(|(id, _)| *id).collect();
    if survivors.is_empty() { Ok(()) } else { Err(format!("not caught: {}", survivors.join(", ")).into()) }
}

fn options(root: &Path) -> Result<Options, Box<dyn Error>> {
    let mut options = Options { only: Vec::new(), list: false, folder: root.join("target/faults") };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--list" => options.list = true,
            "--only" => options.only.push(arguments.next().ok_or("--only needs the id of a fault")?),
            "--folder" => options.folder = arguments.next().ok_or("--folder needs a path")?.into(),
            _ => return Err(format!("unknown option {argument}: known are --list, --only ID and --folder PATH").into()),
        }
    }
    Ok(options)
}

fn chosen(only: &[String]) -> Result<Vec<&'static Fault>, Box<dyn Error>> {
    if let Some(unknown) = only.iter().find(|id| faults().all(|fault| fault.id != id.as_str())) {
        return Err(format!("no fault is called {unknown}: see --list").into());
    }
    Ok(faults().filter(|fault| only.is_empty() || only.iter().any(|id| id == fault.id)).collect())
}

/// Every named test exists and passes as long as nothing is planted; tests of one binary run together.
fn without_faults(copy: &WorkCopy, faults: &[&'static Fault]) -> Result<(), Box<dyn Error>> {
    let mut binaries: Vec<(&str, &str)> = faults.iter().map(|fault| (fault.package, fault.target)).collect();
    binaries.sort_unstable();
    binaries.dedup();
    for (package, target) in binaries {
        let of_binary = faults.iter().filter(|fault| (fault.package, fault.target) == (package, target));
        let mut names: Vec<&str> = of_binary.flat_map(|fault| fault.tests).copied().collect();
        names.sort_unstable();
        names.dedup();
        match run(copy, package, target, &names)? {
            Verdict::Passed(passed) => {
                if let Some(name) = names.iter().find(|name| passed.iter().all(|test| !test.ends_with(**name))) {
                    return Err(format!("{package} {target} has no test {name}").into());
                }
                println!("{package} {target}: {} tests pass without a fault", passed.len());
            }
            other => return Err(format!("{package} {target} without a fault: {other}").into()),
        }
    }
    Ok(())
}
