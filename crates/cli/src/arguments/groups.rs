//! What can be asked of groups; these comments are the help text.

use clap::Args;

use crate::values::count;

/// Groups of one release.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct GroupArguments {
    /// Release the mean of each group of this column, in place of one mean
    ///
    /// Without --private-labels the labels are public: every group in the file has the whole budget, and its size is told.
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
    /// The labels of the groups, where who is in which group is private: these and no others, in this order. A row with another label
    /// or none counts in no group
    #[arg(long, value_name = "A,B,...", hide_short_help = true)]
    pub private_labels: Option<String>,
    /// The most groups that one subject counts in, with --private-labels: the noise grows with its root [default: 1]
    #[arg(
        long,
        value_name = "M",
        requires = "private_labels",
        value_parser = count,
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    pub groups_of_subject: Option<usize>,
}
