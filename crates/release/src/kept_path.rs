//! A noise path that more can be published of: the curator's file.

use std::fmt;

use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, NoisySum, PrivacyBudget, PrivacyUnit, RoundedNormal, steps_to_unit};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::{Array1, ArrayView1};

use crate::functional::LinearFunctional;
use crate::functional_map::{Dispersion, FunctionalBasis, FunctionalMap};
use crate::path::PathError;
use crate::path_release::{PathProvenance, PathRelease};

mod document;
mod file;
#[cfg(test)]
mod tests;

pub use document::KeptPathReadError;
pub use file::KeptPathFileError;

/// Recomputed numbers must agree with released ones to this fraction of their size.
const AGREEMENT: f64 = 1e-9;

/// A private path that was drawn whole, of which functionals have been published: for the curator.
///
/// It holds the noisy coordinates, never the exact ones. Whoever reads it can publish in the curator's place, so it is not
/// shown and its file is for its owner alone; but what it could give away is the rest of one `(epsilon, delta)`-private
/// function and no more.
#[derive(Clone)]
pub struct KeptPath {
    pub(crate) id: String,
    pub(crate) budget: PrivacyBudget,
    pub(crate) smoother: PenalizedMean,
    pub(crate) dispersion: Dispersion,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) unit: PrivacyUnit,
    /// The public `N`; `None` under add/remove-one.
    pub(crate) public_units: Option<u64>,
    pub(crate) private: bool,
    pub(crate) ball: Ball,
    pub(crate) grid: Grid,
    /// The law of `V`, in words.
    pub(crate) law: String,
    /// The Gaussian noise of this path, given its `V`.
    pub(crate) noise: RoundedNormal,
    pub(crate) noisy: NoisySum,
}

impl KeptPath {
    /// The release with more functionals of the same path: **costs nothing**.
    ///
    /// What was released stays as it was, to the bit; what is asked for again is not repeated.
    ///
    /// # Errors
    /// [`PathError::NotThisRelease`] for a release of another path; [`PathError::Map`] for functionals that do not exist.
    pub fn extend(&self, release: &PathRelease, more: &[LinearFunctional]) -> Result<PathRelease, PathError> {
        let basis = self.basis()?;
        self.check_belongs(release, &basis)?;
        let mut added: Vec<LinearFunctional> = Vec::new();
        for functional in more {
            if !release.functionals.contains(functional) && !added.contains(functional) {
                added.push(functional.clone());
            }
        }
        let mut extended = release.clone();
        if !added.is_empty() {
            let new = self.release(&added, &basis.map(&added)?);
            extended.functionals.extend(added);
            extended.values = extended.values.iter().chain(&new.values).copied().collect();
            extended.noise_sd = extended.noise_sd.iter().chain(&new.noise_sd).copied().collect();
        }
        Ok(extended)
    }

    /// The id that the path shares with its release.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The noisy integers of the whole path: sums over records of whitened coordinates, in lattice steps.
    pub fn coordinates(&self) -> &[i64] {
        &self.noisy.coordinates
    }

    /// Under add/remove-one the noisy count as it was drawn, in lattice steps.
    pub fn count(&self) -> Option<i64> {
        self.noisy.count
    }

    /// The noise of this path, given its `V`.
    pub fn noise(&self) -> RoundedNormal {
        self.noise
    }

    /// The functionals of this path that the map reads off it.
    pub(crate) fn release(&self, functionals: &[LinearFunctional], map: &FunctionalMap) -> PathRelease {
        let step = self.ball.radius() / steps_to_unit(self.noisy.coordinates.len()) / self.units();
        let mean: Array1<f64> = self.noisy.coordinates.iter().map(|&k| k as f64 * step).collect();
        let sd = self.noise.scale() as f64;
        let relative_count_sd = match self.neighbours {
            NeighbouringRelation::SubstituteOne => 0.0,
            NeighbouringRelation::AddRemoveOne => NoisySum::records_sd(sd) / self.units(),
        };
        let deviations = map.rows.dot(&mean);
        let of_row = |(row, deviation): (ArrayView1<'_, f64>, &f64)| {
            (row.dot(&row) * (step * sd).powi(2) + (deviation * relative_count_sd).powi(2)).sqrt()
        };
        let noise_sd = map.rows.rows().into_iter().zip(&deviations).map(of_row).collect();
        PathRelease {
            id: self.id.clone(),
            software: concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned(),
            budget: self.budget,
            neighbours: self.neighbours,
            unit: self.unit,
            units: self.units(),
            private: self.private,
            provenance: PathProvenance {
                ball: self.ball.clone(),
                smoother: self.smoother.clone(),
                dispersion: self.dispersion,
                domain: (self.grid.lower(), self.grid.upper()),
                law: self.law.clone(),
            },
            functionals: functionals.to_vec(),
            values: &map.offsets + &deviations,
            noise_sd,
        }
    }

    fn basis(&self) -> Result<FunctionalBasis, PathError> {
        let dimension = self.noisy.coordinates.len();
        Ok(FunctionalBasis::with_dimension(&self.smoother, self.dispersion, &self.grid, &self.ball, dimension)?)
    }

    /// `N`, public or estimated from the noisy count.
    fn units(&self) -> f64 {
        let public = self.public_units.map(|units| units as f64);
        public.or_else(|| self.noisy.records()).unwrap_or(1.0)
    }

    /// The id must be the same, and what was released must be what this path gives, to the last field.
    fn check_belongs(&self, release: &PathRelease, basis: &FunctionalBasis) -> Result<(), PathError> {
        if release.id != self.id {
            return Err(PathError::NotThisRelease);
        }
        let map = basis.map(&release.functionals).map_err(|_| PathError::NotThisRelease)?;
        let mine = self.release(&release.functionals, &map);
        // what rounding on another machine may change: a fraction of what one record can do, and of the centre's part
        let size = |row: ArrayView1<'_, f64>, offset: &f64| self.ball.radius() * row.dot(&row).sqrt() + offset.abs();
        let sizes = map.rows.rows().into_iter().zip(&map.offsets).map(|(row, offset)| AGREEMENT * size(row, offset));
        let close = |mine: &Array1<f64>, theirs: &Array1<f64>| {
            let pairs = mine.iter().zip(theirs).zip(sizes.clone());
            mine.len() == theirs.len() && pairs.fold(true, |all, ((a, b), size)| all && (a - b).abs() <= size)
        };
        let agrees = close(&mine.values, &release.values)
            && close(&mine.noise_sd, &release.noise_sd)
            && (mine.units - release.units).abs() <= AGREEMENT * mine.units
            && mine.budget == release.budget
            && mine.neighbours == release.neighbours
            && mine.unit == release.unit
            && mine.private == release.private
            && mine.provenance == release.provenance;
        if agrees { Ok(()) } else { Err(PathError::NotThisRelease) }
    }
}

impl fmt::Debug for KeptPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptPath(..)")
    }
}
