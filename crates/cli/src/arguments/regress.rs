//! What can be asked of a regression; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use dpfda::privacy::NeighbouringRelation;

use super::{
    AccountArguments, DemonstrationArguments, FigureArguments, GuaranteeArguments, InputArguments, OutputArguments,
};
use crate::values::{Numbers, ShareArgument, number};

/// `dpfda regress`
#[derive(Debug, Args)]
pub struct RegressArguments {
    /// The private curves, and the public bound on them.
    #[command(flatten)]
    pub input: InputArguments,
    /// The covariates: names of columns, separated by commas
    #[arg(long, value_name = "COLUMN,...", help_heading = "Data")]
    pub on: String,
    /// The public range of each covariate, such as visit=1:8,site=north|south
    ///
    /// Bounds of a number, or levels of a category with the reference first; separated by commas. Chosen from public
    /// knowledge, never from these data.
    #[arg(
        long,
        value_name = "RANGES",
        allow_hyphen_values = true,
        help_heading = "Public bounds (from public knowledge, never from these data)"
    )]
    pub covariate_bounds: String,
    /// The covariates of everybody are public, and only the curves are private
    ///
    /// That takes less noise. It is possible under substitute alone.
    #[arg(long, help_heading = "Guarantee")]
    pub public_design: bool,
    /// What is protected.
    #[command(flatten)]
    pub guarantee: GuaranteeArguments,
    /// The least and the largest value that a curve can have
    ///
    /// In place of --center and --radius; values outside are clamped. Chosen from public knowledge, never from these data.
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true, conflicts_with_all = ["center", "radius"], help_heading = "Public bounds (from public knowledge, never from these data)")]
    pub bounds: Option<Numbers>,
    /// The share of the budget that buys a smaller radius, or none [default: {share}]
    ///
    /// The radius is then as small as the data allow: at most a twentieth of the curves may lie outside. none keeps the stated one. Where the
    /// number of records is public and too small to buy one, the default keeps the stated radius and spends nothing on it; a share that is
    /// given is refused.
    #[arg(
        long,
        value_name = "SHARE",
        allow_hyphen_values = true,
        help_heading = "Public bounds (from public knowledge, never from these data)"
    )]
    pub radius_share: Option<ShareArgument>,
    /// The share of the budget that buys the centre as well, such as 0.1; with few people and little budget (mu N below 50) a
    /// bought centre is erratic [default: none]
    #[arg(
        long,
        value_name = "SHARE | none",
        allow_hyphen_values = true,
        hide_short_help = true,
        help_heading = "Public bounds (from public knowledge, never from these data)"
    )]
    pub center_share: Option<ShareArgument>,
    /// Which data sets must look alike: substitute or add-remove
    ///
    /// substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private.
    #[arg(long, alias = "neighbors", value_name = "RELATION", default_value_t, help_heading = "Guarantee")]
    pub neighbours: NeighbouringRelation,
    /// The probability that a band states, above 0.5 and below 0.9999 [default: {level}]
    #[arg(long, value_parser = number, allow_hyphen_values = true, help_heading = "Estimate")]
    pub level: Option<f64>,
    /// Print JSON in place of words
    ///
    /// Its keys are those of `dpfda release --json`, and grid and coefficients: a list with name, values, lower and upper for each
    /// function.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Who pays for it.
    #[command(flatten)]
    pub account: AccountArguments,
    /// Noise that is no secret.
    #[command(flatten)]
    pub demonstration: DemonstrationArguments,
    /// How the figure looks.
    #[command(flatten)]
    pub figure: FigureArguments,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `dpfda predict`
#[derive(Debug, Args)]
pub struct PredictArguments {
    /// A release, as written by `dpfda regress`
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// The covariates, such as status=case,visit=3
    #[arg(long, value_name = "NAME=VALUE,...", allow_hyphen_values = true)]
    pub at: String,
    /// Print JSON with the keys private, grid, values, lower and upper
    #[arg(long)]
    pub json: bool,
}
