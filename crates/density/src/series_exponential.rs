//! The exponential mechanism with the distance of orthogonal series, drawn exactly where rejection is workable.

use dpfda_privacy::{Arithmetic, NeighbouringRelation, PrivacyBudget, Randomness, SeededRandomness};
use ndarray::Array2;
use serde::Serialize;
use thiserror::Error;

use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError};
use crate::exact_sampling::uniform_below;
use crate::points::Points;
use crate::series::{BasisError, CosineBasis, SeriesDensity, encode, l2_steps};

mod decision;
#[cfg(test)]
mod tests;

use decision::Exponent;

/// The largest exponent, `epsilon n / 2`: at most `e^14`, a million proposals, are needed on average.
const LARGEST_EXPONENT: f64 = 14.0;

/// The version of the document that is written.
const SCHEMA: u32 = 1;

/// The most integers held for all cells, and the most records times draws: sums of squares then fit in 128 bits.
const MOST_INTEGERS: usize = 1 << 24;
const MOST_PAIRS: u128 = 1 << 32;

/// `k` points on a public grid, drawn with the density of the exponential mechanism for the distance of two series.
///
/// ```text
/// P(z) proportional to exp(-epsilon xi(X, z) / (2 Delta)),    z in (midpoints of M^r cells)^k
/// xi(X, z) = (sum_{j <= m} (mean psi_j(X_i) - mean psi_j(z_i))^2)^(1/2),    Delta = sup_{x,y} |psi(x) - psi(y)|_2 / n
/// ```
///
/// Source: Wasserman and Zhou, (14) to (17), with the factor 2 of their (8) that Lemma 13 leaves out (`docs/errata.md`, entry
/// 14a), the true `Delta` in place of `2 c0^2 m / n`, and one number of terms for both series. Candidates are drawn uniformly
/// and kept with probability `exp(-epsilon xi / (2 Delta))`, decided as real numbers would decide. Since `xi <= n Delta`, at
/// most `e^(epsilon n / 2)` candidates are needed on average; where that is more than `e^14`, the mechanism is refused.
/// The scores are those of integers (steps of `2^-20`), whose sensitivity is bounded in integers. How many candidates were
/// needed, and hence the time, depends on the data; it is not part of the release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesExponential {
    terms: usize,
    per_axis: usize,
    draws: usize,
    budget: PrivacyBudget,
}

/// Why nothing was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SeriesExponentialError {
    /// There is no such basis.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// There is no such grid.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// Nothing is asked for.
    #[error("at least one point must be drawn, got k = 0")]
    NoDraws,
    /// Nothing to take a mean of.
    #[error("there are no records: their number is public and must be at least 1")]
    NoRecords,
    /// The mechanism is purely private.
    #[error(
        "the exponential mechanism needs epsilon above 0 (from 1e-100 to 1e100) and spends no delta, got epsilon {epsilon} and delta {delta}"
    )]
    Budget {
        /// The epsilon given.
        epsilon: f64,
        /// The delta given.
        delta: f64,
    },
    /// Rejection from the uniform distribution would not end.
    #[error(
        "epsilon n / 2 is {exponent}, above {LARGEST_EXPONENT}: an exact draw by rejection could need e^{exponent} candidates, and an approximate chain is not private in the same sense; perturb the coefficients of the series instead, which also has the better rate (Wasserman and Zhou, Theorems 14 and 15)"
    )]
    Unworkable {
        /// `epsilon n / 2`, which is public.
        exponent: f64,
    },
    /// The integers would not fit.
    #[error("cells times terms may be at most {MOST_INTEGERS}, and records times draws at most 2^32")]
    TooLarge,
}

/// The points drawn, with all that is public about them. It is written, and not read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesExponentialRelease {
    schema: u32,
    software: &'static str,
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    records: u64,
    bounds: Bounds,
    mechanism: &'static str,
    basis: &'static str,
    terms: usize,
    per_axis: usize,
    arithmetic: Arithmetic,
    private: bool,
    /// The cells of the points, the first axis slowest.
    cells: Vec<usize>,
}

