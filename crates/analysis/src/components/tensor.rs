//! The tensor smoother of a covariance, and the cap of a trace.

use ndarray::{Array1, Array2, ArrayView1, Axis};

use super::noisy::NoisyCovariance;

/// The number of penalties that are tried, and the powers of ten between which they lie.
const PENALTIES: i32 = 36;
const LEAST: f64 = -6.0;
const LARGEST: f64 = 1.0;

/// The smoother `Y -> Q Y Q` with `Q = diag(q)` in the eigenbasis of a public kernel.
///
/// ```text
/// q_j = 1 / (1 + phi lambda_1 / lambda_j)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TensorSmoother {
    factors: Array1<f64>,
}

impl TensorSmoother {
    /// The smoother of eigenvalues that decrease, all positive, and a penalty.
    pub(crate) fn new(eigenvalues: &Array1<f64>, penalty: f64) -> Self {
        let first = eigenvalues.first().copied().unwrap_or(1.0);
        Self { factors: eigenvalues.mapv(|value| 1.0 / (1.0 + penalty * first / value)) }
    }

    /// The smoother of the penalty with the least estimated risk.
    pub(crate) fn chosen(eigenvalues: &Array1<f64>, noisy: &NoisyCovariance) -> Self {
        let step = (LARGEST - LEAST) / f64::from(PENALTIES - 1);
        let penalties = (0..PENALTIES).map(|index| 10.0_f64.powf(LEAST + step * f64::from(index)));
        let smoothers = penalties.map(|penalty| Self::new(eigenvalues, penalty));
        let scored = smoothers.map(|smoother| (smoother.risk(noisy), smoother));
        let best = scored.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or_else(|| Self::new(eigenvalues, 1.0), |(_, smoother)| smoother)
    }

    /// `q`.
    pub(crate) fn factors(&self) -> &Array1<f64> {
        &self.factors
    }

    /// Stein's unbiased estimate of the squared error, up to a constant.
    ///
    /// ```text
    /// sum_jk (1 - q_j q_k)^2 Y_jk^2 + 2 E tr(Q E Q E),    E the noise
    /// ```
    pub(crate) fn risk(&self, noisy: &NoisyCovariance) -> f64 {
        let factors = &self.factors;
        let removed: f64 =
            noisy.matrix.indexed_iter().map(|((j, k), entry)| ((1.0 - factors[j] * factors[k]) * entry).powi(2)).sum();
        removed + 2.0 * noisy.passed_energy(factors)
    }

    /// `Q Y Q`.
    pub(crate) fn smoothed(&self, matrix: &Array2<f64>) -> Array2<f64> {
        matrix * &self.factors.view().insert_axis(Axis(1)) * &self.factors
    }

    /// How much of the noise across a smoothed eigenvector reaches it from each coordinate.
    ///
    /// ```text
    /// min(q_j / kappa, 1),    kappa = sum_j q_j a_j^2
    /// ```
    pub(crate) fn passed(&self, vector: ArrayView1<'_, f64>) -> Array1<f64> {
        let own: f64 = self.factors.iter().zip(vector).map(|(factor, a)| factor * a * a).sum();
        self.factors.mapv(|factor| (factor / own).min(1.0))
    }
}

/// The eigenvalue behind a Rayleigh quotient `R` that noise has inflated by `v / theta`: the larger root of `R = theta + v / theta`.
///
/// Where noise alone could give `R`, half of the quotient, at least 0.
pub(crate) fn without_inflation(quotient: f64, inflation: f64) -> f64 {
    let discriminant = quotient * quotient - 4.0 * inflation;
    if quotient > 0.0 && discriminant > 0.0 {
        0.5 * (quotient + discriminant.sqrt())
    } else {
        (0.5 * quotient).max(0.0)
    }
}

/// The nearest numbers that are at least 0 and sum to at most `total`: all of them less the same, at least 0.
pub(crate) fn capped(values: &Array1<f64>, total: f64) -> Array1<f64> {
    let positive = values.mapv(|value| value.max(0.0));
    if positive.sum() <= total {
        return positive;
    }
    let mut sorted = positive.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut threshold = 0.0;
    for (value, count) in sorted.into_iter().zip(1_u32..) {
        sum += value;
        let candidate = (sum - total) / f64::from(count);
        if value > candidate {
            threshold = candidate;
        }
    }
    positive.mapv(|value| (value - threshold).max(0.0))
}
