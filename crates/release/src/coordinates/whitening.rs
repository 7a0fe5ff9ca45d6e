//! The coordinates in which a mechanism's noise is white.

use std::sync::Arc;

use dpfda_kernels::{Grid, Kernel, Spectrum, SpectrumError};
use dpfda_smoothing::PenalizedMean;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::coordinates::rotation::Rotation;
use crate::coordinates::sobolev::SobolevNorm;
use crate::coordinates::sobolev_axes::SobolevAxes;

/// Which coordinates the noise is white in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum MeanMechanism {
    /// White noise on the mean itself; every smoother afterwards is free and none needs less noise.
    Isonormal,
    /// Noise of the smoother's own kernel on the smoothed mean (Mirshani, Reimherr and Slavkovic, section 4).
    CameronMartin(PenalizedMean),
    /// White noise in coordinates of a Sobolev norm, on records within a ball of that norm: rough functions get less noise.
    Sobolev(SobolevNorm),
    /// K-norm noise on so many public coordinates, those of the smoothest functions; the rest of the mean is not released.
    Coordinates(usize),
}

/// A linear map from `L2` to coordinates with independent noise of equal size.
///
/// The number that turns coordinates back into the mechanism's own norm travels with the map, so that a sensitivity
/// cannot meet the noise of another kernel.
#[derive(Debug, Clone)]
pub(crate) enum Whitening {
    /// `z_i = sqrt(w_i) (X(t_i) - c(t_i))`: white noise, whose Cameron-Martin space is `L2`.
    Isonormal {
        /// The number of grid points.
        dimension: usize,
    },
    /// `z_j = (a_j / a) <X - c, v_j>` with `a_j = s_j / sqrt(lambda_j)` and `a = max_j a_j`.
    CameronMartin(Box<CameronMartinWhitening>),
    /// Coordinates of a Sobolev norm, which make vectors longer: the body shortens a record that leaves it.
    Sobolev(Arc<SobolevAxes>),
    /// The first coordinates of a rotation that puts smooth functions first: the orthonormal functions that they are those of, a
    /// column each, in isonormal coordinates.
    Coordinates(Arc<Array2<f64>>),
}

/// A linear map from isonormal coordinates, `sqrt(w_i) (X(t_i) - c(t_i))`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Coordinates<'a> {
    /// The isonormal coordinates themselves, one for each grid point.
    Isonormal {
        /// The number of grid points.
        dimension: usize,
    },
    /// `n x k`: a column for each coordinate.
    Mapped(ArrayView2<'a, f64>),
    /// Those of a Sobolev norm.
    Sobolev(&'a SobolevAxes),
}

/// The whitening of one kernel and penalty.
#[derive(Debug, Clone)]
pub(crate) struct CameronMartinWhitening {
    pub(crate) smoother: PenalizedMean,
    pub(crate) spectrum: Arc<Spectrum<Kernel>>,
    /// `a`, the norm of the map from `L2` into the Cameron-Martin space.
    pub(crate) amplification: f64,
    /// `n x J`, column `j` is `(a_j / a) sqrt(w) v_j`: acts on the isonormal coordinates.
    map: Array2<f64>,
}

impl MeanMechanism {
    /// Whether the noise is on all of the mean, so that every mean is told from every other; what is rougher than all of the first waves aside.
    pub fn tells_all(&self) -> bool {
        matches!(self, Self::Isonormal | Self::Sobolev(_))
    }
}

impl Whitening {
    /// The whitening of a mechanism on a product of grids of the unit interval: of one, where it has no isonormal noise and no Sobolev
    /// norm. Of the pairs of a kernel at most the `rank` leading ones are kept.
    pub(crate) fn with_rank(
        mechanism: &MeanMechanism,
        unit_axes: &[Grid],
        tolerance: f64,
        rank: usize,
    ) -> Result<Self, SpectrumError> {
        let unit_grid = &unit_axes[0];
        Ok(match mechanism {
            MeanMechanism::Isonormal => Self::Isonormal { dimension: unit_axes.iter().map(Grid::len).product() },
            MeanMechanism::CameronMartin(smoother) => {
                let spectrum = Spectrum::new(smoother.kernel().clone(), unit_grid.clone(), tolerance)?;
                let whitening = CameronMartinWhitening::new(smoother.clone(), Arc::new(spectrum.truncated(rank)));
                Self::CameronMartin(Box::new(whitening))
            }
            MeanMechanism::Sobolev(norm) => Self::Sobolev(Arc::new(SobolevAxes::new(*norm, unit_axes))),
            MeanMechanism::Coordinates(number) => {
                Self::Coordinates(Arc::new(Rotation::new(unit_grid, *number).basis()))
            }
        })
    }

    pub(crate) fn mechanism(&self) -> MeanMechanism {
        match self {
            Self::Isonormal { .. } => MeanMechanism::Isonormal,
            Self::CameronMartin(whitening) => MeanMechanism::CameronMartin(whitening.smoother.clone()),
            Self::Sobolev(whitening) => MeanMechanism::Sobolev(whitening.norm),
            Self::Coordinates(basis) => MeanMechanism::Coordinates(basis.ncols()),
        }
    }

    /// The number of coordinates.
    pub(crate) fn dimension(&self) -> usize {
        self.coordinates().dimension()
    }

    /// What a whitened length is multiplied by to be a length in the mechanism's Cameron-Martin norm.
    pub(crate) fn amplification(&self) -> f64 {
        match self {
            Self::Isonormal { .. } | Self::Sobolev(_) | Self::Coordinates(_) => 1.0,
            Self::CameronMartin(whitening) => whitening.amplification,
        }
    }

    /// How the coordinates are computed from isonormal ones.
    pub(crate) fn coordinates(&self) -> Coordinates<'_> {
        match self {
            Self::Isonormal { dimension } => Coordinates::Isonormal { dimension: *dimension },
            Self::CameronMartin(whitening) => Coordinates::Mapped(whitening.map.view()),
            Self::Sobolev(whitening) => Coordinates::Sobolev(whitening),
            Self::Coordinates(basis) => Coordinates::Mapped(basis.view()),
        }
    }
}

