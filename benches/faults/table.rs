//! The faults, by the crate in which they are planted.

#[path = "table/bought.rs"]
mod bought;
#[path = "table/crossval.rs"]
mod crossval;
#[path = "table/density.rs"]
mod density;
#[path = "table/doors.rs"]
mod doors;
#[path = "table/exponential.rs"]
mod exponential;
#[path = "table/groups.rs"]
mod groups;
#[path = "table/journey.rs"]
mod journey;
#[path = "table/lattice.rs"]
mod lattice;
#[path = "table/ledger.rs"]
mod ledger;
#[path = "table/mechanism.rs"]
mod mechanism;
#[path = "table/occupancy.rs"]
mod occupancy;
#[path = "table/privacy.rs"]
mod privacy;
#[path = "table/regression.rs"]
mod regression;
#[path = "table/release.rs"]
mod release;
#[path = "table/smoothing.rs"]
mod smoothing;
#[path = "table/tables.rs"]
mod tables;

/// One fault: a text that stands in one place of the code, what is planted there, and the tests that must fail.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// A short name.
    pub id: &'static str,
    /// What is wrong, in a sentence.
    pub says: &'static str,
    /// The file in which the text stood last, from the root of the project: a hint.
    pub file: &'static str,
    /// The sound text; white space does not matter.
    pub old: &'static str,
    /// The planted text.
    pub new: &'static str,
    /// The tests, by the end of their path; all in one test binary.
    pub tests: &'static [&'static str],
}

/// All faults.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    let crates = [
        privacy::FAULTS,
        lattice::FAULTS,
        mechanism::FAULTS,
        ledger::FAULTS,
        smoothing::FAULTS,
        release::FAULTS,
        bought::FAULTS,
        groups::FAULTS,
        occupancy::FAULTS,
        regression::FAULTS,
        density::FAULTS,
        exponential::FAULTS,
        crossval::FAULTS,
        doors::FAULTS,
        tables::FAULTS,
        journey::FAULTS,
    ];
    crates.into_iter().flatten()
}

/// The table of `docs/assurance.md`.
pub fn markdown() -> String {
    let row = |fault: &Fault| {
        // not the file, which may have moved
        let name_of_crate = fault.file.split('/').nth(1).unwrap_or_default();
        let names = fault.tests.iter().map(|test| format!("`{}`", test.rsplit("::").next().unwrap_or(test)));
        let tests = names.collect::<Vec<_>>().join(", ");
        format!("| {} | {} | {name_of_crate} | {tests} |", fault.id, fault.says)
    };
    let rows: Vec<String> = faults().map(row).collect();
    format!("| fault | what is wrong | crate | caught by |\n|---|---|---|---|\n{}", rows.join("\n"))
}
