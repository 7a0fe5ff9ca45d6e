//! What a distribution may be where the chart is too smooth: a rough process, fitted to what the chart leaves.

use libm::exp;
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};

use super::noisy::NoisyDistribution;
use super::shape::{Waves, normal_distribution};
use super::triangle::{cholesky, solve_lower};

#[cfg(test)]
#[path = "second_opinion_tests.rs"]
mod tests;

/// The number of waves, the standard deviation of the first, the range of their correlation along the domain.
pub(super) const WAVES: usize = 12;
const SD: f64 = 0.15;
const RANGE: f64 = 0.05;

/// The waves live on a scale this many times that of the chart: its tails are not the ends of theirs.
const INFLATION: f64 = 2.0;

/// The law of the waves at each point, given what the chart leaves of the noisy values.
///
/// ```text
/// Z - F = sum_k rho_k(t) e_k(t, y) + sigma W,    e_k = sin(pi k Phi((y - m) / (2 s))),  k = 1..12
/// rho_k independent, Var rho_k = .15^2 / k^2,  correlation exp(-|t - t'| / .05)
/// ```
///
/// On a circle the correlation is `sum_l exp(-|t - t' + l| / .05)` over all whole `l`. There, the filter runs over three rounds, and the
/// second of them is kept: `docs/proofs/charts.md` bounds what the rounds before and after the three would change by `5e-9`.
#[derive(Debug, Clone)]
pub(super) struct SecondOpinion {
    means: Vec<Array1<f64>>,
    covariances: Vec<Array2<f64>>,
}

/// `e_k(y)` times the prior standard deviation of `rho_k`.
pub(super) fn columns(y: f64, location: f64, scale: f64, count: usize) -> Array1<f64> {
    let u = normal_distribution((y - location) / (INFLATION * scale));
    Waves::at(u).zip(1_u32..).take(count).map(|(wave, k)| wave.0 * SD / f64::from(k)).collect()
}

impl SecondOpinion {
    /// Of residuals `Z - F` and of the location and scale of the chart at each point.
    pub(super) fn of(observed: &NoisyDistribution, residuals: &Array2<f64>, chart: &[(f64, f64)]) -> Self {
        let seen = chart.iter().zip(residuals.rows()).enumerate().map(|(point, (&(location, scale), residual))| {
            let per_noise = 1.0 / observed.noise_sd[point];
            let mut rows = Array2::zeros((observed.levels.len(), WAVES));
            for (mut row, &y) in rows.rows_mut().into_iter().zip(&observed.levels) {
                row.assign(&(columns(y, location, scale, WAVES) * per_noise));
            }
            let (mut information, mut sum) = (rows.t().dot(&rows), rows.t().dot(&residual) * per_noise);
            if let Some(common) = observed.common_at(point) {
                // what levels have in common counts once
                let along = rows.t().dot(&common);
                sum.scaled_add(-common.dot(&residual) * per_noise, &along);
                let (column, row) = (along.view().insert_axis(Axis(1)), along.view().insert_axis(Axis(0)));
                information -= &column.dot(&row);
            }
            Seen { information, sum }
        });
        let seen: Vec<Seen> = seen.collect();
        let (before, after) = (&observed.points - 1.0, &observed.points + 1.0);
        let points = observed.points.view();
        if observed.is_periodic {
            let (n, three) = (seen.len(), concatenate![Axis(0), before, points, after]);
            smoothed(three.view(), &[seen.clone(), seen.clone(), seen].concat()).second_of_three(n)
        } else {
            smoothed(points, &seen)
        }
    }

    fn second_of_three(self, n: usize) -> Self {
        Self {
            means: self.means.into_iter().skip(n).take(n).collect(),
            covariances: self.covariances.into_iter().skip(n).take(n).collect(),
        }
    }

    /// Mean and variance of `sum_k rho_k e_k(y)` at a point, from the columns at `y`.
    pub(super) fn at(&self, point: usize, columns: &Array1<f64>) -> (f64, f64) {
        (columns.dot(&self.means[point]), columns.dot(&self.covariances[point].dot(columns)))
    }
}

