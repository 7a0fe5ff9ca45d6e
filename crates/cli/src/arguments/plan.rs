//! What can be asked of `dpfda forecast`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::answer::{AnswerArguments, keys};
use super::offers::OfPlans;
use crate::settings::Settings;
use crate::values::{FamilyArgument, RecordsArgument, count, number};

/// What is asked about a release of curves, and not about one summary.
const OF_CURVES: [&str; 25] = [
    "study",
    "records",
    "error",
    "spread",
    "points_per_subject",
    "points",
    "figure",
    "center",
    "radius",
    "bounds",
    "slope",
    "roughness",
    "radius_share",
    "center_share",
    "coordinates",
    "bins",
    "bound",
    "periodic",
    "level",
    "by",
    "private_labels",
    "surface",
    "on",
    "covariate_bounds",
    "outcome",
];

/// `dpfda forecast`
#[derive(Debug, Args)]
#[command(
    mut_arg("bins", |bins| bins.requires("points_per_subject").conflicts_with("points")),
    mut_arg("bound", |bound| bound.requires("points_per_subject").conflicts_with("points"))
)]
#[command(mut_arg(
    "json",
    keys(
        "Its keys are the settings, expected (a list, one entry for each N), table, relations, needed and the definition of the error; of --noise family, epsilon, delta, sensitivity, scale, variance and, for best, candidates."
    )
))]
pub struct PlanArguments {
    /// A study of anything but a density; an option may repeat it
    #[arg(value_name = "STUDY.toml", display_order = 0, help_heading = "Data")]
    pub study: Option<PathBuf>,
    /// How many records there will be: a number, a list 100,300,1000, or a range 100..10000
    ///
    /// A record is all curves of a person, or one curve where each is protected alone.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Data")]
    pub records: Option<RecordsArgument>,
    /// An error to be reached, in the units of the data: says how many records that takes
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Data")]
    pub error: Option<f64>,
    /// How much people differ, in the units of the data; by default a fifth of the radius
    ///
    /// It is their root-mean-square distance from their mean. Take it from what is published, never from these data. Error and band grow with it.
    #[arg(long, value_name = "SD", value_parser = number, allow_hyphen_values = true, help_heading = "Data")]
    pub spread: Option<f64>,
    /// The public bound, the budget, and what is bought.
    #[command(flatten)]
    pub settings: Settings<OfPlans>,
    /// Of rows: how many values a subject has, at times of its own
    ///
    /// As for `dpfda release --time`, and curves with gaps, with times spread evenly over the domain. Take it from the protocol of the study, never from these data.
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true, conflicts_with = "points", help_heading = "Data")]
    pub points_per_subject: Option<u32>,
    /// The number of points that the curves are seen at, equally spaced
    #[arg(long, value_name = "n", value_parser = count, allow_hyphen_values = true, default_value_t = 100, help_heading = "Data")]
    pub points: usize,
    /// The noise that makes one summary private: gaussian, laplace, logistic, subbotin:R, or best
    ///
    /// R is from 1 to 100. Gaussian noise serves summaries of any dimension. The others are for one number; best is the family of least variance.
    #[arg(long, value_name = "FAMILY", help_heading = "One summary", conflicts_with_all = OF_CURVES)]
    pub noise: Option<FamilyArgument>,
    /// How far neighbouring data sets can move that summary, in the Euclidean norm
    #[arg(long, value_name = "S", value_parser = number, allow_hyphen_values = true, default_value_t = 1.0, requires = "noise", conflicts_with_all = OF_CURVES, help_heading = "One summary")]
    pub sensitivity: f64,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// Draw the error against the number of records in a new .svg, .pdf or .png file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub figure: Option<PathBuf>,
}
