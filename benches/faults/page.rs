//! The page that shows the faults.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::table::markdown;

const BEGIN: &str = "<!-- faults: begin -->";
const END: &str = "<!-- faults: end -->";

/// Writes the table between the two marks of the page, below what the last run over all faults found.
pub fn write(path: &Path, found: Option<&str>) -> Result<(), Box<dyn Error>> {
    let page = fs::read_to_string(path)?;
    let (before, rest) = page.split_once(BEGIN).ok_or_else(|| format!("the page lacks the line {BEGIN}"))?;
    let (block, after) = rest.split_once(END).ok_or_else(|| format!("the page lacks the line {END}"))?;
    let found = found.unwrap_or_else(|| block.trim_start().lines().next().unwrap_or_default());
    fs::write(path, format!("{before}{BEGIN}\n\n{found}\n\n{}\n\n{END}{after}", markdown()?))?;
    Ok(())
}
