//! What can be asked of surfaces; these comments are the help text.

use clap::Args;

use crate::values::{Numbers, SurfaceShape};

/// Rows that are surfaces.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct SurfaceArguments {
    /// Each row is a surface on N1 x N2 points: the values of the first s for all t, then those of the second s, and so on
    ///
    /// The columns stand in this order, t fastest. Both axes are equally spaced. The radius is stated and not bought, and the centre is
    /// a number.
    #[arg(long, value_name = "N1,N2", hide_short_help = true)]
    pub surface: Option<SurfaceShape>,
    /// The ends of s and of t, chosen from public knowledge [default: 0,1,0,1]
    #[arg(long, value_name = "S1,S2,T1,T2", allow_hyphen_values = true, hide_short_help = true)]
    pub surface_domain: Option<Numbers>,
}
