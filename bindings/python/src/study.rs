//! The study: every setting said once, and checked by the rules that the command has.

use std::path::{Path, PathBuf};

use dpfda_study::{
    AskedCentiles, AskedChange, AskedDensity, AskedGroups, AskedMean, AskedRegression, AskedRows, AskedSurface,
    Checked, Door, Kind, Origin, SETTINGS, Study,
};
use pyo3::prelude::*;
use serde_json::json;

use crate::keywords::{Keywords, kind_of, said, with_all_columns};
use crate::reading::Reading;
use crate::refusal::Refusal;

/// A study that was checked, with how its table is read.
#[pyclass(name = "Study", module = "dpfda._dpfda", frozen)]
pub struct CheckedStudy {
    /// What is asked for.
    pub checked: Checked,
    reading: Py<Reading>,
}

/// The text of a new study file of a kind, with these answers filled in.
#[pyfunction]
pub fn new_study(kind: &str, settings: Keywords<'_>) -> Result<String, Refusal> {
    Ok(dpfda_study::new_study(kind_of(kind)?, &said(&settings)?)?)
}

#[pymethods]
impl CheckedStudy {
    #[new]
    #[pyo3(signature = (kind, settings))]
    fn new(py: Python<'_>, kind: Option<&str>, settings: Keywords<'_>) -> Result<Self, Refusal> {
        let study = Study::of_flags(kind.map(kind_of).transpose()?, said(&settings)?);
        let (study, takes_all) = with_all_columns(study)?;
        Self::checked(py, study.check(Path::new("")), Door::Python, takes_all)
    }

    /// The study of a file; a centre's path is one from `folder`.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str, folder: PathBuf) -> Result<Self, Refusal> {
        Self::checked(py, Study::from_toml(text).and_then(|study| study.check(&folder)), Door::File, false)
    }

    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        Self::checked(py, Study::from_json(text).and_then(|study| study.check(Path::new(""))), Door::File, false)
    }

    /// The setting whose value the guarantee of a document does not have, where there is one.
    fn disagreement(&self, document: &str) -> Result<Option<&'static str>, Refusal> {
        let release = dpfda::AnyRelease::from_json(document).map_err(|error| Refusal::of_document(&error))?;
        Ok(self.checked.disagreement(release.guarantee()))
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.checked.kind.word()
    }

    /// How its table is read.
    #[getter]
    fn reading(&self, py: Python<'_>) -> Py<Reading> {
        self.reading.clone_ref(py)
    }

    #[getter]
    fn digest(&self) -> String {
        self.checked.digest().to_string()
    }

    /// What was said, in the order of the table: names and values, as JSON.
    fn settings(&self) -> Result<String, Refusal> {
        let said = SETTINGS.iter().filter_map(|setting| Some((setting.name, self.checked.get(setting.name)?)));
        Ok(serde_json::to_string(&said.collect::<Vec<_>>())?)
    }

    /// Every setting that has a value: its name, the value as a file writes it, and where that comes from.
    fn origins(&self) -> Vec<(&'static str, String, &'static str)> {
        let origin = |origin| match origin {
            Origin::Said => "said",
            Origin::Default => "default",
            Origin::Follows => "follows",
        };
        let told = self.checked.origins().into_iter();
        told.map(|told| (told.setting.name, Door::Python.spell(&told.value), origin(told.origin))).collect()
    }

    /// The study as a document, in sections.
    fn to_json(&self) -> Result<String, Refusal> {
        let mut sections = json!({ "release": { self.kind(): {} } });
        for setting in SETTINGS {
            let Some(value) = self.checked.get(setting.name) else { continue };
            let path = setting.section.path();
            let section = path.split('.').fold(&mut sections, |outer, name| &mut outer[name]);
            section[setting.name] = serde_json::to_value(value)?;
        }
        Ok(serde_json::to_string_pretty(&sections)?)
    }
}

impl CheckedStudy {
    /// A refusal names settings as the door does that the study came in by.
    fn checked(
        py: Python<'_>,
        checked: Result<Checked, dpfda_study::Refusal>,
        door: Door,
        takes_all: bool,
    ) -> Result<Self, Refusal> {
        let checked = checked.and_then(|checked| {
            refuse_early(&checked)?;
            Ok(checked)
        });
        let checked = checked.map_err(|refusal| Refusal::of_study(&refusal, door))?;
        let reading = Reading::of_study(&checked, takes_all)?;
        let reading = Py::new(py, reading).map_err(Refusal::raised)?;
        Ok(Self { checked, reading })
    }

    /// How its table is read.
    pub fn reads(&self) -> &Reading {
        self.reading.get()
    }
}

/// Refuses what can be refused without the data.
fn refuse_early(study: &Checked) -> Result<(), dpfda_study::Refusal> {
    match study.kind {
        Kind::Mean => AskedMean::of(study).map(drop),
        Kind::Groups => AskedGroups::of(study).map(drop),
        Kind::Change => AskedChange::of(study).map(drop),
        Kind::Rows => AskedRows::of(study).map(drop),
        Kind::Surface => AskedSurface::of(study).map(drop),
        Kind::Regression => AskedRegression::of(study).map(drop),
        Kind::Centiles => AskedCentiles::of(study).map(drop),
        Kind::Density => AskedDensity::of(study).map(drop),
    }
}
