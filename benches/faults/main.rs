//! Plants every fault of the table in a copy of the project, one at a time, and sees the tests fail that should.
//!
//! ```text
//! cargo run -p dpfda-benches --bin faults                    all faults
//! cargo run -p dpfda-benches --bin faults -- --only ID,ID    some faults
//! cargo run -p dpfda-benches --bin faults -- --check         only looks for the places and the tests: nothing is compiled
//! cargo run -p dpfda-benches --bin faults -- --folder PATH   where copy and builds go (default target/faults)
//! ```
//!
//! A fault is a text and what replaces it. The text is looked for in all crates: it may move, and its white space may
//! change. A fault whose text or tests are gone is `STALE`: it needs another text, or its mechanism is gone and so is it.
//!
//! A fault is caught when the project compiles with it and a named test fails that passes without it: a compile error, a
//! crash and a test that does not end do not count. The program fails if a fault survives or is stale. The copy is
//! rebuilt incrementally: some ten seconds for a fault.

mod copy;
mod place;
mod table;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use copy::WorkCopy;
use place::{Binary, Place, Sources, Stale};
use table::{Fault, faults};
use verdict::{Verdict, run};

#[derive(Default)]
struct Options {
    only: Vec<String>,
    check: bool,
    folder: Option<PathBuf>,
}

/// A fault that has a place, and tests.
struct Planned<'f> {
    fault: &'f Fault,
    place: Place,
    binary: Binary,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let options = options()?;
    let all = faults()?;
    let chosen = chosen(&all, &options.only)?;
    if options.check {
        let (planned, stale) = planned(&Sources::read(root)?, &chosen);
        println!("{} of {} faults can be planted", planned.len(), chosen.len());
        return verdict_on(&stale, &[]);
    }
    let copy = WorkCopy::make(root, &options.folder.unwrap_or_else(|| root.join("target/faults")))?;
    let (planned, stale) = planned(&Sources::read(copy.tree())?, &chosen);
    without_faults(&copy, &planned)?;
    let mut survivors = Vec::new();
    for (index, Planned { fault, place, binary }) in planned.iter().enumerate() {
        let start = Instant::now();
        let verdict = copy.with(fault, place, || run(&copy, binary, &fault.tests))??;
        println!("{}/{} {}: {verdict} ({} s)", index + 1, planned.len(), fault.id, start.elapsed().as_secs());
        if !matches!(verdict, Verdict::Failed(_)) {
            survivors.push(fault.id);
        }
    }
    println!("{} of {} faults were caught", planned.len() - survivors.len(), chosen.len());
    verdict_on(&stale, &survivors)
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options::default();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => options.check = true,
            "--only" => {
                let ids = arguments.next().ok_or("--only needs the ids of faults, with commas between them")?;
                options.only.extend(ids.split(',').map(str::to_owned));
            }
            "--folder" => options.folder = Some(arguments.next().ok_or("--folder needs a path")?.into()),
            _ => {
                let known = "--check, --only ID,ID and --folder PATH";
                return Err(format!("unknown option {argument}: known are {known}").into());
            }
        }
    }
    Ok(options)
}

fn chosen<'f>(all: &'f [Fault], only: &[String]) -> Result<Vec<&'f Fault>, Box<dyn Error>> {
    if let Some(unknown) = only.iter().find(|id| all.iter().all(|fault| fault.id != id.as_str())) {
        return Err(format!("no fault is called {unknown}: see benches/faults/table").into());
    }
    Ok(all.iter().filter(|fault| only.is_empty() || only.iter().any(|id| id == fault.id)).collect())
}

/// The faults that can be planted, those of one test binary together, and the ids of those that cannot: each is said, and
/// each that moved.
fn planned<'f>(sources: &Sources, chosen: &[&'f Fault]) -> (Vec<Planned<'f>>, Vec<&'static str>) {
    let (mut planned, mut stale) = (Vec::new(), Vec::new());
    let find = |fault: &Fault| -> Result<(Place, Binary), Stale> {
        let place = sources.place(fault)?;
        let binary = sources.binary(fault, &place)?;
        Ok((place, binary))
    };
    for &fault in chosen {
        match find(fault) {
            Ok((place, binary)) => {
                if place.file != fault.file {
                    println!("MOVED {}: from {} to {}", fault.id, fault.file, place.file);
                }
                planned.push(Planned { fault, place, binary });
            }
            Err(why) => {
                println!("STALE {} ({}): {why}", fault.id, fault.says);
                stale.push(fault.id);
            }
        }
    }
    planned.sort_by(|a, b| a.binary.cmp(&b.binary));
    (planned, stale)
}

fn verdict_on(stale: &[&str], survivors: &[&str]) -> Result<(), Box<dyn Error>> {
    let bad = [("stale", stale), ("not caught", survivors)];
    let said: Vec<String> = bad
        .iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(what, ids)| format!("{what}: {}", ids.join(", ")))
        .collect();
    if said.is_empty() { Ok(()) } else { Err(said.join("; ").into()) }
}

/// Every named test exists and passes as long as nothing is planted; tests of one binary run together.
fn without_faults(copy: &WorkCopy, planned: &[Planned<'_>]) -> Result<(), Box<dyn Error>> {
    let mut binaries: BTreeMap<&Binary, BTreeSet<&str>> = BTreeMap::new();
    for Planned { fault, binary, .. } in planned {
        binaries.entry(binary).or_default().extend(fault.tests.iter().copied());
    }
    for (binary, names) in binaries {
        let names: Vec<&str> = names.into_iter().collect();
        match run(copy, binary, &names)? {
            Verdict::Passed(passed) => {
                if let Some(name) = names.iter().find(|name| passed.iter().all(|test| !test.ends_with(**name))) {
                    return Err(format!("{binary} has no test {name}").into());
                }
                println!("{binary}: {} tests pass without a fault", passed.len());
            }
            other => return Err(format!("{binary} without a fault: {other}").into()),
        }
    }
    Ok(())
}
