//! The numbers that help texts name: each from the place where it stands.

use clap::{Arg, Command, CommandFactory, FromArgMatches};
use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::crossval::DEFAULT_DRAWS;
use dpfda::mechanism::RADIUS_SHARE;
use dpfda::release::{DEFAULT_BINS, DEFAULT_COORDINATES};
use dpfda::smoothing::GapProcess;

use super::Arguments;

#[cfg(test)]
#[path = "defaults_tests.rs"]
mod tests;

/// What stands in braces in the help texts, and what it is.
fn named() -> [(&'static str, String); 8] {
    [
        ("{level}", DEFAULT_LEVEL.to_string()),
        ("{bins}", DEFAULT_BINS.to_string()),
        ("{coordinates}", DEFAULT_COORDINATES.to_string()),
        ("{share}", RADIUS_SHARE.to_string()),
        ("{kernel}", GapProcess::KERNEL.to_string()),
        ("{range}", GapProcess::RANGE.to_string()),
        ("{noise}", GapProcess::NOISE.to_string()),
        ("{draws}", DEFAULT_DRAWS.to_string()),
    ]
}

/// The program with its help texts as they are read.
pub fn command() -> Command {
    filled(Arguments::command(), &named())
}

/// The arguments of this process.
pub fn parsed() -> Result<Arguments, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn filled(command: Command, named: &[(&'static str, String)]) -> Command {
    let text = |text: String| named.iter().fold(text, |text, (name, value)| text.replace(name, value));
    let of_argument = |argument: Arg| {
        let [help, long] = [argument.get_help(), argument.get_long_help()].map(|help| help.map(ToString::to_string));
        let argument = help.into_iter().fold(argument, |argument, help| argument.help(text(help)));
        long.into_iter().fold(argument, |argument, help| argument.long_help(text(help)))
    };
    command.mut_args(of_argument).mut_subcommands(|inner| filled(inner, named))
}
