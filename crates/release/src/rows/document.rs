//! What a release says about irregular curves, and its document.

use dpfda_mechanism::{Documented, ReadError, Release, close, demand};
use dpfda_smoothing::Ball;
use ndarray::Array1;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::mean::check_bought;
use crate::purchase::in_ball::InBall;
use crate::rows::Rows;

/// A bin is supported where its weight is so many standard deviations of its noise.
const SUPPORTED: f64 = 2.0;

/// The noisy sums by bin.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisySums {
    /// `S + noise`: the weighted values about the centre, in units of the data.
    pub values: Array1<f64>,
    /// The standard deviation of the noise of each value, with what the rounding of records adds.
    pub values_sd: f64,
    /// `H + noise`: the weights.
    pub weights: Array1<f64>,
    /// The standard deviation of the noise of each weight, with what the rounding of records adds.
    pub weights_sd: f64,
}

impl NoisySums {
    /// Whether a bin's weight stands out from its noise: by more than 2 standard deviations. In other bins the release says next to
    /// nothing.
    pub fn is_supported(&self, bin: usize) -> bool {
        self.weights.get(bin).is_some_and(|weight| *weight > SUPPORTED * self.weights_sd)
    }
}

impl Rows {
    /// The noisy sums, in units of the data.
    pub fn sums(release: &Release<Self>) -> NoisySums {
        let (of_values, of_weights) = release.statistic().steps();
        let (values, weights) = release.coordinates().split_at(release.statistic().bins());
        let scaled = |of: &[i64], step: f64| of.iter().map(|k| *k as f64 * step).collect();
        let (values, weights): (Array1<f64>, Array1<f64>) = (scaled(values, of_values), scaled(weights, of_weights));
        // the weights of a record that has any are 1 or more together
        let noisy = || weights.iter().map(|weight| weight.max(0.0)).sum::<f64>().max(1.0);
        let records = release.public_records().map_or_else(noisy, |records| records as f64);
        let (in_values, in_weights) = release.statistic().body.rounding_of_record();
        let sd = |rounding: f64| release.noise().variance(0).sqrt().hypot(records * rounding);
        NoisySums { values, values_sd: sd(in_values) * of_values, weights, weights_sd: sd(in_weights) * of_weights }
    }
}

impl Documented for Rows {
    type Derived = RowsDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> RowsDerived {
        RowsDerived::of(release)
    }

    fn consistent(release: &Release<Self>, derived: &RowsDerived) -> Result<(), ReadError> {
        Self::check_mechanism(release.mechanism())?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        derived.check(release)
    }
}

/// The sums in units of the data, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsDerived {
    /// Where the radius was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<Ball>,
    values: Vec<f64>,
    values_sd: f64,
    weights: Vec<f64>,
    weights_sd: f64,
    /// Whether the weight of each bin stands out from its noise.
    supported: Vec<bool>,
}

impl RowsDerived {
    fn of(release: &Release<Rows>) -> Self {
        let sums = Rows::sums(release);
        let statistic = release.statistic();
        let ball = statistic.bought().map(|_| statistic.ball().clone());
        let supported = (0..sums.weights.len()).map(|bin| sums.is_supported(bin)).collect();
        let NoisySums { values, values_sd, weights, weights_sd } = sums;
        Self { ball, values: values.to_vec(), values_sd, weights: weights.to_vec(), weights_sd, supported }
    }

    fn check(&self, release: &Release<Rows>) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        let all = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b));
        demand("derived.values", all(&self.values, &derived.values) && same(self.values_sd, derived.values_sd))?;
        demand("derived.weights", all(&self.weights, &derived.weights) && same(self.weights_sd, derived.weights_sd))?;
        // a weight at the very edge of its noise may fall on its other side on another machine
        let at_edge = |weight: f64| same(weight, SUPPORTED * derived.weights_sd);
        let told = self.supported.iter().zip(&derived.supported).zip(&derived.weights);
        let is_told = self.supported.len() == derived.supported.len()
            && told.into_iter().all(|((told, is), weight)| told == is || at_edge(*weight));
        demand("derived.supported", is_told)
    }
}
