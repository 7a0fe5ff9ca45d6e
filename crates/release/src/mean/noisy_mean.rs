//! The noisy mean of a release before any further smoothing, with the law of its noise.

use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, Spectrum, SpectrumError};
use dpfda_smoothing::PenalizedMean;
use ndarray::{Array1, Array2, Axis};

use crate::coordinates::sobolev_axes::SobolevAxes;
use crate::coordinates::whitening::in_columns;
use crate::mean::function::{Expansion, ReleasedFunction};

/// The noise of the coefficients of a released function, in data units.
#[derive(Debug, Clone)]
pub(crate) enum NoiseFactor {
    /// Independent coefficients with these standard deviations.
    Independent(Array1<f64>),
    /// `J x m`: coefficient noise is this matrix times `m` independent standard normals.
    Mixed(Array2<f64>),
}

/// A noisy deviation of the mean from the centre, on the grid.
#[derive(Debug, Clone)]
pub(crate) struct NoisyMean {
    pub(crate) grid: Grid,
    pub(crate) unit_grid: Grid,
    /// The public centre at the grid's points.
    pub(crate) center: Array1<f64>,
    pub(crate) decoded: Decoded,
    /// Standard deviation of the released number of records, as a fraction of it; 0 where that number is public.
    pub(crate) relative_count_sd: f64,
}

/// The coordinates that were released, decoded to data units.
#[derive(Debug, Clone)]
pub(crate) enum Decoded {
    /// `Y - c` at the grid's points, `sqrt(w_i) (Y - c)(t_i)` having independent noise of this standard deviation.
    Isonormal { deviation: Array1<f64>, sd: f64 },
    /// Coefficients of the smoothed mean, with noise `sqrt(lambda_j) sd`.
    CameronMartin { smoother: PenalizedMean, spectrum: Arc<Spectrum<Kernel>>, coefficients: Array1<f64>, sd: f64 },
    /// `Y - c` at the grid's points; the coordinates of a Sobolev norm have independent noise of this standard deviation.
    Sobolev { whitening: Arc<SobolevAxes>, deviation: Array1<f64>, sd: f64 },
    /// `Y - c` at the grid's points, within the span of the orthonormal columns of the basis; its coordinates have uncorrelated noise
    /// of this standard deviation.
    Coordinates { basis: Arc<Array2<f64>>, deviation: Array1<f64>, sd: f64 },
}

impl NoisyMean {
    /// The function that a smoother makes of the noisy mean.
    ///
    /// ```text
    /// f = c + sum_j s_j <Y - c, v_j> v_j
    /// ```
    ///
    /// A Cameron-Martin release has been through its own smoother already: asked for that one, nothing is added.
    pub(crate) fn smooth(self: &Arc<Self>, smoother: &PenalizedMean) -> Result<ReleasedFunction, SpectrumError> {
        if let Decoded::CameronMartin { smoother: own, spectrum, coefficients, sd } = &self.decoded
            && own == smoother
        {
            let noise = NoiseFactor::Independent(spectrum.eigenvalues().mapv(|lambda| lambda.sqrt() * sd));
            let expansion = Expansion { spectrum: spectrum.clone(), coefficients: coefficients.clone(), noise };
            return Ok(ReleasedFunction::new(self.clone(), smoother.clone(), expansion));
        }
        let spectrum = Spectrum::for_smoothing(smoother.kernel().clone(), self.unit_grid.clone(), DEFAULT_TOLERANCE)?;
        Ok(self.smooth_in(smoother, Arc::new(spectrum)))
    }

    /// [`NoisyMean::smooth`] for a spectrum of the smoother's kernel on this grid that is at hand already.
    pub(crate) fn smooth_in(
        self: &Arc<Self>,
        smoother: &PenalizedMean,
        spectrum: Arc<Spectrum<Kernel>>,
    ) -> ReleasedFunction {
        let shrinkage = smoother.shrinkages(spectrum.eigenvalues());
        let (coefficients, noise) = match &self.decoded {
            Decoded::Isonormal { deviation, sd } => {
                (spectrum.coefficients(deviation.view()), NoiseFactor::Independent(&shrinkage * *sd))
            }
            Decoded::CameronMartin { spectrum: first, coefficients, sd, .. } => {
                let deviation = first.values(coefficients.view());
                (spectrum.coefficients(deviation.view()), NoiseFactor::Mixed(mix(&spectrum, &shrinkage, first, *sd)))
            }
            Decoded::Sobolev { whitening, deviation, sd } => {
                let forms = in_columns(&forms(&spectrum, &shrinkage, *sd), |form| whitening.dual(form));
                (spectrum.coefficients(deviation.view()), NoiseFactor::Mixed(forms.reversed_axes()))
            }
            Decoded::Coordinates { basis, deviation, sd } => {
                let noise = forms(&spectrum, &shrinkage, *sd).t().dot(&**basis);
                (spectrum.coefficients(deviation.view()), NoiseFactor::Mixed(noise))
            }
        };
        let expansion = Expansion { spectrum, coefficients: coefficients * &shrinkage, noise };
        ReleasedFunction::new(self.clone(), smoother.clone(), expansion)
    }
}

/// `diag(s) V2' W V1 diag(sqrt(lambda)) sd`: the first kernel's noise seen through the second smoother.
fn mix(second: &Spectrum<Kernel>, shrinkage: &Array1<f64>, first: &Spectrum<Kernel>, sd: f64) -> Array2<f64> {
    let mut weighted = first.eigenfunctions().to_owned();
    for (mut column, lambda) in weighted.columns_mut().into_iter().zip(first.eigenvalues()) {
        let scale = lambda.sqrt() * sd;
        column.zip_mut_with(&first.grid().weights(), |v, w| *v *= w * scale);
    }
    let mut mixed = second.eigenfunctions().t().dot(&weighted);
    for (mut row, s) in mixed.rows_mut().into_iter().zip(shrinkage) {
        row *= *s;
    }
    mixed
}

/// `W^(1/2) V diag(s) sd`: what a smoother makes of the noise of isonormal coordinates, a column for each coefficient.
fn forms(spectrum: &Spectrum<Kernel>, shrinkage: &Array1<f64>, sd: f64) -> Array2<f64> {
    let roots = spectrum.grid().weights().mapv(f64::sqrt).insert_axis(Axis(1));
    let scales = shrinkage.mapv(|s| s * sd).insert_axis(Axis(0));
    &spectrum.eigenfunctions() * &roots * &scales
}
