//! The `dpfda` command: private mean functions from the command line.
//!
//! ```text
//! release    curves.csv   -> release.json, .csv, .svg, .png    spends privacy budget
//! smooth     release.json -> the same four files               free
//! evaluate   release.json -> values at any points              free
//! calibrate  epsilon, delta, sensitivity -> noise scale        touches no data
//! ```

mod arguments;
mod calibrate;
mod center;
mod error;
mod evaluate;
mod flaw;
mod output;
mod refusal;
mod release;
mod smooth;
mod summary;
mod values;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Calibrate, Command};
use crate::error::CliError;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Release(arguments) => release::run(&arguments),
        Command::Smooth(arguments) => smooth::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Calibrate { mechanism: Calibrate::Gaussian(arguments) } => calibrate::run(&arguments),
    };
    match outcome {
        Ok(text) => printed(&text),
        Err(error) => {
            // Without a standard error stream, the exit code still tells.
            let _ = writeln!(io::stderr(), "error: {error}");
            error.exit_code()
        }
    }
}

/// Prints a result; a reader that has seen enough and closed the pipe is no failure.
fn printed(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: {}", CliError::Print(error));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
