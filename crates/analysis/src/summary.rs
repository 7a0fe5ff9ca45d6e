//! Mean, variance and passed-on noise of linear functionals, over all kernels and amplitudes that have weight.

use ndarray::{Array1, Array2, Axis};

use crate::rung::{Rung, Section};

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
        let total: f64 = parts.iter().map(|(rung, _)| rung.weight()).sum();
        let means = means(parts);
        let functionals = parts.first().map_or(0, |(_, section)| section.open.len());
        let zero = Array1::zeros(functionals);
        let mean = means.iter().fold(zero.clone(), |sum, (weight, m)| sum + m * (*weight / total));
        let between = means.iter().fold(zero, |sum, (weight, m)| sum + (m - &mean).mapv(|d| d * d) * (*weight / total));
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
    let total: f64 = parts.iter().map(|(rung, _)| rung.weight()).sum();
    let maps = parts.iter().map(|(rung, section)| rung.linear_map(&section.cross) / total);
    maps.reduce(|sum, map| sum + map).unwrap_or_default()
}

/// The covariance of the functionals; `open` gives what the coordinates leave open of each rung's prior between them.
pub(crate) fn covariance(
    parts: &[(&Rung, &Section)],
    open: impl Fn(&Rung, &Section) -> Option<Array2<f64>>,
) -> Array2<f64> {
    let total: f64 = parts.iter().map(|(rung, _)| rung.weight()).sum();
    let means = means(parts);
    let functionals = parts.first().map_or(0, |(_, section)| section.open.len());
    let zero = Array1::<f64>::zeros(functionals);
    let mean = means.iter().fold(zero, |sum, (weight, m)| sum + m * (*weight / total));
    let mut covariance = Array2::zeros((functionals, functionals));
    for (weight, m) in &means {
        let column = (m - &mean).insert_axis(Axis(1));
        covariance.scaled_add(weight / total, &column.dot(&column.t()));
    }
    for (rung, section) in parts {
        let spreads = rung.averaged(|amplitude| rung.spreads(amplitude)).insert_axis(Axis(0));
        covariance.scaled_add(1.0 / total, &(&section.cross * &spreads).dot(&section.cross.t()));
        if let Some(open) = open(rung, section) {
            covariance.scaled_add(rung.amplitude() / total, &open);
        }
    }
    covariance
}

/// The weight and the mean of every pair of kernel and amplitude.
fn means(parts: &[(&Rung, &Section)]) -> Vec<(f64, Array1<f64>)> {
    let pairs = parts.iter().flat_map(|(rung, section)| {
        let mean = |&(amplitude, weight): &(f64, f64)| (weight, section.cross.dot(&rung.coefficients(amplitude)));
        rung.pairs.iter().map(mean)
    });
    pairs.collect()
}
