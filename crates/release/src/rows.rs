//! The mean of irregular curves as a statistic: what subjects were measured at, and where.

pub(crate) mod bin_sums;
pub(crate) mod document;
pub(crate) mod every_ball;
pub(crate) mod long;
pub(crate) mod of_rows;
pub(crate) mod private;
pub(crate) mod rows_error;

use std::sync::Arc;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Mechanism, Purchases, Statistic, exact};
use dpfda_privacy::{LATTICE_BITS, Law, OneHot, WeightedBall, WeightedVector, steps_to_unit};
use dpfda_smoothing::{Ball, BallError};
use ndarray::Array1;
use serde::{Deserialize, Serialize};

use crate::bound_fact::{center_in_words, clamped_in_words, domain_in_words, radius_in_brief, short};
use crate::parts::plan::Plan;
use crate::purchase::bought::{self, Bought};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::{SMOOTH_COORDINATES, Weighing};
use crate::rows::bin_sums::BinSums;
use crate::rows::of_rows::{KeptRows, OfRows};
use crate::rows::rows_error::{MOST_BINS, MOST_RADII, RowsError};

/// The bound on one value where none is asked for, in radii.
pub(crate) const USUAL_RADII: f64 = 2.0;

/// An estimate has about so many points.
const POINTS: usize = 100;

/// A record weighs a value with `1 / USUAL_WEIGHT` of the radius: its weights are half as long as its values can be.
const WEIGHT_STEPS: f64 = 2.0;

/// The noise of a sum of values in radii, times `mu`, about.
const NOISE_OF_SUM: f64 = 2.1;

/// The sums of weighted values and of weights over public bins of the domain.
///
/// ```text
/// record: r_b = mean over its rows in bin b of clip(y - c(t), -B, B),   k bins have rows
///         q_b = 1 / sqrt(k) there, 0 elsewhere,    v_b = q_b r_b,   scaled towards 0 until |v| <= tau
/// sum:    S = sum v,   H = sum q,     E S_b = H_b f(bin b) for a design that does not depend on the values
/// ```
///
/// All rows of a subject are one record; several in one bin are averaged there. A row outside the domain, or whose time or value is
/// missing, is no row. `|v|` is the root-mean-square distance from the centre over the bins of the subject. On a full grid with a bin for
/// each point it is the isonormal encoding of [`Mean`](crate::Mean).
///
/// On a circle the last bin ends where the first begins, and the end of the domain is a time of the first bin. Bins are the same sums:
/// the circle is a matter of the centre and of the estimate.
///
/// Where the radius is bought, rows are clipped at the stated bound, and then each `r_b` at as many bought radii as the bound has stated
/// ones: `r_b = clip(mean of clip(y - c(t), -B, B), -B tau / tau_0, B tau / tau_0)`.
///
/// Its plan is `{ball, domain, bins, bound}`, and `periodic` on a circle. The body and its proof: [`WeightedBall`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RowsPlan", into = "RowsPlan")]
pub struct Rows {
    ball: Ball,
    grid: Grid,
    bins: usize,
    bound: f64,
    center: Array1<f64>,
    body: WeightedBall,
    bought: Option<Arc<Bought>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowsPlan {
    ball: Ball,
    domain: [f64; 2],
    bins: usize,
    bound: f64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    periodic: bool,
}

impl Rows {
    /// The statistic of values within this ball, in so many bins of equal length between two ends, which are one point on a circle.
    ///
    /// A centre that is a curve has one value for each point of [`Rows::grid_of`]. The bound on one value is twice the radius where
    /// none is given, and half the distance of the bounds for values that lie between bounds: the weights then cost nothing.
    pub fn new(
        ball: Ball,
        domain: (f64, f64),
        is_periodic: bool,
        bins: usize,
        bound: Option<f64>,
    ) -> Result<Self, RowsError> {
        let grid = Self::grid_of(domain, is_periodic, bins)?;
        let radius = ball.radius();
        let usual = if ball.bounds().is_some() { radius } else { USUAL_RADII * radius };
        let bound = bound.unwrap_or(usual);
        if !(radius..=MOST_RADII * radius).contains(&bound) {
            return Err(RowsError::Bound { bound, radius });
        }
        let center = ball.center_at(&grid)?;
        // from 2^22 to 2^32
        #[allow(clippy::cast_possible_truncation, reason = "rounded down, which the body enforces")]
        let steps = (bound / radius * f64::from(1 << LATTICE_BITS)) as i64;
        Ok(Self { body: WeightedBall::new(bins, steps)?, ball, grid, bins, bound, center, bought: None })
    }

