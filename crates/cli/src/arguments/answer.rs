//! How a command answers; these comments are the help text.

use clap::Args;

/// The same for every command that answers in words.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub struct AnswerArguments {
    /// Print JSON in place of words
    #[arg(long)]
    pub json: bool,
}

/// The JSON of a command, for its long help.
pub fn keys(of: &'static str) -> impl FnOnce(clap::Arg) -> clap::Arg {
    move |json| json.long_help(format!("Print JSON in place of words\n\n{of}"))
}
