//! Projects curves on a ball and gives them as whitened coordinates of norm at most one.

use dpfda_privacy::NonPrivate;
use ndarray::{Array1, Array2};

use crate::ball::{Ball, clamped};
use crate::curves::CurveSet;
use crate::missing::fill_missing;

#[cfg(test)]
#[path = "bounded_tests.rs"]
mod tests;

/// The number of independent partial sums. With several of them, memory and not the latency of additions limits the
/// loop over a curve.
const LANES: usize = 8;

/// The curves of a [`CurveSet`], projected on a [`Ball`]: private data of bounded influence.
///
/// [`Ball::bound`] makes it. No curve is copied: each curve is filled and projected when it is read.
#[derive(Debug, Clone)]
pub struct BoundedCurves<'a> {
    curves: &'a CurveSet,
    ball: &'a Ball,
    center: Vec<f64>,
    /// `sqrt(w_i)`
    roots: Vec<f64>,
    /// `sqrt(w_i) / tau`
    scales: Vec<f64>,
}

impl<'a> BoundedCurves<'a> {
    /// `center` has one value for each grid point.
    pub(crate) fn new(curves: &'a CurveSet, ball: &'a Ball, center: &Array1<f64>) -> Self {
        let roots: Vec<f64> = curves.unit_grid().weights().iter().map(|w| w.sqrt()).collect();
        let scales = roots.iter().map(|root| root / ball.radius()).collect();
        Self { curves, ball, center: center.to_vec(), roots, scales }
    }

    /// The curves before the projection.
    pub fn curves(&self) -> &'a CurveSet {
        self.curves
    }

    /// The ball.
    pub fn ball(&self) -> &'a Ball {
        self.ball
    }

    /// Writes the whitened coordinates of one projected curve into `out`, in units of the radius.
    ///
    /// ```text
    /// out_i = sqrt(w_i) (X(t_i) - c(t_i)) min(1, tau / ||X - c||) / tau,     sum_i out_i^2 <= 1 up to rounding
    /// ```
    ///
    /// Missing values are filled within the curve. A curve that has only missing values becomes the centre, so all its
    /// coordinates are zero. The result is finite for every curve that a [`CurveSet`] can hold.
    ///
    /// # Panics
    /// If there is no such row, or `out` does not have one place for each grid point.
    pub fn whiten_into(&self, row: usize, out: &mut [f64]) {
        self.project_into(row, out);
    }

    /// Returns the mean over records of the mean of each record's projected curves, at the grid points, in the units of
    /// the data.
    ///
    /// ```text
    /// (1/N) sum_i (1/m_i) sum_{k in record i} P(X_k),     P the projection on the ball
    /// ```
    ///
    /// Without records this is the centre.
    pub fn mean(&self) -> NonPrivate<Array1<f64>> {
        let (mut total, mut buffer) = (vec![0.0; self.center.len()], vec![0.0; self.center.len()]);
        for rows in self.curves.records() {
            self.add_whitened_mean(&rows, &mut buffer, &mut total);
        }
        let records = self.curves.units().max(1) as f64;
        NonPrivate::new(self.in_data_units(&total, 1.0 / records))
    }

    /// Returns the mean of each record's projected curves, `records x n`, in the units of the data. A release averages
    /// these.
    pub fn record_means(&self) -> NonPrivate<Array2<f64>> {
        let mut means = Array2::zeros((self.curves.units(), self.center.len()));
        let (mut whitened, mut buffer) = (vec![0.0; self.center.len()], vec![0.0; self.center.len()]);
        for (rows, mut mean) in self.curves.records().zip(means.rows_mut()) {
            whitened.fill(0.0);
            self.add_whitened_mean(&rows, &mut buffer, &mut whitened);
            mean.assign(&self.in_data_units(&whitened, 1.0));
        }
        NonPrivate::new(means)
    }

    /// Adds the mean of the whitened coordinates of these rows. `buffer` holds the coordinates of one row.
    fn add_whitened_mean(&self, rows: &[usize], buffer: &mut [f64], total: &mut [f64]) {
        let share = 1.0 / rows.len() as f64;
        for &row in rows {
            self.whiten_into(row, buffer);
            total.iter_mut().zip(&*buffer).for_each(|(sum, z)| *sum += share * z);
        }
    }

    /// `c + factor tau z / sqrt(w)`
    fn in_data_units(&self, whitened: &[f64], factor: f64) -> Array1<f64> {
        let tau = self.ball.radius();
        whitened.iter().zip(&self.roots).zip(&self.center).map(|((z, root), c)| c + z * factor * tau / root).collect()
    }

    /// Counts the curves outside the ball. The count is for the curator alone, to judge a radius on data that are
    /// public already.
    pub fn projected(&self) -> NonPrivate<usize> {
        let mut whitened = vec![0.0; self.center.len()];
        NonPrivate::new((0..self.curves.len()).filter(|&row| self.project_into(row, &mut whitened)).count())
    }

    /// Fills `out`; `true` if the curve was outside the ball.
    fn project_into(&self, row: usize, out: &mut [f64]) -> bool {
        let curve = self.curves.curve(row);
        self.project_plain(curve, out).unwrap_or_else(|| self.project_rare(curve, out))
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
        let mut filled: Vec<f64> = curve.iter().map(|&x| self.ball.clamp(x)).collect();
        if fill_missing(self.curves.unit_grid(), &mut filled) {
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
        let (xs, x_rest) = curve.as_chunks::<LANES>();
        let (cs, c_rest) = self.center.as_chunks::<LANES>();
        let (qs, q_rest) = self.scales.as_chunks::<LANES>();
        let (zs, z_rest) = out.as_chunks_mut::<LANES>();
        let mut sums = [0.0; LANES];
        let (lower, upper) = self.ball.limits();
        for (((z, x), c), q) in zs.iter_mut().zip(xs).zip(cs).zip(qs) {
            for lane in 0..LANES {
                z[lane] = q[lane] * (clamped(x[lane], lower, upper) - c[lane]);
                sums[lane] += z[lane] * z[lane];
            }
        }
        for (((z, x), c), q) in z_rest.iter_mut().zip(x_rest).zip(c_rest).zip(q_rest) {
            *z = q * (clamped(*x, lower, upper) - c);
            sums[0] += *z * *z;
        }
        sums.iter().sum()
    }
}
