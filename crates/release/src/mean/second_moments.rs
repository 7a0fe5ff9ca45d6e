//! The second moments that a release of a mean brings along.

use dpfda_mechanism::{ReadError, Release, Statistic, close, demand};
use dpfda_privacy::{LATTICE_BITS, PrivacyUnit};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::coordinates::rotation::Rotation;
use crate::coordinates::sobolev_axes::SobolevAxes;
use crate::coordinates::whitening::{Whitening, in_columns, unit_columns};
use crate::mean::Mean;
use crate::mean::domain::MeanDomain;

#[cfg(test)]
#[path = "second_moments_tests.rs"]
mod tests;

/// Private second moments of curves about the public centre, in data units.
///
/// ```text
/// matrix = (1/N) sum u u' + noise,    total = (1/N) sum |A z|^2 + noise,    z_i = sqrt(w_i) (P(X)(t_i) - c(t_i))
/// ```
///
/// `u` holds the first `K` of the released coordinates `A z`. For isonormal noise `u = basis' z` and `|A z| = |z|`. In a
/// Sobolev norm what `u` tells along the basis is `to_basis u`.
///
/// Nothing was made positive: noise may leave negative eigenvalues, or a total below 0. The standard deviations are those of the
/// privacy noise with what the rounding of records adds (`docs/proofs/moments.md`), for the number of records that the release has; under
/// add/remove-one that number is noisy itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SecondMoments {
    /// `n x K`, orthonormal: public functions in isonormal coordinates.
    pub basis: Array2<f64>,
    /// `T`, `K x K`: released coordinates `u` stand for the function `basis T u`; `None` for the identity.
    pub to_basis: Option<Array2<f64>>,
    /// `|z|^2 / |A z|^2` of the last of the first `K` coordinates, which stands for all that is rougher; 1 for isonormal noise.
    pub beyond: f64,
    /// `K x K`, symmetric: the average of products of coordinates.
    pub matrix: Array2<f64>,
    /// The average of `|z|^2` over all `n` coordinates.
    pub total: f64,
    /// The standard deviation of a diagonal entry of the matrix.
    pub matrix_sd_diagonal: f64,
    /// The standard deviation of an entry off the diagonal.
    pub matrix_sd_off_diagonal: f64,
    /// The standard deviation of the total.
    pub total_sd: f64,
}

impl SecondMoments {
    /// Those that a release holds; `None` for a release without them.
    pub fn of<D: MeanDomain>(release: &Release<Mean<D>>) -> Option<Self> {
        Self::decoded(release, release.statistic(), release.coordinates(), release.units())
    }

    /// The same from the integers of some records of a release, so many, which begin with those of this mean.
    pub(crate) fn decoded<S: Statistic, D: MeanDomain>(
        release: &Release<S>,
        statistic: &Mean<D>,
        integers: &[i128],
        units: f64,
    ) -> Option<Self> {
        let order = statistic.moments()?.coordinates;
        let points = statistic.grid().len();
        // k, then products above the diagonal, squares and the missing energy
        let squared_step = statistic.lattice_step().powi(2);
        let per_record = squared_step / units;
        let per_product = per_record / statistic.length_of_basis().powi(2);
        let mut rest = integers.iter().skip(points).map(|k| *k as f64);
        let mut matrix = Array2::zeros((order, order));
        for i in 0..order {
            for j in i + 1..order {
                let product = rest.next()? * per_product;
                matrix[[i, j]] = product;
                matrix[[j, i]] = product;
            }
        }
        for i in 0..order {
            matrix[[i, i]] = rest.next()? * per_product;
        }
        let missing = rest.next()? * per_record;
        let noise_sd = |block, unit: f64| release.noise().variance(block).sqrt() * unit;
        let sds = NoiseSds {
            off_diagonal: noise_sd(1, per_product),
            diagonal: noise_sd(2, per_product),
            energy: noise_sd(3, per_record),
        };
        Some(Self::of_averages(statistic, release.unit(), Directions::of(statistic, order), (matrix, missing), sds))
    }

    /// From the averages over records of products and of the missing energy, in data units, with the noise of each.
    pub(crate) fn of_averages<D: MeanDomain>(
        statistic: &Mean<D>,
        unit: PrivacyUnit,
        Directions { basis, to_basis, beyond }: Directions,
        (matrix, missing): (Array2<f64>, f64),
        sds: NoiseSds,
    ) -> Self {
        let squared_step = statistic.lattice_step().powi(2);
        let squared_radius = 4.0_f64.powi(LATTICE_BITS.cast_signed()) * squared_step;
        // |k k' - x x'| <= |k - x| (|k| + |x|), whatever the number of records
        let rounding = 2.0 * f64::from(1_u32 << LATTICE_BITS) * statistic.rounding(unit) * squared_step;
        Self {
            basis,
            to_basis,
            beyond,
            matrix,
            total: squared_radius - missing,
            matrix_sd_off_diagonal: sds.off_diagonal.hypot(rounding / 2.0_f64.sqrt()),
            matrix_sd_diagonal: sds.diagonal.hypot(rounding),
            total_sd: sds.energy.hypot(rounding),
        }
    }
}

/// The standard deviations of the noise of averages: of a product, of a square, and of the missing energy.
pub(crate) struct NoiseSds {
    pub(crate) off_diagonal: f64,
    pub(crate) diagonal: f64,
    pub(crate) energy: f64,
}

/// Which functions the first coordinates are those of.
#[derive(Clone)]
pub(crate) struct Directions {
    /// `n x K`: columns in isonormal coordinates, orthonormal.
    pub(crate) basis: Array2<f64>,
    /// `T`: the first coordinates `u` stand for the function `basis T u`; `None` for the identity.
    pub(crate) to_basis: Option<Array2<f64>>,
    pub(crate) beyond: f64,
}

impl Directions {
    pub(crate) fn of<D: MeanDomain>(statistic: &Mean<D>, order: usize) -> Self {
        let (whitening, points) = (statistic.whitening(), statistic.grid().len());
        let basis = match whitening {
            Whitening::Sobolev(whitening) => return Self::in_norm(whitening, order),
            _ => statistic.functions().cloned().unwrap_or_else(|| Array2::eye(points)),
        };
        Self { basis, to_basis: None, beyond: 1.0 }
    }

    /// `A^(-1)` of the first unit vectors is `basis T`.
    fn in_norm(whitening: &SobolevAxes, order: usize) -> Self {
        let units = unit_columns(whitening.dimension(), order);
        let functions = in_columns(&units, |column| whitening.undo(column));
        let basis = Rotation::of(functions.columns().into_iter().map(|column| column.to_vec())).basis();
        let to_basis = basis.t().dot(&functions);
        let last = to_basis.column(order - 1);
        let beyond = last.dot(&last).min(1.0);
        Self { basis, to_basis: Some(to_basis), beyond }
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

    /// Refuses those that a document states where others, or none, follow from its integers.
    pub(crate) fn check(stated: Option<&Self>, derived: Option<&Self>) -> Result<(), ReadError> {
        let is_same = match (stated, derived) {
            (Some(stated), Some(derived)) => stated.agrees(derived),
            (stated, derived) => stated.is_none() && derived.is_none(),
        };
        demand("derived.second_moments", is_same)
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
