//! A public design, and the shape of the noise that serves it best.

use dpfda_kernels::{EigenError, eigenpairs};
use ndarray::{Array2, Axis};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "public_design_tests.rs"]
mod tests;

/// The fixed-point steps of the shape of the noise.
const MOST_STEPS: usize = 100;

/// The smallest eigenvalue of a design of full rank, over the largest.
const SMALLEST: f64 = 1e-9;

/// Why a public design cannot be used. Everything in it is public.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum DesignError {
    #[error(
        "the public covariates do not tell the {columns} coefficients apart: one is constant, or a sum of others. Leave one out"
    )]
    Collinear { columns: usize },
    #[error("{columns} coefficients need at least {} records, got {records}", columns + 2)]
    TooFewRecords { columns: usize, records: usize },
    #[error("the matrices of a public design are {columns} by {columns}, finite, symmetric and positive definite")]
    Matrices { columns: usize },
    #[error(transparent)]
    Eigen(#[from] EigenError),
}

/// What is public of a design whose rows are public, and the shape of its noise.
///
/// ```text
/// A = X'X,    h_i = A^(-1) x_i,    beta = sum_i h_i z_i' = R sum_i w_i z_i',    w_i = R^(-1) h_i,    |w_i| <= 1
/// ```
///
/// White noise on `sum w_i z_i'` is noise of the shape `Q = R R` on the coefficients. Of all shapes with `h_i' Q^(-1) h_i <= 1` the
/// least trace has `Q = tr(L^(1/2)) L^(1/2)` with `L = sum l_i h_i h_i'`, where `l_i > 0` only if `h_i' Q^(-1) h_i = 1`
/// (`docs/proofs/regression.md`).
#[derive(Debug, Clone, PartialEq)]
pub struct PublicDesign {
    gram: Array2<f64>,
    root: Array2<f64>,
    records: u64,
}

/// As it stands in a plan: upper triangles, row by row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublicDesignPlan {
    gram: Vec<f64>,
    root: Vec<f64>,
    records: u64,
}

impl PublicDesign {
    /// The design with these rows, and the vectors `w_i` of norm at most 1 that its curves are multiplied with.
    pub(crate) fn of(rows: &Array2<f64>) -> Result<(Self, Array2<f64>), DesignError> {
        let (records, columns) = rows.dim();
        if records < columns + 2 {
            return Err(DesignError::TooFewRecords { columns, records });
        }
        let gram = rows.t().dot(rows);
        let pairs = eigenpairs(&gram)?;
        let largest = pairs.values.iter().copied().fold(0.0, f64::max);
        if !pairs.values.iter().all(|value| *value > SMALLEST * largest) {
            return Err(DesignError::Collinear { columns });
        }
        let influence = rows.dot(&changed(&gram, |value| 1.0 / value)?);
        let root = best_root(&influence)?;
        let mut weights = influence.dot(&changed(&root, |value| 1.0 / value)?);
        // the last step of the search: the longest vector has norm 1
        let longest = squared_lengths(&weights).fold(0.0, f64::max).sqrt();
        weights /= longest;
        let design = Self { gram, root: root * longest, records: records as u64 };
        Ok((design, weights))
    }

    /// `A = X'X`.
    pub fn gram(&self) -> &Array2<f64> {
        &self.gram
    }

    /// `R`, a symmetric root of the shape of the noise.
    pub fn root(&self) -> &Array2<f64> {
        &self.root
    }

    /// The number of rows.
    pub fn records(&self) -> u64 {
        self.records
    }

    pub(crate) fn to_plan(&self) -> PublicDesignPlan {
        let upper = |matrix: &Array2<f64>| {
            matrix.indexed_iter().filter(|((i, j), _)| i <= j).map(|(_, entry)| *entry).collect()
        };
        PublicDesignPlan { gram: upper(&self.gram), root: upper(&self.root), records: self.records }
    }

    pub(crate) fn from_plan(plan: &PublicDesignPlan, columns: usize) -> Result<Self, DesignError> {
        let matrix = |entries: &[f64]| {
            let is_number = |entry: &f64| entry.abs() <= 1e100;
            if entries.len() != columns * (columns + 1) / 2 || !entries.iter().all(is_number) {
                return Err(DesignError::Matrices { columns });
            }
            let mut matrix = Array2::zeros((columns, columns));
            let places = (0..columns).flat_map(|i| (i..columns).map(move |j| (i, j)));
            for ((i, j), entry) in places.zip(entries) {
                matrix[[i, j]] = *entry;
                matrix[[j, i]] = *entry;
            }
            let is_positive = eigenpairs(&matrix)?.values.iter().all(|value| *value > 0.0);
            if is_positive { Ok(matrix) } else { Err(DesignError::Matrices { columns }) }
        };
        let (gram, root) = (matrix(&plan.gram)?, matrix(&plan.root)?);
        if plan.records < columns as u64 + 2 {
            return Err(DesignError::Matrices { columns });
        }
        Ok(Self { gram, root, records: plan.records })
    }
}

/// The root of the shape of least trace for these rows `h_i`, before the last scaling.
fn best_root(influence: &Array2<f64>) -> Result<Array2<f64>, EigenError> {
    let records = influence.nrows();
    let mut shares = vec![1.0 / records as f64; records];
    let mut step = || {
        let mut weighted = influence.clone();
        weighted.rows_mut().into_iter().zip(&shares).for_each(|(mut row, share)| row *= *share);
        let spread = influence.t().dot(&weighted);
        let trace: f64 = changed(&spread, f64::sqrt)?.diag().sum();
        let root = changed(&spread, |value| (trace * value.sqrt()).sqrt())?;
        let lengths: Vec<f64> = squared_lengths(&influence.dot(&changed(&root, |value| 1.0 / value)?)).collect();
        shares.iter_mut().zip(&lengths).for_each(|(share, length)| *share *= length);
        let total: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= total;
        }
        Ok::<_, EigenError>((root, lengths.into_iter().fold(0.0, f64::max)))
    };
    let (mut root, mut longest) = step()?;
    for _ in 1..MOST_STEPS {
        if longest < 1.0 + 1e-12 {
            break;
        }
        (root, longest) = step()?;
    }
    Ok(root)
}

fn squared_lengths(rows: &Array2<f64>) -> impl Iterator<Item = f64> + '_ {
    rows.axis_iter(Axis(0)).map(|row| row.dot(&row))
}

/// The symmetric matrix of the same eigenvectors with changed eigenvalues.
fn changed(matrix: &Array2<f64>, change: impl Fn(f64) -> f64) -> Result<Array2<f64>, EigenError> {
    let pairs = eigenpairs(matrix)?;
    let scaled = &pairs.vectors * &pairs.values.mapv(change).insert_axis(Axis(0));
    Ok(scaled.dot(&pairs.vectors.t()))
}
