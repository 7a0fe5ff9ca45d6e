//! What stands for a missing value of a curve.

use dpfda::kernels::{Grid, Kernel, KernelName};
use dpfda::mechanism::{Source, exact};
use dpfda::smoothing::{Ball, Center, CurveSet, FillError, GaussianFill};
use pyo3::prelude::*;

use crate::private_rows::Binned;
use crate::refusal::{Refusal, one_of};

/// The prior where none is stated, as the command has it.
const KERNEL: KernelName = KernelName::Matern(1.5);
const RANGE: f64 = 0.3;
const NOISE: f64 = 0.1;

/// What Python says of gaps.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct GapsArguments {
    gaps: String,
    gaps_kernel: Option<String>,
    gaps_range: Option<f64>,
    gaps_noise: Option<f64>,
    /// The number of bins, where only what was seen counts.
    pub bins: Option<usize>,
    /// The largest distance of one value from the centre, likewise.
    pub bound: Option<f64>,
}

/// What stands for a missing value.
pub enum Gaps {
    /// A line between its neighbours in the curve.
    Line,
    /// What a public process expects from the rest of the curve.
    Process(Process),
    /// Nothing: only what was seen counts, in bins.
    Nothing(Box<Binned>),
}

/// A kernel with its range, by its name, and the noise of a measurement.
pub struct Process {
    name: KernelName,
    range: f64,
    kernel: Kernel,
    noise: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Treatment {
    Line,
    Process,
    Nothing,
}

impl Gaps {
    /// What was asked for; `binned` makes the settings of what was seen.
    ///
    /// # Errors
    /// [`Refusal`] for what belongs to another treatment, and for a process that cannot be.
    pub fn of(
        arguments: &GapsArguments,
        binned: impl FnOnce(&GapsArguments) -> Result<Binned, Refusal>,
    ) -> Result<Self, Refusal> {
        let treatments =
            [("interpolate", Treatment::Line), ("gaussian-process", Treatment::Process), ("rows", Treatment::Nothing)];
        let treatment = one_of("gaps", &arguments.gaps, &treatments)?;
        let parts = [
            ("gaps_kernel", Treatment::Process, arguments.gaps_kernel.is_some()),
            ("gaps_range", Treatment::Process, arguments.gaps_range.is_some()),
            ("gaps_noise", Treatment::Process, arguments.gaps_noise.is_some()),
            ("bins", Treatment::Nothing, arguments.bins.is_some()),
            ("bound", Treatment::Nothing, arguments.bound.is_some()),
        ];
        if let Some((part, owner, _)) = parts.into_iter().find(|(_, owner, given)| *given && *owner != treatment) {
            let owner = treatments.iter().find(|(_, one)| *one == owner).map_or("", |(name, _)| name);
            return Err(Refusal::new(part, format!("{part} belongs to gaps=\"{owner}\": leave it out")));
        }
        Ok(match treatment {
            Treatment::Line => Self::Line,
            Treatment::Process => Self::Process(Process::of(arguments)?),
            Treatment::Nothing => Self::Nothing(Box::new(binned(arguments)?)),
        })
    }

    /// Whether a line is drawn, by the encoding.
    pub fn is_line(&self) -> bool {
        matches!(self, Self::Line)
    }

    /// The curves with their gaps filled, where a process was asked for.
    ///
    /// # Errors
    /// [`Refusal`] for more points than a process can have, and a kernel that is none on the domain.
    pub fn filled(&self, curves: CurveSet, ball: &Ball) -> Result<CurveSet, Refusal> {
        let Self::Process(process) = self else { return Ok(curves) };
        let process = process.on(ball, curves.grid())?;
        Ok(curves.filled(&process)?)
    }

    /// The treatment in words, for a release; none for a line.
    pub fn source(&self) -> Option<Source> {
        let words = match self {
            Self::Line => return None,
            Self::Process(Process { name, range, noise, .. }) => {
                format!("are filled from a public process ({name}, range {}, noise {})", exact(*range), exact(*noise))
            }
            Self::Nothing(_) => "count as not seen".to_owned(),
        };
        Source::new(Vec::new(), None, None, Vec::new()).and_then(|source| source.with_gaps(Some(&words))).ok()
    }
}

impl Process {
    fn of(arguments: &GapsArguments) -> Result<Self, Refusal> {
        let name = match &arguments.gaps_kernel {
            None => KERNEL,
            Some(name) => name.parse::<KernelName>().map_err(|error| Refusal::new("gaps_kernel", error))?,
        };
        let usual = if name == KERNEL { RANGE } else { name.default_range() };
        let range = arguments.gaps_range.unwrap_or(usual);
        let kernel = name.with_range(range).map_err(|error| Refusal::new("gaps_range", error))?;
        let process = Self { name, range, kernel, noise: arguments.gaps_noise.unwrap_or(NOISE) };
        // a noise that no process has is refused before there is a grid
        process.on(&Ball::new(Center::Constant(0.0), 1.0)?, &Grid::uniform(0.0, 1.0, 2)?)?;
        Ok(process)
    }

    fn on(&self, ball: &Ball, grid: &Grid) -> Result<GaussianFill, FillError> {
        GaussianFill::new(ball, grid, self.kernel.clone(), self.noise)
    }
}
