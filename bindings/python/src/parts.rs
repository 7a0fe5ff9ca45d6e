//! Curves in several places: a public plan, and parts that hold exact sums without noise.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use dpfda::mechanism::{FingerprintKey, PartId};
use dpfda::privacy::{PrivacyUnit, SystemRandomness};
use dpfda::release::{EncodeError, FileEncoding, MeanPart, PlannedMean, ReleaseError};
use dpfda::smoothing::{CurveLayout, CurveSource, GridChoice, TableFiles};
use pyo3::prelude::*;

use crate::band::BandChoice;
use crate::door::{Concerns, Door, DoorArguments};
use crate::mean::{GridArgument, LayoutArguments, Subjects, check_ids, draw, encode};
use crate::refusal::Refusal;
use crate::release::Released;
use crate::settings::{Settings, threads};
use crate::table::Table;

/// The public plan of a mean whose curves are in several places.
#[pyclass(name = "MeanPlan", module = "dpfda._dpfda", frozen)]
pub struct Plan(PlannedMean);

#[pymethods]
impl Plan {
    /// The plan of settings for curves on a grid, where a record is a `unit`.
    #[new]
    fn new(settings: &Settings, grid: GridArgument, columns: usize, of_subjects: bool) -> Result<Self, Refusal> {
        settings.check_gaps()?;
        let grid = grid.of(columns)?;
        let unit = if of_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(Self(PlannedMean::new(settings.private_mean(&grid)?, grid, unit)?))
    }

    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Refusal> {
        Ok(Self(serde_json::from_str(text).map_err(|error| Refusal::of_plan(&error))?))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(serde_json::to_string_pretty(&self.0)?)
    }

    #[getter]
    fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    #[getter]
    fn grid_points(&self) -> Vec<f64> {
        self.0.grid().points().to_vec()
    }

    #[getter]
    fn unit(&self) -> String {
        self.0.unit().to_string()
    }

    /// Encodes curves in memory as a part: private data.
    #[pyo3(signature = (curves, subjects, part, key, workers))]
    fn encode(
        &self,
        py: Python<'_>,
        curves: Table<'_>,
        subjects: Option<Subjects>,
        part: &str,
        key: Option<[u8; 32]>,
        workers: Option<usize>,
    ) -> Result<Part, Refusal> {
        let (rows, part) = (curves.view()?, part.parse::<PartId>()?);
        self.check_key(key.is_some())?;
        check_ids(subjects.as_deref())?;
        let part = py.detach(|| encode(&self.0, &rows, subjects.as_deref(), &part, key, threads(workers)))?;
        Ok(Part(Mutex::new(part)))
    }

    /// Encodes the curves in files as a part: private data.
    #[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
    #[pyo3(signature = (path, layout, part, key, workers, sorted_by_subject))]
    fn encode_files(
        &self,
        py: Python<'_>,
        path: PathBuf,
        layout: LayoutArguments,
        part: &str,
        key: Option<[u8; 32]>,
        workers: Option<usize>,
        sorted_by_subject: bool,
    ) -> Result<Part, Refusal> {
        self.check_key(key.is_some())?;
        let layout = CurveLayout::try_from(layout)?.grid(GridChoice::Of(self.0.grid().clone()));
        let (key, part) = (key.map(FingerprintKey::from_bytes), part.parse::<PartId>()?);
        let encoding = FileEncoding { part, key, threads: threads(workers), sorted: sorted_by_subject };
        let part = py.detach(|| -> Result<MeanPart, Refusal> {
            let files = TableFiles::find(&path)?;
            let first = files.open(0, &layout)?;
            let encoder = self.0.encode_files(&files, first, &layout, encoding, &|bytes| bytes)?;
            Ok(encoder.finish().map_err(EncodeError::from)?)
        });
        Ok(Part(Mutex::new(part?)))
    }
}

impl Plan {
    /// Parts of subjects need a key, or a subject in two parts could not be seen.
    fn check_key(&self, has_key: bool) -> Result<(), Refusal> {
        match (self.0.unit(), has_key) {
            (PrivacyUnit::Subject, false) => Err(Refusal::new(
                "key",
                "by the plan a record is a subject: give the curator's key, the same for all parts",
            )),
            (PrivacyUnit::Curve, true) => {
                Err(Refusal::new("key", "by the plan each curve is a record: leave the key out"))
            }
            _ => Ok(()),
        }
    }
}

/// The plan of settings for the files that a path names, of which only a header is read.
#[pyfunction]
pub fn plan_of_files(settings: &Settings, path: PathBuf, layout: LayoutArguments) -> Result<Plan, Refusal> {
    settings.check_gaps()?;
    let layout = CurveLayout::try_from(layout)?;
    let first = TableFiles::find(&path)?.open(0, &layout)?;
    let unit = if first.has_subjects() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
    Ok(Plan(PlannedMean::new(settings.private_mean(first.grid())?, first.grid().clone(), unit)?))
}

/// Exact sums without noise: private data.
#[pyclass(name = "MeanPart", module = "dpfda._dpfda", frozen)]
pub struct Part(Mutex<MeanPart>);

#[pymethods]
impl Part {
    /// A part from what `reveal` gave.
    #[staticmethod]
    fn read(py: Python<'_>, bytes: &[u8]) -> Result<Self, Refusal> {
        Ok(Self(Mutex::new(py.detach(|| MeanPart::read(bytes))?)))
    }

    /// The part as bytes: exact sums without noise.
    fn reveal(&self) -> Vec<u8> {
        self.bytes()
    }

    /// The names of the parts in it.
    #[getter]
    fn parts(&self) -> Vec<String> {
        self.with(|part| part.parts())
    }

    #[getter]
    fn plan(&self) -> Plan {
        Plan(self.with(|part| part.plan().clone()))
    }

    /// Joins another part, which stays as it is.
    fn merge(&self, other: &Self) -> Result<(), Refusal> {
        // a copy, so that nobody waits for two locks
        let other = MeanPart::read(&other.bytes())?;
        let outcome = self.with(|part| part.merge(other));
        outcome.map_err(|again| match again.reason {
            ReleaseError::Partial(error) => error.into(),
            other => Refusal::from(other),
        })
    }

    /// Releases the mean of all curves in it: **spends the budget**. The part stays as it is: no sum is lost with a refusal.
    #[pyo3(signature = (band, level, roughness, door))]
    fn release(
        &self,
        py: Python<'_>,
        band: Option<&str>,
        level: Option<f64>,
        roughness: Option<f64>,
        door: DoorArguments,
    ) -> Result<Released, Refusal> {
        let (door, choice) = (Door::try_from(door)?, BandChoice::new(band, level, roughness)?);
        py.detach(|| {
            let part = MeanPart::read(&self.bytes())?;
            let plan = part.plan().clone();
            choice.check(plan.settings().is_white(), None, true)?;
            let prepared = part.prepare().map_err(|again| again.reason)?;
            let door = (&door, Concerns::default());
            draw(plan.settings(), plan.grid(), prepared, None, door, |release| choice.of_new(release, false))
        })
    }
}

impl Part {
    fn with<T>(&self, then: impl FnOnce(&mut MeanPart) -> T) -> T {
        // a sum is joined whole or not at all, so that one behind a panic is as it was
        then(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn bytes(&self) -> Vec<u8> {
        self.with(|part| part.reveal().into_revealed())
    }
}

/// A new secret key for the subjects of all parts of a data set.
#[pyfunction]
pub fn new_key() -> Result<[u8; 32], Refusal> {
    Ok(*FingerprintKey::new(&mut SystemRandomness::new()?).reveal())
}
