//! Eigenfunctions on a grid: all their values, or their coefficients in a local basis.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, CowArray, Ix2, ShapeBuilder, Slice};

use crate::mercer::local_basis::LocalBasis;

/// The eigenfunctions `v_j` at the points of a grid.
#[derive(Debug, Clone)]
pub(crate) enum Eigenfunctions {
    /// `n x J`, column-major: one column is one eigenfunction at the grid's points.
    Values(Array2<f64>),
    /// `v_j = W^{-1/2} P u_j`.
    Compressed {
        /// `P`
        basis: LocalBasis,
        /// `m x J`: the columns `u_j`.
        vectors: Array2<f64>,
        /// The diagonal of `W^{-1/2}`.
        inverse_roots: Array1<f64>,
    },
}

impl Eigenfunctions {
    /// `v = W^{-1/2} u`, with the sign of each fixed at all points, or at the first points of the cells.
    pub(crate) fn new(mut vectors: Array2<f64>, basis: Option<LocalBasis>, weights: ArrayView1<'_, f64>) -> Self {
        let inverse_roots = weights.mapv(|w| 1.0 / w.sqrt());
        let Some(basis) = basis else {
            for mut column in vectors.columns_mut() {
                let sign = orientation(column.view());
                column.zip_mut_with(&inverse_roots, |u, root| *u *= sign * root);
            }
            return Self::Values(vectors);
        };
        for mut column in vectors.columns_mut() {
            let sign = orientation(basis.at_first_points(column.view()).view());
            column *= sign;
        }
        Self::Compressed { basis, vectors, inverse_roots }
    }

    pub(crate) fn truncate(&mut self, rank: usize) {
        let (Self::Values(columns) | Self::Compressed { vectors: columns, .. }) = self;
        columns.slice_axis_inplace(Axis(1), Slice::from(..rank));
    }

    /// All values, `n x J`.
    pub(crate) fn at_points(&self) -> CowArray<'_, f64, Ix2> {
        match self {
            Self::Values(values) => values.view().into(),
            Self::Compressed { vectors, inverse_roots, .. } => {
                let mut values = Array2::zeros((inverse_roots.len(), vectors.ncols()).f());
                for (mut column, vector) in values.columns_mut().into_iter().zip(vectors.columns()) {
                    column.assign(&self.expanded(vector));
                }
                values.into()
            }
        }
    }

    /// `sum_i f_i v_j(t_i)` for every `j`.
    pub(crate) fn integrals(&self, weighted: ArrayView1<'_, f64>) -> Array1<f64> {
        match self {
            Self::Values(values) => values.t().dot(&weighted),
            Self::Compressed { basis, vectors, inverse_roots } => {
                vectors.t().dot(&basis.compressed((&weighted * inverse_roots).view()))
            }
        }
    }

    /// `sum_j b_j v_j(t_i)` for every `i`.
    pub(crate) fn sums(&self, coefficients: ArrayView1<'_, f64>) -> Array1<f64> {
        match self {
            Self::Values(values) => values.dot(&coefficients),
            Self::Compressed { vectors, .. } => self.expanded(vectors.dot(&coefficients).view()),
        }
    }

    /// `v(t_i)' S v(t_i)` for every `i`, where `quadratic` makes `B S B'` of rows `B`.
    pub(crate) fn quadratic_forms(&self, quadratic: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>) -> Array1<f64> {
        match self {
            Self::Values(values) => {
                values.rows().into_iter().map(|row| quadratic(row.insert_axis(Axis(0)))[[0, 0]]).collect()
            }
            Self::Compressed { basis, vectors, inverse_roots } => {
                basis.quadratic_forms(vectors.view(), quadratic) * inverse_roots * inverse_roots
            }
        }
    }

    fn expanded(&self, vector: ArrayView1<'_, f64>) -> Array1<f64> {
        match self {
            Self::Values(_) => vector.to_owned(),
            Self::Compressed { basis, inverse_roots, .. } => basis.expanded(vector) * inverse_roots,
        }
    }
}

/// The sign that makes an eigenvector positive at its first entry that is not small.
///
/// The largest entry cannot decide: on a symmetric grid, mirrored entries are equal up to rounding.
fn orientation(u: ArrayView1<'_, f64>) -> f64 {
    let largest = u.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    u.iter().find(|x| x.abs() >= 0.1 * largest).map_or(1.0, |x| x.signum())
}
