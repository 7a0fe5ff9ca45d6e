//! What can be asked of `dpfda new`; these comments are the help text.

use clap::Args;
use dpfda_study::Kind;

use super::OfNew;
use crate::settings::Settings;

/// `dpfda new`
#[derive(Debug, Args)]
pub struct NewArguments {
    /// What is released: mean, groups, rows, surface, regression or density
    #[arg(long, value_parser = kind)]
    pub kind: Option<Kind>,
    /// What is decided already.
    #[command(flatten)]
    pub settings: Settings<OfNew>,
}

fn kind(word: &str) -> Result<Kind, String> {
    let known = || Kind::ALL.map(Kind::word).join(", ");
    Kind::of_word(word).ok_or_else(|| format!("no kind of release; give one of {}", known()))
}
