//! What keywords of Python say of settings.

use std::path::PathBuf;

use dpfda_study::{Kind, Sections, Study, Value, setting};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// Settings by their names.
pub type Keywords<'py> = Vec<(String, Bound<'py, PyAny>)>;

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

/// What keywords say; None says nothing.
///
/// # Errors
/// [`Refusal`] for a name that is no setting, and for a value that its setting cannot have.
pub fn said(settings: &Keywords<'_>) -> Result<Sections, Refusal> {
    let value = |(name, given): &(String, Bound<'_, PyAny>)| {
        let known = setting(name).map_or("", |setting| setting.name);
        let value: ValueArgument = given.extract().map_err(|_| {
            let text = "neither a number, a text, a truth, nor a list of numbers or of texts";
            Refusal::new(known, format!("{name}=: {text}"))
        })?;
        Ok((name.clone(), value.into()))
    };
    let pairs = settings.iter().filter(|(_, given)| !given.is_none()).map(value);
    let pairs = pairs.collect::<Result<Vec<(String, Value)>, Refusal>>()?;
    Ok(Sections::of_pairs(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))?)
}

/// What keywords say, which must be settings of these names.
///
/// # Errors
/// As [`said`], and for another setting.
pub fn said_of(settings: &Keywords<'_>, names: &[&str]) -> Result<Sections, Refusal> {
    match settings.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        Some((name, _)) => {
            let text = format!("{name}= is no setting of this: there are {}", names.join(", "));
            Err(Refusal::new(setting(name).map_or("", |setting| setting.name), text))
        }
        None => said(settings),
    }
}

/// The kind of this word.
///
/// # Errors
/// [`Refusal`] with those that there are.
pub fn kind_of(word: &str) -> Result<Kind, Refusal> {
    Kind::of_word(word).ok_or_else(|| {
        let known: Vec<String> = Kind::ALL.map(|kind| format!("{:?}", kind.word())).into();
        Refusal::new("kind", format!("kind must be one of {}", known.join(", ")))
    })
}

/// A study in which arrays need no names: all columns are values, and the columns of points are x, y and z. Also whether that was filled in.
///
/// # Errors
/// None in practice.
pub fn with_all_columns(mut study: Study) -> Result<(Study, bool), Refusal> {
    let (setting, names) = match study.kind {
        Kind::Density if study.said.table.columns.is_none() => {
            let axes = study.said.bound.bounds.as_ref().map_or(1, |bounds| (bounds.len() / 2).clamp(1, 3));
            ("columns", ["x", "x,y", "x,y,z"][axes - 1])
        }
        Kind::Density => return Ok((study, false)),
        _ if study.is_long() || study.said.table.values.is_some() => return Ok((study, false)),
        _ => ("values", "*"),
    };
    study.said.say(setting, names)?;
    Ok((study, true))
}
