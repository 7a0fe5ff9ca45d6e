//! What can be asked of `dpfda audit`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use dpfda::audit::AuditedMechanism;
use dpfda::privacy::NeighbouringRelation;

use super::answer::{AnswerArguments, keys};

use crate::values::{number, seed};

/// `dpfda audit`
#[derive(Debug, Args)]
#[command(mut_arg("json", keys("The claim, the verdict, and what was seen of each pair.")))]
pub struct AuditArguments {
    /// A release, as written by `dpfda release` or `dpfda smooth`
    ///
    /// Its mechanism is audited with its relation, its claim and, where the file states one, its noise scale; the output says
    /// what stood in for the file.
    #[arg(value_name = "RELEASE.json", conflicts_with_all = ["mechanism", "epsilon", "delta", "neighbours"])]
    pub release: Option<PathBuf>,
    /// The mechanism to audit, where there is no release; --help lists them
    #[arg(long, value_name = "NAME", required_unless_present = "release", requires = "epsilon", long_help = mechanisms())]
    pub mechanism: Option<AuditedMechanism>,
    /// The epsilon that is claimed
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// The delta that is claimed: 0 for mechanisms that are purely private [default: 0]
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// Which data sets must look alike: substitute or add-remove [default: substitute]
    ///
    /// substitute: one record is replaced. add-remove: there is one record more or less.
    #[arg(long, alias = "neighbors", value_name = "RELATION")]
    pub neighbours: Option<NeighbouringRelation>,
    /// How many releases are drawn from each of two neighbours
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), default_value_t = 1_000_000)]
    pub draws: u64,
    /// Where the draws come from; a known seed gives nobody away
    ///
    /// All data sets of an audit are synthetic.
    #[arg(long, value_parser = seed, allow_hyphen_values = true, default_value_t = 1)]
    pub seed: u64,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

fn mechanisms() -> String {
    let names: Vec<&str> = AuditedMechanism::all().map(AuditedMechanism::name).collect();
    format!("The mechanism to audit, where there is no release\n\nOne of {}.", names.join(", "))
}
