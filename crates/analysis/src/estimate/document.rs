//! Estimates as they stand in documents.

use dpfda_mechanism::{ReadError, close, demand};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{DomainPoint, Estimate};
use crate::band::{Band, Target};

/// One estimate in a document: with a `grid` on a line or a circle, with the axes `s` and `t` on a rectangle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    s: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    t: Option<Vec<f64>>,
    values: Vec<f64>,
    posterior_sd: Vec<f64>,
    noise_sd: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    pub(crate) band: Band,
    pub(crate) level: f64,
    target: Target,
}

impl<P: DomainPoint> From<Estimate<P>> for EstimateDocument {
    fn from(estimate: Estimate<P>) -> Self {
        let [grid, s, t] = P::axes(&estimate.at);
        let Estimate { values, posterior_sd, noise_sd, lower, upper, band, level, target, .. } = estimate;
        let [values, posterior_sd, noise_sd, lower, upper] =
            [values, posterior_sd, noise_sd, lower, upper].map(|numbers| numbers.to_vec());
        Self { grid, s, t, values, posterior_sd, noise_sd, lower, upper, band, level, target }
    }
}

impl EstimateDocument {
    /// Demands that every number is what the release gives, up to another machine's rounding; `size` is that of the data.
    fn check(&self, derived: &Self, size: f64) -> Result<(), ReadError> {
        let sizes = derived.values.iter().chain(&derived.lower).chain(&derived.upper).chain(&derived.posterior_sd);
        let size = sizes.fold(size, |most, x| most.max(x.abs()));
        let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, size));
        demand("estimate.grid", self.grid == derived.grid)?;
        demand("estimate.s", self.s == derived.s)?;
        demand("estimate.t", self.t == derived.t)?;
        demand("estimate.values", all_close(&self.values, &derived.values))?;
        demand("estimate.posterior_sd", all_close(&self.posterior_sd, &derived.posterior_sd))?;
        demand("estimate.noise_sd", all_close(&self.noise_sd, &derived.noise_sd))?;
        demand("estimate.lower", all_close(&self.lower, &derived.lower))?;
        demand("estimate.upper", all_close(&self.upper, &derived.upper))?;
        demand("estimate.band", self.band == derived.band)?;
        demand("estimate.level", self.level == derived.level)?;
        demand("estimate.target", self.target == derived.target)
    }
}

/// An estimate of a document under its name, which is empty where there is one alone; `None` where the release says too little.
pub type Stated = (String, Option<EstimateDocument>);

/// The estimates of a release as its document holds them: one, or several under names.
pub trait StatedEstimates: Serialize + DeserializeOwned {
    /// The document of these estimates at a level; `None` where there is nothing to write.
    fn of(level: f64, means: Vec<Stated>) -> Option<Self>;

    /// The level and the estimates.
    fn stated(self) -> (f64, Vec<Stated>);
}

impl StatedEstimates for EstimateDocument {
    fn of(_: f64, means: Vec<Stated>) -> Option<Self> {
        means.into_iter().find_map(|(_, estimate)| estimate)
    }

    fn stated(self) -> (f64, Vec<Stated>) {
        (self.level, vec![(String::new(), Some(self))])
    }
}

/// Demands that a document states the estimates that its release gives, of which there is one at least: without any, nothing has its level.
/// `size` is that of the data.
pub(crate) fn check(stated: &[Stated], derived: &[(Stated, f64)]) -> Result<(), ReadError> {
    demand("estimate", stated.len() == derived.len() && stated.iter().any(|(_, estimate)| estimate.is_some()))?;
    for ((name, stated), ((own, derived), size)) in stated.iter().zip(derived) {
        demand("estimate.name", name == own)?;
        match (stated, derived) {
            (Some(stated), Some(derived)) => stated.check(derived, *size)?,
            (stated, derived) => demand("estimate", stated.is_none() && derived.is_none())?,
        }
    }
    Ok(())
}
