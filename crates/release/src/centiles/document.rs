//! What a release says about distributions, and its document.

use dpfda_mechanism::{Documented, ReadError, Release, close, demand};
use dpfda_privacy::{steps_to_unit, with_rounding};
use dpfda_smoothing::Ball;
use ndarray::{Array1, Array2};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::centiles::Centiles;
use crate::mean::{check_bought, relative_count_sd};
use crate::purchase::in_ball::InBall;

/// The noisy shares of records at or below public levels.
#[derive(Debug, Clone, PartialEq)]
pub struct SharesBelow {
    /// The levels, in units of the data.
    pub levels: Array1<f64>,
    /// The share at each point and level, with its noise: a row for each point.
    pub values: Array2<f64>,
    /// The share of the public centre, 0 or 1.
    pub of_center: Array2<f64>,
    /// The standard deviation of the noise of each share, with what the rounding of records adds; of rows, where they weigh 1.
    pub noise_sd: f64,
    /// Of rows, what records are weighed with at each point: 1 where everybody has rows at every point.
    pub weights: Option<NoisyWeights>,
    /// The number of records: public, or what the noisy count says, at least 1.
    pub records: f64,
    /// The standard deviation of the noise in that number, as a part of it; 0 where it is public. It moves all shares together.
    pub records_sd: f64,
}

/// What the rows of a point weigh, with its noise.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyWeights {
    /// At each point.
    pub values: Array1<f64>,
    /// The standard deviation of their noise.
    pub noise_sd: f64,
}

impl SharesBelow {
    /// The standard deviation of the noise of each share at each point.
    pub fn noise_sds(&self) -> Array1<f64> {
        let of_rows = |weights: &NoisyWeights| weights.divisors().mapv(|weight| self.noise_sd / weight);
        self.weights.as_ref().map_or_else(|| Array1::from_elem(self.values.nrows(), self.noise_sd), of_rows)
    }
}

impl NoisyWeights {
    /// No less than one standard deviation of the noise: a share is divided by it.
    fn divisors(&self) -> Array1<f64> {
        self.values.mapv(|weight| weight.max(self.noise_sd))
    }

    /// The standard deviation of the noise of each, as a part of it.
    pub fn relative_sd(&self) -> Array1<f64> {
        self.divisors().mapv(|weight| self.noise_sd / weight)
    }

    /// The part of all records that a share at each point is as good as the share of.
    ///
    /// ```text
    /// (sum q_i)^2 / sum q_i^2 ~ w_i mean(w) N,    at most N
    /// ```
    ///
    /// It is exact where everybody has rows at as many points.
    pub fn parts(&self) -> Array1<f64> {
        let divisors = self.divisors();
        let mean = divisors.sum() / divisors.len() as f64;
        divisors.mapv(|weight| (weight * mean).min(1.0))
    }

    /// The points whose weight cannot be told from its noise, by four standard deviations.
    pub fn hidden(&self) -> impl Iterator<Item = usize> + '_ {
        self.values.iter().enumerate().filter(|(_, weight)| **weight < 4.0 * self.noise_sd).map(|(point, _)| point)
    }
}

impl Centiles {
    /// The levels, in units of the data.
    pub fn level_values(&self) -> Array1<f64> {
        let ((lower, upper), number) = (self.bounds(), self.levels() + 1);
        (1..number).map(|j| lower + (upper - lower) * (j as f64 / number as f64)).collect()
    }

    /// The published shares of records at or below each level.
    pub fn shares_below(release: &Release<Self>) -> SharesBelow {
        let statistic = release.statistic();
        let (points, levels) = (statistic.grid().len(), statistic.levels());
        let dimension = release.coordinates().len();
        let (of_values, of_weights) = statistic.factors();
        let of_one = 1.0 / steps_to_unit(dimension) / release.units();
        let step = statistic.root_of_cells() / of_values * of_one;
        let sd = with_rounding(release.noise().variance(0).sqrt(), release.units(), dimension, release.unit());
        let weights = statistic.is_of_rows().then(|| {
            let step = (points as f64).sqrt() / of_weights * of_one;
            let values = release.coordinates().iter().skip(statistic.cells()).map(|&k| k as f64 * step).collect();
            NoisyWeights { values, noise_sd: sd * step }
        });
        let divisors = weights.as_ref().map_or_else(|| Array1::ones(points), NoisyWeights::divisors);
        let shape = (points, levels);
        let of_center = |(i, j)| if statistic.body.is_negative(i * levels + j) { 1.0 } else { 0.0 };
        let of_center = Array2::from_shape_fn(shape, of_center);
        let values = Array2::from_shape_fn(shape, |(i, j)| {
            release.coordinates()[i * levels + j] as f64 * step / divisors[i] + of_center[[i, j]]
        });
        SharesBelow {
            levels: statistic.level_values(),
            values,
            of_center,
            noise_sd: sd * step,
            weights,
            records: release.units(),
            records_sd: relative_count_sd(release),
        }
    }
}

impl Documented for Centiles {
    type Derived = CentilesDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> CentilesDerived {
        let statistic = release.statistic();
        let ball = statistic.bought().map(|_| statistic.ball().clone());
        let SharesBelow { levels, noise_sd, weights, .. } = Self::shares_below(release);
        let weights = weights.map(|weights| weights.values.to_vec());
        CentilesDerived { ball, levels: levels.to_vec(), noise_sd, weights }
    }

    fn consistent(release: &Release<Self>, derived: &CentilesDerived) -> Result<(), ReadError> {
        Self::check_mechanism(release.mechanism())?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        let own = Self::derived(release);
        let (lower, upper) = release.statistic().bounds();
        let size = lower.abs().max(upper.abs());
        let same = |own: &[f64], derived: &[f64], size: f64| {
            own.len() == derived.len() && own.iter().zip(derived).all(|(a, b)| close(*a, *b, size))
        };
        demand("derived.levels", same(&own.levels, &derived.levels, size))?;
        demand("derived.noise_sd", close(own.noise_sd, derived.noise_sd, own.noise_sd))?;
        let of = |weights: &Option<Vec<f64>>| weights.clone().unwrap_or_default();
        demand("derived.weights", same(&of(&own.weights), &of(&derived.weights), 1.0))
    }
}

/// The levels and the noise of each share, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CentilesDerived {
    /// Where the radius was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<Ball>,
    levels: Vec<f64>,
    noise_sd: f64,
    /// What records are weighed with at each point, of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<f64>>,
}
