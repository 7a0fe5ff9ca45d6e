//! The estimates of groups as CSV.

use dpfda::analysis::EstimatedGroups;
use serde::Serialize;

use crate::output::{TableError, text_of};

#[derive(Serialize)]
struct Row<'a> {
    group: &'a str,
    t: f64,
    value: f64,
    posterior_sd: f64,
    noise_sd: f64,
    lower: f64,
    upper: f64,
}

/// A row for each group and point; no rows for a group that is too small.
pub fn of(estimated: &EstimatedGroups) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for group in estimated.groups() {
        let Ok(estimate) = group.estimate() else { continue };
        for i in 0..estimate.grid.len() {
            let row = Row {
                group: group.name(),
                t: estimate.grid[i],
                value: estimate.values[i],
                posterior_sd: estimate.posterior_sd[i],
                noise_sd: estimate.noise_sd[i],
                lower: estimate.lower[i],
                upper: estimate.upper[i],
            };
            csv.serialize(row).map_err(|_| TableError)?;
        }
    }
    text_of(csv)
}
