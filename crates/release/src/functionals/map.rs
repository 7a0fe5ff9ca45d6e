//! Functionals as linear maps of whitened coordinates.

use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, GridError, Kernel, Spectrum, SpectrumError};
use dpfda_privacy::LatticeError;
use dpfda_smoothing::{Ball, BallError, PenalizedMean};
use ndarray::{Array1, Array2, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::coordinates::whitening::{CameronMartinWhitening, Whitening};
use crate::functionals::functional::{FunctionalError, LinearFunctional};

/// Which covariance the noise has as a process; what is asked of it inherits `{C(g_i, g_j)}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dispersion {
    /// White noise seen through the smoother, `C(t, s) = sum_j s_j^2 v_j(t) v_j(s)`: never more than [`Dispersion::Kernel`]
    /// at the same guarantee.
    #[default]
    SmoothedWhite,
    /// The smoother's own kernel, as in Mirshani, Reimherr and Slavkovic.
    Kernel,
}

/// Why functionals could not be expressed on a grid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FunctionalMapError {
    #[error(transparent)]
    Functional(#[from] FunctionalError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error("the settings call for {expected} coordinates, the plan has {found}")]
    Rank { expected: usize, found: usize },
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// Whitened coordinates of a smoother, and how functionals are read off them.
///
/// ```text
/// g_i(c + S (Xbar - c)) = g_i(c) + b_i . z
/// ```
///
/// for the mean `z` of the records' whitened coordinates, of which each record has norm at most `tau`.
#[derive(Debug, Clone)]
pub(crate) struct FunctionalBasis {
    pub(crate) whitening: Whitening,
    smoother: PenalizedMean,
    spectrum: Arc<Spectrum<Kernel>>,
    grid: Grid,
    center: Array1<f64>,
}

/// Some functionals: `g_i(c)` and the rows `b_i`.
#[derive(Debug, Clone)]
pub(crate) struct FunctionalMap {
    pub(crate) offsets: Array1<f64>,
    pub(crate) rows: Array2<f64>,
}

impl FunctionalBasis {
    pub(crate) fn new(
        smoother: &PenalizedMean,
        dispersion: Dispersion,
        grid: &Grid,
        ball: &Ball,
    ) -> Result<Self, FunctionalMapError> {
        let spectrum = Spectrum::new(smoother.kernel().clone(), grid.to_unit()?, DEFAULT_TOLERANCE)?;
        Self::in_spectrum(spectrum, smoother, dispersion, grid, ball)
    }

    /// The basis that had so many coordinates before.
    ///
    /// A pair at the very edge of the tolerance may fall on its other side on another machine: what was kept is kept.
    pub(crate) fn with_dimension(
        smoother: &PenalizedMean,
        dispersion: Dispersion,
        grid: &Grid,
        ball: &Ball,
        dimension: usize,
    ) -> Result<Self, FunctionalMapError> {
        if dispersion == Dispersion::SmoothedWhite {
            return Self::new(smoother, dispersion, grid, ball);
        }
        let spectrum = Spectrum::new(smoother.kernel().clone(), grid.to_unit()?, DEFAULT_TOLERANCE / 4.0)?;
        Self::in_spectrum(spectrum.truncated(dimension), smoother, dispersion, grid, ball)
    }

    fn in_spectrum(
        spectrum: Spectrum<Kernel>,
        smoother: &PenalizedMean,
        dispersion: Dispersion,
        grid: &Grid,
        ball: &Ball,
    ) -> Result<Self, FunctionalMapError> {
        let spectrum = Arc::new(spectrum);
        let whitening = match dispersion {
            Dispersion::SmoothedWhite => Whitening::Isonormal { dimension: grid.len() },
            Dispersion::Kernel => {
                Whitening::CameronMartin(Box::new(CameronMartinWhitening::new(smoother.clone(), spectrum.clone())))
            }
        };
        let center = ball.center_at(grid)?;
        Ok(Self { whitening, smoother: smoother.clone(), spectrum, grid: grid.clone(), center })
    }

    pub(crate) fn map(&self, functionals: &[LinearFunctional]) -> Result<FunctionalMap, FunctionalMapError> {
        if functionals.is_empty() {
            return Err(FunctionalError::None.into());
        }
        let mut rows = Array2::zeros((functionals.len(), self.whitening.dimension()));
        for (index, (functional, mut row)) in functionals.iter().zip(rows.rows_mut()).enumerate() {
            row.assign(&self.row(functional.of_eigenfunctions(&self.grid, &self.spectrum, index)?.view()));
        }
        let of_center = |g: &LinearFunctional| g.of_center(&self.grid, &self.spectrum, self.center.view());
        Ok(FunctionalMap { offsets: functionals.iter().map(of_center).collect(), rows })
    }

    /// `b` from the values `g(v_j)`.
    fn row(&self, of_eigenfunctions: ArrayView1<'_, f64>) -> Array1<f64> {
        let eigenvalues = self.spectrum.eigenvalues();
        let of_isonormal = || {
            let shrunk = &of_eigenfunctions * &self.smoother.shrinkages(eigenvalues);
            self.spectrum.values(shrunk.view()) * self.spectrum.grid().weights().mapv(f64::sqrt)
        };
        match &self.whitening {
            Whitening::Isonormal { .. } => of_isonormal(),
            Whitening::Coordinates(basis) => basis.t().dot(&of_isonormal()),
            Whitening::Sobolev(whitening) => {
                let mut row = of_isonormal().to_vec();
                whitening.dual(&mut row);
                row.into()
            }
            Whitening::CameronMartin(whitening) => {
                &of_eigenfunctions * &eigenvalues.mapv(f64::sqrt) * whitening.amplification
            }
        }
    }
}
