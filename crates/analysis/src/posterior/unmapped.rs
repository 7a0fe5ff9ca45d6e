//! The noisy mean itself, from whatever coordinates tell it.

use std::borrow::Cow;

use ndarray::{Array1, Array2};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::psd::inverse;

/// A noisy mean in the support's whitened coordinates, as a deviation from the centre in data units, and how its noise is made of white
/// noise.
///
/// ```text
/// y = B'z + sigma W:    B (B'B)^(-1) y = z + sigma B (B'B)^(-1) W    for z in the span of B
/// ```
pub(crate) struct Unmapped {
    pub(crate) deviation: Array1<f64>,
    /// `B (B'B)^(-1)` on the support; `None` for white noise on the mean.
    spread: Option<Array2<f64>>,
}

impl Unmapped {
    /// `None` for coordinates that do not tell every mean from every other.
    pub(crate) fn of(posterior: &Posterior) -> Result<Option<Self>, AnalysisError> {
        let (observation, support) = (&posterior.observation, &posterior.support);
        let Some(map) = &observation.map else {
            return Ok(Some(Self { deviation: support.binned(observation.coordinates.view()), spread: None }));
        };
        if !observation.tells_all() {
            return Ok(None);
        }
        let inverse = map.dot(&inverse(&map.t().dot(map))?);
        let mut spread = Array2::zeros((support.len(), inverse.ncols()));
        for (mut column, of_grid) in spread.columns_mut().into_iter().zip(inverse.columns()) {
            column.assign(&support.binned(of_grid));
        }
        let deviation = support.binned(inverse.dot(&observation.coordinates).view());
        Ok(Some(Self { deviation, spread: Some(spread) }))
    }

    /// What each row of linear forms of the mean makes of white noise.
    pub(crate) fn noise<'a>(&self, rows: &'a Array2<f64>) -> Cow<'a, Array2<f64>> {
        self.spread.as_ref().map_or(Cow::Borrowed(rows), |spread| Cow::Owned(rows.dot(spread)))
    }
}
