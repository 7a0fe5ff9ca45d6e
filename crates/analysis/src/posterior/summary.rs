//! Mean, variance and passed-on noise of linear functionals, over all kernels and amplitudes that have weight.

use ndarray::{Array1, Array2, Axis, Slice};

use crate::posterior::rung::{Rung, Section};

/// Some linear functionals of `f - c` under the posterior, in units of the radius.
#[derive(Debug, Clone)]
pub(crate) struct Summary {
    pub(crate) mean: Array1<f64>,
    /// `sum of weights x (variance + spread of the means)`
    pub(crate) variance: Array1<f64>,
    /// The variance of the privacy noise in `mean`, weights held fixed.
    pub(crate) noise_variance: Array1<f64>,
}

impl Summary {
    /// Weights are renormalised over the rungs given.
    pub(crate) fn of(parts: &[(&Rung, &Section)], sigma: f64) -> Self {
        let Means { weights, spread, mean } = Means::of(parts);
        let total = total(parts);
        let between = spread.mapv(|d| d * d).dot(&weights);
        let within = parts.iter().fold(between, |sum, (rung, section)| {
            let spreads = rung.averaged(|amplitude| rung.spreads(amplitude));
            let known = section.cross.mapv(|c| c * c).dot(&spreads);
            sum + (known + &section.open * rung.amplitude()) / total
        });
        let noise = linear_map(parts).map(|x| x * x).sum_axis(Axis(1)) * (sigma * sigma);
        Self { mean, variance: within, noise_variance: noise }
    }
}

/// The linear map of the coordinates that gives [`Summary::mean`].
pub(crate) fn linear_map(parts: &[(&Rung, &Section)]) -> Array2<f64> {
    let total = total(parts);
    let maps = parts.iter().map(|(rung, section)| rung.linear_map(&section.cross) / total);
    maps.reduce(|sum, map| sum + map).unwrap_or_default()
}

/// The covariance of the functionals; `open` gives what the coordinates leave open of each rung's prior between them.
pub(crate) fn covariance(
    parts: &[(&Rung, &Section)],
    open: impl Fn(&Rung, &Section) -> Option<Array2<f64>>,
) -> Array2<f64> {
    let total = total(parts);
    let Means { weights, spread, .. } = Means::of(parts);
    let mut covariance = (&spread * &weights.insert_axis(Axis(0))).dot(&spread.t());
    for (rung, section) in parts {
        let spreads = rung.averaged(|amplitude| rung.spreads(amplitude)).insert_axis(Axis(0));
        covariance.scaled_add(1.0 / total, &(&section.cross * &spreads).dot(&section.cross.t()));
        if let Some(open) = open(rung, section) {
            covariance.scaled_add(rung.amplitude() / total, &open);
        }
    }
    covariance
}

/// The means of all pairs of kernel and amplitude, and of their weighted mean: a column for each pair.
struct Means {
    /// They sum to 1.
    weights: Array1<f64>,
    /// The means, less their weighted mean.
    spread: Array2<f64>,
    mean: Array1<f64>,
}

impl Means {
    fn of(parts: &[(&Rung, &Section)]) -> Self {
        let pairs: Vec<f64> = parts.iter().flat_map(|(rung, _)| rung.pairs.iter().map(|pair| pair.1)).collect();
        let weights = Array1::from(pairs) / total(parts);
        let functionals = parts.first().map_or(0, |(_, section)| section.open.len());
        let mut spread = Array2::zeros((functionals, weights.len()));
        let mut next = 0;
        for (rung, section) in parts {
            let mut coefficients = Array2::zeros((section.cross.ncols(), rung.pairs.len()));
            for (mut column, (amplitude, _)) in coefficients.columns_mut().into_iter().zip(&rung.pairs) {
                column.assign(&rung.coefficients(*amplitude));
            }
            let place = Slice::from(next..next + rung.pairs.len());
            spread.slice_axis_mut(Axis(1), place).assign(&section.cross.dot(&coefficients));
            next += rung.pairs.len();
        }
        let mean = spread.dot(&weights);
        spread -= &mean.view().insert_axis(Axis(1));
        Self { weights, spread, mean }
    }
}

fn total(parts: &[(&Rung, &Section)]) -> f64 {
    parts.iter().map(|(rung, _)| rung.weight()).sum()
}
