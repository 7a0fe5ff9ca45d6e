//! One kernel of the ladder, solved: the spectrum of what is observed, and what follows for every amplitude.

use dpfda_kernels::{CovarianceKernel, DomainKernel, Eigenpairs, Kernel, eigenpairs};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};

use crate::error::AnalysisError;
use crate::posterior::seen::{Reduced, Rows, between};
use crate::posterior::support::Support;

/// Eigenvalues below this fraction of the largest are rounding error.
const ROUNDING: f64 = 1e-14;

/// A part of the prior that the observation says nothing about, below which it is rounding error.
const NOTHING_LEFT: f64 = 1e-12;

/// One kernel, in the eigenbasis of what is observed; lengths are in units of the radius.
///
/// ```text
/// R K R' = Q diag(theta) Q',   b = Q'y,   v_j = a theta_j + sigma^2,   c_j(t) = Cov(f(t), q_j'R f) / a
/// mean(t)   = sum_j (a / v_j) b_j c_j(t)
/// cov(s, t) = sigma^2 sum_j a / (theta_j v_j) c_j(s) c_j(t) + a (K(s, t) - sum_j c_j(s) c_j(t) / theta_j)
/// ```
///
/// On the grid of an isonormal release `c_j = theta_j v_j(t)` with the Mercer eigenfunctions, and the last term is 0.
#[derive(Debug, Clone)]
pub(crate) struct Rung {
    kernel: DomainKernel<Kernel>,
    theta: Array1<f64>,
    /// `Q`, `m x J`.
    vectors: Array2<f64>,
    b: Array1<f64>,
    /// `|y - Q b|^2`, and how many coordinates it has.
    outside: (f64, usize),
    sigma: f64,
    /// Amplitudes and their weights.
    pub(crate) pairs: Vec<(f64, f64)>,
}

/// What a rung says about some linear functionals of the mean.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// A row for each functional, a column for each eigenpair: `c_j`.
    pub(crate) cross: Array2<f64>,
    /// What the coordinates leave open of the prior variance of each functional, for an amplitude of 1.
    pub(crate) open: Array1<f64>,
}

impl Rung {
    pub(crate) fn solve(kernel: &Kernel, support: &Support, observed: &Reduced) -> Result<Self, AnalysisError> {
        let kernel = support.kernel(kernel.clone())?;
        let Eigenpairs { mut values, mut vectors } = eigenpairs(&observed.rows.covariance(&kernel, &support.points))?;
        let largest = values.last().copied().unwrap_or(0.0);
        let dropped = values.iter().take_while(|value| **value <= ROUNDING * largest).count();
        values.slice_axis_inplace(Axis(0), Slice::from(dropped..));
        vectors.slice_axis_inplace(Axis(1), Slice::from(dropped..));
        let b = vectors.t().dot(&observed.coordinates);
        let rest = &observed.coordinates - &vectors.dot(&b);
        Ok(Self {
            kernel,
            theta: values,
            outside: (rest.dot(&rest), dropped),
            vectors,
            b,
            sigma: observed.sigma,
            pairs: Vec::new(),
        })
    }

    /// `-1/2 sum_j [log(2 pi v_j) + b_j^2 / v_j]` over all coordinates.
    pub(crate) fn log_evidence(&self, amplitude: f64) -> f64 {
        let noise = self.sigma * self.sigma;
        let term = |v: f64, square: f64| (std::f64::consts::TAU * v).ln() + square / v;
        let inside: f64 = self.theta.iter().zip(&self.b).map(|(t, b)| term(amplitude * t + noise, b * b)).sum();
        let (square, count) = self.outside;
        let outside = count as f64 * (std::f64::consts::TAU * noise).ln() + square / noise;
        -0.5 * (inside + outside)
    }

    pub(crate) fn weight(&self) -> f64 {
        self.pairs.iter().map(|(_, weight)| weight).sum()
    }

