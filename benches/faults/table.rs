//! The faults, by the crate in which they are planted.

#[path = "table/crossval.rs"]
mod crossval;
#[path = "table/density.rs"]
mod density;
#[path = "table/exponential.rs"]
mod exponential;
#[path = "table/lattice.rs"]
mod lattice;
#[path = "table/ledger.rs"]
mod ledger;
#[path = "table/privacy.rs"]
mod privacy;
#[path = "table/release.rs"]
mod release;
#[path = "table/smoothing.rs"]
mod smoothing;

/// One fault: a text that stands in one file exactly once, what is planted in its place, and the tests that must fail.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// A short name.
    pub id: &'static str,
    /// What is wrong, in a sentence.
    pub says: &'static str,
    /// The file, from the root of the project.
    pub file: &'static str,
    /// The sound text.
    pub old: &'static str,
    /// The planted text.
    pub new: &'static str,
    /// The package of the tests.
    pub package: &'static str,
    /// `lib`, or the name of a file in the package's `tests`.
    pub target: &'static str,
    /// The tests, by the end of their path.
    pub tests: &'static [&'static str],
}

/// All faults; those that share a test binary stand together.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    let crates = [
        privacy::FAULTS,
        lattice::FAULTS,
        ledger::FAULTS,
        smoothing::FAULTS,
        release::FAULTS,
        density::FAULTS,
        exponential::FAULTS,
        crossval::FAULTS,
    ];
    crates.into_iter().flatten()
}
