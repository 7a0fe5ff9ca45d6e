//! How much the mean surface of other people from the same population would differ.

use dpfda_kernels::SurfaceGrid;
use dpfda_mechanism::Release;
use dpfda_release::{SecondMoments, Surface};
use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};

use crate::error::AnalysisError;
use crate::psd::positive_part;
use crate::sampling::decoded::{DecodedMoments, NoisyMean};
use crate::sampling::trace;
use crate::surfaces::surface_axis::SurfaceAxis;

#[cfg(test)]
#[path = "surface_sampling_tests.rs"]
mod tests;

/// The number of directions, those that charge least first, in which the private second moments shape the sampling part.
const DIRECTIONS: usize = 20;

/// The standard deviation of the sampling of people at the points of a grid, in data units.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceSampling {
    /// A row for each `s`.
    pub(crate) sd: Array2<f64>,
    /// Whether it comes from private second moments, and not from the ball.
    pub(crate) is_told: bool,
}

impl SurfaceSampling {
    /// From the private second moments of a release, where it has any and their count can be trusted, else from the ball.
    ///
    /// ```text
    /// Sigma / N,   Sigma = P K+ P' + (T - tr K+)+ (I - PP') K_pub (I - PP') / tr,    P the 20 directions that charge least
    /// tau^2 / N,   the largest variance that the ball allows, spread evenly over the rectangle
    /// ```
    ///
    /// `K_pub` is the product of the public shapes of the axes.
    pub(crate) fn of(release: &Release<Surface>, axes: &[SurfaceAxis; 2]) -> Result<Self, AnalysisError> {
        let (grid, records) = (release.statistic().grid(), release.units());
        let largest = (release.statistic().ball().radius().powi(2) / records).sqrt();
        let Some(moments) = decoded(release)? else {
            return Ok(Self { sd: Array2::from_elem(grid.shape(), largest), is_told: false });
        };
        let variance = variance(&moments, grid, axes)? / records;
        Ok(Self { sd: SurfaceAxis::both_on_grid(axes, &variance.mapv_into(f64::sqrt), grid.shape()), is_told: true })
    }
}

/// The second moments of a release about its mean; `None` where there are none, and where the number of records is noisy.
fn decoded(release: &Release<Surface>) -> Result<Option<DecodedMoments>, AnalysisError> {
    let moments = SecondMoments::of(release).filter(|_| release.units_sd() == 0.0 && release.units() >= 2.0);
    let Some(moments) = moments else { return Ok(None) };
    let (y, sigma) = release.statistic().whitened(release);
    let along = y.slice_axis(Axis(0), Slice::from(..moments.matrix.nrows())).to_owned();
    let radius = release.statistic().ball().radius();
    let noisy = NoisyMean { along, square: y.dot(&y), dimension: y.len(), sigma, radius, records: release.units() };
    noisy.taken_out_of(&moments).map(Some)
}

/// The diagonal of `Sigma` at the supports of the axes, a row for each `s`.
fn variance(
    moments: &DecodedMoments,
    grid: &SurfaceGrid,
    axes: &[SurfaceAxis; 2],
) -> Result<Array2<f64>, AnalysisError> {
    let used = Slice::from(..moments.basis.ncols().min(DIRECTIONS));
    let covariance = moments.covariance.slice_axis(Axis(0), used);
    let positive = positive_part(&covariance.slice_axis(Axis(1), used).to_owned())?;
    let along = |column: ArrayView1<'_, f64>| SurfaceAxis::both_binned(axes, &in_rows(column, grid.shape()));
    let directions: Vec<Array2<f64>> =
        moments.basis.slice_axis(Axis(1), used).columns().into_iter().map(along).collect();
    let shapes = [axes[0].public_shape()?, axes[1].public_shape()?];
    let shape = outer(&shapes[0].diag().to_owned(), &shapes[1].diag().to_owned());
    let basis = as_columns(&directions);
    let seen: Vec<Array2<f64>> = directions.iter().map(|one| shapes[0].dot(one).dot(&shapes[1])).collect();
    let seen = as_columns(&seen);
    let squares = |middle: &Array2<f64>| (basis.dot(middle) * &basis).sum_axis(Axis(1));
    // the diagonals of P K+ P' and of (I - PP') K_pub (I - PP')
    let known = squares(&positive);
    let whole = Array1::from_iter(shape.iter().copied());
    let outside = &whole - &((&basis * &seen).sum_axis(Axis(1)) * 2.0) + squares(&basis.t().dot(&seen));
    let outside = outside.mapv_into(|x| x.max(0.0));
    let (left, size) = (moments.total.max(0.0) - trace(&positive), outside.sum());
    let spread = if left > 0.0 && size > 1e-12 * whole.sum() { left / size } else { 0.0 };
    let weights = outer(&axes[0].weights(), &axes[1].weights());
    let all = (known + outside * spread).mapv_into(|x| x.max(0.0));
    Ok(in_rows(all.view(), shape.dim()) / weights)
}

fn outer(first: &Array1<f64>, second: &Array1<f64>) -> Array2<f64> {
    &first.view().insert_axis(Axis(1)) * &second.view().insert_axis(Axis(0))
}

/// Each matrix as a column, the last axis fastest.
fn as_columns(matrices: &[Array2<f64>]) -> Array2<f64> {
    let mut columns = Array2::zeros((matrices.first().map_or(0, Array2::len), matrices.len()));
    for (mut column, matrix) in columns.columns_mut().into_iter().zip(matrices) {
        column.iter_mut().zip(matrix).for_each(|(to, from)| *to = *from);
    }
    columns
}

/// Numbers in row-major order as a matrix with a row for each `s`.
pub(crate) fn in_rows(numbers: ArrayView1<'_, f64>, shape: (usize, usize)) -> Array2<f64> {
    let matrix = numbers.to_owned().into_shape_with_order(shape);
    matrix.unwrap_or_else(|_| unreachable!("there is a number for each point"))
}