impl SeriesExponential {
    /// The mechanism with so many terms, cells along each axis and points to draw; substitute-one only.
    ///
    /// # Errors
    /// [`SeriesExponentialError`] for no terms, no draws, and a budget with epsilon 0 or a positive delta.
    pub fn new(
        terms: usize,
        per_axis: usize,
        draws: usize,
        budget: PrivacyBudget,
    ) -> Result<Self, SeriesExponentialError> {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        if terms == 0 {
            return Err(BasisError::NoTerms.into());
        }
        if draws == 0 {
            return Err(SeriesExponentialError::NoDraws);
        }
        // within these nothing underflows in double precision
        if !(1e-100..=1e100).contains(&epsilon) || delta > 0.0 {
            return Err(SeriesExponentialError::Budget { epsilon, delta });
        }
        Ok(Self { terms, per_axis, draws, budget })
    }

    /// Draws the points: **this is the privacy boundary**.
    ///
    /// # Errors
    /// [`SeriesExponentialError`] for no records, too large a grid, and where [`SeriesExponentialError::Unworkable`] says.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<SeriesExponentialRelease, SeriesExponentialError> {
        let mut drawn = Vec::new();
        self.draws_of(points, 1, randomness, |cells| drawn = cells)?;
        Ok(SeriesExponentialRelease {
            schema: SCHEMA,
            software: concat!("dpfda ", env!("CARGO_PKG_VERSION")),
            epsilon: self.budget.epsilon(),
            delta: self.budget.delta(),
            neighbours: NeighbouringRelation::SubstituteOne,
            records: points.records() as u64,
            bounds: points.bounds().clone(),
            mechanism: "series-exponential",
            basis: "cosine",
            terms: self.terms,
            per_axis: self.per_axis,
            arithmetic: Arithmetic::Exact,
            private: randomness.is_private(),
            cells: drawn,
        })
    }

    /// Draws the points so many times, with the preparation done once: for simulations and audits, with points that are
    /// nobody's. The randomness is from a seed, so none of it is private. What is seen are the cells of the points.
    ///
    /// # Errors
    /// As [`SeriesExponential::release`].
    pub fn repeat(
        &self,
        points: &Points,
        times: u64,
        randomness: &mut SeededRandomness,
        seen: impl FnMut(Vec<usize>),
    ) -> Result<(), SeriesExponentialError> {
        self.draws_of(points, times, randomness, seen)
    }

    fn draws_of<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        times: u64,
        randomness: &mut R,
        mut seen: impl FnMut(Vec<usize>),
    ) -> Result<(), SeriesExponentialError> {
        let records = points.records() as u64;
        if records == 0 {
            return Err(SeriesExponentialError::NoRecords);
        }
        let exponent = self.budget.epsilon() * records as f64 / 2.0;
        if exponent > LARGEST_EXPONENT {
            return Err(SeriesExponentialError::Unworkable { exponent });
        }
        let basis = CosineBasis::new(points.bounds().dimension(), self.terms)?;
        let cells = Cells::new(points.bounds().clone(), self.per_axis)?;
        let integers = cells.count().saturating_mul(self.terms);
        if integers > MOST_INTEGERS || u128::from(records) * self.draws as u128 > MOST_PAIRS {
            return Err(SeriesExponentialError::TooLarge);
        }
        let vectors = cell_vectors(&cells, &basis);
        let target = scaled_sum(points, &basis, self.draws);
        let exponent = self.exponent(&basis);
        for _ in 0..times {
            seen(self.draw(&vectors, &target, records, exponent, randomness));
        }
        Ok(())
    }

    /// The score of a proposal is `|k S - n T| / (n k)` steps, of sensitivity `bound / n`.
    fn exponent(&self, basis: &CosineBasis) -> Exponent {
        Exponent::new(self.budget.epsilon_within(), self.draws, l2_steps(basis, NeighbouringRelation::SubstituteOne))
    }

    /// Proposes until one is kept.
    fn draw<R: Randomness + ?Sized>(
        &self,
        vectors: &[i64],
        target: &[i128],
        records: u64,
        exponent: Exponent,
        randomness: &mut R,
    ) -> Vec<usize> {
        let cells = vectors.len() / self.terms;
        let (mut proposal, mut sums) = (vec![0; self.draws], vec![0_i128; self.terms]);
        loop {
            for cell in &mut proposal {
                #[allow(clippy::cast_possible_truncation, reason = "below a number of cells")]
                let drawn = uniform_below(cells as u64, randomness) as usize;
                *cell = drawn;
            }
            sums.fill(0);
            for &cell in &proposal {
                let vector = &vectors[cell * self.terms..(cell + 1) * self.terms];
                sums.iter_mut().zip(vector).for_each(|(sum, k)| *sum += i128::from(*k));
            }
            // a difference is below 2^(32 + 23), so the sum of at most 2^10 squares is below 2^120
            let difference = |(target, sum): (&i128, &i128)| (target - i128::from(records) * sum).unsigned_abs();
            let squared = target.iter().zip(&sums).map(difference).map(|d| d * d).sum();
            if exponent.keeps(squared, randomness) {
                return proposal;
            }
        }
    }
}

