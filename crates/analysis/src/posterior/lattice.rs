//! Equally spaced points that other points lie among: their many distances are few.

use dpfda_kernels::CovarianceKernel;
use ndarray::{Array1, ArrayView1};

use crate::posterior::seen::EVEN;

#[cfg(test)]
#[path = "lattice_tests.rs"]
mod tests;

/// The finest lattice that is tried: so many steps between two points of the support.
const MOST_PARTS: usize = 16;

/// Points of the unit interval on the lattice that equally spaced points of a support, and points between them, make.
#[derive(Debug)]
pub(crate) struct Lattice {
    step: f64,
    /// So many steps from one point of the support to the next.
    parts: usize,
    /// Where each point lies, in steps from the first of the support.
    places: Vec<usize>,
}

impl Lattice {
    /// The lattice of the support that these points lie on; `None` where there is none, and where they are too few to gain by it.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, not negative, at most a few times the support"
    )]
    pub(crate) fn of(support: &Array1<f64>, points: ArrayView1<'_, f64>) -> Option<Self> {
        let (first, n) = (*support.first()?, support.len());
        if n < 2 || points.len() < n || points.iter().any(|t| *t < first) {
            return None;
        }
        let between = (support[n - 1] - first) / (n - 1) as f64;
        let lies = |t: f64, place: f64, step: f64| (t - first - place * step).abs() <= EVEN;
        if !support.iter().enumerate().all(|(i, t)| lies(*t, i as f64, between)) {
            return None;
        }
        let of_parts = |parts: usize| {
            let step = between / parts as f64;
            let place = |t: &f64| Some(((t - first) / step).round()).filter(|place| lies(*t, *place, step));
            let places = points.iter().map(|t| place(t).map(|place| place as usize)).collect::<Option<_>>()?;
            Some(Self { step, parts, places })
        };
        (1..=MOST_PARTS).find_map(of_parts)
    }

    /// `sum_i alpha_i K(t, s_i)` at each point `t`, over the points `s_i` of the support, for a kernel of distances.
    pub(crate) fn expand(&self, kernel: &impl CovarianceKernel, alpha: &Array1<f64>) -> Array1<f64> {
        let last = self.places.iter().copied().max().unwrap_or(0).max(self.parts * alpha.len());
        let lags: Vec<f64> = (0..=last).map(|lag| kernel.covariance(lag as f64 * self.step, 0.0)).collect();
        let at = |place: &usize| -> f64 {
            alpha.iter().enumerate().map(|(i, alpha)| lags[place.abs_diff(i * self.parts)] * alpha).sum()
        };
        self.places.iter().map(at).collect()
    }
}
