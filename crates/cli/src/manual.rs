//! `dpfda completions` and `dpfda man`: what shells and readers of manuals need, from the arguments themselves.

use std::path::Path;

use clap_complete::Shell;
use thiserror::Error;

use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::error::{CliError, own_refusals};
use crate::shown::shown;

/// Why there is no manual page.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ManualError {
    #[error("man: no command is named `{}`; give one of {}", shown(Path::new(name)), known.join(", "))]
    NoCommand { name: String, known: Vec<String> },
}

own_refusals!(ManualError);

/// The program, as it is called.
const PROGRAM: &str = "dpfda";

/// The script that completes commands and options in this shell.
pub fn completions(shell: Shell) -> Result<String, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), PROGRAM, &mut script);
    text(script)
}

/// The manual page of the program, or of one of its commands.
pub fn page(name: Option<&str>) -> Result<String, CliError> {
    let mut program = Arguments::command();
    program.build();
    let command = match name {
        None => program,
        Some(name) => {
            let known = || program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| ManualError::NoCommand { name: name.to_owned(), known: known() })?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(CliError::Print)?;
    text(page)
}

fn text(bytes: Vec<u8>) -> Result<String, CliError> {
    String::from_utf8(bytes).map_err(|_| CliError::Print(std::io::ErrorKind::InvalidData.into()))
}
