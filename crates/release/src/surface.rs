//! The mean surface as a statistic.

pub(crate) mod document;
pub(crate) mod private;

use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_mechanism::{Fact, Release, Statistic, exact};
use dpfda_privacy::{EuclideanBall, LatticeError, LatticeVector, Law, steps_to_unit, with_rounding};
use dpfda_smoothing::{Ball, BallError};
use ndarray::Array2;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bound_fact::surface_fact;
use crate::coordinates::encode::{CurveRecord, CurveScratch, encode};
use crate::coordinates::whitening::Coordinates;

/// Why there is no mean of surfaces on this grid in this ball.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SurfaceError {
    /// The ball does not fit the grid.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// Too many points.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// The sum of surfaces in a public ball, in isonormal coordinates.
///
/// ```text
/// z_ij = sqrt(w_i v_j) (P(X) - c)(s_i, t_j) / tau
/// ```
///
/// `P` projects on the ball of radius `tau` in root-mean-square distance over the rectangle. The body is that of a curve on as many
/// points, and so are bound and noise: `docs/proofs/surfaces.md`. Values are in row-major order: `t` runs fastest.
///
/// Its plan is `{ball, grid}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SurfacePlan", into = "SurfacePlan")]
pub struct Surface {
    plan: SurfacePlan,
    body: EuclideanBall,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfacePlan {
    ball: Ball,
    grid: SurfaceGrid,
}

impl Surface {
    /// The mean of surfaces on this grid, each projected on the ball. A centre that is a curve is a surface in row-major order.
    ///
    /// # Errors
    /// [`SurfaceError::Ball`] for a centre with another number of values than the grid has points.
    pub fn new(ball: Ball, grid: SurfaceGrid) -> Result<Self, SurfaceError> {
        SurfacePlan { ball, grid }.try_into()
    }

    /// The public ball that every surface is projected on.
    pub fn ball(&self) -> &Ball {
        &self.plan.ball
    }

    /// The points the surfaces are seen at.
    pub fn grid(&self) -> &SurfaceGrid {
        &self.plan.grid
    }

    /// The centre at the points of the grid, a row for each `s`.
    pub fn center(&self) -> Array2<f64> {
        let grid = self.grid();
        let center = self.ball().center_of(grid.len()).ok();
        center
            .and_then(|center| center.into_shape_with_order(grid.shape()).ok())
            .unwrap_or_else(|| unreachable!("the constructor checked the centre"))
    }

    /// One step of the public lattice, in data units of the whitened sum.
    pub fn lattice_step(&self) -> f64 {
        self.ball().radius() / steps_to_unit(self.grid().len())
    }

    /// The noisy mean `sqrt(w_i v_j) (Y - c)(s_i, t_j)`, a row for each `s`, and the standard deviation of each of these numbers, in data
    /// units: that of the noise with what the rounding of records adds ([`with_rounding`]).
    pub fn whitened(&self, release: &Release<Self>) -> (Array2<f64>, f64) {
        let factor = self.lattice_step() / release.units();
        let values = release.coordinates().iter().map(|&k| k as f64 * factor).collect();
        let values = Array2::from_shape_vec(self.grid().shape(), values)
            .unwrap_or_else(|_| unreachable!("a release has a coordinate for each point"));
        let sd = with_rounding(release.noise().sd(), release.units(), self.grid().len(), release.unit());
        (values, factor * sd)
    }
}

impl Statistic for Surface {
    type Body = EuclideanBall;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = CurveScratch;

    const KIND: &'static str = "surface";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> EuclideanBall {
        self.body
    }

    fn scratch(&self) -> CurveScratch {
        let points = self.grid().len();
        CurveScratch::new(points, points)
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut CurveScratch, vector: &mut LatticeVector) {
        let coordinates = Coordinates::Isonormal { dimension: self.grid().len() };
        encode(&record, &coordinates, scratch, vector);
    }

    fn facts(&self) -> Vec<Fact> {
        let [s, t] = self.grid().axes();
        let axis = |name: &str, axis: &Grid| {
            let (points, lower, upper) = (axis.len(), exact(axis.lower()), exact(axis.upper()));
            format!("{points} values of {name} from {lower} to {upper}")
        };
        let text = format!("surfaces on {} and {}", axis("s", s), axis("t", t));
        let (rows, columns) = self.grid().shape();
        let points = Fact::new("grid", text).captioned(format!("{rows} x {columns} points"));
        let mechanism = Fact::new("mechanism", "isonormal (white noise on the mean surface)".to_owned());
        vec![points, surface_fact(self.ball(), self.grid()), mechanism.captioned("isonormal mechanism".to_owned())]
    }
}

impl From<Surface> for SurfacePlan {
    fn from(surface: Surface) -> Self {
        surface.plan
    }
}

impl TryFrom<SurfacePlan> for Surface {
    type Error = SurfaceError;

    fn try_from(plan: SurfacePlan) -> Result<Self, SurfaceError> {
        plan.ball.center_of(plan.grid.len())?;
        let body = EuclideanBall::new(plan.grid.len())?;
        Ok(Self { plan, body })
    }
}
