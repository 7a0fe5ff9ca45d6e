//! `--gaps`: what stands for a missing value of a curve.

use dpfda::kernels::{KernelError, KernelName};
use dpfda::mechanism::Source;
use dpfda::smoothing::{Ball, CurveSet, FillError, GaussianFill};
use thiserror::Error;

use crate::arguments::{GapArguments, GapsArgument};
use crate::error::CliError;
use crate::input::FilledBy;
use crate::progress;
use crate::summary::exact;

/// The prior where none is stated: curves that change on about a third of the domain, measured with a tenth of their own deviation.
const KERNEL: KernelName = KernelName::Matern(1.5);
const RANGE: f64 = 0.3;
const NOISE: f64 = 0.1;

/// Why gaps cannot be filled so.
#[derive(Debug, Error)]
pub enum GapsRefusal {
    /// A kernel that cannot be.
    #[error("--gaps-range: {0}")]
    Kernel(#[from] KernelError),
    /// A process that cannot be.
    #[error("{}: {}", of_fill(.0), .0)]
    Fill(#[from] FillError),
}

/// The argument that a process refuses.
fn of_fill(error: &FillError) -> &'static str {
    match error {
        FillError::Noise { .. } => "--gaps-noise",
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

    fn prior(&self) -> (KernelName, f64, f64) {
        let kernel = self.gaps_kernel.unwrap_or(KERNEL);
        let usual = if kernel == KERNEL { RANGE } else { kernel.default_range() };
        (kernel, self.gaps_range.unwrap_or(usual), self.gaps_noise.unwrap_or(NOISE))
    }

    /// The curves with their gaps filled, where a process was asked for; a line is drawn later, by the encoding.
    pub(crate) fn filled(&self, curves: CurveSet, ball: &Ball) -> Result<CurveSet, CliError> {
        if !self.is_process() {
            return Ok(curves);
        }
        let (kernel, range, noise) = self.prior();
        let kernel = kernel.with_range(range).map_err(GapsRefusal::Kernel)?;
        let process = GaussianFill::new(ball, curves.grid(), kernel, noise).map_err(GapsRefusal::Fill)?;
        Ok(progress::waiting("filling gaps", || curves.filled(&process)).map_err(GapsRefusal::Fill)?)
    }

    /// The same in words, for a release.
    pub(crate) fn told(&self, source: Option<Source>) -> Option<Source> {
        if !self.is_process() {
            return source;
        }
        let (kernel, range, noise) = self.prior();
        let words =
            format!("are filled from a public process ({kernel}, range {}, noise {})", exact(range), exact(noise));
        source.and_then(|source| source.with_gaps(Some(&words)).ok())
    }
}
