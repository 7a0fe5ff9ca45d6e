//! Numbers of a curve that can be asked for; these comments are the help text.

use clap::Args;

use crate::values::{IntegralArgument, SlopesArgument, number};

/// What can be asked of a curve with a band.
#[derive(Debug, Clone, Args)]
pub struct FeatureArguments {
    /// The slope over a window about these points, or about all of them
    ///
    /// The slope is (f(t + h/2) - f(t - h/2)) / h: at a point no slope can be told. The intervals of all slopes hold together. At the ends
    /// of the domain the window slides inside.
    /// Of a surface, the points are S1,T1,S2,T2,..., and each has a slope along s and one along t.
    #[arg(long, value_name = "T1,T2,... | all", allow_hyphen_values = true)]
    pub derivative: Option<SlopesArgument>,
    /// The length h of the window of --derivative, in units of the domain [default: a tenth of it]
    #[arg(long, value_name = "H", allow_hyphen_values = true, hide_short_help = true, requires = "derivative", value_parser = number)]
    pub window: Option<f64>,
    /// The integral from A to B, or over all of the domain
    ///
    /// It comes with its standard deviation and an interval. Where the domain closes up, A may be above B: from A over the end to B.
    #[arg(long, value_name = "A,B | all", allow_hyphen_values = true)]
    pub integral: Option<IntegralArgument>,
    /// Where the curve is largest and how large it is there, from the band
    ///
    /// Where the domain closes up, the interval of the place goes over the end if its first number is the larger one.
    #[arg(long)]
    pub maximum: bool,
    /// Where the curve is smallest and how small it is there, from the band
    #[arg(long, hide_short_help = true)]
    pub minimum: bool,
}

impl FeatureArguments {
    /// Whether anything is asked for.
    pub fn any(&self) -> bool {
        self.derivative.is_some() || self.integral.is_some() || self.maximum || self.minimum
    }
}