/// The encodings of the midpoints of all cells, one after the other.
fn cell_vectors(cells: &Cells, basis: &CosineBasis) -> Vec<i64> {
    let (mut vectors, mut coordinates) = (Vec::with_capacity(cells.count() * basis.terms()), Vec::new());
    for index in 0..cells.count() {
        let middle = |place: usize| (place as f64 + 0.5) / cells.per_axis() as f64;
        encode(basis, &cells.position(index).map(middle), &mut coordinates);
        vectors.extend(&coordinates);
    }
    vectors
}

/// `k S`, with `S` the exact sum of the encoded records: private data.
fn scaled_sum(points: &Points, basis: &CosineBasis, draws: usize) -> Vec<i128> {
    let mut totals = vec![0_i128; basis.terms()];
    let (mut unit, mut coordinates) = (vec![0.0; basis.dimension()], Vec::new());
    for row in 0..points.records() {
        points.unit_row(row, &mut unit);
        encode(basis, &unit, &mut coordinates);
        totals.iter_mut().zip(&coordinates).for_each(|(total, k)| *total += i128::from(*k));
    }
    totals.iter().map(|total| total * draws as i128).collect()
}

impl SeriesExponentialRelease {
    /// The cells of the points drawn, the first axis slowest.
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// Whether nobody can repeat the draw.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// The points drawn, the midpoints of their cells, in data units (`k x r`).
    ///
    /// # Errors
    /// None for a release of this library.
    pub fn points(&self) -> Result<Array2<f64>, CellsError> {
        let cells = Cells::new(self.bounds.clone(), self.per_axis)?;
        let coordinate = |(row, axis): (usize, usize)| {
            let place = cells.position(self.cells[row])[axis];
            self.bounds.from_unit(axis, (place as f64 + 0.5) / self.per_axis as f64)
        };
        Ok(Array2::from_shape_fn((self.cells.len(), self.bounds.dimension()), coordinate))
    }

    /// The series of the points drawn, (16), its negative parts cut.
    ///
    /// # Errors
    /// None for a release of this library.
    pub fn density(&self) -> Result<SeriesDensity, SeriesExponentialError> {
        let basis = CosineBasis::new(self.bounds.dimension(), self.terms)?;
        let points = self.points()?;
        let mut means = vec![0.0; self.terms];
        let mut values = Vec::new();
        for point in points.rows() {
            let unit: Vec<f64> = point.iter().enumerate().map(|(axis, x)| self.bounds.to_unit(axis, *x)).collect();
            basis.values_into(&unit, &mut values);
            means.iter_mut().zip(&values).for_each(|(mean, value)| *mean += value / self.cells.len() as f64);
        }
        Ok(SeriesDensity::new(self.bounds.clone(), means)?)
    }
}
