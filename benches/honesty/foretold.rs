//! What a release is foretold to be worth before there are data, beside what it was worth.

use dpfda::analysis::{BayesRisk, DEFAULT_LEVEL, Estimate};
use dpfda::prelude::*;
use dpfda::release::NoiseLaw;
use ndarray::Array1;

use crate::Fault;
use crate::claim::{Outcome, Seen};
use crate::line::Measure;

/// The error of the default estimate and the half-width of the default band: root mean squares over the domain.
pub struct Foretold {
    error: f64,
    half_width: f64,
}

impl Foretold {
    /// Of a mean of curves on a grid; nothing where the library foretells nothing of such a release.
    pub fn of_mean(settings: &PrivateMean, grid: &Grid, records: usize) -> Result<Option<Self>, Fault> {
        let risk = BayesRisk::new(grid, &Ladder::default())?;
        Ok(settings.noise_law_on(grid.len()).ok().and_then(|law| Self::of(&risk, &law, records)))
    }

    /// Of rows, so many of each person.
    pub fn of_rows(settings: &PrivateRows, visits: u32, records: usize) -> Result<Option<Self>, Fault> {
        let risk = BayesRisk::of_rows(settings.mechanism()?.statistic(), &Ladder::default())?;
        Ok(settings.noise_law(visits).ok().and_then(|law| Self::of(&risk, &law, records)))
    }

    fn of(risk: &BayesRisk, law: &NoiseLaw, records: usize) -> Option<Self> {
        let expected = risk.of(law, records as u64, DEFAULT_LEVEL).ok()?;
        Some(Self { error: expected.error, half_width: expected.half_width })
    }

    fn seen(&self, estimate: &Estimate<f64>, people: &Array1<f64>) -> Seen {
        let mean_square = |x: Array1<f64>| x.mapv(|x| x * x).sum() / x.len() as f64;
        let half_width = mean_square((&estimate.upper - &estimate.lower) / 2.0).sqrt();
        Seen {
            is_so: None,
            width: half_width / self.half_width,
            squared_error: mean_square(&estimate.values - people) / self.error.powi(2),
        }
    }
}

/// What was measured over what was foretold: of an estimate with its band, and the mean of the people in the release at its points.
pub fn outcome(foretold: Option<&Foretold>, estimate: &Estimate<f64>, people: &Array1<f64>) -> Outcome {
    let seen = foretold.map(|foretold| foretold.seen(estimate, people));
    Outcome { quantity: "forecast".to_owned(), measure: Measure::Forecast, seen }
}
