//! Values over two positive parameters.

use ndarray::Array2;

use crate::error::FigureError;

/// A finite value for every pair of values of two positive parameters, both ascending.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParameterGrid {
    pub(crate) columns: Vec<f64>,
    pub(crate) rows: Vec<f64>,
    /// The row's parameter comes first.
    pub(crate) values: Array2<f64>,
}

impl ParameterGrid {
    /// Puts the parameters into ascending order; what an error names is where it was before.
    pub(crate) fn new(columns: Vec<f64>, rows: Vec<f64>, values: Array2<f64>) -> Result<Self, FigureError> {
        if columns.is_empty() || rows.is_empty() {
            return Err(FigureError::NoCandidates { columns: columns.len(), rows: rows.len() });
        }
        if let Some(&value) = columns.iter().chain(&rows).find(|value| !(value.is_finite() && **value > 0.0)) {
            return Err(FigureError::Candidate { value });
        }
        let (found_rows, found_columns) = values.dim();
        if (found_rows, found_columns) != (rows.len(), columns.len()) {
            let (rows, columns) = (rows.len(), columns.len());
            return Err(FigureError::Shape { rows, columns, found_rows, found_columns });
        }
        if let Some(((row, column), _)) = values.indexed_iter().find(|(_, value)| !value.is_finite()) {
            return Err(FigureError::Score { row, column });
        }
        let (across, up) = (ascending(&columns), ascending(&rows));
        Ok(Self {
            values: Array2::from_shape_fn(values.dim(), |(row, column)| values[[up[row], across[column]]]),
            columns: across.into_iter().map(|i| columns[i]).collect(),
            rows: up.into_iter().map(|i| rows[i]).collect(),
        })
    }
}

/// The order in which values ascend.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}
