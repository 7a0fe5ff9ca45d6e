//! What records are functions on: a line, a circle, or a rectangle of two of them.

use std::fmt;

use ndarray::Array1;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::grid::{Grid, GridError};
use crate::surface_grid::SurfaceGrid;

/// The points that records are seen at: all combinations of the points of some axes, each of them a line or a circle.
///
/// ```text
/// <f, g> = sum_i w_i f(x_i) g(x_i),    w_i the product of the weights of the axes mapped to [0, 1],    sum_i w_i = 1
/// ```
///
/// A record has one value for each point; the last axis runs fastest. A [`Grid`] is one axis, a [`SurfaceGrid`] two. Whatever the domain,
/// a record is `sqrt(w_i) (X - c)(x_i) / tau`, and its length is its root-mean-square distance from the centre.
///
/// ```
/// use dpfda_kernels::{Domain, Grid, SurfaceGrid};
///
/// fn mean_square(domain: &impl Domain, values: &[f64]) -> Result<f64, dpfda_kernels::GridError> {
///     Ok(domain.unit_weights()?.iter().zip(values).map(|(w, x)| w * x * x).sum())
/// }
///
/// let (s, t) = (Grid::uniform(0.0, 1.0, 3)?, Grid::uniform(10.0, 20.0, 4)?);
/// assert!((mean_square(&s, &[2.0; 3])? - 4.0).abs() < 1e-12);
/// assert!((mean_square(&SurfaceGrid::new(s, t)?, &[2.0; 12])? - 4.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(clippy::len_without_is_empty, reason = "a domain is never empty")]
pub trait Domain: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The axes, in the units of the data.
    fn axes(&self) -> &[Grid];

    /// The grid of the columns of a table with a record in each row: the points of a line, and the places `1..n` of a rectangle.
    ///
    /// # Errors
    /// None in practice: a rectangle has at least 4 points.
    fn columns(&self) -> Result<Grid, GridError>;

    /// The axis of a line or a circle; `None` for a rectangle.
    fn line(&self) -> Option<&Grid> {
        if let [line] = self.axes() { Some(line) } else { None }
    }

    /// The number of points, at least 2.
    fn len(&self) -> usize {
        self.axes().iter().map(Grid::len).product()
    }

    /// The axes mapped to `[0, 1]`, on which radii, kernels and penalties are defined.
    fn unit_axes(&self) -> Result<Vec<Grid>, GridError> {
        self.axes().iter().map(Grid::to_unit).collect()
    }

    /// The weights of the points on the mapped axes; they sum to 1.
    fn unit_weights(&self) -> Result<Array1<f64>, GridError> {
        Ok(product_weights(&self.unit_axes()?))
    }
}

/// The products of the weights of some axes, the last of which runs fastest.
pub(crate) fn product_weights(axes: &[Grid]) -> Array1<f64> {
    let mut weights = Array1::ones(1);
    for axis in axes {
        weights = weights.iter().flat_map(|weight| axis.weights().mapv(|w| weight * w)).collect();
    }
    weights
}

impl Domain for Grid {
    fn axes(&self) -> &[Grid] {
        std::slice::from_ref(self)
    }

    fn columns(&self) -> Result<Grid, GridError> {
        Ok(self.clone())
    }
}

impl Domain for SurfaceGrid {
    fn axes(&self) -> &[Grid] {
        SurfaceGrid::axes(self)
    }

    fn columns(&self) -> Result<Grid, GridError> {
        self.places()
    }
}
