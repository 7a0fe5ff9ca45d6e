//! What arguments of R say of settings, and the study that they are.

use std::path::Path;

use dpfda_study::{
    Asked, AskedDensity, Checked, Default, Door, Form, Kind, Origin, SETTINGS, Sections, Setting, Study, Value, setting,
};
use savvy::{ListSexp, NotAvailableValue, Sexp, TypedSexp};
use serde_json::json;

use crate::out::Out;
use crate::refusal::Refusal;

/// Doubles tell whole numbers apart below this.
const FIRST_UNSURE: f64 = 9_007_199_254_740_992.0;

/// A study that was checked, with whether nobody named the columns of values.
pub struct OfR {
    /// What is asked for.
    pub checked: Checked,
    /// Whether all columns are values: an array needs no names.
    pub takes_all: bool,
}

impl OfR {
    /// The study of arguments; `NULL` says nothing.
    ///
    /// # Errors
    /// [`Refusal`] for names that are no settings, values that they cannot have, and settings that do not go together.
    pub fn of_arguments(kind: &str, arguments: &ListSexp) -> Result<Self, Refusal> {
        let given = arguments.iter().filter(|(_, value)| !value.is_null());
        let pairs = given.map(|(name, value)| Ok((name, value_of(name, value)?)));
        let said = Sections::of_pairs(pairs.collect::<Result<Vec<(&str, Value)>, Refusal>>()?)?;
        let mut study = Study::of_flags(Some(kind_of(kind)?), said);
        let default = match study.kind {
            Kind::Density if study.said.table.columns.is_none() => {
                let axes = study.said.bound.bounds.as_ref().map_or(1, |bounds| (bounds.len() / 2).clamp(1, 3));
                Some(("columns", ["x", "x,y", "x,y,z"][axes - 1]))
            }
            Kind::Density => None,
            _ if study.is_long() || study.said.table.values.is_some() => None,
            _ => Some(("values", "*")),
        };
        if let Some((setting, names)) = default {
            study.said.say(setting, names)?;
        }
        Self::checked(study.check(Path::new(""))?, default.is_some())
    }

    /// The study of a file; the path of a centre is one from `folder`.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of_toml(text: &str, folder: &str) -> Result<Self, Refusal> {
        Self::checked(Study::from_toml(text)?.check(Path::new(folder))?, false)
    }

    /// A study that was checked before.
    ///
    /// # Errors
    /// [`Refusal`] for a document that somebody changed.
    pub fn of_json(text: &str, takes_all: bool) -> Result<Self, Refusal> {
        Self::checked(Study::from_json(text)?.check(Path::new(""))?, takes_all)
    }

    fn checked(checked: Checked, takes_all: bool) -> Result<Self, Refusal> {
        if Asked::of(&checked)?.is_none() {
            AskedDensity::of(&checked)?;
        }
        Ok(Self { checked, takes_all })
    }

    /// The study as R holds it.
    ///
    /// # Errors
    /// None in practice.
    pub fn shown(&self) -> Result<Out, Refusal> {
        let word = |origin| match origin {
            Origin::Said => "said",
            Origin::Default => "default",
            Origin::Follows => "follows",
        };
        let told = self.checked.origins();
        let texts = |of: &dyn Fn(&dpfda_study::Told) -> String| Out::from(told.iter().map(of).collect::<Vec<_>>());
        Ok(Out::named([
            ("json", self.json()?.into()),
            ("takes_all", self.takes_all.into()),
            ("kind", self.checked.kind.word().into()),
            ("digest", self.checked.digest().to_string().into()),
            ("names", texts(&|told| told.setting.name.to_owned())),
            ("values", texts(&|told| Door::R.spell(&told.value))),
            ("origins", texts(&|told| word(told.origin).to_owned())),
        ]))
    }

    fn json(&self) -> Result<String, Refusal> {
        let mut sections = json!({ "release": { self.checked.kind.word(): {} } });
        for setting in SETTINGS {
            let Some(value) = self.checked.get(setting.name) else { continue };
            let path = setting.section.path();
            let section = path.split('.').fold(&mut sections, |outer, name| &mut outer[name]);
            section[setting.name] = serde_json::to_value(value)?;
        }
        Ok(sections.to_string())
    }
}

fn kind_of(word: &str) -> Result<Kind, Refusal> {
    Kind::of_word(word).ok_or_else(|| {
        let known: Vec<String> = Kind::ALL.map(|kind| format!("{:?}", kind.word())).into();
        Refusal::new("kind", format!("`kind` must be one of {}", known.join(", ")))
    })
}

