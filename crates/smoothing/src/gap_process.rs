//! The settings of a process that fills gaps, before there is a grid.

use std::fmt;

use dpfda_kernels::{Grid, Kernel, KernelName};

use crate::ball::Ball;
use crate::gaussian_fill::{FillError, GaussianFill, check_noise};

/// Public settings of a [`GaussianFill`]: a kernel with its range, and the noise of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct GapProcess {
    name: KernelName,
    range: f64,
    kernel: Kernel,
    noise: f64,
}

impl GapProcess {
    /// The kernel where none is stated: curves that change on about a third of the domain, measured with a tenth of their own deviation.
    pub const KERNEL: KernelName = KernelName::Matern(1.5);
    /// Its range on the domain mapped to `[0, 1]`, where none is stated.
    pub const RANGE: f64 = 0.3;
    /// The standard deviation of a measurement in those of the process, where none is stated.
    pub const NOISE: f64 = 0.1;

    /// The process of these settings. Another kernel has the range that is its own default.
    pub fn new(name: Option<KernelName>, range: Option<f64>, noise: Option<f64>) -> Result<Self, FillError> {
        let name = name.unwrap_or(Self::KERNEL);
        let usual = if name == Self::KERNEL { Self::RANGE } else { name.default_range() };
        let (range, noise) = (range.unwrap_or(usual), noise.unwrap_or(Self::NOISE));
        check_noise(noise)?;
        Ok(Self { name, range, kernel: name.with_range(range)?, noise })
    }

    /// The process on a grid, about the centre of a ball.
    pub fn on(&self, ball: &Ball, grid: &Grid) -> Result<GaussianFill, FillError> {
        GaussianFill::new(ball, grid, self.kernel.clone(), self.noise)
    }
}

/// What is said of missing values in a release.
impl fmt::Display for GapProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, range, noise, .. } = self;
        write!(f, "are filled from a public process ({name}, range {range}, noise {noise})")
    }
}
