//! A density that is constant on cells.

use std::io::Write;

use ndarray::Array2;
use rand::{Rng, RngExt};
use thiserror::Error;

use crate::bounds::{Bounds, BoundsError};
use crate::cells::{Cells, CellsError, along};

#[cfg(test)]
#[path = "piecewise_tests.rs"]
mod tests;

/// A density constant on cells: the public result of every histogram mechanism.
///
/// ```text
/// p(x) = q_j / |B_j|    for x in cell B_j,    q_j >= 0,  sum_j q_j = 1
/// ```
///
/// Everything computed from it is free, synthetic points in any number included.
#[derive(Debug, Clone, PartialEq)]
pub struct PiecewiseDensity {
    cells: Cells,
    probabilities: Vec<f64>,
}

/// Why a density, or a question to it, was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum DensityError {
    #[error("there are {cells} cells, but {found} probabilities")]
    Length { cells: usize, found: usize },
    #[error("probability {index} (counted from 0) must be finite and at least 0, got {value:?}")]
    Probability { index: usize, value: f64 },
    #[error("probabilities must sum to 1, got {sum:?}")]
    Sum { sum: f64 },
    #[error("a quantile needs a probability from 0 to 1, got {value:?}")]
    Quantile { value: f64 },
    #[error("quantiles are defined on one axis, this density has {dimension}: take a marginal first")]
    SeveralAxes { dimension: usize },
    #[error("axis {axis} (counted from 0) does not exist: the density has {dimension}")]
    Axis { axis: usize, dimension: usize },
    #[error(transparent)]
    Cells(#[from] CellsError),
}

impl From<BoundsError> for DensityError {
    fn from(error: BoundsError) -> Self {
        Self::Cells(error.into())
    }
}

/// How far from 1 a sum of probabilities may be.
const ROUNDING: f64 = 1e-9;

impl PiecewiseDensity {
    /// The density that gives each cell its probability.
    pub fn new(cells: Cells, probabilities: Vec<f64>) -> Result<Self, DensityError> {
        if probabilities.len() != cells.count() {
            return Err(DensityError::Length { cells: cells.count(), found: probabilities.len() });
        }
        let wrong = probabilities.iter().enumerate().find(|(_, q)| !(q.is_finite() && **q >= 0.0));
        if let Some((index, &value)) = wrong {
            return Err(DensityError::Probability { index, value });
        }
        let sum: f64 = probabilities.iter().sum();
        if (sum - 1.0).abs() <= ROUNDING { Ok(Self { cells, probabilities }) } else { Err(DensityError::Sum { sum }) }
    }

    /// The density proportional to nonnegative weights of a finite sum, one for each cell; uniform where all are 0.
    pub(crate) fn proportional_to(cells: Cells, mut weights: Vec<f64>) -> Self {
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 {
            for weight in &mut weights {
                *weight /= sum;
            }
        } else {
            weights.fill(1.0 / cells.count() as f64);
        }
        Self { cells, probabilities: weights }
    }

    /// The cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The probability of each cell, in the order of the cells.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The density at a point in data units, per data unit of volume: 0 outside the bounds.
    ///
    /// Not a number for a point with another number of coordinates or one that is not a number.
    pub fn at(&self, point: &[f64]) -> f64 {
        let axes = self.bounds().axes();
        if point.len() != axes.len() || point.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        if point.iter().zip(axes).any(|(x, (lower, upper))| x < lower || x > upper) {
            return 0.0;
        }
        self.probabilities[self.cells.index_of(&self.unit(point))] / self.cells.cell_volume()
    }

    /// The probability of all points that are at most `point` along every axis: the distribution function.
    ///
    /// Not a number for a point with another number of coordinates or one that is not a number.
    pub fn cumulative(&self, point: &[f64]) -> f64 {
        let dimension = self.bounds().dimension();
        if point.len() != dimension || point.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        let per_axis = self.cells.per_axis();
        let unit = self.unit(point);
        // the share of the i-th part of [0, 1] that lies below u
        let share = |u: f64, i: usize| (u * per_axis as f64 - i as f64).clamp(0.0, 1.0);
        let last = along(unit[0], per_axis);
        let block = self.cells.count() / per_axis;
        let reached = self.probabilities[..(last + 1) * block].iter().enumerate();
        let below = reached.filter(|(_, q)| **q > 0.0).map(|(index, q)| {
            let at = self.cells.position(index);
            (0..dimension).fold(*q, |q, axis| q * share(unit[axis], at[axis]))
        });
        below.sum::<f64>().min(1.0)
    }

