//! What stands for a missing value of a curve; these comments are the help text.

use clap::{Args, ValueEnum};
use dpfda::kernels::KernelName;

use crate::values::number;

/// What is done about missing cells of curves.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct GapArguments {
    /// What stands for a missing value: a line between its neighbours, what a public process expects, or nothing
    ///
    /// Choose before you look at the data; docs/any-curves.md has what each costs. Each curve is treated on its own, and the guarantee is
    /// the same.
    #[arg(long, value_enum, hide_short_help = true)]
    pub gaps: Option<GapsArgument>,
    /// The kernel of --gaps gaussian-process [default: {kernel}]
    #[arg(long, value_name = "KERNEL", hide_short_help = true)]
    pub gaps_kernel: Option<KernelName>,
    /// Its range on the domain mapped to [0, 1] [default: {range}]
    #[arg(long, value_name = "RANGE", value_parser = number, allow_hyphen_values = true, hide_short_help = true)]
    pub gaps_range: Option<f64>,
    /// The standard deviation of a measurement, in standard deviations of the process about the centre [default: {noise}]
    #[arg(long, value_name = "NOISE", value_parser = number, allow_hyphen_values = true, hide_short_help = true)]
    pub gaps_noise: Option<f64>,
}

/// What stands for a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GapsArgument {
    /// A line between the neighbours in the curve, and the nearest value at its ends: the default
    Interpolate,
    /// What a public Gaussian process about the centre expects from the rest of the curve
    GaussianProcess,
    /// Nothing: what was seen is released as a long table is, in --bins
    Rows,
}