impl Coordinates<'_> {
    /// Whether a record is clipped before it is mapped: where the map makes no vector longer, and its length is not that of the record.
    pub(crate) fn clip_first(&self) -> bool {
        matches!(self, Self::Mapped(_))
    }

    pub(crate) fn dimension(&self) -> usize {
        match self {
            Self::Isonormal { dimension } => *dimension,
            Self::Mapped(map) => map.ncols(),
            Self::Sobolev(whitening) => whitening.dimension(),
        }
    }

    /// `A' d` for each column `d`: what linear forms of the coordinates are as forms of isonormal ones.
    pub(crate) fn transposed(&self, forms: Array2<f64>) -> Array2<f64> {
        match self {
            Self::Isonormal { .. } => forms,
            Self::Mapped(map) => map.dot(&forms),
            Self::Sobolev(whitening) => in_columns(&forms, |column| whitening.transpose(column)),
        }
    }

    /// The coordinates of records that lie one behind the other in isonormal coordinates; `buffer` holds them where they are of another
    /// number.
    pub(crate) fn apply<'a>(&self, isonormal: &'a mut [f64], buffer: &'a mut Vec<f64>) -> &'a [f64] {
        match self {
            Self::Isonormal { .. } => isonormal,
            Self::Sobolev(whitening) => {
                whitening.apply_to_records(isonormal);
                isonormal
            }
            Self::Mapped(map) => {
                buffer.clear();
                // one record at a time: a blocked product could round a record differently by its neighbours' places
                for record in isonormal.chunks_exact(map.nrows()) {
                    let product =
                        |column: ArrayView1<'_, f64>| column.iter().zip(record).map(|(a, z)| a * z).sum::<f64>();
                    buffer.extend(map.columns().into_iter().map(product));
                }
                buffer
            }
        }
    }
}

/// The first unit vectors, so many, as columns.
pub(crate) fn unit_columns(dimension: usize, columns: usize) -> Array2<f64> {
    let mut units = Array2::zeros((dimension, columns));
    units.diag_mut().fill(1.0);
    units
}

/// Changes each column in a vector of its own, which lies together in memory.
pub(crate) fn in_columns(matrix: &Array2<f64>, change: impl Fn(&mut [f64])) -> Array2<f64> {
    let mut changed = matrix.t().as_standard_layout().into_owned();
    for mut row in changed.rows_mut() {
        if let Some(row) = row.as_slice_mut() {
            change(row);
        }
    }
    changed.reversed_axes()
}

impl CameronMartinWhitening {
    pub(crate) fn new(smoother: PenalizedMean, spectrum: Arc<Spectrum<Kernel>>) -> Self {
        let weights: Array1<f64> = smoother.shrinkages(spectrum.eigenvalues()) / spectrum.eigenvalues().mapv(f64::sqrt);
        let amplification = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let roots = spectrum.grid().weights().mapv(f64::sqrt);
        let mut map = spectrum.eigenfunctions().to_owned();
        for (mut column, weight) in map.columns_mut().into_iter().zip(&weights) {
            column.zip_mut_with(&roots, |v, root| *v *= root * weight / amplification);
        }
        Self { smoother, spectrum, amplification, map }
    }
}
