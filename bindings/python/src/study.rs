//! The study: every setting said once, and checked by the rules that the command has.

use std::path::{Path, PathBuf};

use dpfda_study::{Checked, Door, Kind, Origin, SETTINGS, Sections, Study, Value};
use pyo3::prelude::*;
use serde_json::json;

use crate::refusal::Refusal;

/// A study that was checked.
#[pyclass(name = "Study", module = "dpfda._dpfda", frozen)]
pub struct CheckedStudy(Checked);

/// The value of a setting, as Python writes it.
#[derive(FromPyObject)]
enum ValueArgument {
    Truth(bool),
    Whole(u64),
    Real(f64),
    Text(String),
    File(PathBuf),
    Reals(Vec<f64>),
    Texts(Vec<String>),
    #[pyo3(from_item_all)]
    Curve {
        t: Vec<f64>,
        value: Vec<f64>,
    },
}

impl From<ValueArgument> for Value {
    fn from(argument: ValueArgument) -> Self {
        match argument {
            ValueArgument::Truth(truth) => Self::Truth(truth),
            ValueArgument::Whole(whole) => Self::Whole(whole),
            ValueArgument::Real(real) => Self::Real(real),
            ValueArgument::Text(text) => Self::Text(text),
            ValueArgument::File(path) => Self::Text(path.to_string_lossy().into_owned()),
            ValueArgument::Reals(reals) => Self::Reals(reals),
            ValueArgument::Texts(texts) => Self::Texts(texts),
            ValueArgument::Curve { t, value } => Self::Curve { t, value },
        }
    }
}

impl Refusal {
    /// A refusal of a study, as a door spells it.
    pub fn of_study(refusal: &dpfda_study::Refusal, door: Door) -> Self {
        Self::new(refusal.setting(), door.refusal(refusal))
    }
}

/// What keywords say.
fn said(settings: &[(String, Bound<'_, PyAny>)]) -> Result<Sections, Refusal> {
    let value = |(name, given): &(String, Bound<'_, PyAny>)| {
        let known = dpfda_study::setting(name).map_or("", |setting| setting.name);
        let value: ValueArgument = given.extract().map_err(|_| {
            Refusal::new(
                known,
                format!("{name}=: neither a number, a text, a truth, nor a list of numbers or of texts"),
            )
        })?;
        Ok((name.clone(), value.into()))
    };
    let pairs = settings.iter().map(value).collect::<Result<Vec<(String, Value)>, Refusal>>()?;
    let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.clone()));
    Sections::of_pairs(pairs).map_err(|refusal| Refusal::of_study(&refusal, Door::Python))
}

/// The kind of this word.
fn kind_of(word: &str) -> Result<Kind, Refusal> {
    Kind::of_word(word).ok_or_else(|| {
        let known: Vec<String> = Kind::ALL.map(|kind| format!("{:?}", kind.word())).into();
        Refusal::new("kind", format!("kind must be one of {}", known.join(", ")))
    })
}

/// The text of a new study file of a kind, with these answers filled in.
#[pyfunction]
pub fn new_study(kind: &str, settings: Vec<(String, Bound<'_, PyAny>)>) -> Result<String, Refusal> {
    dpfda_study::new_study(kind_of(kind)?, &said(&settings)?)
        .map_err(|refusal| Refusal::of_study(&refusal, Door::Python))
}

#[pymethods]
impl CheckedStudy {
    #[new]
    #[pyo3(signature = (kind, settings))]
    fn new(kind: Option<&str>, settings: Vec<(String, Bound<'_, PyAny>)>) -> Result<Self, Refusal> {
        let study = Study::of_flags(kind.map(kind_of).transpose()?, said(&settings)?);
        Self::checked(Ok(study), Path::new(""), Door::Python)
    }

    /// The study of a file; a centre's path is one from `folder`.
    #[staticmethod]
    fn from_toml(text: &str, folder: PathBuf) -> Result<Self, Refusal> {
        Self::checked(Study::from_toml(text), &folder, Door::File)
    }

    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Refusal> {
        Self::checked(Study::from_json(text), Path::new(""), Door::File)
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.word()
    }

    /// The covariates of a regression with their ranges, as a document.
    fn covariates(&self) -> Result<String, Refusal> {
        let covariates = self.0.regression.covariates();
        Ok(serde_json::to_string(&covariates.map_err(|refusal| Refusal::of_study(&refusal, Door::Python))?)?)
    }

    #[getter]
    fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// What was said, in the order of the table: names and values, as JSON.
    fn settings(&self) -> Result<String, Refusal> {
        let said = SETTINGS.iter().filter_map(|setting| Some((setting.name, self.0.get(setting.name)?)));
        Ok(serde_json::to_string(&said.collect::<Vec<_>>())?)
    }

    /// Every setting that has a value: its name, the value as a file writes it, and where that comes from.
    fn origins(&self) -> Vec<(&'static str, String, &'static str)> {
        let origin = |origin| match origin {
            Origin::Said => "said",
            Origin::Default => "default",
            Origin::Follows => "follows",
        };
        let told = self.0.origins().into_iter();
        told.map(|told| (told.setting.name, Door::Python.spell(&told.value), origin(told.origin))).collect()
    }

    /// The study as a document, in sections.
    fn to_json(&self) -> Result<String, Refusal> {
        let mut sections = json!({ "release": { self.kind(): {} } });
        for setting in SETTINGS {
            let Some(value) = self.0.get(setting.name) else { continue };
            let path = setting.section.path();
            let section = path.split('.').fold(&mut sections, |outer, name| &mut outer[name]);
            section[setting.name] = serde_json::to_value(value)?;
        }
        Ok(serde_json::to_string_pretty(&sections)?)
    }
}

impl CheckedStudy {
    /// A refusal names settings as the door does that the study came in by.
    fn checked(study: Result<Study, dpfda_study::Refusal>, folder: &Path, door: Door) -> Result<Self, Refusal> {
        let checked = study.and_then(|study| {
            let checked = study.check(folder)?;
            checked.regression.covariates().map(|_| checked)
        });
        Ok(Self(checked.map_err(|refusal| Refusal::of_study(&refusal, door))?))
    }
}
