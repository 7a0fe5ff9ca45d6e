//! The distribution of values at each point as a statistic: what centile charts are made of.

pub(crate) mod centiles_error;
pub(crate) mod document;
mod enough;
pub(crate) mod placed;
pub(crate) mod private;
pub(crate) mod scratch;

use std::sync::Arc;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Mechanism, Purchases, ReadError, Statistic, demand, exact};
use dpfda_privacy::{LatticeVector, Law, NestedRadius, NonPrivate, OneHot, Orthant};
use dpfda_smoothing::{Ball, BallError, BoundedCurves, Center};
use ndarray::Array1;
use serde::{Deserialize, Serialize};

use crate::bound_fact::{center_in_words, clamped_in_words, domain_in_words, radius_in_brief, short};
use crate::centiles::centiles_error::CentilesError;
use crate::centiles::placed::CentileRecord;
use crate::centiles::scratch::CentileScratch;
use crate::purchase::bought::{self, Bought};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::Weighing;

#[cfg(test)]
#[path = "centiles/tests.rs"]
mod tests;

/// The number of levels where nothing else is said: a chart from half as many is a tenth less accurate.
const LEVELS: usize = 63;

/// The most levels.
const MOST_LEVELS: usize = 255;

/// The most points that rows count at, with the usual number of levels: a record has `2^18` coordinates at most.
pub const MOST_POINTS_OF_ROWS: usize = (1 << 18) / (LEVELS + 1);

/// The centiles that are shown, in percent: far ones say nothing that the noise leaves.
pub(crate) const SHOWN: std::ops::RangeInclusive<f64> = 2.0..=98.0;

/// The most centiles of a chart.
const MOST_SHOWN: usize = 15;

/// The centiles where nothing else is said, in percent.
pub const DEFAULT_CENTILES: [f64; 5] = [5.0, 25.0, 50.0, 75.0, 95.0];

/// No more than this part of the records may lie outside a bought radius: pulling a record moves the outer centiles most.
const MOST_OUTSIDE: f64 = 0.02;

/// The sums of indicators of values at points and public levels, about a public curve.
///
/// ```text
/// levels:  y_j = lo + (hi - lo) j / (m + 1),   j = 1..m
/// record:  z_ij = 1 / sqrt(n m) * mean over its curves X of [ 1{X(t_i) <= y_j} - 1{c(t_i) <= y_j} ]
/// bound:   a curve is pulled towards c until  mean_i |X(t_i) - c(t_i)| <= a;     then |z|^2 <= a / (hi - lo), up to one level
/// sum:     F(t_i, y_j) = 1{c(t_i) <= y_j} + sqrt(n m) sum z_ij / N
/// ```
///
/// `z_ij` is at most 0 where `c(t_i) <= y_j`, and at least 0 elsewhere: the records lie in one [`Orthant`], and two of them are at most
/// `sqrt(2)` radii apart. The radius of the ball is `a`, the largest mean absolute distance of a curve from the centre, over the points of the
/// grid. Which centiles are shown changes nothing of the release.
///
/// Of rows, which were seen at times of their own, a value counts at the nearest point of the grid, at its distance from the centre at its time:
///
/// ```text
/// record: q_i = 1 / sqrt(k) at the k points that it has rows at, 0 elsewhere,     z_ij = q_i / sqrt(m) * mean over its rows there of [ .. ]
/// bound:  all rows are pulled towards c until the mean of their distances at each point, over the k points, is at most a;   |q| <= 1
/// sums:   F(t_i, y_j) = 1{c(t_i) <= y_j} + sqrt(m) sum z_ij / sum q_i,    of (z / tau, q / 2) times sqrt(4/5), in one orthant
/// ```
///
/// Its plan is `{ball, grid, levels, centiles}`, and `rows` where records are rows. The proof: `docs/proofs/centiles.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CentilesPlan", into = "CentilesPlan")]
pub struct Centiles {
    ball: Ball,
    grid: Grid,
    levels: usize,
    shown: Vec<f64>,
    is_of_rows: bool,
    center: Array1<f64>,
    body: Orthant,
    bought: Option<Arc<Bought>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CentilesPlan {
    ball: Ball,
    grid: Grid,
    levels: usize,
    /// In percent.
    centiles: Vec<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    rows: bool,
}

impl Centiles {
    /// The ball of all curves between two bounds about a public centre, or of those that are no farther from it than a mean absolute distance.
    ///
    /// # Errors
    /// [`CentilesError`] for a centre outside the bounds, and for a distance that nothing between the bounds has.
    pub fn ball_within(
        (lower, upper): (f64, f64),
        center: Option<Center>,
        distance: Option<f64>,
        grid: &Grid,
    ) -> Result<Ball, CentilesError> {
        let mean = |farthest: Array1<f64>| farthest.sum() / farthest.len() as f64;
        Self::ball_about((lower, upper), center, distance, grid, mean)
    }

