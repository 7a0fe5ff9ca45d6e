//! What can be asked of `dpfda new`; these comments are the help text.

use clap::Args;
use dpfda_study::Kind;

use super::offers::OfNew;
use crate::settings::Settings;
use crate::values::kind;

/// `dpfda new`
#[derive(Debug, Args)]
pub struct NewArguments {
    /// What is released: mean, groups, change, rows, surface, regression, centiles or density
    #[arg(long, value_parser = kind)]
    pub kind: Option<Kind>,
    /// What is decided already.
    #[command(flatten)]
    pub settings: Settings<OfNew>,
}