    /// The points at which the mean of such a release is estimated: the ends of the bins and points between, equally spaced.
    pub fn grid_of((lower, upper): (f64, f64), is_periodic: bool, bins: usize) -> Result<Grid, RowsError> {
        if !(2..=MOST_BINS).contains(&bins) {
            return Err(RowsError::Bins { found: bins });
        }
        let steps = bins * Self::steps_of_bin(bins);
        Ok(if is_periodic { Grid::circle(lower, upper, steps)? } else { Grid::uniform(lower, upper, steps + 1)? })
    }

    fn steps_of_bin(bins: usize) -> usize {
        (POINTS / bins).max(2)
    }

    /// The public ball.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// How the radius was bought; `None` for a ball that was stated.
    pub fn bought(&self) -> Option<&Bought> {
        self.bought.as_deref()
    }

    /// The largest distance of one value from the centre; values beyond are clamped.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// The bound on the mean value of a bin, in radii: the stated bound in stated radii, which the body knows.
    fn bound_in_radii(&self) -> f64 {
        self.bound / self.bought().map_or(&self.ball, Bought::stated_ball).radius()
    }

    /// The number of bins.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// The points at which the mean is estimated.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The places in the grid of the points of a bin, its ends included. On a circle the last bin ends at the first point.
    pub fn points_of_bin(&self, bin: usize) -> Vec<usize> {
        let steps = Self::steps_of_bin(self.bins);
        (0..=steps).map(|step| (bin * steps + step) % self.grid.len()).collect()
    }

    /// The two ends of a bin, in the units of the grid.
    pub fn ends_of_bin(&self, bin: usize) -> (f64, f64) {
        let (points, steps) = (self.grid.points(), Self::steps_of_bin(self.bins));
        (points[bin * steps], points.get((bin + 1) * steps).copied().unwrap_or(self.grid.upper()))
    }

    /// The centre at the points of the grid.
    pub fn center(&self) -> &Array1<f64> {
        &self.center
    }

    /// The bins of a record that have rows, each with the mean of its values in radii from the centre, within its bound.
    fn means_in_radii<'a>(&self, record: &'a BinSums) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let (scale, most) = (self.bound / self.ball.radius(), self.bound_in_radii());
        record.means().map(move |(bin, mean)| (bin, (mean * scale).clamp(-most, most)))
    }

    /// One lattice step of a weighted value in units of the data, and of a weight.
    pub(crate) fn steps(&self) -> (f64, f64) {
        let steps = steps_to_unit(self.bins);
        (self.ball.radius() / steps, WEIGHT_STEPS / steps)
    }
}

impl OfRows for Rows {
    type Plan = Plan<Self>;
    type Kept = BinSums;

    fn mechanism_of(plan: &Plan<Self>) -> &Mechanism<Self> {
        plan.mechanism()
    }

    fn place(&self, time: f64, value: f64) -> Option<(usize, f64)> {
        let (lower, upper) = (self.grid.lower(), self.grid.upper());
        if !(lower..=upper).contains(&time) || !value.is_finite() {
            return None;
        }
        // the end of a circle is its first point
        let time = if self.grid.is_periodic() && time == upper { lower } else { time };
        let cells = self.bins * Self::steps_of_bin(self.bins);
        let at = (time - lower) / (upper - lower) * cells as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the number of cells")]
        let cell = (at as usize).min(cells - 1);
        let share = at - cell as f64;
        let next = self.center[(cell + 1) % self.center.len()];
        let center = self.center[cell] + share * (next - self.center[cell]);
        Some((cell / Self::steps_of_bin(self.bins), ((self.ball.clamp(value) - center) / self.bound).clamp(-1.0, 1.0)))
    }

    fn distance(&self, kept: &BinSums) -> Option<f64> {
        let weight = kept.weight();
        let squares: f64 = self.means_in_radii(kept).map(|(_, mean)| (weight * mean).powi(2)).sum();
        (kept.occupied() > 0).then(|| squares.sqrt() * self.ball.radius())
    }

    fn places(&self) -> String {
        format!("{} bins from {} to {}", self.bins, exact(self.grid.lower()), exact(self.grid.upper()))
    }
}

