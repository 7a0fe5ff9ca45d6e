//! Rows of a subject at the points that they are nearest to.

use dpfda_mechanism::{Mechanism, exact};

use crate::centiles::Centiles;
use crate::centiles::scratch::mean_distance;
use crate::coordinates::encode::CurveRecord;
use crate::rows::of_rows::{KeptRows, OfRows};

/// Steps of a distance from the centre, at the distance of the bounds.
const STEPS: f64 = (1_u32 << 30) as f64;

/// A record: curves on the grid, or rows at times of their own.
#[derive(Debug)]
pub enum CentileRecord<'a> {
    /// All curves of a person, or one curve.
    Curves(CurveRecord<'a>),
    /// All rows of a person.
    Rows(&'a PlacedRows),
}

/// The rows of one subject, each with the point that it counts at and its distance from the centre. It is private data.
///
/// Distances are integers of `2^-30` of the distance of the bounds, and all that is made of them are sums of integers: the order of the rows
/// changes nothing.
#[derive(Clone, Default)]
pub struct PlacedRows {
    rows: Vec<(u32, i32)>,
}

impl PlacedRows {
    /// The rows: the point, and how far the value is above the centre as a part of the distance of the bounds.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.rows.iter().map(|(point, steps)| (*point as usize, f64::from(*steps) / STEPS))
    }

    /// The number of rows at each of so many points, and the sum of their distances as parts of that of the bounds.
    pub(super) fn distances(&self, points: usize) -> Vec<(u32, f64)> {
        let mut found = vec![(0_u32, 0_u64); points];
        for (point, steps) in &self.rows {
            if let Some((rows, sum)) = found.get_mut(*point as usize) {
                // as many rows as memory holds, of at most 2^30 steps each
                (*rows, *sum) = (rows.saturating_add(1), *sum + u64::from(steps.unsigned_abs()));
            }
        }
        found.into_iter().map(|(rows, sum)| (rows, sum as f64 / STEPS)).collect()
    }
}

impl KeptRows for PlacedRows {
    fn add(&mut self, bin: usize, part: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 in size")]
        let steps = (part * STEPS).round() as i32;
        if let Ok(point) = u32::try_from(bin) {
            self.rows.push((point, steps));
        }
    }

    fn settle(&mut self) {
        self.rows.shrink_to_fit();
    }

    fn merge(&mut self, other: &Self) {
        self.rows.extend_from_slice(&other.rows);
    }

    fn words(&self) -> Vec<u64> {
        let mut sorted = self.rows.clone();
        sorted.sort_unstable();
        sorted.iter().map(|(point, steps)| (u64::from(*point) << 32) | u64::from(steps.cast_unsigned())).collect()
    }

    fn occupied(&self) -> usize {
        let mut points: Vec<u32> = self.rows.iter().map(|(point, _)| *point).collect();
        points.sort_unstable();
        points.dedup();
        points.len()
    }
}

impl OfRows for Centiles {
    type Plan = Mechanism<Self>;
    type Kept = PlacedRows;

    fn mechanism_of(plan: &Mechanism<Self>) -> &Mechanism<Self> {
        plan
    }

    /// The nearest point, and the distance from the centre at this very time: where a stated centre follows people, what changes between two
    /// points does not widen their distribution.
    fn place(&self, time: f64, value: f64) -> Option<(usize, f64)> {
        let grid = self.grid();
        if !(grid.lower()..=grid.upper()).contains(&time) || !value.is_finite() {
            return None;
        }
        let cell = grid.cell(time);
        let point = if cell.share < 0.5 { cell.left } else { cell.right };
        let (lower, upper) = self.bounds();
        let distance = self.ball.clamp(value) - cell.between(self.center().view());
        Some((point, (distance / (upper - lower)).clamp(-1.0, 1.0)))
    }

    fn distance(&self, kept: &PlacedRows) -> Option<f64> {
        let (lower, upper) = self.bounds();
        mean_distance(&kept.distances(self.grid().len()), upper - lower).map(|(distance, _)| distance)
    }

    fn places(&self) -> String {
        let (points, lower, upper) = (self.grid().len(), exact(self.grid().lower()), exact(self.grid().upper()));
        format!("{points} points from {lower} to {upper}, which rows count at the nearest of")
    }
}

dpfda_privacy::opaque!(PlacedRows);
