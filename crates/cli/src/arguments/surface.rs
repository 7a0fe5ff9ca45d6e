//! What can be asked of surfaces; these comments are the help text.

use clap::Args;

use crate::values::{Numbers, SurfaceShape, label};

/// Rows that are surfaces, and long tables of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct SurfaceArguments {
    /// Each row is a surface on N1 x N2 points: the values of the first s for all t, then those of the second s, and so on
    ///
    /// The columns stand in this order, t fastest. Both axes are equally spaced, and the centre is a number. A table with one row for each value of a surface has --id, --s, --t and --value in place of --values.
    #[arg(long, value_name = "N1,N2", hide_short_help = true)]
    pub surface: Option<SurfaceShape>,
    /// The ends of s and of t, chosen from public knowledge [default: 0,1,0,1]
    #[arg(long, value_name = "S1,S2,T1,T2", allow_hyphen_values = true, hide_short_help = true)]
    pub surface_domain: Option<Numbers>,
    /// The column of s in a table with one row for each value: every number is a point of the grid, up to 0.01 of a step
    ///
    /// With --surface, --surface-domain, --id, --t and --value. A subject has one surface, and at most one row for each point. A point
    /// without a row, and one without a value, is filled within the surface.
    #[arg(long, value_name = "COLUMN", requires_all = ["surface", "surface_domain", "id", "t", "value"], hide_short_help = true)]
    pub s: Option<String>,
    /// The column of t in such a table
    #[arg(long, value_name = "COLUMN", requires_all = ["surface", "surface_domain", "id", "s", "value"], hide_short_help = true)]
    pub t: Option<String>,
    /// What the axis of s shows, with its unit; --x-label names that of t, and --y-label the value
    #[arg(long, value_name = "TEXT", value_parser = label, requires = "surface", help_heading = "Figure", hide_short_help = true)]
    pub s_label: Option<String>,
}
