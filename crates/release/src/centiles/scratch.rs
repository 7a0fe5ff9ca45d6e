//! From the curves or rows of a record to its indicators: room that every record overwrites.

use crate::centiles::placed::PlacedRows;
use crate::centiles::{Centiles, level_of};
use crate::coordinates::encode::CurveRecord;

/// A value of a row that is above a level by less than this part of the distance of the bounds counts as at it: it was rounded.
const ROUNDED: f64 = 1.0 / (1_u32 << 28) as f64;

/// Room for encoding.
#[derive(Debug)]
pub struct CentileScratch {
    /// The levels below the centre at each point.
    below_center: Vec<usize>,
    /// The values of a curve.
    values: Vec<f64>,
    /// How many curves or rows of the record differ from the centre, with their sign: a row of levels for each point.
    counts: Vec<i32>,
    /// The coordinates of the record: indicators, and of rows their weights behind them.
    z: Vec<f64>,
}

impl CentileScratch {
    pub(super) fn new(statistic: &Centiles) -> Self {
        let (points, cells) = (statistic.grid().len(), statistic.cells());
        let below = |c: &f64| level_of(*c, statistic.bounds(), statistic.levels());
        Self {
            below_center: statistic.center().iter().map(below).collect(),
            values: vec![0.0; points],
            counts: vec![0; cells],
            z: vec![0.0; if statistic.is_of_rows() { cells + points } else { cells }],
        }
    }

    /// The coordinates of the record.
    pub(super) fn coordinates(&self) -> &[f64] {
        &self.z
    }

    /// Counts the indicators of each curve of a record, pulled to the distance that is allowed. In integers, so that not even the order of a
    /// person's curves matters.
    pub(super) fn count(&mut self, statistic: &Centiles, record: &CurveRecord<'_>) {
        self.z.fill(0.0);
        self.counts.fill(0);
        let curves = record.curves;
        if statistic.is_of_rows() || curves.curves().grid().len() != self.values.len() {
            return;
        }
        for &row in &*record.rows {
            curves.projection().values_into(curves.curves().curve(row), &mut self.values);
            self.add(statistic);
        }
        let factor = statistic.factors().0 / (statistic.root_of_cells() * record.rows.len().max(1) as f64);
        for (z, count) in self.z.iter_mut().zip(&self.counts) {
            *z = f64::from(*count) * factor;
        }
    }

    /// Adds the curve whose values are there.
    fn add(&mut self, statistic: &Centiles) {
        let most = statistic.ball.radius();
        let distance = statistic.distance(&self.values);
        let pull = (distance > most).then(|| most / distance);
        for point in 0..self.values.len() {
            let (x, c) = (self.values[point], statistic.center()[point]);
            // a value that is not pulled is compared as it is
            self.compare(statistic, point, pull.map_or(x, |pull| c + pull * (x - c)));
        }
    }

    /// Counts where a value at a point and the centre lie on two sides of a level.
    fn compare(&mut self, statistic: &Centiles, point: usize, x: f64) {
        let levels = statistic.levels();
        let (below, of_center) = (level_of(x, statistic.bounds(), levels), self.below_center[point]);
        for count in &mut self.counts[point * levels..][below.min(of_center)..below.max(of_center)] {
            *count += if below < of_center { 1 } else { -1 };
        }
    }

    /// Counts the indicators of each row of a record, all pulled by one factor, and weighs the points that have rows.
    pub(super) fn place(&mut self, statistic: &Centiles, record: &PlacedRows) {
        self.z.fill(0.0);
        self.counts.fill(0);
        let (lower, upper) = statistic.bounds();
        let (points, levels, size) = (statistic.grid().len(), statistic.levels(), upper - lower);
        let distances = record.distances(points);
        let Some((distance, occupied)) = mean_distance(&distances, size).filter(|_| statistic.is_of_rows()) else {
            return;
        };
        let pull = (statistic.ball.radius() / distance).min(1.0);
        for (point, part) in record.all().filter(|(point, _)| *point < points) {
            self.compare(statistic, point, statistic.center()[point] + size * (pull * part - ROUNDED));
        }
        let (of_values, of_weights) = statistic.factors();
        let weight = 1.0 / occupied.sqrt();
        let (z, weights) = self.z.split_at_mut(points * levels);
        let at_points = z.chunks_mut(levels).zip(self.counts.chunks(levels)).zip(weights).zip(&distances);
        for (((z, counts), q), (rows, _)) in at_points.filter(|(_, (rows, _))| *rows > 0) {
            let factor = of_values * weight / (f64::from(*rows) * (levels as f64).sqrt());
            z.iter_mut().zip(counts).for_each(|(z, count)| *z = f64::from(*count) * factor);
            *q = of_weights * weight;
        }
    }
}

/// The mean over the points that have rows of the mean distance of the rows there, in the units of the data where the bounds are `size` apart,
/// and how many such points there are; `None` without rows.
pub(super) fn mean_distance(distances: &[(u32, f64)], size: f64) -> Option<(f64, f64)> {
    let seen = || distances.iter().filter(|(rows, _)| *rows > 0);
    let occupied = seen().count() as f64;
    let sum: f64 = seen().map(|(rows, sum)| sum / f64::from(*rows)).sum();
    (occupied > 0.0).then(|| (size * sum / occupied, occupied))
}
