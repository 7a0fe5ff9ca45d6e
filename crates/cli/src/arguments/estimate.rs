//! What is estimated, with which band, and what of the ball is bought.

use clap::{Args, ValueEnum};

use crate::values::{CenterArgument, Numbers, ShareArgument, number};

/// The public bound, where it is a centre and a radius.
#[derive(Debug, Args)]
#[command(next_help_heading = "Public bounds (from public knowledge, never from these data)")]
pub struct StatedBallArguments {
    /// The public centre of the curves: a number, or a CSV file with columns t,value
    ///
    /// It is in the units of the curves.
    #[arg(long, value_name = "NUMBER | FILE.csv", allow_hyphen_values = true)]
    pub center: Option<CenterArgument>,
    /// The largest root-mean-square distance of a curve from the centre
    ///
    /// It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data.
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub radius: Option<f64>,
}

/// What of the public bound is known, and what is bought.
#[derive(Debug, Args)]
#[command(next_help_heading = "Public bounds (from public knowledge, never from these data)")]
pub struct BallArguments {
    /// The least and the largest value that a curve can have
    ///
    /// In place of --center and --radius. Values outside are clamped. Chosen from public knowledge, never from these data.
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true, conflicts_with_all = ["center", "radius"])]
    pub bounds: Option<Numbers>,
    /// The largest root-mean-square slope of a curve about the centre, beside its radius, in the units of the data for one unit of
    /// the grid: rough functions then get less noise
    #[arg(long, value_parser = number, allow_hyphen_values = true, conflicts_with = "roughness", hide_short_help = true)]
    pub slope: Option<f64>,
    /// Charge waves shorter than this length of the grid: rough functions then get less noise. The radius must be bought. A length
    /// of 0.15 of the domain suits curves of people
    #[arg(long, value_name = "LENGTH", value_parser = number, allow_hyphen_values = true, hide_short_help = true)]
    pub roughness: Option<f64>,
    /// The share of the budget that buys a smaller radius, or none [default: {share}]
    ///
    /// The radius is then as small as the data allow; none keeps the stated one. By default it is bought with isonormal noise, but for a long
    /// table it is bought only with this option; {share} suits it too. Where the number of records is public and too small to buy one, the
    /// default keeps the stated radius and spends nothing on it; a share that is given is refused.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub radius_share: Option<ShareArgument>,
    /// The share of the budget that buys the centre as well, such as 0.1; with few people and little budget (mu N below 50) a
    /// bought centre is erratic [default: none]
    #[arg(long, value_name = "SHARE | none", allow_hyphen_values = true, hide_short_help = true)]
    pub center_share: Option<ShareArgument>,
}

impl BallArguments {
    /// Whether the body is another than the ball.
    pub fn charges_roughness(&self) -> bool {
        self.slope.is_some() || self.roughness.is_some()
    }
}

/// The band around an estimate.
#[derive(Debug, Args)]
#[command(next_help_heading = "Estimate")]
pub struct BandArguments {
    /// What the band is about [default: population; smoothed with a smoother]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub band: Option<BandArgument>,
    /// The probability that the band states, above 0.5 and below 0.9999 [default: {level}]
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub level: Option<f64>,
    /// The public bound on the roughness of the mean that the honest band needs: a norm of its distance from the centre, in the
    /// space of the Matern 3/2 kernel of range 0.2
    #[arg(long, value_name = "NORM", value_parser = number, allow_hyphen_values = true, hide_short_help = true)]
    pub band_roughness: Option<f64>,
}

/// What a band is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BandArgument {
    /// The mean of the population: privacy, smoothing and sampling
    Population,
    /// The mean of these very people: privacy and smoothing
    Posterior,
    /// The population mean as one smoother shows it: privacy and sampling
    Smoothed,
    /// The population mean, with so little smoothing that its bias is small
    Undersmoothed,
    /// The population mean at the grid's points, whatever its shape
    Unsmoothed,
    /// The population mean, if its --band-roughness is at most what is stated
    Honest,
    /// The privacy noise alone
    Noise,
}
