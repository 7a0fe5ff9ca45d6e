//! The faults, by the crate in which they are planted.
//!
//! ```text
//! id: what is wrong, in a sentence
//! in crates/NAME/src/file.rs              where the text stood last: a hint
//! - the sound text, of one line or more; white space does not matter
//! + the planted text
//! by the end of the path of a test that must fail; all of a fault in one test binary
//! ```
//!
//! An empty line ends a fault, and a line from `#` on is nothing.

/// One fault: a text that stands in one place of the code, what is planted there, and the tests that must fail.
#[derive(Debug, Clone, Default)]
pub struct Fault {
    /// A short name.
    pub id: &'static str,
    /// What is wrong, in a sentence.
    pub says: &'static str,
    /// The file in which the text stood last, from the root of the project: a hint.
    pub file: &'static str,
    /// The sound text; white space does not matter.
    pub old: String,
    /// The planted text.
    pub new: String,
    /// The tests, by the end of their path; all in one test binary.
    pub tests: Vec<&'static str>,
}

const FILES: [&str; 16] = [
    include_str!("table/privacy.txt"),
    include_str!("table/lattice.txt"),
    include_str!("table/mechanism.txt"),
    include_str!("table/ledger.txt"),
    include_str!("table/smoothing.txt"),
    include_str!("table/release.txt"),
    include_str!("table/bought.txt"),
    include_str!("table/groups.txt"),
    include_str!("table/rows.txt"),
    include_str!("table/regression.txt"),
    include_str!("table/density.txt"),
    include_str!("table/exponential.txt"),
    include_str!("table/crossval.txt"),
    include_str!("table/doors.txt"),
    include_str!("table/tables.txt"),
    include_str!("table/journey.txt"),
];

/// All faults.
///
/// # Errors
/// A line that is none of a fault.
pub fn faults() -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    for block in FILES.iter().flat_map(|text| text.split("\n\n")) {
        let mut lines = block.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(first) = lines.next() else { continue };
        let (id, says) = first.split_once(": ").ok_or_else(|| format!("no fault begins with {first:?}"))?;
        let mut fault = Fault { id, says, ..Fault::default() };
        for line in lines {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("in", file) => fault.file = file,
                ("-", text) => add_line(&mut fault.old, text),
                ("+", text) => add_line(&mut fault.new, text),
                ("by", test) => fault.tests.push(test),
                _ => return Err(format!("{id} has a line {line:?}")),
            }
        }
        faults.push(fault);
    }
    Ok(faults)
}

fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
