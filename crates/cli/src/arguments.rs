//! What can be asked for on the command line; these comments are the help text.

use std::io::{self, Write};
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use dpfda_study::{Door, Section, setting};

mod answer;
mod audit;
mod components;
mod curator;
mod features;
mod ledger;
mod new;
mod offers;
mod output;
mod parts;
mod plan;
mod public;
mod release;
mod signing;
mod work;

pub use answer::AnswerArguments;
pub use audit::AuditArguments;
pub use components::{ComponentsArguments, SyntheticArguments};
pub use curator::CrossvalArguments;
pub use features::FeatureArguments;
pub use ledger::{
    AccountArguments, CreateArguments, ExportArguments, HistoryArguments, LedgerCommand, LedgerReportArguments,
    ShowArguments, VerifyArguments,
};
pub use new::NewArguments;
pub use offers::{
    OfBands, OfComparisons, OfCompletions, OfFigures, OfFolds, OfMerges, OfNew, OfParts, OfPlans, OfReleases,
    OfSmoothers,
};
pub use output::{DemonstrationArguments, OutputArguments};
pub use parts::{MergeArguments, PartialArguments};
pub use plan::PlanArguments;
pub use public::{
    CompareArguments, CompleteArguments, DocumentArguments, EvaluateArguments, ReportArguments, SmoothArguments,
};
pub use release::{CheckArguments, ReleaseArguments};
pub use signing::{KeyCommand, NewKeyArguments, SigningArguments, VerifySignedArguments};
pub use work::WorkArguments;

pub use crate::values::AtArgument;

/// Publish a mean curve, not the people: differentially private functional data analysis.
#[derive(Debug, Parser)]
#[command(name = "dpfda", version, long_version = VERSION.as_str(), arg_required_else_help = true, help_template = HELP.as_str())]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print no summary and no progress; errors and notes for the curator remain
    #[arg(long, global = true, hide_short_help = true)]
    pub quiet: bool,
    /// Tell all facts of a release in full; by default a summary has those that a reader needs first
    #[arg(long, global = true, hide_short_help = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// The commands in four groups, in the order in which they are needed.
pub const GROUPS: [(&str, &[&str]); 4] = [
    ("Before the data are seen", &["new", "forecast"]),
    ("With the data", &["check", "release", "part", "merge", "crossval"]),
    (
        "With a release, at no cost in privacy",
        &["show", "report", "smooth", "evaluate", "compare", "complete", "components"],
    ),
    ("Trust", &["ledger", "key", "verify", "audit"]),
];

/// Commands that stand in no group.
pub const FOR_SHELLS: [&str; 3] = ["completions", "man", "help"];

/// The help of the program: a line for each command, by their groups.
static HELP: LazyLock<String> = LazyLock::new(|| {
    let commands = Command::augment_subcommands(clap::Command::new("dpfda"));
    let line = |name: &&str| {
        let about = commands.find_subcommand(name).and_then(clap::Command::get_about);
        format!("  {name:<11} {}\n", about.map_or_else(String::new, ToString::to_string))
    };
    let group =
        |(title, names): &(&str, &[&str])| format!("\n{title}:\n{}", names.iter().map(line).collect::<String>());
    let groups: String = GROUPS.iter().map(group).collect();
    let shells = format!("\nFor shells and readers: {}\n", FOR_SHELLS.join(", "));
    let options = "      --quiet    Print no summary and no progress; errors and notes for the curator remain\n      --verbose  Tell all facts of a release in full\n  -h, --help     Print help\n  \
                   -V, --version  Print the version; --version says what was built in";
    format!("{{about}}\n\n{{usage-heading}} {{usage}}\n{groups}{shells}\nOptions:\n{options}\n")
});

/// Version and features, as `dpfda --version` tells them.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{}\nbuilt with {}", env!("CARGO_PKG_VERSION"), dpfda::FEATURES.join(", ")));

/// Tells why arguments were not understood, or prints the help that was asked for, and ends the program.
///
/// A setting that a command does not have is said in a study file, and most are free afterwards.
pub fn refused(error: &clap::Error) -> ! {
    let asked = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) if error.kind() == ErrorKind::UnknownArgument => text.as_str(),
        _ => "",
    };
    let of_study = asked.strip_prefix("--").and_then(|name| setting(&name.replace('-', "_")));
    let Some(setting) = of_study else { error.exit() };
    let text = error.to_string();
    let afterwards = match setting.section {
        Section::Estimate => format!(", or smooth a release: `dpfda smooth RELEASE.json {asked} ...`"),
        _ => String::new(),
    };
    // Without a standard error stream, the exit code still tells.
    let _ = writeln!(
        io::stderr(),
        "{}\nhint: say it in a study file, as {}, before the data are seen{afterwards}",
        text.lines().next().unwrap_or_default(),
        Door::File.name(setting),
    );
    std::process::exit(2)
}

