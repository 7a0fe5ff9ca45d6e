//! `--gaps`: what stands for a missing value of a curve.

use dpfda::kernels::KernelError;
use dpfda::mechanism::Source;
use dpfda::smoothing::{Ball, CurveSet, FillError, GapProcess};
use thiserror::Error;

use crate::arguments::{GapArguments, GapsArgument};
use crate::error::CliError;
use crate::input::FilledBy;
use crate::progress;

/// Why gaps cannot be filled so.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GapsRefusal {
    #[error("{}: {}", of_fill(.0), .0)]
    Fill(#[from] FillError),
}

/// The argument that a process refuses.
fn of_fill(error: &FillError) -> &'static str {
    match error {
        FillError::Noise { .. } => "--gaps-noise",
        FillError::Kernel(KernelError::Range { .. }) => "--gaps-range",
        FillError::Kernel(_) => "--gaps-kernel",
        FillError::Ball(_) => "--center",
        FillError::Points { .. } | FillError::Grid { .. } => "--gaps",
    }
}

impl GapArguments {
    /// Whether only what was seen counts.
    pub(crate) fn is_rows(&self) -> bool {
        self.gaps == Some(GapsArgument::Rows)
    }

    /// Whether curves are filled from a process: they are read whole for it.
    pub(crate) fn is_process(&self) -> bool {
        self.gaps == Some(GapsArgument::GaussianProcess)
    }

    /// What stands for a missing value of curves that are filled.
    pub(crate) fn filled_by(&self) -> FilledBy {
        if self.is_process() { FilledBy::Process } else { FilledBy::Line }
    }

    fn process(&self) -> Result<GapProcess, GapsRefusal> {
        Ok(GapProcess::new(self.gaps_kernel, self.gaps_range, self.gaps_noise)?)
    }

    /// The curves with their gaps filled, where a process was asked for; a line is drawn later, by the encoding.
    pub(crate) fn filled(&self, curves: CurveSet, ball: &Ball) -> Result<CurveSet, CliError> {
        if !self.is_process() {
            return Ok(curves);
        }
        let process = self.process()?.on(ball, curves.grid()).map_err(GapsRefusal::Fill)?;
        Ok(progress::waiting("filling gaps", || curves.filled(&process)).map_err(GapsRefusal::Fill)?)
    }

    /// The same in words, for a release.
    pub(crate) fn told(&self, source: Option<Source>) -> Option<Source> {
        match self.process() {
            Ok(process) if self.is_process() => {
                source.and_then(|source| source.with_gaps(Some(&process.to_string())).ok())
            }
            _ => source,
        }
    }
}
