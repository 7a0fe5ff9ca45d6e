//! `--gaps`: what stands for a missing value of a curve.

use dpfda::mechanism::Source;
use dpfda::smoothing::{Ball, CurveSet, FillError, GapProcess};
use dpfda_study::{Blamed, Table};
use thiserror::Error;

use crate::argument::Argument;
use crate::error::CliError;
use crate::input::FilledBy;
use crate::progress;

/// Why gaps cannot be filled so.
#[derive(Debug, Error)]
#[error("{}: {}", Argument::of(.0.blame(), Argument::Curves).name(), .0)]
pub struct GapsRefusal(#[from] FillError);

/// What stands for a missing value of curves that are filled.
pub fn filled_by(table: &Table) -> FilledBy {
    if table.is_process() { FilledBy::Process } else { FilledBy::Line }
}

fn process(table: &Table) -> Result<GapProcess, GapsRefusal> {
    Ok(GapProcess::new(table.gaps_kernel, table.gaps_range, table.gaps_noise)?)
}

/// The curves with their gaps filled, where a process was asked for; a line is drawn later, by the encoding.
pub fn filled(table: &Table, curves: CurveSet, ball: &Ball) -> Result<CurveSet, CliError> {
    if !table.is_process() {
        return Ok(curves);
    }
    let process = process(table)?.on(ball, curves.grid()).map_err(GapsRefusal)?;
    Ok(progress::waiting("filling gaps", || curves.filled(&process)).map_err(GapsRefusal)?)
}

/// The same in words, for a release.
pub fn told(table: &Table, source: Source) -> Source {
    match process(table) {
        Ok(process) if table.is_process() => source.clone().with_gaps(Some(&process.to_string())).unwrap_or(source),
        _ => source,
    }
}
