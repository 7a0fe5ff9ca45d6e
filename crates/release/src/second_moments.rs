//! The second moments that a release of a mean brings along.

use dpfda_mechanism::{Release, close};
use dpfda_privacy::LATTICE_BITS;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::mean::Mean;
use crate::whitening::Whitening;

/// Private second moments of curves about the public centre, in whitened coordinates `z_i = sqrt(w_i) (P(X)(t_i) - c(t_i))` and data
/// units.
///
/// ```text
/// matrix = (1/N) sum (basis' z)(basis' z)' + noise,    total = (1/N) sum |z|^2 + noise
/// ```
///
/// Nothing was made positive: noise may leave negative eigenvalues, or a total below 0. The standard deviations are those of the
/// privacy noise, for the number of records that the release has; under add/remove-one that number is noisy itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SecondMoments {
    /// `n x K`, orthonormal: the public functions whose coordinates the matrix is of, in whitened coordinates.
    pub basis: Array2<f64>,
    /// `K x K`, symmetric: the average of products of coordinates.
    pub matrix: Array2<f64>,
    /// The average of `|z|^2` over all `n` coordinates.
    pub total: f64,
    /// The standard deviation of the noise of a diagonal entry of the matrix.
    pub matrix_sd_diagonal: f64,
    /// The standard deviation of the noise of an entry off the diagonal.
    pub matrix_sd_off_diagonal: f64,
    /// The standard deviation of the noise of the total.
    pub total_sd: f64,
}

impl SecondMoments {
    /// Those that a release holds; `None` for a release without them.
    pub fn of(release: &Release<Mean>) -> Option<Self> {
        let statistic = release.statistic();
        let order = statistic.moments()?.coordinates;
        let points = statistic.grid().len();
        let basis = match statistic.whitening() {
            Whitening::Isonormal { rotation: Some(rotation), .. } => rotation.basis(),
            _ => Array2::eye(points),
        };
        // k, then products above the diagonal, squares and the missing energy
        let squared_step = statistic.lattice_step().powi(2);
        let per_record = squared_step / release.units();
        let mut rest = release.coordinates().iter().skip(points).map(|k| *k as f64 * per_record);
        let mut matrix = Array2::zeros((order, order));
        for i in 0..order {
            for j in i + 1..order {
                let product = rest.next()?;
                matrix[[i, j]] = product;
                matrix[[j, i]] = product;
            }
        }
        for i in 0..order {
            matrix[[i, i]] = rest.next()?;
        }
        let squared_radius = 4.0_f64.powi(LATTICE_BITS.cast_signed()) * squared_step;
        let total = squared_radius - rest.next()?;
        let sd = |block| release.noise().variance(block).sqrt() * per_record;
        Some(Self { basis, matrix, total, matrix_sd_off_diagonal: sd(1), matrix_sd_diagonal: sd(2), total_sd: sd(3) })
    }
}

/// Second moments in a document, for readers: they follow from its integers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecondMomentsDerived {
    /// The upper triangle of the matrix, row by row.
    matrix: Vec<f64>,
    total: f64,
    matrix_sd_diagonal: f64,
    matrix_sd_off_diagonal: f64,
    total_sd: f64,
}

impl SecondMomentsDerived {
    pub(crate) fn of(moments: &SecondMoments) -> Self {
        let upper = moments.matrix.indexed_iter().filter(|((i, j), _)| i <= j);
        Self {
            matrix: upper.map(|(_, entry)| *entry).collect(),
            total: moments.total,
            matrix_sd_diagonal: moments.matrix_sd_diagonal,
            matrix_sd_off_diagonal: moments.matrix_sd_off_diagonal,
            total_sd: moments.total_sd,
        }
    }

    /// Whether both are the same, up to another machine's rounding.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let numbers = |of: &Self| {
            let rest = [of.total, of.matrix_sd_diagonal, of.matrix_sd_off_diagonal, of.total_sd];
            of.matrix.iter().copied().chain(rest).collect::<Vec<f64>>()
        };
        let (mine, theirs) = (numbers(self), numbers(other));
        mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| close(*a, b, b.abs()))
    }
}