    /// The same of rows: a subject may be seen where the bounds are farthest from the centre, and nowhere else.
    ///
    /// # Errors
    /// As [`Centiles::ball_within`].
    pub fn ball_of_rows_within(
        bounds: (f64, f64),
        center: Option<Center>,
        distance: Option<f64>,
        grid: &Grid,
    ) -> Result<Ball, CentilesError> {
        let largest = |farthest: Array1<f64>| farthest.iter().copied().fold(0.0, f64::max);
        Self::ball_about(bounds, center, distance, grid, largest)
    }

    fn ball_about(
        (lower, upper): (f64, f64),
        center: Option<Center>,
        distance: Option<f64>,
        grid: &Grid,
        of_all: impl FnOnce(Array1<f64>) -> f64,
    ) -> Result<Ball, CentilesError> {
        let whole = Ball::within(lower, upper)?;
        let center = center.unwrap_or_else(|| whole.center().clone());
        let moved = whole.moved(center.clone(), whole.radius())?;
        let values = moved.center_at(grid)?;
        if let Some(&value) = values.iter().find(|value| !(lower..=upper).contains(*value)) {
            return Err(CentilesError::Center { lower, upper, value });
        }
        let farthest = of_all(values.mapv(|c| (c - lower).max(upper - c)));
        // a distance may be a sum that was rounded
        match distance {
            Some(value) if value > farthest * (1.0 + 1e-9) => Err(CentilesError::Distance { most: farthest, value }),
            distance => Ok(moved.moved(center, distance.unwrap_or(farthest))?),
        }
    }

    /// The distributions at the points of a grid of curves in a ball with bounds, at so many levels between them; shown as these centiles, in
    /// percent.
    ///
    /// # Errors
    /// [`CentilesError`] for a ball without bounds, and for centiles or levels that no chart has.
    pub fn new(ball: Ball, grid: Grid, levels: Option<usize>, shown: Vec<f64>) -> Result<Self, CentilesError> {
        let levels = levels.unwrap_or(LEVELS);
        let (lower, upper) = ball.bounds().ok_or(CentilesError::NoBounds)?;
        if !(3..=MOST_LEVELS).contains(&levels) {
            return Err(CentilesError::Levels { most: MOST_LEVELS, found: levels });
        }
        if ball.radius() > upper - lower {
            return Err(CentilesError::Distance { most: upper - lower, value: ball.radius() });
        }
        Self::check_shown(&shown)?;
        let center = ball.center_at(&grid)?;
        if let Some(&value) = center.iter().find(|value| !(lower..=upper).contains(*value)) {
            return Err(CentilesError::Center { lower, upper, value });
        }
        let body = Self::body_about(&center, (lower, upper), levels, 0)?;
        Ok(Self { ball, grid, levels, shown, is_of_rows: false, center, body, bought: None })
    }

    /// The same of rows, which were seen at times of their own: what they are weighed with stands beside the indicators.
    ///
    /// # Errors
    /// [`CentilesError`] for more points and levels than a record has room for.
    pub fn of_rows(self) -> Result<Self, CentilesError> {
        let body = Self::body_about(&self.center, self.bounds(), self.levels, self.grid.len())?;
        Ok(Self { is_of_rows: true, body, ..self })
    }

    /// The orthant of indicators about a centre, and of so many weights.
    fn body_about(
        center: &Array1<f64>,
        bounds: (f64, f64),
        levels: usize,
        weights: usize,
    ) -> Result<Orthant, CentilesError> {
        let of_point = |c: &f64| {
            let below = level_of(*c, bounds, levels);
            (0..levels).map(move |level| level >= below)
        };
        let signs = center.iter().flat_map(of_point).chain(std::iter::repeat_n(false, weights));
        Ok(Orthant::new(signs.collect())?)
    }