/// What is seen of the whitened waves at a point: `E'E / sigma^2` and `E'(Z - F) / sigma^2`.
#[derive(Debug, Clone)]
struct Seen {
    information: Array2<f64>,
    sum: Array1<f64>,
}

/// A normal law of the whitened waves.
#[derive(Debug, Clone)]
struct Law {
    mean: Array1<f64>,
    covariance: Array2<f64>,
}

impl Law {
    /// Given what is seen.
    ///
    /// ```text
    /// P = R R',    (P^-1 + A)^-1 = R (I + R'A R)^-1 R'
    /// ```
    ///
    /// `least` is a lower bound of the eigenvalues of `P`.
    fn given(&self, seen: &Seen, least: f64) -> Self {
        let root = cholesky(self.covariance.clone(), least);
        let inner = Array2::eye(root.nrows()) + root.t().dot(&seen.information).dot(&root);
        let half = solve_lower(&cholesky(inner, 1.0), root.t().to_owned(), 0);
        let covariance = half.t().dot(&half);
        let news = &seen.sum - &seen.information.dot(&self.mean);
        Self { mean: &self.mean + &covariance.dot(&news), covariance }
    }

    /// One step along the domain: all waves have correlation `phi`.
    fn after(&self, phi: f64) -> Self {
        let fresh = Array2::<f64>::eye(self.mean.len()) * (1.0 - phi * phi);
        Self { mean: &self.mean * phi, covariance: &self.covariance * (phi * phi) + fresh }
    }
}

/// Kalman's filter and the smoother of Rauch, Tung and Striebel, over points that increase.
fn smoothed(points: ArrayView1<'_, f64>, seen: &[Seen]) -> SecondOpinion {
    let size = seen.first().map_or(0, |first| first.sum.len());
    let prior = Law { mean: Array1::zeros(size), covariance: Array2::eye(size) };
    let gaps = points.iter().zip(points.iter().skip(1)).map(|(here, next)| exp(-(next - here) / RANGE));
    let phis: Vec<f64> = gaps.collect();
    let mut filtered: Vec<Law> = Vec::with_capacity(seen.len());
    for (index, seen) in seen.iter().enumerate() {
        let law = match (index.checked_sub(1).map(|before| phis[before]), filtered.last()) {
            (Some(phi), Some(before)) => before.after(phi).given(seen, 1.0 - phi * phi),
            _ => prior.given(seen, 1.0),
        };
        filtered.push(law);
    }
    // from the last point to the first
    let mut smooth: Vec<Law> = Vec::with_capacity(seen.len());
    for (law, phi) in filtered.into_iter().rev().zip(std::iter::once(0.0).chain(phis.into_iter().rev())) {
        let smoothed = match smooth.last() {
            Some(next) => backwards(&law, next, phi),
            None => law,
        };
        smooth.push(smoothed);
    }
    let (means, covariances) = smooth.into_iter().rev().map(|law| (law.mean, law.covariance)).unzip();
    SecondOpinion { means, covariances }
}

/// The law at a point, given all points, from the filtered one and the law at the next point.
///
/// ```text
/// J = phi P (phi^2 P + (1 - phi^2) I)^-1,    mean + J (next - predicted),    P + J (V - predicted P) J'
/// ```
fn backwards(filtered: &Law, next: &Law, phi: f64) -> Law {
    let predicted = filtered.after(phi);
    let root = cholesky(predicted.covariance.clone(), 1.0 - phi * phi);
    let half = solve_lower(&root, &filtered.covariance * phi, 0);
    let across = solve_lower(&root, Array2::eye(root.nrows()), 0);
    let gain = half.t().dot(&across);
    let mean = &filtered.mean + &gain.dot(&(&next.mean - &predicted.mean));
    let covariance = &filtered.covariance + &gain.dot(&(&next.covariance - &predicted.covariance)).dot(&gain.t());
    Law { mean, covariance }
}
