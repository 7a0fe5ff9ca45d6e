//! The table of settings, as the signatures of Python are made of it.

use dpfda_study::{Default, Door, Form, Kind, SETTINGS, Setting, Value};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::keywords::kind_of;

/// A setting of a kind: its name, its type as Python writes it, the constant that holds where it is not said, and its help.
type Row<'py> = (&'static str, String, Bound<'py, PyAny>, String);

/// All settings that a study of this kind may say, in the order of the table.
#[pyfunction]
pub fn settings_of<'py>(py: Python<'py>, kind: &str) -> PyResult<Vec<Row<'py>>> {
    let kind = kind_of(kind)?;
    let of_kind = SETTINGS.iter().filter(|setting| setting.is_of(kind));
    of_kind
        .map(|setting| Ok((setting.name, type_of(setting, kind), default(py, setting, kind)?, help(setting, kind))))
        .collect()
}

/// The type of values, as Python writes it.
fn type_of(setting: &Setting, kind: Kind) -> String {
    let words: Vec<String> = setting.words(&[kind]).iter().map(|word| format!("{:?}", word.name)).collect();
    if words.is_empty() { of_form(setting.form) } else { format!("Literal[{}]", words.join(", ")) }
}

fn of_form(form: Form) -> String {
    let forms: Vec<String> = match form {
        Form::AnyOf(forms) => forms.iter().map(|form| of_form(*form)).collect(),
        Form::Real => vec!["float".to_owned()],
        Form::Whole => vec!["int".to_owned()],
        Form::Text | Form::Words(_) => vec!["str".to_owned()],
        Form::Truth => vec!["bool".to_owned()],
        Form::Reals => vec!["Sequence[float]".to_owned()],
        Form::Texts => vec!["str".to_owned(), "Sequence[str]".to_owned()],
        Form::Curve => vec!["Mapping[str, Sequence[float]]".to_owned(), "PathLike[str]".to_owned()],
    };
    forms.join(" | ")
}

/// The constant that holds where nothing is said; None where there is none, or where what holds follows from other settings.
fn default<'py>(py: Python<'py>, setting: &Setting, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    let value = setting.constant(kind).unwrap_or(Value::Texts(Vec::new()));
    Ok(match value {
        Value::Truth(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Real(real) => real.into_pyobject(py)?.into_any(),
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
        Value::Reals(reals) => pyo3::types::PyTuple::new(py, reals)?.into_any(),
        Value::Texts(_) | Value::Curve { .. } => py.None().into_bound(py),
    })
}

/// The help, with what holds where nothing is said and is no constant.
fn help(setting: &Setting, kind: Kind) -> String {
    let usual = match setting.default {
        Default::Usual(_) => setting.default_text(kind).map(|text| format!("; by default {text}")),
        Default::None | Default::Constant(_) => None,
    };
    let short = format!("{}{}.", setting.short().trim_end_matches('.'), usual.unwrap_or_default());
    let text = setting.more().map_or(short.clone(), |more| format!("{short} {}", more.replace("\n\n", " ")));
    Door::Python.spell(&text)
}
