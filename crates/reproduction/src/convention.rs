//! The estimate and the noise of the authors' package.

use dpfda::crossval::SurfaceError;
use dpfda::kernels::{DEFAULT_TOLERANCE, Grid, GridError, Kernel, Quadrature, Spectrum};
use dpfda::privacy::{NonPrivate, PrivacyBudget};
use dpfda::smoothing::{CurveSet, PenalizedMean};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

#[cfg(test)]
#[path = "convention_tests.rs"]
mod tests;

/// The computations of the PFDA package for one kernel on one grid of `n` points.
///
/// ```text
/// lambda, u:  eigenpairs of K / n, with u of Euclidean length 1
/// fit:        U diag(s) U' mean,                                  s_j = lambda_j / (lambda_j + phi)
/// Delta^2:    (4 tau^2 / N^2) sum_j lambda_j / (lambda_j + phi)^2    (a sum; the theorem has the maximum)
/// sigma:      Delta sqrt(2 log(2 / delta)) / epsilon                 (also for epsilon > 1)
/// noise:      sigma sum_j sqrt(lambda_j) xi_j u_j                    (unit vectors, not eigenfunctions: sqrt(n) too small)
/// tau:        the largest trapezoid norm among these very curves     (not a bound)
/// ```
///
/// **Not private**; see the [crate](crate).
#[derive(Debug, Clone)]
pub struct PaperConvention {
    /// With the weights `1/n`; its eigenfunctions are `sqrt(n) u`.
    spectrum: Spectrum<Kernel>,
    /// `sqrt` of the trapezoid weights.
    roots: Array1<f64>,
}

/// One estimate with and without the package's noise, on the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperRelease {
    /// The smoothed mean.
    pub fit: Array1<f64>,
    /// The smoothed mean with noise, which was published as private.
    pub sanitised: Array1<f64>,
    /// The radius that was read off the curves.
    pub radius: f64,
    /// The factor of the noise process.
    pub sigma: f64,
}

impl PaperConvention {
    /// The convention for a kernel on the points of a grid, mapped to `[0, 1]`.
    pub fn new(kernel: Kernel, grid: &Grid) -> Result<Self, SurfaceError> {
        let (equal, roots) = package_grid(grid)?;
        Ok(Self { spectrum: Spectrum::new(kernel, equal, DEFAULT_TOLERANCE)?, roots })
    }

    /// The convention for a spectrum with the weights `1/n`, and `sqrt` of the trapezoid weights.
    pub(crate) fn of(spectrum: Spectrum<Kernel>, roots: &Array1<f64>) -> Self {
        Self { spectrum, roots: roots.clone() }
    }

    /// The spectrum, with the weights `1/n`.
    pub fn spectrum(&self) -> &Spectrum<Kernel> {
        &self.spectrum
    }

    /// `sqrt` of the trapezoid weights.
    pub(crate) fn roots(&self) -> &Array1<f64> {
        &self.roots
    }

    /// The smoothed mean, from a mean at the grid's points and the penalty `phi`; the power is 1.
    pub fn fit(&self, mean: ArrayView1<'_, f64>, penalty: f64) -> Result<Array1<f64>, SurfaceError> {
        let smoother = PenalizedMean::new(self.spectrum.kernel().clone(), penalty, 1.0)?;
        Ok(self.shrunken(mean, smoother.shrinkages(self.spectrum.eigenvalues()).view()))
    }

    /// `U diag(s) U' mean`
    pub(crate) fn shrunken(&self, mean: ArrayView1<'_, f64>, shrinkages: ArrayView1<'_, f64>) -> Array1<f64> {
        self.spectrum.eigenfunctions().dot(&(self.spectrum.coefficients(mean) * shrinkages))
    }

    /// The noise factor `sigma` for a radius, a number of records and a budget.
    pub fn sigma(&self, penalty: f64, radius: f64, records: usize, budget: &PrivacyBudget) -> f64 {
        let terms = self.spectrum.eigenvalues().mapv(|lambda| lambda / (lambda + penalty).powi(2));
        let sensitivity = 2.0 * radius / records as f64 * terms.sum().sqrt();
        sensitivity * (2.0 * (2.0 / budget.delta()).ln()).sqrt() / budget.epsilon()
    }

    /// The noise process of standard normals `xi_1, ..., xi_J` (more are not used), for a `sigma` of 1.
    pub fn path(&self, normals: ArrayView1<'_, f64>) -> Array1<f64> {
        self.loadings().dot(&normals.slice_axis(Axis(0), Slice::from(..self.spectrum.rank())))
    }

    /// Such paths for rows of normals, times the roots of the trapezoid weights: their Euclidean norm is the trapezoid norm.
    pub(crate) fn whitened_paths(&self, normals: ArrayView2<'_, f64>) -> Array2<f64> {
        let normals = normals.slice_axis(Axis(1), Slice::from(..self.spectrum.rank()));
        normals.dot(&self.loadings().t()) * &self.roots
    }

    /// Column `j` is `sqrt(lambda_j) u_j`.
    fn loadings(&self) -> Array2<f64> {
        let n = self.roots.len() as f64;
        self.spectrum.eigenfunctions().to_owned() * self.spectrum.eigenvalues().mapv(|lambda| (lambda / n).sqrt())
    }

    /// The largest trapezoid norm among curves, `curves x n`.
    pub fn radius(&self, curves: ArrayView2<'_, f64>) -> f64 {
        largest_norm(curves, &self.roots)
    }

    /// The trapezoid norm on `[0, 1]`.
    pub fn norm(&self, curve: ArrayView1<'_, f64>) -> f64 {
        norm(curve, &self.roots)
    }

    /// Estimates the mean of the complete curves and perturbs it as the package does.
    ///
    /// # Errors
    /// [`SurfaceError`]; see [`PaperConvention::fit`].
    pub fn release<R: Rng + ?Sized>(
        &self,
        curves: &CurveSet,
        penalty: f64,
        budget: &PrivacyBudget,
        rng: &mut R,
    ) -> Result<NonPrivate<PaperRelease>, SurfaceError> {
        let complete = curves.complete();
        let values = complete.values();
        let mean = values.mean_axis(Axis(0)).unwrap_or_else(|| Array1::zeros(values.ncols()));
        let fit = self.fit(mean.view(), penalty)?;
        let radius = self.radius(values);
        let sigma = self.sigma(penalty, radius, values.nrows(), budget);
        let normals = Array1::from_shape_simple_fn(self.spectrum.rank(), || StandardNormal.sample(rng));
        let sanitised = &fit + &(self.path(normals.view()) * sigma);
        Ok(NonPrivate::new(PaperRelease { fit, sanitised, radius, sigma }))
    }
}

/// The points of a grid on `[0, 1]` with the weights `1/n`, and `sqrt` of the trapezoid weights.
pub(crate) fn package_grid(grid: &Grid) -> Result<(Grid, Array1<f64>), GridError> {
    let points = grid.to_unit()?.points().to_vec();
    let roots = Grid::new(points.clone())?.weights().mapv(f64::sqrt);
    Ok((Grid::with_quadrature(points, Quadrature::Equal)?, roots))
}

/// The largest trapezoid norm among curves, `curves x n`.
pub(crate) fn largest_norm(curves: ArrayView2<'_, f64>, roots: &Array1<f64>) -> f64 {
    curves.rows().into_iter().fold(0.0, |most, curve| most.max(norm(curve, roots)))
}

fn norm(curve: ArrayView1<'_, f64>, roots: &Array1<f64>) -> f64 {
    curve.iter().zip(roots).map(|(x, root)| (x * root).powi(2)).sum::<f64>().sqrt()
}
