//! How much the mean of other people from the same population would differ: the sampling covariance.

use dpfda_kernels::{DEFAULT_TOLERANCE, DomainKernel, Grid, Matern, Spectrum, eigenpairs};
use ndarray::{Array1, Array2, Axis, Slice};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::seen::{between, scaled};
use crate::psd::positive_part;
use crate::sampling::decoded::DecodedMoments;

pub(crate) mod decoded;

/// The public shape of what the moments do not tell: Matern 3/2 of this range on the unit interval.
pub(crate) const SHAPE: (f64, f64) = (1.5, 0.5);

/// The number of directions in which the private second moments shape the sampling part; noise would fill more of them.
const DIRECTIONS: usize = 12;

/// Where the covariance `Sigma` of the curves comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum SamplingCovariance {
    /// Private second moments: their positive part along the basis, and the total variance that is left in a public shape.
    ///
    /// ```text
    /// Sigma = P K+ P' + (T - tr K+)+ (I - PP') K_pub (I - PP') / tr
    /// ```
    Moments(DecodedMoments),
    /// An upper bound on the total variance of the curves, in squared data units, in a public shape: `T_up K_pub / tr K_pub`.
    TotalVariance(f64),
    /// `Sigma / N` between the points of the posterior's support, in squared data units, from the largest variance that the ball of an
    /// rows allows.
    OfMean(Array2<f64>),
    /// Nothing but the ball: no curve in it has a larger total variance than the squared radius.
    Body,
}

impl SamplingCovariance {
    /// Where the sampling part of a band comes from, in one sentence.
    pub fn in_words(&self) -> &'static str {
        match self {
            Self::Moments(_) => "The sampling part comes from the private second moments in this release.",
            Self::TotalVariance(_) => {
                "The sampling part comes from a bound on the total variance, spread evenly over the domain."
            }
            Self::OfMean(_) => {
                "The release holds no second moments. The sampling part assumes the largest variance that the radius allows, for people who \
                 were measured where and as often as the weights say."
            }
            Self::Body => {
                "The release holds no second moments. The sampling part assumes the largest variance that the radius allows, \
                 spread evenly over the domain."
            }
        }
    }

    /// `Sigma / N` between the points of the posterior's support, in squared data units.
    pub(crate) fn of_mean(&self, posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
        if let Self::OfMean(covariance) = self {
            return Ok(covariance.clone());
        }
        let inverse = posterior.support.weights.mapv(|weight| 1.0 / weight.sqrt());
        Ok(scaled(self.whitened(posterior)?, &inverse) / posterior.observation.records)
    }

    /// `Sigma` in the support's whitened coordinates.
    fn whitened(&self, posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
        let shape = shape(posterior)?;
        Ok(match self {
            Self::Body => &shape * (posterior.observation.radius.powi(2) / trace(&shape)),
            Self::TotalVariance(total) => &shape * (checked(*total)? / trace(&shape)),
            Self::OfMean(covariance) => {
                scaled(covariance.clone(), &posterior.support.weights.mapv(f64::sqrt)) * posterior.observation.records
            }
            Self::Moments(moments) => {
                let basis = binned_basis(moments, posterior)?;
                let (basis, covariance) =
                    smoothest(basis, &moments.covariance, &shape, posterior.grid().is_periodic())?;
                let positive = positive_part(&covariance)?;
                let left = moments.total.max(0.0) - trace(&positive);
                basis.dot(&positive).dot(&basis.t()) + remainder(&shape, &basis, left)
            }
        })
    }

    /// `s' Sigma s` for each row `s` in the support's whitened coordinates.
    ///
    /// The moments are not clipped here, so that each form is unbiased up to the public shape; a floor pooled over all rows
    /// guards against a draw of the noise that is low by luck:
    ///
    /// ```text
    /// max(s'Ks, |s|^2 (sum s'Ks)+ / sum |s|^2)
    /// ```
    pub(crate) fn quadratic(&self, rows: &Array2<f64>, posterior: &Posterior) -> Result<Array1<f64>, AnalysisError> {
        let lengths = rows.mapv(|s| s * s).sum_axis(Axis(1));
        let moments = match self {
            Self::Body => return Ok(lengths * posterior.observation.radius.powi(2)),
            Self::TotalVariance(total) => return Ok(lengths * checked(*total)?),
            Self::OfMean(_) => return Ok((rows.dot(&self.whitened(posterior)?) * rows).sum_axis(Axis(1))),
            Self::Moments(moments) => moments,
        };
        let sigma = unclipped(moments, posterior)?;
        let forms = (rows.dot(&sigma) * rows).sum_axis(Axis(1));
        let floor = forms.sum().max(0.0) / lengths.sum();
        Ok(forms.iter().zip(&lengths).map(|(form, length)| form.max(length * floor)).collect())
    }
}

