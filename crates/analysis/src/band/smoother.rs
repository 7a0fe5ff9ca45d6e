//! Bands around one linear smoother of the release: smoothed, undersmoothed, unsmoothed, honest.

use dpfda_kernels::{Kernel, Matern, eigenpairs};
use dpfda_release::PenalizedMean;
use ndarray::{Array1, Array2, Axis};

use super::Band;
use super::process::Parts;
use crate::band::critical::{path_length, sidak, tube};
use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::seen::{between, scaled};
use crate::posterior::unmapped::Unmapped;
use crate::sampling::SamplingCovariance;

/// What the chosen penalty is divided by for the undersmoothed band.
const UNDERSMOOTHING: f64 = 100.0;

/// The length of a path whose tube value at 95% is 3.8333: the measured critical value over all points of all smoothers that are
/// tried (Gaussian, Matern 3/2 and exponential kernels, penalties from `1e-6` to 1, undersmoothed 100 times) on 93 points.
const PATH_OF_ALL_SMOOTHERS: f64 = 243.56;

/// The kernel of the honest band.
const HONEST: (f64, f64) = (1.5, 0.2);

/// Penalties the honest band chooses from: `10^(-k/10)` for `k` from 0 to this.
const HONEST_PENALTIES: u8 = 80;

/// Eigenvalues below this fraction of the largest are rounding error.
const ROUNDING: f64 = 1e-14;

/// A linear smoother of isonormal coordinates at the support, with the bias that it leaves.
pub(super) struct Linear {
    /// `S`, `q x q`.
    pub(super) rows: Array2<f64>,
    /// `sup |((I - S) h)(t)|` over `h` of norm at most 1, at the support.
    pub(super) bias: Array1<f64>,
}

/// The eigenbasis of a kernel at the support.
pub(super) struct Basis {
    values: Array1<f64>,
    vectors: Array2<f64>,
    roots: Array1<f64>,
}

impl Basis {
    pub(super) fn new(kernel: &Kernel, posterior: &Posterior) -> Result<Self, AnalysisError> {
        let roots = posterior.support.weights.mapv(f64::sqrt);
        let pairs = eigenpairs(&scaled(
            between(&posterior.support.kernel(kernel.clone())?, &posterior.support.points),
            &roots,
        ))?;
        let largest = pairs.values.last().copied().unwrap_or(0.0);
        let kept: Vec<usize> = (0..pairs.values.len()).filter(|&j| pairs.values[j] > ROUNDING * largest).collect();
        Ok(Self {
            values: kept.iter().map(|&j| pairs.values[j]).collect(),
            vectors: pairs.vectors.select(Axis(1), &kept),
            roots,
        })
    }

    /// `b_t^2 = sum_j lambda_j (1 - s_j)^2 v_j(t)^2` is the bias.
    pub(super) fn smoother(&self, smoother: &PenalizedMean) -> Linear {
        let shrinkages = smoother.shrinkages(self.values.view());
        let rows = (&self.vectors * &shrinkages.view().insert_axis(Axis(0))).dot(&self.vectors.t());
        let left = shrinkages.iter().zip(&self.values).map(|(s, lambda)| lambda * (1.0 - s).powi(2));
        let squares = self.vectors.mapv(|u| u * u).dot(&left.collect::<Array1<f64>>());
        Linear { rows, bias: squares.mapv(f64::sqrt) / &self.roots }
    }
}

