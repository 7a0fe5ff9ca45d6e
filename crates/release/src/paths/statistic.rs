//! One whole noise path of a mean function as a statistic.

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Statistic};
use dpfda_privacy::{EuclideanBall, LatticeVector, Law, steps_to_unit};
use dpfda_smoothing::{Ball, PenalizedMean};
use serde::{Deserialize, Serialize};

use crate::bound_fact::ball_fact;
use crate::coordinates::encode::{CurveRecord, CurveScratch, ball, encode};
use crate::functionals::map::{Dispersion, FunctionalBasis, FunctionalMapError};

/// The sum of curves in a public ball, in the coordinates that every functional of the smoothed mean is read off.
///
/// Its plan is `{ball, grid, smoother, dispersion, rank}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "PathPlan", into = "PathPlan")]
pub struct Path {
    plan: PathPlan,
    body: EuclideanBall,
    basis: FunctionalBasis,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathPlan {
    ball: Ball,
    grid: Grid,
    smoother: PenalizedMean,
    dispersion: Dispersion,
    rank: usize,
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.plan == other.plan
    }
}

impl Path {
    /// The path of the mean of curves on this grid, seen through this smoother.
    pub fn new(
        of: Ball,
        grid: Grid,
        smoother: PenalizedMean,
        dispersion: Dispersion,
    ) -> Result<Self, FunctionalMapError> {
        let basis = FunctionalBasis::new(&smoother, dispersion, &grid, &of)?;
        let rank = basis.whitening.dimension();
        Ok(Self { plan: PathPlan { ball: of, grid, smoother, dispersion, rank }, body: ball(rank)?, basis })
    }

    /// The public ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        &self.plan.ball
    }

    /// The points the curves are seen at.
    pub fn grid(&self) -> &Grid {
        &self.plan.grid
    }

    /// The smoother that the mean is seen through.
    pub fn smoother(&self) -> &PenalizedMean {
        &self.plan.smoother
    }

    /// The covariance of the noise.
    pub fn dispersion(&self) -> Dispersion {
        self.plan.dispersion
    }

    pub(crate) fn basis(&self) -> &FunctionalBasis {
        &self.basis
    }

    /// One lattice step of the sum, in data units.
    pub(crate) fn lattice_step(&self) -> f64 {
        self.plan.ball.radius() / steps_to_unit(self.plan.rank)
    }
}

impl Statistic for Path {
    type Body = EuclideanBall;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = CurveScratch;

    const KIND: &'static str = "kept-path";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> EuclideanBall {
        self.body
    }

    fn scratch(&self) -> CurveScratch {
        CurveScratch::new(self.plan.grid.len(), self.plan.rank)
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut CurveScratch, vector: &mut LatticeVector) {
        encode(&record, &self.basis.whitening.coordinates(), scratch, vector);
    }

    fn facts(&self) -> Vec<Fact> {
        let mechanism = "one noise path, of which any number of functionals is published";
        vec![ball_fact(&self.plan.ball, &self.plan.grid), Fact::new("mechanism", mechanism).briefly(mechanism)]
    }
}

impl From<Path> for PathPlan {
    fn from(statistic: Path) -> Self {
        statistic.plan
    }
}

impl TryFrom<PathPlan> for Path {
    type Error = FunctionalMapError;

    fn try_from(plan: PathPlan) -> Result<Self, FunctionalMapError> {
        let PathPlan { ball: of, grid, smoother, dispersion, rank } = plan;
        let basis = FunctionalBasis::with_dimension(&smoother, dispersion, &grid, &of, rank)?;
        let expected = basis.whitening.dimension();
        if expected != rank {
            return Err(FunctionalMapError::Rank { expected, found: rank });
        }
        Ok(Self { plan: PathPlan { ball: of, grid, smoother, dispersion, rank }, body: ball(rank)?, basis })
    }
}
