//! Curves and surfaces as whitened coordinates of norm at most one: one at a time.

use dpfda_kernels::{Domain, Grid};
use ndarray::Array1;

use crate::ball::{Ball, BallError};
use crate::missing::fill_missing;
use crate::wide;

/// The projection on a [`Ball`] of records on one domain, and their whitening. It holds no records.
#[derive(Debug, Clone)]
pub struct Projection {
    ball: Ball,
    unit_axes: Vec<Grid>,
    center: Vec<f64>,
    /// `sqrt(w_i)`
    roots: Vec<f64>,
    /// `sqrt(w_i) / tau`
    scales: Vec<f64>,
}

impl Projection {
    /// The projection on the ball of records on a domain.
    pub fn new(ball: &Ball, domain: &impl Domain) -> Result<Self, BallError> {
        let center = ball.center_at(domain)?.to_vec();
        let roots: Vec<f64> = domain.unit_weights()?.iter().map(|w| w.sqrt()).collect();
        let scales = roots.iter().map(|root| root / ball.radius()).collect();
        Ok(Self { ball: ball.clone(), unit_axes: domain.unit_axes()?, center, roots, scales })
    }

    /// The ball.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// `c + factor tau z / sqrt(w)`
    pub(crate) fn in_data_units(&self, whitened: &[f64], factor: f64) -> Array1<f64> {
        let tau = self.ball.radius();
        whitened.iter().zip(&self.roots).zip(&self.center).map(|((z, root), c)| c + z * factor * tau / root).collect()
    }

    /// Writes the whitened coordinates of a projected curve into `out`, in units of the radius; whether it was outside the ball.
    ///
    /// ```text
    /// out_i = sqrt(w_i) (X(t_i) - c(t_i)) min(1, tau / ||X - c||) / tau,     sum_i out_i^2 <= 1 up to rounding
    /// ```
    ///
    /// Missing values (NaN) are filled within the curve. A curve that has only missing values becomes the centre, so all its
    /// coordinates are zero. The result is finite for every curve of finite values; an infinite value counts as missing.
    ///
    /// # Panics
    /// Unless curve and `out` have one value for each grid point.
    pub fn whiten_into(&self, curve: &[f64], out: &mut [f64]) -> bool {
        self.project_plain(curve, out).unwrap_or_else(|| self.project_rare(curve, out))
    }

    /// Writes the whitened coordinates of a curve into `out`, in units of the radius and not projected.
    ///
    /// ```text
    /// out_i = sqrt(w_i) (X(t_i) - c(t_i)) / tau
    /// ```
    ///
    /// Missing values are filled as in [`Projection::whiten_into`]. Of a curve whose squared distance overflows only the direction is
    /// kept, at a distance of two radii.
    ///
    /// # Panics
    /// Unless curve and `out` have one value for each grid point.
    pub fn coordinates_into(&self, curve: &[f64], out: &mut [f64]) {
        let is_plain = self.scaled_difference(curve, out) < f64::INFINITY;
        if is_plain {
            return;
        }
        let mut filled = self.readable(curve);
        if !fill_missing(&self.unit_axes, &mut filled) {
            out.fill(0.0);
        } else if self.scaled_difference(&filled, out) >= f64::INFINITY && self.project_rescaled(&filled, out) {
            for z in out {
                *z *= 2.0;
            }
        }
    }

    /// Writes the values of a curve within the bounds into `out`, in the units of the data and not projected.
    ///
    /// Missing values are filled as in [`Projection::whiten_into`], and a curve that has only missing values becomes the centre.
    ///
    /// # Panics
    /// Unless `out` has one value for each grid point.
    pub fn values_into(&self, curve: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.readable(curve));
        if !fill_missing(&self.unit_axes, out) {
            out.copy_from_slice(&self.center);
        }
    }

    /// The values that can be used, the others missing.
    fn readable(&self, curve: &[f64]) -> Vec<f64> {
        curve.iter().map(|&x| self.ball.clamp(if x.is_infinite() { f64::NAN } else { x })).collect()
    }

    /// Projects a curve in one pass if it is inside the ball, and in two passes otherwise; `None` if a value is missing
    /// or a square overflows.
    fn project_plain(&self, curve: &[f64], out: &mut [f64]) -> Option<bool> {
        let squared_norm = self.scaled_difference(curve, out);
        // NaN fails both comparisons
        if squared_norm <= 1.0 {
            Some(false)
        } else if squared_norm < f64::INFINITY {
            let shrink = 1.0 / squared_norm.sqrt();
            for z in out {
                *z *= shrink;
            }
            Some(true)
        } else {
            None
        }
    }

    /// Projects a curve that has missing values or values whose squares overflow.
    #[cold]
    fn project_rare(&self, curve: &[f64], out: &mut [f64]) -> bool {
        let mut filled = self.readable(curve);
        if fill_missing(&self.unit_axes, &mut filled) {
            self.project_plain(&filled, out).unwrap_or_else(|| self.project_rescaled(&filled, out))
        } else {
            out.fill(0.0);
            false
        }
    }

    /// Projects in units of the largest deviation. `X - c` is halved, because it may overflow.
    fn project_rescaled(&self, curve: &[f64], out: &mut [f64]) -> bool {
        for ((z, x), c) in out.iter_mut().zip(curve).zip(&self.center) {
            *z = 0.5 * x - 0.5 * c;
        }
        let largest = out.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        if largest == 0.0 {
            return false;
        }
        for (z, root) in out.iter_mut().zip(&self.roots) {
            *z = *z / largest * root;
        }
        let norm = out.iter().map(|z| z * z).sum::<f64>().sqrt();
        let inside = 2.0 * (largest / self.ball.radius());
        let factor = inside.min(1.0 / norm);
        for z in out {
            *z *= factor;
        }
        factor < inside
    }

    /// `out_i = sqrt(w_i) / tau (X(t_i) - c(t_i))`; returns the sum of squares, which is not finite if it overflowed or
    /// a value is missing.
    fn scaled_difference(&self, curve: &[f64], out: &mut [f64]) -> f64 {
        assert_eq!(out.len(), self.scales.len(), "one place for each grid point");
        wide::scaled_difference(curve, &self.center, &self.scales, self.ball.limits(), out)
    }
}