    /// Refuses centiles that no chart shows, in percent.
    ///
    /// # Errors
    /// [`CentilesError`] for none or too many, for one outside 2 to 98, and for an order that is not theirs.
    pub fn check_shown(shown: &[f64]) -> Result<(), CentilesError> {
        if !(1..=MOST_SHOWN).contains(&shown.len()) {
            return Err(CentilesError::Number { most: MOST_SHOWN, found: shown.len() });
        }
        if let Some(&value) = shown.iter().find(|value| !SHOWN.contains(*value)) {
            return Err(CentilesError::Centile { value });
        }
        match shown.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err(CentilesError::Order { first: pair[0], second: pair[1] }),
            None => Ok(()),
        }
    }

    /// The points.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The centre at the points of the grid.
    pub fn center(&self) -> &Array1<f64> {
        &self.center
    }

    /// The bounds that values lie between.
    pub fn bounds(&self) -> (f64, f64) {
        // the constructor demands them
        self.ball.bounds().unwrap_or((0.0, 1.0))
    }

    /// The number of levels.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The centiles that are shown, in percent.
    pub fn shown(&self) -> &[f64] {
        &self.shown
    }

    /// Whether records are rows at times of their own.
    pub fn is_of_rows(&self) -> bool {
        self.is_of_rows
    }

    /// How far a curve with these values at the points is from the centre: the mean of the absolute distances at the points.
    pub fn distance(&self, values: &[f64]) -> f64 {
        let distances = values.iter().zip(&self.center).map(|(x, c)| (x - c).abs());
        distances.sum::<f64>() / values.len() as f64
    }

    /// How many curves are farther from the centre than the distance that is allowed, read and clamped as a release does: for the curator's eyes.
    pub fn pulled(&self, bounded: &BoundedCurves<'_>) -> NonPrivate<usize> {
        let curves = bounded.curves();
        let mut values = vec![0.0; curves.grid().len()];
        let mut is_farther = |row: &usize| {
            bounded.projection().values_into(curves.curve(*row), &mut values);
            self.distance(&values) > self.ball.radius()
        };
        NonPrivate::new((0..curves.len()).filter(|row| is_farther(row)).count())
    }

    /// The largest `|z|` of a record: the root of the distance that is allowed, as a part of that of the bounds.
    pub fn norm(&self) -> f64 {
        let (lower, upper) = self.bounds();
        (self.ball.radius() / (upper - lower)).sqrt()
    }

    /// How many indicators stand behind one coordinate of `z`: `sqrt(n m)`.
    pub(crate) fn root_of_cells(&self) -> f64 {
        ((self.grid.len() * self.levels) as f64).sqrt()
    }

    /// The number of all indicators, which stand before the weights.
    pub(crate) fn cells(&self) -> usize {
        self.grid.len() * self.levels
    }

    /// What `z` and `q` are multiplied by, so that both together are no longer than 1: `(1 / tau, 0)` of curves, of rows
    /// `(2 / tau, 1) / sqrt(5)`.
    pub(crate) fn factors(&self) -> (f64, f64) {
        let of_weights = if self.is_of_rows { 0.2_f64.sqrt() } else { 0.0 };
        ((1.0 - of_weights * of_weights).sqrt() / self.norm(), of_weights)
    }

    /// The squared norm of the indicators of a record in steps of a ball that they alone fill.
    pub(crate) fn squared_norm(&self, vector: &LatticeVector) -> u64 {
        let squared: u64 = vector.coordinates().iter().take(self.cells()).map(|k| k.unsigned_abs().pow(2)).sum();
        // 4/5 of the squared norm are theirs, where there are weights
        if self.is_of_rows { squared / 4 * 5 } else { squared }
    }
}

/// The number of levels below a value: those with `y_j < x`.
pub(crate) fn level_of(x: f64, (lower, upper): (f64, f64), levels: usize) -> usize {
    let at = ((x - lower) / (upper - lower) * (levels + 1) as f64).ceil() - 1.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped; what is not a number is 0")]
    let below = at.clamp(0.0, levels as f64) as usize;
    below
}

impl InBall for Centiles {
    fn ball(&self) -> &Ball {
        &self.ball
    }

