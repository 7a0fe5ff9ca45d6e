//! What stands for a missing value of a curve.

use dpfda::kernels::KernelName;
use dpfda::mechanism::Source;
use dpfda::smoothing::{Ball, CurveSet, GapProcess};
use pyo3::prelude::*;

use crate::private_rows::Binned;
use crate::refusal::{Refusal, one_of};

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
    Process(GapProcess),
    /// Nothing: only what was seen counts, in bins.
    Nothing(Box<Binned>),
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
            Treatment::Process => Self::Process(process_of(arguments)?),
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
            Self::Process(process) => process.to_string(),
            Self::Nothing(_) => "count as not seen".to_owned(),
        };
        Source::new(Vec::new(), None, None, Vec::new()).and_then(|source| source.with_gaps(Some(&words))).ok()
    }
}

fn process_of(arguments: &GapsArguments) -> Result<GapProcess, Refusal> {
    let named = |name: &String| name.parse::<KernelName>().map_err(|error| Refusal::new("gaps_kernel", error));
    let kernel = arguments.gaps_kernel.as_ref().map(named).transpose()?;
    Ok(GapProcess::new(kernel, arguments.gaps_range, arguments.gaps_noise)?)
}