impl SamplingCovariance {
    /// `P' Sigma P` for columns `P` in the support's whitened coordinates, made positive in these few directions alone.
    pub(crate) fn along(&self, directions: &Array2<f64>, posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
        let sigma = match self {
            Self::Body | Self::TotalVariance(_) | Self::OfMean(_) => self.whitened(posterior)?,
            Self::Moments(moments) => unclipped(moments, posterior)?,
        };
        Ok(positive_part(&directions.t().dot(&sigma).dot(directions))?)
    }
}

/// `P K P'` and the public shape outside, with whatever sign the noise gave them.
fn unclipped(moments: &DecodedMoments, posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
    let basis = binned_basis(moments, posterior)?;
    let left = moments.total - trace(&moments.covariance);
    Ok(basis.dot(&moments.covariance).dot(&basis.t()) + remainder(&shape(posterior)?, &basis, left))
}

/// The smooth directions in which the moments are used, and the covariance along them.
///
/// The first directions of a basis of some are the smoothest. A basis of all coordinates is that of the points, in their order: there they
/// are the first eigenvectors of the public shape.
fn smoothest(
    basis: Array2<f64>,
    covariance: &Array2<f64>,
    shape: &Array2<f64>,
    is_periodic: bool,
) -> Result<(Array2<f64>, Array2<f64>), AnalysisError> {
    let all = basis.ncols();
    // a cosine of a circle comes with its sine
    let used = all.min(DIRECTIONS + usize::from(is_periodic));
    if used < all && all == basis.nrows() {
        let vectors = eigenpairs(&basis.t().dot(shape).dot(&basis))?.vectors;
        let first = vectors.slice_axis(Axis(1), Slice::from(all - used..)).to_owned();
        return Ok((basis.dot(&first), first.t().dot(covariance).dot(&first)));
    }
    let block = covariance.slice_axis(Axis(0), Slice::from(..used));
    let block = block.slice_axis(Axis(1), Slice::from(..used)).to_owned();
    Ok((basis.slice_axis(Axis(1), Slice::from(..used)).to_owned(), block))
}

fn checked(total: f64) -> Result<f64, AnalysisError> {
    if (0.0..=1e200).contains(&total) {
        return Ok(total);
    }
    Err(AnalysisError::Number { what: "the total variance", allowed: "from 0 to 1e200", value: total })
}

/// `W^{1/2} K_pub W^{1/2}` at the support.
pub(crate) fn shape(posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
    let roots = posterior.support.weights.mapv(f64::sqrt);
    let shape = public_shape(&posterior.observation.unit_grid, &posterior.support.points)?;
    Ok(scaled(shape, &roots))
}

/// The first eigenfunctions of `K_pub`, with their values at the support in whitened coordinates: a column each.
pub(crate) fn public_functions(
    posterior: &Posterior,
    count: usize,
) -> Result<(Spectrum<Matern>, Array2<f64>), AnalysisError> {
    let unit = &posterior.observation.unit_grid;
    let spectrum = Spectrum::for_smoothing(Matern::new(SHAPE.0, SHAPE.1)?, unit.clone(), DEFAULT_TOLERANCE)?;
    let spectrum = spectrum.truncated(count);
    let roots = unit.weights().mapv(f64::sqrt);
    let mut functions = Array2::zeros((posterior.support.len(), spectrum.rank()));
    for (mut column, function) in functions.columns_mut().into_iter().zip(spectrum.eigenfunctions().columns()) {
        column.assign(&posterior.support.binned((&function * &roots).view()));
    }
    Ok((spectrum, functions))
}

/// `K_pub` at points of the domain of a grid on the unit interval.
pub(crate) fn public_shape(unit_grid: &Grid, points: &Array1<f64>) -> Result<Array2<f64>, AnalysisError> {
    let kernel = DomainKernel::new(Matern::new(SHAPE.0, SHAPE.1)?, unit_grid)?;
    Ok(between(&kernel, points))
}

/// The part of the shape outside the basis, scaled to what is left of the total variance.
fn remainder(shape: &Array2<f64>, basis: &Array2<f64>, left: f64) -> Array2<f64> {
    let outside = Array2::eye(shape.nrows()) - basis.dot(&basis.t());
    let rest = outside.dot(shape).dot(&outside);
    let size = trace(&rest);
    if left > 0.0 && size > 1e-12 * trace(shape) { rest * (left / size) } else { Array2::zeros(shape.dim()) }
}

/// The basis of the moments in the support's whitened coordinates.
pub(crate) fn binned_basis(moments: &DecodedMoments, posterior: &Posterior) -> Result<Array2<f64>, AnalysisError> {
    let (expected, found) = (posterior.grid().len(), moments.basis.nrows());
    if expected != found {
        let what = "a column of the basis of the second moments";
        return Err(AnalysisError::Length { what, expected, found });
    }
    let mut basis = Array2::zeros((posterior.support.len(), moments.basis.ncols()));
    for (mut binned, column) in basis.columns_mut().into_iter().zip(moments.basis.columns()) {
        binned.assign(&posterior.support.binned(column));
    }
    Ok(basis)
}

pub(crate) fn trace(matrix: &Array2<f64>) -> f64 {
    matrix.diag().sum()
}
