//! From the curves of a record to its indicators: room that every record overwrites.

use crate::centiles::{Centiles, level_of};
use crate::coordinates::encode::CurveRecord;

/// Room for encoding.
#[derive(Debug)]
pub struct CentileScratch {
    /// The levels below the centre at each point.
    below_center: Vec<usize>,
    /// The values of a curve.
    values: Vec<f64>,
    /// How many curves of the record differ from the centre, with their sign: a row of levels for each point.
    counts: Vec<i32>,
    z: Vec<f64>,
    /// Curves of the record.
    rows: usize,
}

impl CentileScratch {
    pub(super) fn new(statistic: &Centiles) -> Self {
        let cells = statistic.grid().len() * statistic.levels();
        let below = |c: &f64| level_of(*c, statistic.bounds(), statistic.levels());
        Self {
            below_center: statistic.center().iter().map(below).collect(),
            values: vec![0.0; statistic.grid().len()],
            counts: vec![0; cells],
            z: vec![0.0; cells],
            rows: 1,
        }
    }

    /// Counts the indicators of each curve of a record, pulled to the distance that is allowed. In integers, so that not even the order of a
    /// person's curves matters.
    pub(super) fn count(&mut self, statistic: &Centiles, record: &CurveRecord<'_>) {
        self.counts.fill(0);
        self.rows = record.rows.len().max(1);
        let curves = record.curves;
        if curves.curves().grid().len() != self.values.len() {
            return;
        }
        for &row in &*record.rows {
            curves.projection().values_into(curves.curves().curve(row), &mut self.values);
            self.add(statistic);
        }
    }

    /// Adds the curve whose values are there.
    fn add(&mut self, statistic: &Centiles) {
        let (levels, bounds, most) = (statistic.levels(), statistic.bounds(), statistic.ball.radius());
        let deviations = self.values.iter().zip(statistic.center()).map(|(x, c)| (x - c).abs());
        let distance = deviations.sum::<f64>() / self.values.len() as f64;
        let pull = (distance > most).then(|| most / distance);
        let points = self.values.iter().zip(statistic.center()).zip(&self.below_center);
        for (((x, c), &of_center), counts) in points.zip(self.counts.chunks_mut(levels)) {
            // a value that is not pulled is compared as it is
            let x = pull.map_or(*x, |pull| c + pull * (x - c));
            let below = level_of(x, bounds, levels);
            for count in &mut counts[below.min(of_center)..below.max(of_center)] {
                *count += if below < of_center { 1 } else { -1 };
            }
        }
    }

    /// The counts as means over the curves of the record, times a factor.
    pub(super) fn scaled(&mut self, factor: f64) -> &[f64] {
        let factor = factor / self.rows as f64;
        for (z, count) in self.z.iter_mut().zip(&self.counts) {
            *z = f64::from(*count) * factor;
        }
        &self.z
    }
}
