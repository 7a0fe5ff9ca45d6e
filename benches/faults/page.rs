//! The table in the page: a row for each fault.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::table::{Fault, faults};

const BEGIN: &str = "<!-- faults: begin -->";
const END: &str = "<!-- faults: end -->";
const HEAD: &str = "| fault | what is wrong | where | caught by |\n|---|---|---|---|";

/// All rows, below their head.
pub fn table() -> String {
    let rows: Vec<String> = faults().map(row).collect();
    format!("{HEAD}\n{}", rows.join("\n"))
}

fn row(fault: &Fault) -> String {
    let tests: Vec<String> =
        fault.tests.iter().map(|test| format!("`{}`", test.rsplit("::").next().unwrap_or(test))).collect();
    format!("| {} | {} | `{}` | {} |", fault.id, fault.says, fault.file, tests.join(", "))
}

/// Writes the table between the two marks of the page, below what the last run over all faults found.
pub fn write(path: &Path, found: Option<&str>) -> Result<(), Box<dyn Error>> {
    let page = fs::read_to_string(path)?;
    let (before, rest) = page.split_once(BEGIN).ok_or_else(|| format!("the page lacks the line {BEGIN}"))?;
    let (block, after) = rest.split_once(END).ok_or_else(|| format!("the page lacks the line {END}"))?;
    let found = found.unwrap_or_else(|| block.trim_start().lines().next().unwrap_or_default());
    fs::write(path, format!("{before}{BEGIN}\n\n{found}\n\n{}\n\n{END}{after}", table()))?;
    Ok(())
}
