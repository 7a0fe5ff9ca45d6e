//! The `dpfda` command: private mean functions and densities from the command line.
//!
//! ```text
//! release    curves.csv   -> release.json, .csv, .svg, .png    spends privacy budget
//! check      curves.csv   -> what would be read and spent  not private: for the curator
//! part       curves.csv   -> exact sums of a part              not private: for the curator
//! merge      parts        -> the files of a release            spends privacy budget
//! smooth     release.json -> the same files                    free
//! show       release.json -> its summary                       free
//! report     release.json -> a page to read and sign           free
//! evaluate   release.json -> values at any points              free
//! complete   release.json -> the rest of a person's curve free
//! components release.json -> how curves vary, synthetic curves free
//! crossval   curves.csv   -> scores of smoothers               not private: for the curator
//! ledger     what was spent on a data set, and what is left    spends nothing
//! key        a pair of keys to sign with                      touches no data
//! verify     release.json -> who signed it, and does it hold  free
//! new        a study file, to be agreed on before the data are seen   touches no data
//! forecast   N, bounds, epsilon, delta -> expected error        touches no data
//! audit      release.json or a mechanism -> a verdict          touches no data
//! completions, man: for shells and readers                     touches no data
//! ```
//!
//! It is a library so that hostile command lines and the program meet the same parser, and so that `dpfda-reproduce` shares
//! what is in [`shared`]; nobody else should need it.

mod age;
mod all_settings;
mod answered;
mod argument;
pub mod arguments;
mod audit;
mod check;
mod compare;
mod complete;
mod components;
mod covariates;
mod crossval;
mod curve;
mod density;
mod document;
mod doubt;
mod error;
mod evaluate;
mod features;
mod files;
mod flaw;
mod input;
mod key;
mod ledger;
mod ledger_advice;
mod look;
mod manual;
mod misasked;
mod new_file;
mod new_study;
mod output;
mod parts;
mod paying;
mod plan;
mod progress;
mod publication;
mod refusal;
mod release;
mod report;
mod request;
mod selection;
mod settings;
mod show;
mod shown;
mod signature;
mod signed;
mod smooth;
mod spent;
mod study_file;
mod summary;
mod surface;
mod surfaces;
mod told;
mod unmade;
mod unread;
mod values;
mod verify;
mod way;

/// What another command of this project needs to read, write and speak as `dpfda` does.
pub mod shared {
    pub use crate::argument::Argument;
    pub use crate::error::CliError;
    pub use crate::input::read;
    pub use crate::output::{Contents, OutputDirectory, OutputError, TableError, text_of};
    pub use crate::printed;
    pub use crate::progress::{over_spectra, steps};
    pub use crate::shown::shown;
    pub use crate::summary::{CURATOR_ONLY, exact, rounded, wrapped};
    pub use crate::surface::edge_key;
    pub use crate::values::{directory, seed};
}

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command, KeyCommand, LedgerCommand};
use crate::error::CliError;
use crate::spent::Spent;

/// Runs the command that the arguments of this process ask for.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => arguments::refused(&error),
    };
    if arguments.quiet {
        progress::silence();
    }
    if arguments.verbose {
        told::tell_all();
    }
    let is_told = !arguments.quiet || !is_summarised(&arguments.command);
    let outcome = match arguments.command {
        Command::Release(arguments) => release::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Partial(arguments) => parts::partial(&arguments),
        Command::Merge(arguments) => parts::merge(&arguments),
        Command::Smooth(arguments) => smooth::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Complete(arguments) => complete::run(&arguments),
        Command::Components(arguments) => components::run(&arguments),
        Command::Crossval(arguments) => crossval::run(&arguments),
        Command::New(arguments) => new_study::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Ledger(LedgerCommand::Create(arguments)) => ledger::create(&arguments),
        Command::Ledger(LedgerCommand::Show(arguments)) => ledger::show(&arguments),
        Command::Ledger(LedgerCommand::Export(arguments)) => ledger::export(&arguments),
        Command::Ledger(LedgerCommand::Verify(arguments)) => verify::run(&arguments),
        Command::Ledger(LedgerCommand::Report(arguments)) => report::of_ledger(&arguments),
        Command::Key(command) => key::run(&command),
        Command::Verify(arguments) => signed::run(&arguments),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { command } => manual::page(command.as_deref()),
        Command::Audit(arguments) => match audit::run(&arguments) {
            Ok(verdict) => {
                // 1 says that the claim is refuted, and nothing else
                let is_printed = printed(&verdict.text) == ExitCode::SUCCESS;
                let code = u8::from(verdict.refuted);
                return if is_printed { ExitCode::from(code) } else { ExitCode::from(2) };
            }
            Err(error) => Err(error),
        },
    };
    match outcome {
        Ok(text) if is_told => printed(&text),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            if let CliError::Spent(spent) = &error
                && let Spent::Incomplete { text, .. } = &**spent
                && is_told
            {
                let _ = printed(text);
            }
            // Without a standard error stream, the exit code still tells.
            let _ = writeln!(io::stderr(), "error: {error}");
            error.exit_code()
        }
    }
}

/// Whether what a command prints is a summary of files that it wrote, and not its result: JSON is a result.
fn is_summarised(command: &Command) -> bool {
    match command {
        Command::Release(arguments) => !arguments.dry_run && !arguments.answer.json,
        Command::Smooth(arguments) => !arguments.answer.json,
        Command::Merge(arguments) => !arguments.answer.json,
        Command::Partial(arguments) => !arguments.answer.json,
        Command::Components(arguments) => !arguments.answer.json,
        Command::Report(arguments) => !arguments.answer.json,
        Command::Ledger(LedgerCommand::Report(arguments)) => !arguments.answer.json,
        Command::Ledger(LedgerCommand::Create(arguments)) => !arguments.answer.json,
        Command::Key(KeyCommand::New(arguments)) => !arguments.answer.json,
        _ => false,
    }
}

/// Prints a result; a reader that has seen enough and closed the pipe is no failure.
pub fn printed(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: {}", CliError::Print(error));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