    fn bought(&self) -> Option<&Bought> {
        self.bought.as_deref()
    }

    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError> {
        ball.center_at(&self.grid)?;
        Ok(Self { ball, bought: bought.map(Arc::new), ..self.clone() })
    }

    /// The number of records outside alone decides: noise falls with the root of the radius, and the outer centiles pay for every record that
    /// is pulled.
    fn weighing(&self, _is_public: bool) -> Weighing {
        Weighing { noise: 1.0, pull: 0.0, untrusted: NestedRadius::STATED, outside: MOST_OUTSIDE }
    }

    fn check_mechanism(mechanism: &Mechanism<Self>) -> Result<(), ReadError> {
        demand("noise.law", matches!(mechanism.law(), Law::Gaussian { .. }))
    }
}

impl Statistic for Centiles {
    type Body = Orthant;
    type Record<'a> = CentileRecord<'a>;
    type Scratch = CentileScratch;

    const KIND: &'static str = "centiles";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> Orthant {
        self.body.clone()
    }

    fn scratch(&self) -> CentileScratch {
        CentileScratch::new(self)
    }

    fn encode(&self, record: CentileRecord<'_>, scratch: &mut CentileScratch, vector: &mut LatticeVector) {
        match record {
            CentileRecord::Curves(curves) => scratch.count(self, &curves),
            CentileRecord::Rows(rows) => scratch.place(self, rows),
        }
        // a statistic on another grid than the curves, or of rows and not of curves: nothing of the record is used
        if vector.encode(scratch.coordinates()).is_err() {
            vector.clear();
        }
    }

    fn radius_body(&self) -> Option<OneHot> {
        Some(Norms::body(1))
    }

    fn under(&self, purchases: &Purchases<'_>) -> Self {
        bought::under(self, purchases)
    }

    fn facts(&self) -> Vec<Fact> {
        let (clamped, center) = (clamped_in_words(&self.ball), center_in_words(&self.ball));
        let (distance, domain) = (short(self.ball.radius()), domain_in_words(&self.grid));
        let in_brief = radius_in_brief(&self.ball, self.bought());
        let points = self.grid.len();
        let text = if self.is_of_rows {
            format!(
                "{clamped}all values of a record are pulled towards the centre {center} until their mean absolute distance from it, over those of \
                 the {points} points of {domain} that have rows nearby, is at most {distance}, in the units of the data"
            )
        } else {
            format!(
                "{clamped}every curve is pulled towards the centre {center} until its mean absolute distance from it over the {points} points \
                 of {domain} is at most {distance}, in the units of the data"
            )
        };
        let what = if self.is_of_rows { "record" } else { "curve" };
        let brief = format!("{clamped}every {what} stays within a mean distance of {in_brief} of the centre {center}");
        let bounded = Fact::new("bound", text)
            .briefly(brief)
            .captioned(format!("centre {center}, largest mean distance {in_brief}"));
        let bought = self.bought().map(|bought| bought.fact(&self.ball, what));
        let (lower, upper) = self.bounds();
        let text = format!(
            "the share of records at or below each of {} levels, equally spaced between {} and {}, at every point, with the same noise on \
             each{}",
            self.levels,
            exact(lower),
            exact(upper),
            if self.is_of_rows { ", times what records are weighed with there, and these weights" } else { "" }
        );
        let brief = format!("white noise on the shares of people below {} levels at every point", self.levels);
        let mechanism = Fact::new("mechanism", text)
            .briefly(brief)
            .captioned(format!("shares of people below {} levels", self.levels));
        [Some(bounded), bought, Some(mechanism)].into_iter().flatten().collect()
    }
}

impl From<Centiles> for CentilesPlan {
    fn from(Centiles { ball, grid, levels, shown, is_of_rows, .. }: Centiles) -> Self {
        Self { ball, grid, levels, centiles: shown, rows: is_of_rows }
    }
}

impl TryFrom<CentilesPlan> for Centiles {
    type Error = CentilesError;

    fn try_from(CentilesPlan { ball, grid, levels, centiles, rows }: CentilesPlan) -> Result<Self, CentilesError> {
        let of_curves = Self::new(ball, grid, Some(levels), centiles)?;
        if rows { of_curves.of_rows() } else { Ok(of_curves) }
    }
}
