//! Some numbers of a mean function as a statistic.

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Statistic};
use dpfda_privacy::{EuclideanBall, LatticeVector, Law, steps_to_unit};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::bound_fact::ball_fact;
use crate::coordinates::encode::{CurveRecord, CurveScratch, ball, encode};
use crate::coordinates::whitening::Coordinates;
use crate::functionals::functional::{FunctionalError, LinearFunctional};
use crate::functionals::map::{Dispersion, FunctionalBasis, FunctionalMapError};
use crate::functionals::span::Span;

/// The sum of curves in a public ball, in the coordinates that some functionals span.
///
/// ```text
/// g_i(c + S (Xbar - c)) = g_i(c) + sum_l L_il q_l . z,    Q orthonormal,  |Q z| <= |z| <= tau
/// ```
///
/// Its plan is `{ball, grid, smoother, dispersion, functionals, rank}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "FunctionalsPlan", into = "FunctionalsPlan")]
pub struct Functionals {
    plan: FunctionalsPlan,
    body: EuclideanBall,
    /// `n x k`: acts on isonormal coordinates.
    map: Array2<f64>,
    /// The functionals of the centre.
    offsets: Array1<f64>,
    /// `d x k`: the functionals as combinations of the coordinates that are released.
    coefficients: Array2<f64>,
}

/// Everything that settles the coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionalsPlan {
    ball: Ball,
    grid: Grid,
    smoother: PenalizedMean,
    dispersion: Dispersion,
    functionals: Vec<LinearFunctional>,
    rank: usize,
}

impl PartialEq for Functionals {
    fn eq(&self, other: &Self) -> bool {
        self.plan == other.plan
    }
}

impl Functionals {
    /// These functionals of the mean of curves on this grid, seen through this smoother.
    pub fn new(
        ball: Ball,
        grid: Grid,
        smoother: PenalizedMean,
        dispersion: Dispersion,
        functionals: Vec<LinearFunctional>,
    ) -> Result<Self, FunctionalMapError> {
        Self::of_plan(FunctionalsPlan { ball, grid, smoother, dispersion, functionals, rank: 0 })
    }

    fn of_plan(mut plan: FunctionalsPlan) -> Result<Self, FunctionalMapError> {
        let basis = FunctionalBasis::new(&plan.smoother, plan.dispersion, &plan.grid, &plan.ball)?;
        let of_functionals = basis.map(&plan.functionals)?;
        let span = Span::new(of_functionals.rows.view());
        plan.rank = span.rank();
        if plan.rank == 0 {
            return Err(FunctionalError::Constant.into());
        }
        let directions = span.directions.t();
        let map = basis.whitening.coordinates().transposed(directions.to_owned());
        let body = ball(plan.rank)?;
        Ok(Self { plan, body, map, offsets: of_functionals.offsets, coefficients: span.coefficients })
    }

    /// What is asked.
    pub fn functionals(&self) -> &[LinearFunctional] {
        &self.plan.functionals
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

    /// The covariance that the noise's dispersion comes from.
    pub fn dispersion(&self) -> Dispersion {
        self.plan.dispersion
    }

    /// `k`: how many of the functionals are linearly independent, which is what the noise grows with.
    pub fn rank(&self) -> usize {
        self.plan.rank
    }

    pub(crate) fn offsets(&self) -> &Array1<f64> {
        &self.offsets
    }

    pub(crate) fn coefficients(&self) -> &Array2<f64> {
        &self.coefficients
    }

    /// One lattice step of the sum, in data units.
    pub(crate) fn lattice_step(&self) -> f64 {
        self.plan.ball.radius() / steps_to_unit(self.plan.rank)
    }
}

impl Statistic for Functionals {
    type Body = EuclideanBall;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = CurveScratch;

    const KIND: &'static str = "functionals";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> EuclideanBall {
        self.body
    }

    fn scratch(&self) -> CurveScratch {
        CurveScratch::new(self.plan.grid.len(), self.plan.rank)
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut CurveScratch, vector: &mut LatticeVector) {
        encode(&record, &Coordinates::Mapped(self.map.view()), scratch, vector);
    }

    fn facts(&self) -> Vec<Fact> {
        let number =
            format!("{} linear functionals of the mean, of rank {}", self.plan.functionals.len(), self.plan.rank);
        vec![
            ball_fact(&self.plan.ball, &self.plan.grid),
            Fact::new("mechanism", number.clone()).briefly(format!("noise on {number}")),
        ]
    }
}

impl From<Functionals> for FunctionalsPlan {
    fn from(statistic: Functionals) -> Self {
        statistic.plan
    }
}

impl TryFrom<FunctionalsPlan> for Functionals {
    type Error = FunctionalMapError;

    fn try_from(plan: FunctionalsPlan) -> Result<Self, FunctionalMapError> {
        let stated = plan.rank;
        let statistic = Self::of_plan(plan)?;
        let expected = statistic.rank();
        if expected == stated { Ok(statistic) } else { Err(FunctionalMapError::Rank { expected, found: stated }) }
    }
}
