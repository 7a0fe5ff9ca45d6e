//! The table in the page: a row for each fault, from the last time that it was planted.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::table::{Fault, faults};

const BEGIN: &str = "<!-- faults: begin -->";
const END: &str = "<!-- faults: end -->";
const HEAD: &str = "| fault | what is wrong | where | caught by |\n|---|---|---|---|";

/// The row of a fault that these tests caught.
pub fn row(fault: &Fault, caught: &[String]) -> String {
    let name = |test: &String| format!("`{}`", test.rsplit("::").next().unwrap_or(test));
    let mut caught: Vec<String> = caught.iter().map(name).collect();
    caught.sort_unstable();
    start(fault) + &caught.join(", ") + " |"
}

fn start(fault: &Fault) -> String {
    format!("| {} | {} | `{}` | ", fault.id, fault.says, fault.file)
}

/// Puts the rows of this run between the two marks of the page, no row where a fault survived, and leaves those of faults
/// that were not planted this time.
pub fn write(path: &Path, run: &[(&str, Option<String>)]) -> Result<(), Box<dyn Error>> {
    let page = fs::read_to_string(path)?;
    let (before, rest) = page.split_once(BEGIN).ok_or_else(|| format!("the page lacks the line {BEGIN}"))?;
    let (table, after) = rest.split_once(END).ok_or_else(|| format!("the page lacks the line {END}"))?;
    let known = |fault: &Fault| table.lines().find(|line| line.starts_with(&start(fault))).map(str::to_owned);
    let of = |fault: &'static Fault| match run.iter().find(|(id, _)| *id == fault.id) {
        Some((_, row)) => row.clone(),
        None => known(fault),
    };
    let rows: Vec<String> = faults().filter_map(of).collect();
    let (caught, all) = (rows.len(), faults().count());
    let table = format!("{caught} of {all} faults were caught.\n\n{HEAD}\n{}", rows.join("\n"));
    fs::write(path, format!("{before}{BEGIN}\n\n{table}\n\n{END}{after}"))?;
    println!("{caught} of {all} faults were caught, says {}", path.display());
    Ok(())
}
