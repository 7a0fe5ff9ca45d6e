//! The total of a curve over its domain: one number of each person.

use dpfda_kernels::{Domain, Grid};
use dpfda_mechanism::{Documented, Fact, ReadError, Release, Statistic, close, exact};
use dpfda_privacy::{EuclideanBall, LatticeVector, Law, steps_to_unit, with_rounding};
use dpfda_smoothing::Ball;
use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bound_fact::{clamped_in_words, domain_in_words, short};
use crate::coordinates::encode::{CurveRecord, CurveScratch};
use crate::mean::relative_count_sd;
use crate::numbers::{CurveNumbers, Number, NumbersDerived, PrivateNumbers};
use crate::release_error::ReleaseError;

/// The private mean of the total of curves over their domain, and of their average over it.
///
/// ```text
/// average of X = sum_i w_i X(t_i),  sum_i w_i = 1        total = average x length of the domain
/// released     = mean over people of their average, clamped to [c - tau, c + tau], + noise
/// ```
///
/// The radius bounds a person's average, and not the curve: people whose curves swing widely about the same level need a small one.
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{CurveNumbers, PrivateTotal, Total};
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // glucose over a day, in mmol/l: it swings by more than 2, and people's averages lie between 6 and 10
/// let values = Array2::from_shape_fn((500, 48), |(i, j)| 3.5 + (i % 7) as f64 * 0.3 + (j % 12) as f64 * 0.8);
/// let curves = CurveSet::new(Grid::circle(0.0, 24.0, 48)?, values)?;
/// let total = PrivateTotal::new(Ball::new(Center::Constant(8.0), 2.0)?, PrivacyBudget::new(4.0, 1e-6)?);
/// let release = total.release(&curves, &mut SystemRandomness::new()?)?;
/// let [total, average] = &Total::numbers(&release)[..] else { unreachable!() };
/// // nine standard deviations of the noise
/// assert!((average.value - 8.796).abs() < 0.1 && average.noise_sd < 0.012);
/// assert!((total.value - 24.0 * average.value).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
pub type PrivateTotal = PrivateNumbers<Total>;

/// The sum of people's averages over the domain, in units of the radius about the average of the centre.
///
/// Its plan is `{ball, grid, weights}`: the weights follow from the grid, and a reader needs them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TotalPlan", into = "TotalPlan")]
pub struct Total {
    ball: Ball,
    grid: Grid,
    weights: Array1<f64>,
    /// `n x 1`: the square roots of the weights, of length 1.
    map: Array2<f64>,
    body: EuclideanBall,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TotalPlan {
    ball: Ball,
    grid: Grid,
    weights: Vec<f64>,
}

/// Why a plan is none.
#[derive(Debug, Error)]
enum TotalPlanError {
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error("the weights are not those of the grid")]
    Weights,
}

impl Total {
    /// What the average of the centre is.
    fn center(&self) -> f64 {
        self.ball.center_at(&self.grid).map_or(0.0, |center| self.weights.dot(&center))
    }

    /// The average and its standard deviation.
    fn average(release: &Release<Self>) -> (f64, f64) {
        let statistic = release.statistic();
        let step = statistic.ball.radius() / steps_to_unit(1) / release.units();
        let deviation = release.coordinates()[0] as f64 * step;
        let noise = with_rounding(release.noise().variance(0).sqrt(), release.units(), 1, release.unit()) * step;
        (statistic.center() + deviation, noise.hypot(deviation * relative_count_sd(release)))
    }
}

impl CurveNumbers for Total {
    fn on(ball: Ball, grid: Grid) -> Result<Self, ReleaseError> {
        ball.center_at(&grid)?;
        let weights = grid.unit_weights()?;
        let map = weights.mapv(f64::sqrt).insert_axis(Axis(1));
        let body = EuclideanBall::new(1).map_err(dpfda_mechanism::MechanismError::from)?;
        Ok(Self { ball, grid, weights, map, body })
    }

    fn ball(&self) -> &Ball {
        &self.ball
    }

    fn numbers(release: &Release<Self>) -> Vec<Number> {
        let ((average, sd), length) = (Self::average(release), release.statistic().grid.length());
        let number =
            |name: &str, factor: f64| Number { name: name.to_owned(), value: average * factor, noise_sd: sd * factor };
        vec![number("total", length), number("average", 1.0)]
    }
}

impl Statistic for Total {
    type Body = EuclideanBall;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = CurveScratch;

    const KIND: &'static str = "total";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> EuclideanBall {
        self.body
    }

    fn scratch(&self) -> CurveScratch {
        CurveScratch::new(self.grid.len(), 1)
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut CurveScratch, vector: &mut LatticeVector) {
        record.encode_numbers(self.map.view(), scratch, vector);
    }

    fn facts(&self) -> Vec<Fact> {
        let (clamped, radius, center) = (clamped_in_words(&self.ball), short(self.ball.radius()), exact(self.center()));
        let domain = format!("{} ({} points)", domain_in_words(&self.grid), self.grid.len());
        let bound = format!(
            "{clamped}the average of every curve over {domain} is clamped to within {radius} of {center}, in the units of the data"
        );
        let brief = format!("{clamped}the average of every curve stays within {radius} of {center}");
        let length = short(self.grid.length());
        let what = format!(
            "the mean of people's averages over the domain; the total is the average times its length, {length}"
        );
        vec![
            Fact::new("bound", bound).briefly(brief).captioned(format!("average: within {radius} of {center}")),
            Fact::new("mechanism", what).briefly("noise on the mean of people's averages"),
        ]
    }
}

impl Documented for Total {
    type Derived = NumbersDerived;
    type Estimate = ();

    fn derived(release: &Release<Self>) -> NumbersDerived {
        NumbersDerived::of(&Self::numbers(release))
    }

    fn consistent(release: &Release<Self>, derived: &NumbersDerived) -> Result<(), ReadError> {
        let statistic = release.statistic();
        let size = statistic.ball.radius() + statistic.center().abs();
        derived.check(&Self::derived(release), &[size * statistic.grid.length(), size])
    }
}

impl From<Total> for TotalPlan {
    fn from(Total { ball, grid, weights, .. }: Total) -> Self {
        Self { ball, grid, weights: weights.to_vec() }
    }
}

impl TryFrom<TotalPlan> for Total {
    type Error = TotalPlanError;

    fn try_from(plan: TotalPlan) -> Result<Self, TotalPlanError> {
        let total = Self::on(plan.ball, plan.grid)?;
        let is_same = plan.weights.len() == total.weights.len()
            && plan.weights.iter().zip(&total.weights).all(|(stated, weight)| close(*stated, *weight, *weight));
        // as stated: another machine may round them otherwise, and the plan is what was paid for
        if is_same { Ok(Self { weights: plan.weights.into(), ..total }) } else { Err(TotalPlanError::Weights) }
    }
}
