//! What privacy the published releases really had.

use dpfda::crossval::reproduction::{PublishedPrivacy, TableEntry};
use dpfda::privacy::{Calibration, GaussianPrivacy, PrivacyBudget};
use dpfda::smoothing::CurveSet;

use crate::error::CliError;

/// Each setting with the privacy of the package's noise on the grid of the curves.
pub fn of_entries<'a>(
    curves: &CurveSet,
    entries: &'a [TableEntry],
) -> Result<Vec<(&'a TableEntry, PublishedPrivacy)>, CliError> {
    let of = |entry| Ok((entry, PublishedPrivacy::of(entry, curves.unit_grid())?));
    entries.iter().map(of).collect()
}

/// The largest `mu` with which a release is (1, 0.1)-private.
pub fn allowed_mu() -> Result<f64, CliError> {
    Ok(GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(1.0, 0.1)?)?.mu())
}