    /// The smallest point whose distribution function is at least `p`, in data units; one axis only.
    pub fn quantile(&self, p: f64) -> Result<f64, DensityError> {
        let dimension = self.bounds().dimension();
        if dimension != 1 {
            return Err(DensityError::SeveralAxes { dimension });
        }
        if !(0.0..=1.0).contains(&p) {
            return Err(DensityError::Quantile { value: p });
        }
        let (mut below, mut end) = (0.0, 0.0);
        for (index, &q) in self.probabilities.iter().enumerate() {
            if p <= below {
                break;
            }
            if q > 0.0 {
                end = (index as f64 + ((p - below) / q).min(1.0)) / self.cells.per_axis() as f64;
                below += q;
            }
        }
        Ok(self.bounds().from_unit(0, end))
    }

    /// The density of one coordinate alone.
    pub fn marginal(&self, axis: usize) -> Result<Self, DensityError> {
        let dimension = self.bounds().dimension();
        if axis >= dimension {
            return Err(DensityError::Axis { axis, dimension });
        }
        let cells = Cells::new(Bounds::new(vec![self.bounds().axis(axis)])?, self.cells.per_axis())?;
        let mut sums = vec![0.0; cells.count()];
        for (index, q) in self.probabilities.iter().enumerate() {
            sums[self.cells.position(index)[axis]] += q;
        }
        Ok(Self::proportional_to(cells, sums))
    }

    /// Synthetic points (`n x r`, in data units): independent draws from the density.
    pub fn draw<R: Rng + ?Sized>(&self, n: usize, randomness: &mut R) -> Array2<f64> {
        let mut total = 0.0;
        let ends: Vec<f64> = self
            .probabilities
            .iter()
            .map(|q| {
                total += q;
                total
            })
            .collect();
        let dimension = self.bounds().dimension();
        let mut points = Array2::zeros((n, dimension));
        for mut point in points.rows_mut() {
            let level = randomness.random::<f64>() * total;
            // a cell of probability 0 ends where it begins, and is passed over; rounding may only reach the end itself
            let index = ends.partition_point(|end| *end <= level);
            let last = || self.probabilities.iter().rposition(|q| *q > 0.0).unwrap_or(0);
            let at = self.cells.position(if index < ends.len() { index } else { last() });
            for (axis, x) in point.iter_mut().enumerate() {
                let u = (at[axis] as f64 + randomness.random::<f64>()) / self.cells.per_axis() as f64;
                *x = self.bounds().from_unit(axis, u);
            }
        }
        points
    }

    /// Writes the cells as CSV: lower corner, upper corner, and density, all in data units.
    ///
    /// The columns are `lower_x, ..., upper_x, ..., density` for the names of the axes; an axis without a name has its number.
    pub fn write_csv<W: Write>(&self, axes: &[String], writer: W) -> Result<(), csv::Error> {
        let mut csv = csv::Writer::from_writer(writer);
        let named = |end: &'static str| {
            let name = move |axis: usize| axes.get(axis).cloned().unwrap_or_else(|| (axis + 1).to_string());
            (0..self.bounds().dimension()).map(move |axis| format!("{end}_{}", name(axis)))
        };
        let ends = named("lower").chain(named("upper"));
        csv.write_record(ends.chain([String::from("density")]))?;
        let volume = self.cells.cell_volume();
        for (index, q) in self.probabilities.iter().enumerate() {
            let corners = self.cells.lower_corner(index).into_iter().chain(self.cells.upper_corner(index));
            csv.write_record(corners.chain([q / volume]).map(|number| number.to_string()))?;
        }
        csv.flush()?;
        Ok(())
    }

    fn bounds(&self) -> &Bounds {
        self.cells.bounds()
    }

    fn unit(&self, point: &[f64]) -> Vec<f64> {
        point.iter().enumerate().map(|(axis, x)| self.bounds().to_unit(axis, *x)).collect()
    }
}