/// Room for encoding.
#[derive(Debug)]
pub struct RowsScratch {
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl InBall for Rows {
    fn ball(&self) -> &Ball {
        &self.ball
    }

    fn bought(&self) -> Option<&Bought> {
        self.bought()
    }

    /// As of curves; weights cost a little more.
    fn weighing(&self, _is_public: bool) -> Weighing {
        Weighing::of(SMOOTH_COORDINATES * NOISE_OF_SUM * NOISE_OF_SUM)
    }

    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError> {
        ball.center_at(&self.grid)?;
        Ok(Self { ball, bought: bought.map(Arc::new), ..self.clone() })
    }
}

impl Statistic for Rows {
    type Body = WeightedBall;
    type Record<'a> = &'a BinSums;
    type Scratch = RowsScratch;

    const KIND: &'static str = "rows";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> WeightedBall {
        self.body
    }

    fn scratch(&self) -> RowsScratch {
        RowsScratch { values: vec![0.0; self.bins], weights: vec![0.0; self.bins] }
    }

    fn encode(&self, record: &BinSums, scratch: &mut RowsScratch, vector: &mut WeightedVector) {
        let RowsScratch { values, weights } = scratch;
        values.fill(0.0);
        weights.fill(0.0);
        let weight = record.weight();
        for (bin, mean) in self.means_in_radii(record) {
            if let (Some(v), Some(q)) = (values.get_mut(bin), weights.get_mut(bin)) {
                (*v, *q) = (weight * mean, weight);
            }
        }
        let norm = values.iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm > 1.0 {
            for v in values.iter_mut() {
                *v /= norm;
            }
        }
        let (of_values, of_weights) = vector.parts();
        if of_values.encode(values).and_then(|()| of_weights.encode(weights)).is_err() {
            of_values.clear();
            of_weights.clear();
        }
    }

    fn radius_body(&self) -> Option<OneHot> {
        Some(Norms::body(1))
    }

    fn under(&self, purchases: &Purchases<'_>) -> Self {
        bought::under(self, purchases)
    }

    fn facts(&self) -> Vec<Fact> {
        let (center, radius, bound) = (center_in_words(&self.ball), short(self.ball.radius()), short(self.bound));
        // without a bought radius the bound on one value says what bounds say
        let (clamped, of_bins) = self.bought().map_or_else(Default::default, |_| {
            let most = short(self.bound_in_radii() * self.ball.radius());
            (
                clamped_in_words(&self.ball),
                format!(", the mean of a record's values in one bin as at most {most} from it"),
            )
        });
        let text = format!(
            "{clamped}every value farther than {bound} from the centre {center} counts as {bound} from it{of_bins}, and all values of a record are \
             scaled towards the centre until their root-mean-square distance from it is at most {radius}, in the units of the data"
        );
        let (clamped, in_brief) = (clamped_in_words(&self.ball), radius_in_brief(&self.ball, self.bought()));
        let brief = format!(
            "{clamped}the values of every record stay within {in_brief} of the centre {center} (root mean square)"
        );
        let bounded = Fact::new("bound", text)
            .briefly(brief)
            .captioned(format!("centre {center}, largest distance {in_brief}, of one value {bound}"));
        let domain = domain_in_words(&self.grid);
        let bought = self.bought().map(|bought| bought.fact(&self.ball, "curve"));
        let text = format!(
            "sums over {} bins of {domain}: of each record its mean values by bin, weighted with 1 over the root of the number \
             of bins that it has values in, and these weights. Where and how often people were measured is as private as the values. A row \
             outside the domain, or without a time or a value, is no row, and how many there are is not told",
            self.bins
        );
        let brief = format!("white noise on sums over {} bins of {domain}", self.bins);
        let mechanism =
            Fact::new("mechanism", text).briefly(brief).captioned(format!("weighted sums over {} bins", self.bins));
        [Some(bounded), bought, Some(mechanism)].into_iter().flatten().collect()
    }
}

impl From<Rows> for RowsPlan {
    fn from(statistic: Rows) -> Self {
        let Rows { ball, grid, bins, bound, .. } = statistic;
        let domain = [grid.lower(), grid.upper()];
        Self { ball, domain, bins, bound, periodic: grid.is_periodic() }
    }
}

impl TryFrom<RowsPlan> for Rows {
    type Error = RowsError;

    fn try_from(plan: RowsPlan) -> Result<Self, RowsError> {
        let RowsPlan { ball, domain: [lower, upper], bins, bound, periodic } = plan;
        Self::new(ball, (lower, upper), periodic, bins, Some(bound))
    }
}
