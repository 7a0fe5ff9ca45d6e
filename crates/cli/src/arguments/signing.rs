//! What can be asked of keys and signatures; these comments are the help text.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::answer::AnswerArguments;
use super::ledger::HistoryArguments;

/// `dpfda key`
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a pair of keys: FILE is secret and signs releases, FILE.pub is public and checks them
    New(NewKeyArguments),
}

/// `dpfda key new`
#[derive(Debug, Args)]
pub struct NewKeyArguments {
    /// The new file of the secret key; the public one gets the same name with .pub
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write the secret key without a passphrase: whoever copies the file can sign
    ///
    /// Otherwise the passphrase is asked for, or read from the environment variable `DPFDA_PASSPHRASE`.
    #[arg(long)]
    pub no_passphrase: bool,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// Who signs a release.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct SigningArguments {
    /// Sign release.json with this secret key of `dpfda key new`: writes release.json.minisig beside it
    ///
    /// The key is opened before the private file is read. Its passphrase is asked for, or read from the environment variable
    /// `DPFDA_PASSPHRASE`.
    #[arg(long, value_name = "KEY", hide_short_help = true)]
    pub sign: Option<PathBuf>,
}

/// `dpfda verify`
#[derive(Debug, Args)]
pub struct VerifySignedArguments {
    /// The release.json, or its directory; release.json.minisig lies beside it where it is signed
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// The public key of whoever is said to have signed it
    #[arg(long, value_name = "FILE.pub")]
    pub key: Option<PathBuf>,
    /// The study that the release is said to follow: every setting must be that of the study
    #[arg(long, value_name = "STUDY.toml")]
    pub study: Option<PathBuf>,
    /// The account that paid, for a release with a ledger
    #[command(flatten)]
    pub account: HistoryArguments,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}
