//! A noise path that more can be published of: the curator's file.

use std::fmt;

use dpfda_mechanism::{ReadError, Release};
use dpfda_privacy::Randomness;
use ndarray::{Array1, ArrayView1};
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::functionals::functional::LinearFunctional;
use crate::functionals::map::FunctionalMap;
use crate::paths::private::PathError;
use crate::paths::released::PathRelease;
use crate::paths::statistic::Path;

mod file;
#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;

pub use file::KeptPathFileError;

/// Recomputed numbers must agree with released ones to this fraction of their size.
const AGREEMENT: f64 = 1e-9;

/// 128 random bits that a release and its kept path share, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathId(u128);

impl PathId {
    pub(crate) const BYTES: usize = size_of::<u128>();

    pub(crate) fn draw<R: Randomness + ?Sized>(randomness: &mut R) -> Self {
        let (high, low) = (randomness.next_u64(), randomness.next_u64());
        Self(u128::from(high) << 64 | u128::from(low))
    }

    pub(crate) fn to_bytes(&self) -> [u8; Self::BYTES] {
        self.0.to_le_bytes()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|bytes| Self(u128::from_le_bytes(bytes)))
    }
}

impl fmt::Display for PathId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl From<PathId> for String {
    fn from(id: PathId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for PathId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let is_plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = u128::from_str_radix(&text, 16).ok().filter(|_| is_plain);
        id.map(Self).ok_or("an id is 32 hexadecimal digits")
    }
}

/// A private path that was drawn whole, of which functionals have been published: for the curator.
///
/// It holds the noisy coordinates, never the exact ones. Whoever reads it can publish in the curator's place, so it is not
/// shown and its file is for its owner alone; but what it could give away is the rest of one `(epsilon, delta)`-private
/// function and no more.
#[derive(Clone)]
pub struct KeptPath {
    id: PathId,
    release: Release<Path>,
}

impl KeptPath {
    pub(crate) fn new(id: PathId, release: Release<Path>) -> Self {
        Self { id, release }
    }

    /// Functionals of the path: **costs nothing** beyond what the path cost.
    ///
    /// # Errors
    /// [`PathError::Map`] for functionals that do not exist.
    pub fn publish(&self, functionals: &[LinearFunctional]) -> Result<PathRelease, PathError> {
        let map = self.release.statistic().basis().map(functionals)?;
        Ok(self.read_off(functionals, &map))
    }

    /// The release with more functionals of the same path: **costs nothing**.
    ///
    /// What was released stays as it was, to the bit; what is asked for again is not repeated.
    ///
    /// # Errors
    /// [`PathError::NotThisRelease`] for a release of another path; [`PathError::Map`] for functionals that do not exist.
    pub fn extend(&self, release: &PathRelease, more: &[LinearFunctional]) -> Result<PathRelease, PathError> {
        self.check_belongs(release)?;
        let mut added: Vec<LinearFunctional> = Vec::new();
        for functional in more {
            if !release.functionals().contains(functional) && !added.contains(functional) {
                added.push(functional.clone());
            }
        }
        if added.is_empty() { Ok(release.clone()) } else { Ok(release.with(&self.publish(&added)?)) }
    }

    /// The id that the path shares with its release.
    pub fn id(&self) -> String {
        self.id.to_string()
    }

    pub(crate) fn path_id(&self) -> &PathId {
        &self.id
    }

    /// What was drawn: noisy, and still for the curator, as whoever has it can publish more.
    pub fn release(&self) -> &Release<Path> {
        &self.release
    }

    /// The functionals of this path that the map reads off it.
    pub(crate) fn read_off(&self, functionals: &[LinearFunctional], map: &FunctionalMap) -> PathRelease {
        let release = &self.release;
        let step = release.statistic().lattice_step() / release.units();
        let mean: Array1<f64> = release.coordinates().iter().map(|&k| k as f64 * step).collect();
        PathRelease::new(&self.id, release, functionals.to_vec(), map, &map.rows.dot(&mean))
    }

    /// The id must be the same, and what was released must be what this path gives, to the last field.
    fn check_belongs(&self, release: &PathRelease) -> Result<(), PathError> {
        let not_this = |_| PathError::NotThisRelease;
        let map = self.release.statistic().basis().map(release.functionals()).map_err(not_this)?;
        let mine = self.read_off(release.functionals(), &map);
        // what rounding on another machine may change: a fraction of what one record can do, and of the centre's part
        let radius = self.release.statistic().ball().radius();
        let size = |row: ArrayView1<'_, f64>, offset: &f64| radius * row.dot(&row).sqrt() + offset.abs();
        let sizes = map.rows.rows().into_iter().zip(&map.offsets).map(|(row, offset)| AGREEMENT * size(row, offset));
        if mine.agrees(release, &sizes.collect::<Vec<f64>>()) { Ok(()) } else { Err(PathError::NotThisRelease) }
    }

    /// The curator's document.
    fn to_json(&self) -> Result<String, serde_json::Error> {
        self.release.to_json_with(&KeptDerived { warning: WARNING.to_owned(), id: self.id.clone() }, None::<&()>)
    }

    fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, derived, _) = Release::from_json_with::<KeptDerived, ()>(json).map_err(without_content)?;
        Ok(Self { id: derived.id, release })
    }
}

/// Where a file is damaged, without what stands there: a reason can quote a value.
fn without_content(error: ReadError) -> ReadError {
    match error {
        ReadError::Json(error) => {
            let place = format_args!("line {}, column {}: edited or damaged", error.line(), error.column());
            ReadError::Json(serde_json::Error::custom(place))
        }
        other => other,
    }
}

const WARNING: &str = "for the curator alone: whoever has this file can publish more of the release";

/// What the curator's document has beside the draw.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptDerived {
    /// For whoever opens the file.
    warning: String,
    id: PathId,
}

dpfda_privacy::opaque!(KeptPath);
