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
    /// The standard deviation of the noise of each share, with what the rounding of records adds.
    pub noise_sd: f64,
    /// The number of records: public, or what the noisy count says, at least 1.
    pub records: f64,
    /// The standard deviation of the noise in that number, as a part of it; 0 where it is public. It moves all shares together.
    pub records_sd: f64,
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
        let step = statistic.root_of_cells() * statistic.norm() / steps_to_unit(points * levels) / release.units();
        let values = Array2::from_shape_fn((points, levels), |(i, j)| {
            let cell = i * levels + j;
            let of_center = if statistic.body.is_negative(cell) { 1.0 } else { 0.0 };
            release.coordinates()[cell] as f64 * step + of_center
        });
        let sd = release.noise().variance(0).sqrt();
        let noise_sd = with_rounding(sd, release.units(), points * levels, release.unit()) * step;
        let (levels, records) = (statistic.level_values(), release.units());
        SharesBelow { levels, values, noise_sd, records, records_sd: relative_count_sd(release) }
    }
}

impl Documented for Centiles {
    type Derived = CentilesDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> CentilesDerived {
        let statistic = release.statistic();
        let ball = statistic.bought().map(|_| statistic.ball().clone());
        let SharesBelow { levels, noise_sd, .. } = Self::shares_below(release);
        CentilesDerived { ball, levels: levels.to_vec(), noise_sd }
    }

    fn consistent(release: &Release<Self>, derived: &CentilesDerived) -> Result<(), ReadError> {
        Self::check_mechanism(release.mechanism())?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        let own = Self::derived(release);
        let (lower, upper) = release.statistic().bounds();
        let size = lower.abs().max(upper.abs());
        let is_same = own.levels.len() == derived.levels.len()
            && own.levels.iter().zip(&derived.levels).all(|(a, b)| close(*a, *b, size));
        demand("derived.levels", is_same)?;
        demand("derived.noise_sd", close(own.noise_sd, derived.noise_sd, own.noise_sd))
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
}