/// The bands that need noise on all of the mean.
pub(super) fn band(
    band: &Band,
    posterior: &Posterior,
    sampling: &SamplingCovariance,
    level: f64,
) -> Result<Parts, AnalysisError> {
    let seen = Unmapped::of(posterior)?.ok_or(AnalysisError::NeedsIsonormal { band: band.name() })?;
    let alpha = 1.0 - level;
    let points = posterior.support.len();
    let by_path = |linear: &Linear| tube(path_length(seen.noise(&linear.rows).view()), alpha).min(sidak(points, alpha));
    let around =
        |linear: &Linear, critical, roughness| around(linear, (posterior, &seen), sampling, critical, roughness);
    match band {
        Band::Smoothed(smoother) => {
            let linear = Basis::new(smoother.kernel(), posterior)?.smoother(smoother);
            around(&linear, by_path(&linear), 0.0)
        }
        Band::Undersmoothed(smoother) => {
            let penalty = (smoother.penalty() / UNDERSMOOTHING).max(f64::MIN_POSITIVE);
            let weaker = PenalizedMean::new(smoother.kernel().clone(), penalty, smoother.power())?;
            let linear = Basis::new(smoother.kernel(), posterior)?.smoother(&weaker);
            let critical = tube(PATH_OF_ALL_SMOOTHERS, alpha).max(sidak(points, alpha));
            around(&linear, critical, 0.0)
        }
        Band::Honest { roughness } => {
            if !(roughness.is_finite() && *roughness > 0.0) {
                let (what, allowed) = ("the roughness of the honest band", "positive and finite");
                return Err(AnalysisError::Number { what, allowed, value: *roughness });
            }
            let (linear, critical) = honest(*roughness, (posterior, &seen), by_path)?;
            around(&linear, critical, *roughness)
        }
        _ => {
            let linear = Linear { rows: Array2::eye(points), bias: Array1::zeros(points) };
            around(&linear, sidak(points, alpha), 0.0)
        }
    }
}

/// The penalty that makes the band narrowest on average, from public numbers alone, so that the choice depends on no noise.
pub(super) fn honest(
    roughness: f64,
    (posterior, seen): (&Posterior, &Unmapped),
    by_path: impl Fn(&Linear) -> f64,
) -> Result<(Linear, f64), AnalysisError> {
    let kernel = Kernel::from(Matern::new(HONEST.0, HONEST.1)?);
    let basis = Basis::new(&kernel, posterior)?;
    let mut best: Option<(f64, Linear, f64)> = None;
    for k in 0..=HONEST_PENALTIES {
        let penalty = 10.0_f64.powf(-f64::from(k) / 10.0);
        let linear = basis.smoother(&PenalizedMean::new(kernel.clone(), penalty, 1.0)?);
        let critical = by_path(&linear);
        let lengths = seen.noise(&linear.rows).mapv(|s| s * s).sum_axis(Axis(1)).mapv(f64::sqrt);
        let half = lengths * (critical * posterior.observation.sigma) / &basis.roots + &linear.bias * roughness;
        let width = posterior.support.weights.dot(&half);
        if best.as_ref().is_none_or(|(least, _, _)| width < *least) {
            best = Some((width, linear, critical));
        }
    }
    best.map(|(_, linear, critical)| (linear, critical)).ok_or(AnalysisError::EmptyLadder)
}

/// `c sqrt(V_t) + B b_t` around `c + S (Y - c)`, with
///
/// ```text
/// V_t w_t = sigma^2 |R's_t|^2 + s_t' Sigma s_t / N + (sd_count / N)^2 (S Y)_t^2
/// ```
fn around(
    linear: &Linear,
    (posterior, seen): (&Posterior, &Unmapped),
    sampling: &SamplingCovariance,
    critical: f64,
    roughness: f64,
) -> Result<Parts, AnalysisError> {
    let observation = &posterior.observation;
    let support = &posterior.support;
    let roots = support.weights.mapv(f64::sqrt);
    let deviation = linear.rows.dot(&seen.deviation) / &roots;
    let privacy = seen.noise(&linear.rows).mapv(|s| s * s).sum_axis(Axis(1)) * observation.sigma.powi(2);
    let people = sampling.quadratic(&linear.rows, posterior)? / observation.records;
    let noise = privacy.mapv(f64::sqrt) / &roots;
    let noise: Array1<f64> = noise.iter().zip(&deviation).map(|(sd, d)| posterior.with_count(*sd, *d)).collect();
    let sd = (privacy + people).mapv(f64::sqrt) / &roots;
    let pairs = sd.iter().zip(&deviation).zip(&linear.bias);
    let half: Array1<f64> = pairs
        .map(|((sd, deviation), bias)| critical * posterior.with_count(*sd, *deviation) + roughness * bias)
        .collect();
    let middle = &observation.center + &support.on_grid(deviation.view());
    let (half, noise_sd) = (support.on_grid(half.view()), Some(support.on_grid(noise.view())));
    Ok(Parts { middle, critical, half, noise_sd })
}
