//! What can be asked about a release that exists; these comments are the help text.

use std::path::PathBuf;

use clap::{Arg, ArgGroup, Args};
use dpfda_study::Kind;

use super::answer::{AnswerArguments, keys};
use super::features::FeatureArguments;
use super::ledger::HistoryArguments;
use super::offers::{OfBands, OfComparisons, OfCompletions, OfFigures, OfSmoothers};
use super::output::OutputArguments;
use crate::settings::Settings;
use crate::values::{AtArgument, Numbers, SliceArgument, kind};

/// `dpfda show`
#[derive(Debug, Args)]
pub struct DocumentArguments {
    /// A release of any kind, its directory, or a study file
    #[arg(value_name = "RELEASE.json | STUDY.toml", required_unless_present_any = ["schema", "settings"])]
    pub release: Option<PathBuf>,
    /// Of a study: every setting with its value, and whether it was said or is a default
    #[arg(long)]
    pub origins: bool,
    /// List every setting of a study with its help
    #[arg(long, conflicts_with_all = ["release", "origins"])]
    pub settings: bool,
    /// With --settings: of one kind: mean, groups, change, rows, surface, regression, centiles or density
    #[arg(long, requires = "settings", conflicts_with_all = ["release", "origins", "schema"], value_parser = kind)]
    pub kind: Option<Kind>,
    /// Print the JSON schema of study files, for editors and programs
    #[arg(long, conflicts_with_all = ["release", "origins", "settings"])]
    pub schema: bool,
    /// Draw the figure of a release again to this new file, with another title, size or names of axes
    #[arg(long, value_name = "FILE.svg | .pdf | .png", conflicts_with_all = ["settings", "origins", "schema"])]
    pub figure: Option<PathBuf>,
    /// How the figure looks.
    #[command(flatten)]
    pub look: Settings<OfFigures>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda report`
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// A release of any kind or its directory, or several of one ledger
    #[arg(value_name = "RELEASE.json", required = true)]
    pub releases: Vec<PathBuf>,
    /// The account, which says what was spent in all and what is left.
    #[command(flatten)]
    pub account: HistoryArguments,
    /// The public key that the signature beside each release is compared with
    #[arg(long, value_name = "KEY.pub")]
    pub key: Option<PathBuf>,
    /// The approved study that the release must follow
    #[arg(long, value_name = "STUDY.toml")]
    pub study: Option<PathBuf>,
    /// The new file: a page for screen and paper, or a .pdf
    #[arg(long, value_name = "FILE.html | FILE.pdf", default_value = "report.html")]
    pub out: PathBuf,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda smooth`
#[derive(Debug, Args)]
#[command(mut_arg("json", keys("Its keys are title, software, given_back, facts, notes, closing and ledger.")))]
pub struct SmoothArguments {
    /// A release, as written by `dpfda release`
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// The new smoother and the new band, and how the figure looks.
    #[command(flatten)]
    pub settings: Settings<OfSmoothers>,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda evaluate`
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").args(["at", "derivative", "integral", "maximum", "minimum", "slice", "centiles", "normal", "outcome"]).required(true).multiple(true)))]
#[command(mut_arg(
    "json",
    keys(
        "Its keys are points, slice, window, derivative, integral, maximum, minimum and, of a slice, of_slice, as far as asked for; with \
         --centiles, curves and, of a mean, what is assumed; with --outcome, outcome, given, r_squared and curves."
    )
))]
pub struct EvaluateArguments {
    /// A release, as written by `dpfda release` or `dpfda smooth`
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// The group, or the coefficient, of a release that has several
    #[arg(long, value_name = "NAME")]
    pub of: Option<String>,
    /// Points (of a surface S1,T1,...), or the covariates of a regression, age=60,case=1
    ///
    /// A mean curve at covariates is printed at all points of its grid. Every covariate needs a value.
    #[arg(long, value_name = "T1,T2,...", allow_hyphen_values = true)]
    pub at: Option<AtArgument>,
    /// Numbers of the curve.
    #[command(flatten)]
    pub features: FeatureArguments,
    /// The slice of a surface at one value of an axis, such as s=1.5 or t=12
    ///
    /// It has the points of the grid along the other axis. With --integral, --maximum and --minimum, those of this slice.
    #[arg(long, value_name = "AXIS=VALUE")]
    pub slice: Option<SliceArgument>,
    /// Centile curves, in percent: of a chart, or of a mean if values are normal
    ///
    /// From 2 to 98, with one band for all. A mean needs its second moments. That values are normal is not checked: a release with --centiles assumes nothing of the kind.
    #[arg(long, value_name = "P,...")]
    pub centiles: Option<Numbers>,
    /// With --centiles of a chart: the curves if values at each point are normal
    ///
    /// They are offered where nothing in the release speaks against normal values. Their bands are those of the chart, and assume nothing.
    #[arg(long, requires = "centiles")]
    pub normal: bool,
    /// The correlation of curves with this covariate of a regression
    ///
    /// A number or a category of two levels, private. The slope is shown where the noise allows it. What the other covariates explain is taken out.
    #[arg(long, value_name = "COLUMN")]
    pub outcome: Option<String>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// Another band than that of the release.
    #[command(flatten)]
    pub settings: Settings<OfBands>,
}

/// `dpfda complete`
#[derive(Debug, Args)]
#[command(mut_arg("json", keys("Its keys are level, degrees_of_freedom, components, outside, note and points.")))]
pub struct CompleteArguments {
    /// A release of a mean or of groups, with second moments
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// The known values of one person: a CSV file with the columns t,value
    #[arg(value_name = "FILE.csv")]
    pub curve: PathBuf,
    /// The group of a release that has several
    #[arg(long, value_name = "NAME")]
    pub of: Option<String>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// The level of the band.
    #[command(flatten)]
    pub settings: Settings<OfCompletions>,
}

/// `dpfda compare`
#[derive(Debug, Args)]
#[command(mut_args(of_the_figure))]
#[command(mut_arg(
    "json",
    keys(
        "Its keys are private, difference and, for curves, test or without_test, and what is asked for by --derivative and the like; of three groups or \
         more they are private, test, compared and left_out."
    )
))]
pub struct CompareArguments {
    /// A release of the first group, or with --groups the release of all groups
    #[arg(value_name = "A.json")]
    pub first: PathBuf,
    /// A release of the second group, of other people on the same grid: curves with curves, surfaces with surfaces
    #[arg(value_name = "B.json", conflicts_with = "groups")]
    pub second: Option<PathBuf>,
    /// Two groups of one release with --by, such as case,control; or all, in one test
    #[arg(long, value_name = "A,B,...")]
    pub groups: Option<String>,
    /// What two releases are called, such as women,men [default: their directories]
    #[arg(long, value_name = "A,B", conflicts_with = "groups")]
    pub names: Option<String>,
    /// Numbers of the difference.
    #[command(flatten)]
    pub features: FeatureArguments,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// Draw the difference with its band in a new .svg, .pdf or .png file
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
    /// The level of the band, and how the figure looks.
    #[command(flatten)]
    pub settings: Settings<OfComparisons>,
}

/// Looks are refused where nothing is drawn.
fn of_the_figure(option: Arg) -> Arg {
    match option.get_id().as_str() {
        "title" | "size" | "x_label" | "y_label" | "units" => option.requires("figure"),
        _ => option,
    }
}