    /// `theta_j`, increasing.
    pub(crate) fn eigenvalues(&self) -> ArrayView1<'_, f64> {
        self.theta.view()
    }

    /// `Q`, a column for each eigenvalue.
    pub(crate) fn vectors(&self) -> ArrayView2<'_, f64> {
        self.vectors.view()
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        self.kernel.kernel()
    }

    /// `v_j` of an amplitude.
    fn variances(&self, amplitude: f64) -> Array1<f64> {
        self.theta.mapv(|theta| amplitude * theta + self.sigma * self.sigma)
    }

    /// `a / v_j`: what turns `b_j` into the coefficient of `c_j`.
    pub(crate) fn gains(&self, amplitude: f64) -> Array1<f64> {
        self.variances(amplitude).mapv(|v| amplitude / v)
    }

    /// `sigma^2 a / (theta_j v_j)`: the posterior variance of each coefficient of `c_j`.
    pub(crate) fn spreads(&self, amplitude: f64) -> Array1<f64> {
        let noise = self.sigma * self.sigma;
        self.theta.mapv(|theta| noise * amplitude / (theta * (amplitude * theta + noise)))
    }

    /// `(a / v_j) b_j`.
    pub(crate) fn coefficients(&self, amplitude: f64) -> Array1<f64> {
        self.gains(amplitude) * &self.b
    }

    /// A weighted sum over the amplitudes.
    pub(crate) fn averaged(&self, of: impl Fn(f64) -> Array1<f64>) -> Array1<f64> {
        let zero = Array1::zeros(self.theta.len());
        self.pairs.iter().fold(zero, |sum, &(amplitude, weight)| sum + of(amplitude) * weight)
    }

    /// The weighted amplitude.
    pub(crate) fn amplitude(&self) -> f64 {
        self.pairs.iter().map(|(amplitude, weight)| amplitude * weight).sum()
    }

    /// `Q'` of coordinates in columns.
    pub(crate) fn rotated(&self, coordinates: &Array2<f64>) -> Array2<f64> {
        self.vectors.t().dot(coordinates)
    }

    /// The linear maps of the coordinates that give the weighted mean of each functional: `cross diag(a / v) Q'`.
    pub(crate) fn linear_map(&self, cross: &Array2<f64>) -> Array2<f64> {
        let gains = self.averaged(|amplitude| self.gains(amplitude));
        (cross * &gains.insert_axis(Axis(0))).dot(&self.vectors.t())
    }

    /// `alpha` of [`Rows::expand`] for the weighted mean.
    pub(crate) fn representer(&self, rows: &Rows) -> Array1<f64> {
        rows.representer(&self.vectors.dot(&self.averaged(|amplitude| self.coefficients(amplitude))))
    }

    /// The weighted mean at points of the unit interval.
    pub(crate) fn expand(
        &self,
        at: ArrayView1<'_, f64>,
        support: &Support,
        rows: &Rows,
        representer: &Array1<f64>,
    ) -> Array1<f64> {
        rows.expand(&self.kernel, at, &support.points, representer)
    }

    pub(crate) fn at_support(&self, support: &Support, rows: &Rows) -> Section {
        if let Rows::Points(roots) = rows {
            let inverse = roots.mapv(|root| 1.0 / root).insert_axis(Axis(1));
            let cross = &self.vectors * &inverse * self.theta.view().insert_axis(Axis(0));
            return Section { open: Array1::zeros(support.len()), cross };
        }
        let covariances = rows.of_support(&self.kernel, &support.points);
        self.section(&covariances, &self.prior(support.points.view()))
    }

    /// The values at any points of the unit interval.
    pub(crate) fn at(&self, points: ArrayView1<'_, f64>, support: &Support, rows: &Rows) -> Section {
        let covariances = rows.of(&support.points, points, |t, s| self.kernel.covariance(t, s));
        self.section(&covariances, &self.prior(points))
    }

    /// The prior variance at each point, for an amplitude of 1.
    fn prior(&self, points: ArrayView1<'_, f64>) -> Array1<f64> {
        points.map(|&t| self.kernel.covariance(t, t))
    }

    /// `covariances` holds those of the coordinates with the functionals, a column for each functional.
    fn section(&self, covariances: &Array2<f64>, prior: &Array1<f64>) -> Section {
        let cross = covariances.t().dot(&self.vectors);
        let open = cross.rows().into_iter().zip(prior).map(|(row, prior)| {
            let known: f64 = row.iter().zip(&self.theta).map(|(c, theta)| c * c / theta).sum();
            let open = prior - known;
            if open > NOTHING_LEFT * prior { open } else { 0.0 }
        });
        Section { open: open.collect(), cross }
    }

    /// What the coordinates leave open of the prior between all of these points, for an amplitude of 1.
    pub(crate) fn open_between(&self, points: &Array1<f64>, section: &Section) -> Option<Array2<f64>> {
        if section.open.iter().all(|open| *open == 0.0) {
            return None;
        }
        let scaled = &section.cross / &self.theta.view().insert_axis(Axis(0));
        Some(between(&self.kernel, points) - scaled.dot(&section.cross.t()))
    }
}
