//! How a private table is worked on; these comments are the help text.

use std::num::NonZeroUsize;

use clap::Args;
use dpfda_study::Work;

/// How many curves are worked on at a time.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub struct WorkArguments {
    /// The number of threads; the result is the same for every number [default: all cores]
    #[arg(long, value_name = "T", hide_short_help = true)]
    pub threads: Option<NonZeroUsize>,
    /// All curves of a subject follow one another: memory then does not grow with the number of subjects. A subject who comes
    /// again is refused
    #[arg(long, hide_short_help = true)]
    pub sorted_by_subject: bool,
}

impl WorkArguments {
    /// How the files are worked on.
    pub fn work(&self) -> Work {
        Work { threads: self.threads, is_sorted: self.sorted_by_subject }
    }
}