/// The value of a setting, as R writes it: a whole number is one, whatever its type.
fn value_of(name: &str, given: Sexp) -> Result<Value, Refusal> {
    let known = setting(name).map_or("", |setting| setting.name);
    // R has no numbers apart from vectors of length one
    let is_list = setting(name).is_some_and(|setting| setting.form == Form::Reals);
    let of_numbers = |numbers: Vec<f64>| Ok(if is_list { Value::Reals(numbers) } else { of_numbers(numbers) });
    let refused = |why: &str| Err(Refusal::new(known, format!("`{}`: {why}", name.escape_debug())));
    if given.get_class().is_some_and(|class| class.iter().any(|one| *one != "data.frame")) {
        return refused("neither a number, a text, a truth, nor a vector of numbers or of texts");
    }
    match given.into_typed() {
        TypedSexp::Logical(truths) => match truths.as_slice_raw() {
            [truth] if truth.is_na() => refused("NA is no setting"),
            [truth] => Ok(Value::Truth(*truth != 0)),
            _ => refused("one truth, TRUE or FALSE"),
        },
        TypedSexp::Integer(numbers) if numbers.iter().any(NotAvailableValue::is_na) => refused("NA is no setting"),
        TypedSexp::Real(numbers) if numbers.iter().any(|number| number.is_nan()) => refused("NA is no setting"),
        TypedSexp::String(texts) if texts.iter().any(|text| text.is_na()) => refused("NA is no setting"),
        TypedSexp::Integer(numbers) => of_numbers(numbers.iter().map(|number| f64::from(*number)).collect()),
        TypedSexp::Real(numbers) => of_numbers(numbers.to_vec()),
        TypedSexp::String(texts) => Ok(match texts.to_vec()[..] {
            [text] => Value::Text(text.to_owned()),
            ref texts => Value::Texts(texts.iter().map(|text| (*text).to_owned()).collect()),
        }),
        TypedSexp::List(list) => match (list.get("t").map(numbers), list.get("value").map(numbers)) {
            (Some(Some(t)), Some(Some(value))) => Ok(Value::Curve { t, value }),
            _ => refused("a public curve is a list or a data.frame with the numbers t and value"),
        },
        _ => refused("neither a number, a text, a truth, nor a vector of numbers or of texts"),
    }
}

fn of_numbers(numbers: Vec<f64>) -> Value {
    match numbers[..] {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number from 0 to 2^53")]
        [number] if number.fract() == 0.0 && (0.0..FIRST_UNSURE).contains(&number) => Value::Whole(number as u64),
        [number] => Value::Real(number),
        _ => Value::Reals(numbers),
    }
}

/// A vector of numbers of any type.
pub fn numbers(given: Sexp) -> Option<Vec<f64>> {
    match given.into_typed() {
        TypedSexp::Integer(numbers) => {
            Some(numbers.iter().map(|number| if number.is_na() { f64::NAN } else { f64::from(*number) }).collect())
        }
        TypedSexp::Real(numbers) => Some(numbers.to_vec()),
        _ => None,
    }
}

/// All settings of a kind in the order of the table: names, types as R writes them, defaults as R code, and helps.
///
/// # Errors
/// [`Refusal`] for a kind that there is not.
pub fn settings_of(kind: &str) -> Result<Out, Refusal> {
    let kind = kind_of(kind)?;
    let settings: Vec<&Setting> = SETTINGS.iter().filter(|setting| setting.is_of(kind)).collect();
    let texts = |of: &dyn Fn(&Setting) -> String| Out::from(settings.iter().map(|one| of(one)).collect::<Vec<_>>());
    Ok(Out::named([
        ("names", texts(&|setting| setting.name.to_owned())),
        ("types", texts(&|setting| type_of(setting, kind))),
        ("defaults", texts(&|setting| setting.constant(kind).map_or("NULL".to_owned(), |value| code(&value)))),
        ("helps", texts(&|setting| help(setting, kind))),
    ]))
}

fn type_of(setting: &Setting, kind: Kind) -> String {
    let words: Vec<String> = setting.words(&[kind]).iter().map(|word| format!("{:?}", word.name)).collect();
    if words.is_empty() { of_form(setting.form) } else { words.join(" or ") }
}

fn of_form(form: Form) -> String {
    match form {
        Form::AnyOf(forms) => forms.iter().map(|form| of_form(*form)).collect::<Vec<_>>().join(", or "),
        Form::Real => "a number".to_owned(),
        Form::Whole => "a whole number".to_owned(),
        Form::Text | Form::Words(_) => "a text".to_owned(),
        Form::Truth => "TRUE or FALSE".to_owned(),
        Form::Reals => "numbers".to_owned(),
        Form::Texts => "texts".to_owned(),
        Form::Curve => "a data.frame with t and value, or the path of such a CSV file".to_owned(),
    }
}

/// A default as R code.
fn code(value: &Value) -> String {
    match value {
        Value::Truth(truth) => if *truth { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Whole(whole) => whole.to_string(),
        Value::Real(real) => real.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Reals(reals) => {
            format!("c({})", reals.iter().map(f64::to_string).collect::<Vec<_>>().join(", "))
        }
        Value::Texts(_) | Value::Curve { .. } => "NULL".to_owned(),
    }
}

/// The help, with what holds where nothing is said and is no constant.
fn help(setting: &Setting, kind: Kind) -> String {
    let usual = match setting.default {
        Default::Usual(_) => setting.default_text(kind).map(|text| format!("; by default {text}")),
        Default::None | Default::Constant(_) => None,
    };
    let short = format!("{}{}.", setting.short().trim_end_matches('.'), usual.unwrap_or_default());
    let text = setting.more().map_or(short.clone(), |more| format!("{short} {}", more.replace("\n\n", " ")));
    Door::R.spell(&text)
}
