//! Linear functionals of a mean function: the numbers that may be asked of it.

use dpfda_kernels::{CovarianceKernel, Grid, Kernel, Spectrum};
use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "functional_tests.rs"]
mod tests;

/// One number asked of a mean function `f`, linear in `f`. Points are in the units of the curves' own domain `[a, b]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LinearFunctional {
    /// The value `f(t)`.
    Evaluation {
        /// The point.
        t: f64,
    },
    /// The slope `f'(t)`, where the smoother's kernel is differentiable.
    Derivative {
        /// The point.
        t: f64,
    },
    /// The integral `int_a^b f(t) w(t) dt`, by the grid's quadrature.
    Integral {
        /// `w` at the grid's points.
        weight: Vec<f64>,
    },
    /// The coefficient `<f, v_j>` of an eigenfunction of the smoother's kernel on the domain mapped to `[0, 1]`.
    Coefficient {
        /// `j`, from 0 for the leading one.
        index: usize,
    },
}

/// Why a functional cannot be asked for. Everything in it is public.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FunctionalError {
    #[error("at least one functional is needed")]
    None,
    #[error("every functional asked for is the same for all curves, so there is nothing to release")]
    Constant,
    #[error("functional {index} (from 0) is at {value:?}, outside the curves' domain from {lower:?} to {upper:?}")]
    OutsideDomain { index: usize, value: f64, lower: f64, upper: f64 },
    #[error(
        "functional {index} (from 0) is a derivative, but a function smoothed with this kernel has none; use a differentiable kernel such as matern52 or gaussian"
    )]
    NotDifferentiable { index: usize },
    #[error("functional {index} (from 0) has {found} weights for {expected} grid points")]
    WeightLength { index: usize, expected: usize, found: usize },
    #[error(
        "functional {index} (from 0) has the weight {value:?} at point {point} (from 0); weights must be finite and at most 1e100 in size"
    )]
    Weight { index: usize, point: usize, value: f64 },
    #[error(
        "functional {index} (from 0) asks for coefficient {coefficient} (from 0); the kernel has {rank} on this grid"
    )]
    NoSuchCoefficient { index: usize, coefficient: usize, rank: usize },
}

impl LinearFunctional {
    /// The value of the functional at the centre `c`, given on the grid.
    pub(crate) fn of_center(&self, grid: &Grid, spectrum: &Spectrum<Kernel>, center: ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::Evaluation { t } => grid.cell(*t).between(center),
            Self::Derivative { t } => grid.cell(*t).slope(center),
            Self::Integral { weight } => grid.integrate((&center * &ArrayView1::from(weight)).view()),
            Self::Coefficient { index } => spectrum.coefficients(center)[*index],
        }
    }

    /// The values of the functional at the eigenfunctions `v_j` of the kernel on the domain mapped to `[0, 1]`.
    ///
    /// `index` is the functional's place in its list, for errors.
    pub(crate) fn of_eigenfunctions(
        &self,
        grid: &Grid,
        spectrum: &Spectrum<Kernel>,
        index: usize,
    ) -> Result<Array1<f64>, FunctionalError> {
        match self {
            Self::Evaluation { t } => Ok(spectrum.eigenfunctions_at(to_unit(grid, *t, index)?)),
            Self::Derivative { t } => {
                let slopes = slopes_at(spectrum, to_unit(grid, *t, index)?);
                Ok(slopes.ok_or(FunctionalError::NotDifferentiable { index })? / grid.length())
            }
            Self::Integral { weight } => {
                check_weight(weight, grid.len(), index)?;
                let weighted = &grid.weights() * &ArrayView1::from(weight);
                Ok(spectrum.eigenfunctions().t().dot(&weighted))
            }
            Self::Coefficient { index: coefficient } => {
                let (coefficient, rank) = (*coefficient, spectrum.rank());
                if coefficient >= rank {
                    return Err(FunctionalError::NoSuchCoefficient { index, coefficient, rank });
                }
                Ok(Array1::from_shape_fn(rank, |j| f64::from(u8::from(j == coefficient))))
            }
        }
    }
}

fn to_unit(grid: &Grid, t: f64, index: usize) -> Result<f64, FunctionalError> {
    let (lower, upper) = (grid.lower(), grid.upper());
    if (lower..=upper).contains(&t) {
        Ok(grid.to_unit_point(t))
    } else {
        Err(FunctionalError::OutsideDomain { index, value: t, lower, upper })
    }
}

/// `v_j'(u) = lambda_j^{-1} sum_k w_k dC/du(u, t_k) v_j(t_k)`, if the kernel has derivatives.
fn slopes_at(spectrum: &Spectrum<Kernel>, u: f64) -> Option<Array1<f64>> {
    let grid = spectrum.grid();
    let pairs = grid.points().into_iter().zip(grid.weights());
    let weighted: Option<Array1<f64>> = pairs.map(|(&s, w)| Some(w * spectrum.process().derivative(u, s)?)).collect();
    Some(spectrum.eigenfunctions().t().dot(&weighted?) / spectrum.eigenvalues())
}

fn check_weight(weight: &[f64], points: usize, index: usize) -> Result<(), FunctionalError> {
    if weight.len() != points {
        return Err(FunctionalError::WeightLength { index, expected: points, found: weight.len() });
    }
    let bad = weight.iter().enumerate().find(|(_, value)| value.is_nan() || value.abs() > 1e100);
    bad.map_or(Ok(()), |(point, &value)| Err(FunctionalError::Weight { index, point, value }))
}
