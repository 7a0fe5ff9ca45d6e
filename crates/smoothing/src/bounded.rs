//! Projects curves on a ball and gives them as whitened coordinates of norm at most one.

use dpfda_kernels::Domain;
use dpfda_privacy::NonPrivate;
use ndarray::{Array1, Array2};

use crate::ball::{Ball, BallError};
use crate::curves::CurveSet;
use crate::projection::Projection;

#[cfg(test)]
#[path = "bounded_tests.rs"]
mod tests;

/// The curves of a [`CurveSet`], projected on a [`Ball`]: private data of bounded influence.
///
/// [`Ball::bound`] makes it. No curve is copied: each curve is filled and projected when it is read.
#[derive(Debug, Clone)]
pub struct BoundedCurves<'a> {
    curves: &'a CurveSet,
    projection: Projection,
}

impl Ball {
    /// Bounds the curves: each curve is projected on this ball when it is read.
    pub fn bound<'a>(&self, curves: &'a CurveSet) -> Result<BoundedCurves<'a>, BallError> {
        self.bound_on(curves, curves.grid())
    }

    /// Bounds records on a domain, one in each row of the set, the last axis fastest. The grid of the set is not used.
    ///
    /// # Errors
    /// [`BallError::Points`] if the rows do not have one value for each point of the domain, [`BallError::CenterLength`] if the
    /// centre does not.
    pub fn bound_on<'a>(&self, curves: &'a CurveSet, domain: &impl Domain) -> Result<BoundedCurves<'a>, BallError> {
        let (points, found) = (domain.len(), curves.grid().len());
        if points != found {
            return Err(BallError::Points { points, found });
        }
        Ok(BoundedCurves { curves, projection: Projection::new(self, domain)? })
    }
}

impl<'a> BoundedCurves<'a> {
    /// The curves before the projection.
    pub fn curves(&self) -> &'a CurveSet {
        self.curves
    }

    /// The ball.
    pub fn ball(&self) -> &Ball {
        self.projection.ball()
    }

    /// What projects the curves.
    pub fn projection(&self) -> &Projection {
        &self.projection
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
        self.projection.whiten_into(self.curves.curve(row), out);
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
        let (mut total, mut buffer) = (vec![0.0; self.curves.grid().len()], vec![0.0; self.curves.grid().len()]);
        for rows in self.curves.records() {
            self.add_whitened_mean(&rows, &mut buffer, &mut total);
        }
        let records = self.curves.units().max(1) as f64;
        NonPrivate::new(self.projection.in_data_units(&total, 1.0 / records))
    }

    /// Returns the mean of each record's projected curves, `records x n`, in the units of the data. A release averages
    /// these.
    pub fn record_means(&self) -> NonPrivate<Array2<f64>> {
        let mut means = Array2::zeros((self.curves.units(), self.curves.grid().len()));
        let (mut whitened, mut buffer) = (vec![0.0; self.curves.grid().len()], vec![0.0; self.curves.grid().len()]);
        for (rows, mut mean) in self.curves.records().zip(means.rows_mut()) {
            whitened.fill(0.0);
            self.add_whitened_mean(&rows, &mut buffer, &mut whitened);
            mean.assign(&self.projection.in_data_units(&whitened, 1.0));
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

    /// Counts the curves outside the ball. The count is for the curator alone, to judge a radius on data that are
    /// public already.
    pub fn projected(&self) -> NonPrivate<usize> {
        let mut whitened = vec![0.0; self.curves.grid().len()];
        NonPrivate::new(
            (0..self.curves.len())
                .filter(|&row| self.projection.whiten_into(self.curves.curve(row), &mut whitened))
                .count(),
        )
    }
}