/// The end of short help.
const MORE_HELP: &str = "More options, and more about each: --help";

/// The end of help that leaves the settings out that are rare.
const MORE_SETTINGS: &str =
    "Every other setting of a study is an option too: `dpfda show --settings` lists them with their help.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Release a mean, groups, a change, a regression, centiles, rows, surfaces or a density: spends privacy budget
    ///
    /// Writes release.json, release.csv, release.svg, .pdf and .png to a new directory. All of it is public. The estimate is the posterior
    /// mean of a Gaussian process given the release, with a band for the mean of the population; `dpfda smooth` makes others of it, at no
    /// cost in privacy.
    ///
    /// Means of groups have --by, a change between visits --change, a regression --on, centile curves --centiles, and surfaces --surface. A
    /// long table, with one row for each value, has --id, --time, --value and --domain in place of --values; the density of points has
    /// --columns.
    #[command(
        mut_arg("out", |out| out.required(false)),
        after_help = MORE_SETTINGS
    )]
    Release(Box<ReleaseArguments>),
    /// Look at the data before a release, with the options of `dpfda release`: NOT PRIVATE, for the curator alone
    ///
    /// Tells which columns would be read, in which order and on which grid, rows and records, missing values and how they are
    /// written, values outside the bounds, curves that the ball would pull in, rows that are often mistakes, and what would be spent.
    /// Refuses what a release refuses. Draws nothing, spends nothing, and writes nothing but the preview of --figure.
    #[command(
        mut_group("place", |group| group.required(false)),
        mut_arg("out", |out| out.required(false).hide(true)),
        mut_arg("force", |force| force.hide(true)),
        mut_arg("plan_only", |plan| plan.hide(true)),
        mut_arg("dry_run", |dry| dry.hide(true)),
        after_help = MORE_SETTINGS
    )]
    Check(Box<CheckArguments>),
    /// Encode one part of the curves by a public plan, for `dpfda merge`: NOT PRIVATE, for the curator alone
    ///
    /// The file holds exact sums without noise, the plan, the id of the part and keyed tags of its subjects. Draws nothing and spends
    /// nothing. Parts may be encoded on several machines, in any order; keep them as secret as the curves.
    ///
    /// A part of a long table is named by --id, --time and --value. All rows of a subject must be in one part.
    #[command(name = "part")]
    Partial(Box<PartialArguments>),
    /// Release the private mean of the curves in all parts: spends privacy budget
    ///
    /// Refuses a part twice, a subject in two parts, parts of different plans and damaged parts. Writes the same files as
    /// `dpfda release`, with the same numbers as for all curves in one file.
    ///
    /// Where the plan buys a centre, there are two steps. The first pays for everything and writes a second plan, by which all parts are
    /// encoded once more; the second takes that plan and the parts of both steps, and writes the release. Both need --ledger.
    Merge(Box<MergeArguments>),
    /// Smooth a release differently, or give it another band
    ///
    /// What is not given stays as it is in the release.
    #[command(after_help = MORE_HELP)]
    Smooth(SmoothArguments),
    /// Show the summary of a release of any kind again, or what a study says
    Show(DocumentArguments),
    /// Write one page about a release to read, print and sign
    ///
    /// It says what the release holds, what it means for one person, and who vouches for what.
    /// The page is one HTML file that runs no script and loads nothing. It has the figure, the facts, the guarantee in words and
    /// numbers, what is public by assumption with blanks for who vouches for it, the account, a paragraph for a methods section, a
    /// checklist with blanks to sign, and how to check it. It is a function of public documents and costs no privacy. Several
    /// releases go into one report with --ledger or --export, which says what they cost together.
    Report(ReportArguments),
    /// Evaluate an estimate: values at any points or covariates, slopes, integrals, the maximum
    ///
    /// Values are printed as CSV `t,value,posterior_sd,noise_sd,lower,upper`. Slopes, integrals and the maximum are those of the
    /// posterior mean, in words. Each has a standard deviation and an interval from draws of the posterior, for one number at a
    /// time: of the population, or with --band posterior of these people. Several answers at once take --json.
    ///
    /// Of a regression, --at NAME=VALUE,... gives the mean curve of people with these covariates; a curve of groups or a coefficient is
    /// named by --of.
    ///
    /// Of a surface there are values at points, slices and slopes along both axes. Values and slices are printed as CSV
    /// `s,t,value,posterior_sd,noise_sd,lower,upper`. Its slopes are those of the mean of these people.
    Evaluate(EvaluateArguments),
    /// Compare the means of two groups of people: their difference with a band, and a test of equality
    ///
    /// The groups are in two releases, or in one that was made with --by. Three groups or more of one release have one test together.
    /// It reads the releases alone and costs no privacy.
    Compare(CompareArguments),
    /// Complete the curve of one person, of which some values are known, from a release of others
    ///
    /// FILE.csv has the columns t,value, with at least 3 values of that person at increasing points. The rest is printed as CSV
    /// `t,value,sd,lower,upper`, at the points of the release that have no value in the file; its band is about all of them at once. The
    /// release is public and stays as it is. The answer is about that person, is as private as the file, and is theirs.
    ///
    /// Needs second moments in the release, and assumes that people are normal about their mean. The band is approximate.
    Complete(CompleteArguments),
    /// Say how the curves of a release vary around their mean, and draw synthetic curves
    ///
    /// Needs the second moments that a release has by default under substitute, or with --moments. Writes components.json,
    /// components.csv (`t,mean,v1,v1_lower,v1_upper,...`), scree.svg, covariance.svg and, where a component can be told from the
    /// noise, modes.svg (the mean and 2 standard deviations along each component), each figure also as .pdf and .png, to a new directory.
    /// A rank of 0 is an answer: the noise hides every component. With --synthetic also curves like those of the release.
    Components(ComponentsArguments),
    /// Cross-validate smoothers on the private curves: NOT PRIVATE, for the curator alone
    ///
    /// With --epsilon and --delta the scores are those of the private release, in expectation over its noise; they are no
    /// more private for that. Publishing the choice spends privacy that nobody paid for: `dpfda smooth --select sure`
    /// chooses from the release itself instead. With --out, writes scores.csv, scores.svg, .pdf and .png.
    Crossval(Box<CrossvalArguments>),
    /// Keep an account of what was spent on a data set
    ///
    /// Gaussian releases add up exactly, others by the better of two theorems; a release that would exceed the total is
    /// refused before anything is drawn, by every command that is given --ledger FILE.
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Make keys to sign releases with
    #[command(subcommand)]
    Key(KeyCommand),
    /// Check a release: who signed it, whether it agrees with its ledger, whether it follows a study
    ///
    /// Exit code 0: all of it holds. 1: the file was read and something does not hold, which is said. 2: something cannot be read.
    Verify(VerifySignedArguments),
    /// Print a new study file, to be agreed on before anybody sees the data
    ///
    /// Without --kind it asks what must be decided. With --kind it asks nothing: what is not given by options is left blank, and a study
    /// with a blank is refused. For example: dpfda new --kind mean > study.toml; then dpfda release study.toml curves.csv --out release
    New(Box<NewArguments>),
    /// Foretell how large the error of a release will be; no data are involved
    ///
    /// From the number of people, the public bound and the budget: the noise, the expected error of the estimate, the width of its
    /// band, and the number of people that an error takes. With --figure, draws the error against the number of people. With --noise, the
    /// scale of the noise that makes one summary of your own private.
    #[command(name = "forecast")]
    Plan(Box<PlanArguments>),
    /// Attack the guarantee of a release or of a mechanism; no private data are involved
    ///
    /// Draws releases of pairs of neighbouring synthetic data sets that were built to be worst, and compares with exact bounds
    /// how often events happen that the claim allows least. An audit can show that a claim is false, and never that it is
    /// true. The exit code is 0 for a claim that stands, 1 for one that is refuted, 2 for arguments that make no sense and for a
    /// verdict that cannot be printed.
    Audit(AuditArguments),
    /// Print what a shell needs to complete commands and options
    ///
    /// For bash: dpfda completions bash > ~/.local/share/bash-completion/completions/dpfda
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page of dpfda, or of one of its commands
    ///
    /// For example: dpfda man release | man -l -
    Man {
        /// The command, such as release [default: dpfda itself]
        command: Option<String>,
    },
}
