//! The mean function as a statistic: curves become integer vectors whose noise is white.

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, GridError, SpectrumError};
use dpfda_mechanism::{Fact, Release, Statistic, exact};
use dpfda_privacy::{EuclideanBall, LatticeError, LatticeVector, Law, steps_to_unit};
use dpfda_smoothing::{Ball, BallError, Center, PenalizedMean};
use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::encode::{CurveRecord, CurveScratch, ball, encode};
use crate::whitening::{Coordinates, Whitening};

/// Which coordinates the noise is white in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum MeanMechanism {
    /// White noise on the mean itself; every smoother afterwards is free and none needs less noise.
    Isonormal,
    /// Noise of the smoother's own kernel on the smoothed mean (Mirshani, Reimherr and Slavkovic, section 4).
    CameronMartin(PenalizedMean),
}

/// Why there is no mean on this grid in this ball.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeanError {
    /// The grid cannot be mapped to the unit interval.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The ball does not fit the grid.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// The kernel has no spectrum on this grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The plan states another number of coordinates than its kernel has on this grid.
    #[error("grid and mechanism call for {expected} coordinates, the plan has {found}")]
    Rank {
        /// The number that grid and mechanism call for.
        expected: usize,
        /// The number that is stated.
        found: usize,
    },
    /// Too many points.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// The sum of curves in a public ball, in whitened coordinates.
///
/// ```text
/// isonormal:       z_i = sqrt(w_i) (P(X) - c)(t_i) / tau
/// Cameron-Martin:  z_j = (a_j / a) <P(X) - c, v_j> / tau,    a_j = s_j / sqrt(lambda_j),  a = max_j a_j
/// ```
///
/// Its plan is `{ball, grid, mechanism, rank}`: the rank says how many eigenfunctions count as not zero, so that every machine
/// encodes in as many coordinates.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "MeanPlan", into = "MeanPlan")]
pub struct Mean {
    ball: Ball,
    grid: Grid,
    whitening: Whitening,
    body: EuclideanBall,
}

impl PartialEq for Mean {
    fn eq(&self, other: &Self) -> bool {
        MeanPlan::from(self.clone()) == MeanPlan::from(other.clone())
    }
}

impl Mean {
    /// The mean of curves on this grid, each projected on the ball.
    ///
    /// # Errors
    /// [`MeanError`] for a centre curve of another length, and a kernel without a spectrum on the grid.
    pub fn new(ball: Ball, grid: Grid, mechanism: &MeanMechanism) -> Result<Self, MeanError> {
        let whitening = Whitening::new(mechanism, &grid.to_unit()?)?;
        Self::in_coordinates(ball, grid, whitening)
    }

    fn in_coordinates(of: Ball, grid: Grid, whitening: Whitening) -> Result<Self, MeanError> {
        of.center_at(&grid)?;
        let body = ball(whitening.dimension())?;
        Ok(Self { ball: of, grid, whitening, body })
    }

    /// The public ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// The points the curves are seen at.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Which coordinates the noise is white in.
    pub fn mechanism(&self) -> MeanMechanism {
        self.whitening.mechanism()
    }

    /// One step of the public lattice, in data units of the whitened sum: the radius over [`steps_to_unit`], just above
    /// `radius * 2^-22`.
    pub fn lattice_step(&self) -> f64 {
        self.ball.radius() / steps_to_unit(self.whitening.dimension())
    }

    /// The linear map of isonormal coordinates `sqrt(w_i) (X - c)(t_i)`, a column for each whitened coordinate; `None` where
    /// the whitened coordinates are the isonormal ones.
    pub fn map(&self) -> Option<ArrayView2<'_, f64>> {
        match self.whitening.coordinates() {
            Coordinates::Isonormal { .. } => None,
            Coordinates::Mapped(map) => Some(map),
        }
    }

    pub(crate) fn whitening(&self) -> &Whitening {
        &self.whitening
    }

    /// The noisy mean in whitened coordinates, and the standard deviation of the noise in each, in data units.
    pub fn whitened(&self, release: &Release<Self>) -> (Array1<f64>, f64) {
        let factor = self.lattice_step() / release.units();
        let mean = release.coordinates().iter().map(|&k| k as f64 * factor).collect();
        (mean, factor * release.noise().scale())
    }
}

impl Statistic for Mean {
    type Body = EuclideanBall;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = CurveScratch;

    const KIND: &'static str = "mean";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> EuclideanBall {
        self.body
    }

    fn scratch(&self) -> CurveScratch {
        CurveScratch::new(self.grid.len(), self.whitening.dimension())
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut CurveScratch, vector: &mut LatticeVector) {
        encode(&record, &self.whitening.coordinates(), scratch, vector);
    }

    fn facts(&self) -> Vec<Fact> {
        let (mechanism, caption) = match self.mechanism() {
            MeanMechanism::Isonormal => ("isonormal (white noise on the mean)", "isonormal mechanism"),
            MeanMechanism::CameronMartin(_) => {
                ("Cameron-Martin (noise with the smoother's kernel on the smoothed mean)", "Cameron-Martin mechanism")
            }
        };
        vec![ball_fact(&self.ball, &self.grid), Fact::new("mechanism", mechanism).captioned(caption)]
    }
}

/// The public bound on a curve, in words.
pub(crate) fn ball_fact(ball: &Ball, grid: &Grid) -> Fact {
    let center = match ball.center() {
        Center::Constant(value) => exact(*value),
        Center::Curve(_) => "a public curve".to_owned(),
    };
    let radius = exact(ball.radius());
    let text = format!(
        "every curve is projected on the ball of centre {center} and radius {radius}: its root-mean-square distance from \
         the centre over [{},\u{a0}{}] ({} points) is at most {radius} in the units of the data",
        exact(grid.lower()),
        exact(grid.upper()),
        grid.len(),
    );
    Fact::new("bound", text).captioned(format!("ball: centre {center}, radius {radius}"))
}

/// The standard deviation of the noise of the count, as a fraction of the count; 0 where the count is public.
pub(crate) fn relative_count_sd<S: Statistic>(release: &Release<S>) -> f64 {
    release.units_sd() / release.units()
}

/// A mean as a public plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeanPlan {
    ball: Ball,
    grid: Grid,
    mechanism: MeanMechanism,
    rank: usize,
}

impl From<Mean> for MeanPlan {
    fn from(mean: Mean) -> Self {
        let (mechanism, rank) = (mean.mechanism(), mean.whitening.dimension());
        Self { ball: mean.ball, grid: mean.grid, mechanism, rank }
    }
}

impl TryFrom<MeanPlan> for Mean {
    type Error = MeanError;

    fn try_from(plan: MeanPlan) -> Result<Self, MeanError> {
        let MeanPlan { ball, grid, mechanism, rank } = plan;
        // A pair at the very edge of the tolerance may fall on its other side on another machine: keep what was kept.
        let whitening = Whitening::with_rank(&mechanism, &grid.to_unit()?, DEFAULT_TOLERANCE / 4.0, rank)?;
        let expected = whitening.dimension();
        if expected != rank {
            return Err(MeanError::Rank { expected, found: rank });
        }
        Self::in_coordinates(ball, grid, whitening)
    }
}
