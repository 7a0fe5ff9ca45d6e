//! The guarantee on the command line; these comments are the help text.

use clap::Args;
use dpfda::privacy::Calibration;

use crate::values::{count, number, reason};

/// The guarantee, and the theorem that sets the noise.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee")]
pub struct BudgetArguments {
    /// The privacy parameter epsilon, such as 1; smaller is more private
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// The privacy parameter delta, such as 1e-5; well below 1 / (number of subjects)
    ///
    /// For the mean of curves it may be 0.
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work
    #[arg(long, hide_short_help = true)]
    pub classical: bool,
}

/// How much of a mean is released without a delta.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee")]
pub struct CoordinateArguments {
    /// With --delta 0: how many public coordinates of the mean are released, from 1 to 64 [default: {coordinates}]
    ///
    /// They are those of the smoothest functions. With --periodic the default is 11, and the number is odd or that of all points. The noise of each grows with their number, and the rest of the mean is not released.
    #[arg(long, value_name = "D", value_parser = count, allow_hyphen_values = true, hide_short_help = true)]
    pub coordinates: Option<usize>,
}

/// A guarantee that is asked for, and why.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee")]
pub struct GuaranteeArguments {
    /// Epsilon, delta and the noise.
    #[command(flatten)]
    pub budget: BudgetArguments,
    /// The reason.
    #[command(flatten)]
    pub reason: ReasonArguments,
}

/// Why a guarantee is not a usual one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee")]
pub struct ReasonArguments {
    /// Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release
    #[arg(long, value_name = "REASON", value_parser = reason, hide_short_help = true)]
    pub because: Option<String>,
}

impl ReasonArguments {
    /// The reason.
    pub fn because(&self) -> Option<&str> {
        self.because.as_deref()
    }
}

impl BudgetArguments {
    /// The theorem asked for.
    pub fn calibration(&self) -> Calibration {
        if self.classical { Calibration::Classical } else { Calibration::Tight }
    }
}
