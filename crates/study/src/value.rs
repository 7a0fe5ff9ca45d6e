//! Values of settings as every door gives them, and what the types of settings share.

use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::choice::Word;
use crate::value_error::ValueError;

/// A value as a document writes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// True or false.
    Truth(bool),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
    /// A list of numbers.
    Reals(Vec<f64>),
    /// A list of texts.
    Texts(Vec<String>),
    /// A public curve.
    Curve {
        /// Its points.
        t: Vec<f64>,
        /// The value at each.
        value: Vec<f64>,
    },
}

/// What values of a setting look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A number.
    Real,
    /// A whole number.
    Whole,
    /// A text.
    Text,
    /// True or false.
    Truth,
    /// A list of numbers.
    Reals,
    /// A list of texts.
    Texts,
    /// One of these words.
    Words(&'static [Word]),
    /// A public curve: its points and its values.
    Curve,
    /// Any of these.
    AnyOf(&'static [Form]),
}

/// A type whose values a setting can have: one reading of a flag's text, one of a document's value.
pub trait SettingValue: Sized + Clone + PartialEq {
    /// What its values look like.
    const FORM: Form;

    /// Reads the text of a flag.
    fn parse(text: &str) -> Result<Self, ValueError>;

    /// Reads the value of a document.
    fn read(value: Value) -> Result<Self, ValueError>;

    /// The one value that documents write for it.
    fn value(&self) -> Value;
}

/// Reads the field of a section; a field that is there has a value.
pub(crate) fn read<'de, D: Deserializer<'de>, T: SettingValue>(document: D) -> Result<Option<T>, D::Error> {
    T::read(Value::deserialize(document)?).map(Some).map_err(D::Error::custom)
}

/// A finite number, with one zero.
pub(crate) fn finite(value: f64) -> Result<f64, ValueError> {
    if value.is_finite() { Ok(value + 0.0) } else { Err(ValueError::NotFinite { value }) }
}

/// Whole numbers beyond this are not all doubles.
const LARGEST_WHOLE: u64 = 1 << 53;

/// The number that a document writes.
pub(crate) fn real(value: Value) -> Result<f64, ValueError> {
    match value {
        Value::Real(value) => finite(value),
        Value::Whole(value) if value <= LARGEST_WHOLE => Ok(value as f64),
        _ => Err(ValueError::Number),
    }
}

/// The text that a document writes.
pub(crate) fn text(value: Value) -> Result<String, ValueError> {
    if let Value::Text(text) = value { Ok(text) } else { Err(ValueError::Text) }
}

/// The texts that a document writes: a list, or one text with commas between them.
pub(crate) fn texts(value: Value) -> Result<Vec<String>, ValueError> {
    match value {
        Value::Text(text) => Ok(split(&text)),
        // a list without elements is one of numbers as well
        Value::Reals(none) if none.is_empty() => Err(ValueError::Empty),
        Value::Texts(texts) if texts.iter().any(|text| text.contains(',')) => Err(ValueError::CommaInName),
        Value::Texts(texts) => Ok(texts.into_iter().map(|text| text.trim().to_owned()).collect()),
        _ => Err(ValueError::Texts),
    }
}

/// What stands between commas.
pub(crate) fn split(text: &str) -> Vec<String> {
    text.split(',').map(|piece| piece.trim().to_owned()).collect()
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(document: D) -> Result<Self, D::Error> {
        document.deserialize_any(ValueVisitor)
    }
}

/// The key under which TOML gives a date that stands without quotes.
const TOML_DATE: &str = "$__toml_private_datetime";

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true or false, or a list of numbers or texts")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Truth(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Whole(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(u64::try_from(value).map_or(Value::Real(value as f64), Value::Whole))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Real(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        while let Some(element) = list.next_element::<Value>()? {
            match element {
                Value::Text(text) => texts.push(text),
                number => numbers.push(real(number).map_err(A::Error::custom)?),
            }
        }
        match (numbers.is_empty(), texts.is_empty()) {
            (_, true) => Ok(Value::Reals(numbers)),
            (true, false) => Ok(Value::Texts(texts)),
            (false, false) => Err(A::Error::custom(ValueError::Texts)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut t, mut value) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                // a date without quotes is a text
                TOML_DATE => return map.next_value().map(Value::Text),
                "t" if t.is_none() => t = Some(map.next_value()?),
                "value" if value.is_none() => value = Some(map.next_value()?),
                "t" => return Err(A::Error::duplicate_field("t")),
                "value" => return Err(A::Error::duplicate_field("value")),
                other => return Err(A::Error::unknown_field(other, &["t", "value"])),
            }
        }
        let missing = A::Error::missing_field;
        Ok(Value::Curve { t: t.ok_or_else(|| missing("t"))?, value: value.ok_or_else(|| missing("value"))? })
    }
}

impl SettingValue for f64 {
    const FORM: Form = Form::Real;

    fn parse(text: &str) -> Result<Self, ValueError> {
        finite(text.trim().parse().map_err(|_| crate::value_error::no_number(text.trim()))?)
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        real(value)
    }

    fn value(&self) -> Value {
        Value::Real(*self)
    }
}

impl SettingValue for usize {
    const FORM: Form = Form::Whole;

    fn parse(text: &str) -> Result<Self, ValueError> {
        text.trim().parse().map_err(|_| ValueError::Count)
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Whole(value) => value.try_into().map_err(|_| ValueError::Count),
            _ => Err(ValueError::Count),
        }
    }

    fn value(&self) -> Value {
        Value::Whole(*self as u64)
    }
}

impl SettingValue for bool {
    const FORM: Form = Form::Truth;

    fn parse(text: &str) -> Result<Self, ValueError> {
        text.trim().parse().map_err(|_| ValueError::Truth)
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        if let Value::Truth(value) = value { Ok(value) } else { Err(ValueError::Truth) }
    }

    fn value(&self) -> Value {
        Value::Truth(*self)
    }
}

impl SettingValue for String {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Ok(text.to_owned())
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        text(value)
    }

    fn value(&self) -> Value {
        Value::Text(self.clone())
    }
}

impl SettingValue for Vec<String> {
    const FORM: Form = Form::Texts;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Ok(split(text))
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        texts(value)
    }

    fn value(&self) -> Value {
        Value::Texts(self.clone())
    }
}

impl SettingValue for Vec<f64> {
    const FORM: Form = Form::Reals;

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.trim().is_empty() {
            return Err(ValueError::Empty);
        }
        text.split(',').map(|piece| piece.trim().parse().map_err(|_| ValueError::Numbers).and_then(finite)).collect()
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Reals(numbers) if numbers.is_empty() => Err(ValueError::Empty),
            Value::Reals(numbers) => Ok(numbers),
            _ => Err(ValueError::Numbers),
        }
    }

    fn value(&self) -> Value {
        Value::Reals(self.clone())
    }
}
