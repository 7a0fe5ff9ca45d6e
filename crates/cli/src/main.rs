//! The `dpfda` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    dpfda_cli::run()
}
