//! The public plan of drawn cells, and the checks that it passes.

use dpfda_mechanism::{Digest, Guarantee, ReadError, SCHEMA, demand};
use dpfda_privacy::NeighbouringRelation;
use serde::{Deserialize, Serialize};

use crate::cells::{Cells, MAX_DRAWS};
use crate::exponential::KsExponential;
use crate::series_exponential::SeriesExponential;
use crate::smoothed::SmoothedHistogram;

/// What drew the cells, with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DrawsMechanism {
    /// Independent draws from a mixture of the histogram and the uniform density (Wasserman and Zhou, Theorem 5).
    SmoothedHistogram {
        /// The weight of the uniform density, exactly.
        mixture: f64,
    },
    /// One draw of all cells by the exponential mechanism with the Kolmogorov-Smirnov distance (Theorem 9); their order,
    /// from low to high, tells nothing.
    KsExponential,
    /// One draw of all cells by the exponential mechanism with the distance of cosine series ((14) to (17)).
    SeriesExponential {
        /// The number of terms of the series.
        terms: usize,
    },
}

impl DrawsMechanism {
    /// What documents call these releases.
    pub const KINDS: [&'static str; 3] = ["smoothed-histogram", "ks-exponential", "series-exponential"];

    /// What documents call its releases.
    pub fn kind(self) -> &'static str {
        match self {
            Self::SmoothedHistogram { .. } => Self::KINDS[0],
            Self::KsExponential => Self::KINDS[1],
            Self::SeriesExponential { .. } => Self::KINDS[2],
        }
    }
}

/// Everything public about drawn cells, before there are any data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DrawsPlan {
    pub(crate) guarantee: Guarantee,
    pub(crate) mechanism: DrawsMechanism,
    pub(crate) cells: Cells,
    pub(crate) draws: usize,
}

impl DrawsPlan {
    /// The digest of the plan in its canonical bytes.
    pub(super) fn digest(&self) -> Digest {
        let document = PlanDocument {
            schema: SCHEMA,
            kind: self.mechanism.kind(),
            privacy: self.guarantee,
            statistic: DrawsStatistic::of(self),
        };
        Digest::of(&serde_json::to_vec(&document).unwrap_or_else(|_| unreachable!("a plan holds numbers and names")))
    }

    /// Refuses what the mechanism's own constructor refuses: a file may not claim more privacy than such draws have.
    pub(super) fn check(&self, records: Option<u64>) -> Result<(), ReadError> {
        let (budget, relation) = (self.guarantee.budget(), self.guarantee.neighbours());
        demand("privacy.epsilon", budget.epsilon() > 0.0)?;
        demand("privacy.delta", budget.delta() == 0.0)?;
        demand("privacy.records", records != Some(0))?;
        demand("statistic.draws", (1..=MAX_DRAWS).contains(&self.draws))?;
        let (cells, draws) = (self.cells.clone(), self.draws);
        match self.mechanism {
            DrawsMechanism::SmoothedHistogram { mixture } => {
                demand("privacy.neighbours", relation == NeighbouringRelation::SubstituteOne)?;
                let found = SmoothedHistogram::new(budget, relation, records.unwrap_or(0), cells, draws, mixture);
                demand("statistic.mixture", found.is_ok_and(|found| found.mixture() == mixture))
            }
            DrawsMechanism::KsExponential => {
                demand("statistic.cells", KsExponential::new(budget, relation, cells, draws).is_ok())
            }
            DrawsMechanism::SeriesExponential { terms } => {
                demand("privacy.neighbours", relation == NeighbouringRelation::SubstituteOne)?;
                let found = SeriesExponential::new(terms, cells.per_axis(), draws, budget);
                let allowed = found.is_ok_and(|found| found.space(cells.bounds(), records.unwrap_or(0)).is_ok());
                demand("statistic.terms", allowed)
            }
        }
    }

    /// Whether these cells can have been drawn.
    pub(super) fn allows(&self, draws: &[usize]) -> bool {
        let is_sorted = self.mechanism != DrawsMechanism::KsExponential || draws.is_sorted();
        draws.len() == self.draws && draws.iter().all(|cell| *cell < self.cells.count()) && is_sorted
    }
}

#[derive(Serialize)]
struct PlanDocument {
    schema: u32,
    kind: &'static str,
    privacy: Guarantee,
    statistic: DrawsStatistic,
}

/// The public settings; which parameters there are follows from the kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawsStatistic {
    pub(super) cells: Cells,
    pub(super) draws: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mixture: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    terms: Option<usize>,
}

impl DrawsStatistic {
    pub(super) fn of(plan: &DrawsPlan) -> Self {
        let (mixture, terms) = match plan.mechanism {
            DrawsMechanism::SmoothedHistogram { mixture } => (Some(mixture), None),
            DrawsMechanism::KsExponential => (None, None),
            DrawsMechanism::SeriesExponential { terms } => (None, Some(terms)),
        };
        Self { cells: plan.cells.clone(), draws: plan.draws, mixture, terms }
    }

    /// The mechanism of this kind, if these are its parameters.
    pub(super) fn mechanism(&self, kind: &str) -> Option<DrawsMechanism> {
        let found = match (self.mixture, self.terms) {
            (Some(mixture), None) => DrawsMechanism::SmoothedHistogram { mixture },
            (None, None) => DrawsMechanism::KsExponential,
            (None, Some(terms)) => DrawsMechanism::SeriesExponential { terms },
            (Some(_), Some(_)) => return None,
        };
        (found.kind() == kind).then_some(found)
    }
}
