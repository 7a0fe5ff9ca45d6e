//! What can be asked about a release that exists; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::HistoryArguments;

/// `dpfda show`
#[derive(Debug, Args)]
pub struct DocumentArguments {
    /// A release of any kind
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
}

/// `dpfda report`
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// A release of any kind, or several of one ledger
    #[arg(value_name = "RELEASE.json", required = true)]
    pub releases: Vec<PathBuf>,
    /// The account, which says what was spent in all and what is left.
    #[command(flatten)]
    pub account: HistoryArguments,
    /// The new file
    #[arg(long, value_name = "FILE.html", default_value = "report.html")]
    pub out: PathBuf,
}
