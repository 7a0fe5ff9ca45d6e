//! Values of settings that are more than one word or number.

use std::path::PathBuf;

use dpfda::kernels::KernelName;
use dpfda::mechanism::{FIGURE_SIZES, exact, is_name};
use dpfda::smoothing::{Missing, PublicCurve, Separator};

use crate::choices::FormatName;
use crate::value::{Form, SettingValue, Value, finite, real, split, text, texts};
use crate::value_error::{ValueError, no_number};

/// The public centre.
#[derive(Debug, Clone, PartialEq)]
pub enum CenterValue {
    /// The same value everywhere.
    Constant(f64),
    /// A CSV file of a public curve.
    File(PathBuf),
    /// A public curve, and the file that it is from.
    Curve(PublicCurve, Option<PathBuf>),
}

impl SettingValue for CenterValue {
    const FORM: Form = Form::AnyOf(&[Form::Real, Form::Text, Form::Curve]);

    fn parse(given: &str) -> Result<Self, ValueError> {
        match given.trim().parse() {
            Ok(value) => finite(value).map(Self::Constant),
            Err(_) => match no_number(given.trim()) {
                ValueError::Number => Ok(Self::File(PathBuf::from(given))),
                refusal => Err(refusal),
            },
        }
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Text(text) if text.trim().parse::<f64>().is_err() => Ok(Self::File(PathBuf::from(text))),
            Value::Curve { t, value } if t.len() == value.len() => {
                let points: Vec<(f64, f64)> = t.into_iter().zip(value).collect();
                PublicCurve::new(&points).map(|curve| Self::Curve(curve, None)).map_err(|_| ValueError::Points)
            }
            value => real(value).map(Self::Constant).map_err(|_| ValueError::Center),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Constant(value) => Value::Real(*value),
            Self::File(path) => Value::Text(path.to_string_lossy().into_owned()),
            Self::Curve(curve, _) => Value::Curve { t: curve.points().to_vec(), value: curve.values().to_vec() },
        }
    }
}

/// A share of the budget, or none of it: 0 and `none` say so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Share {
    /// Nothing is bought.
    None,
    /// This share.
    Of(f64),
}

impl Share {
    fn of(value: f64) -> Self {
        if value == 0.0 { Self::None } else { Self::Of(value) }
    }
}

impl SettingValue for Share {
    const FORM: Form = Form::AnyOf(&[Form::Real, Form::Text]);

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.trim() == "none" {
            return Ok(Self::None);
        }
        f64::parse(text).map(Self::of).map_err(|error| match error {
            ValueError::NotFinite { .. } => error,
            _ => ValueError::Share,
        })
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Text(text) if text == "none" => Ok(Self::None),
            value => real(value).map(Self::of).map_err(|_| ValueError::Share),
        }
    }

    fn value(&self) -> Value {
        Value::Real(if let Self::Of(share) = self { *share } else { 0.0 })
    }
}

/// Where the value columns lie.
#[derive(Debug, Clone, PartialEq)]
pub enum GridValue {
    /// Two ends, or one point for each column.
    Points(Vec<f64>),
    /// Where their names say.
    Names,
    /// Equally spaced between two ends, whatever the names say.
    Uniform(f64, f64),
}

impl SettingValue for GridValue {
    const FORM: Form = Form::AnyOf(&[Form::Reals, Form::Text]);

    fn parse(text: &str) -> Result<Self, ValueError> {
        let list = |text: &str| match Vec::<f64>::parse(text) {
            Err(ValueError::Numbers) => Err(ValueError::Grid),
            other => other,
        };
        let ends = match text.trim() {
            "names" => return Ok(Self::Names),
            "uniform" => "0,1",
            text => match text.strip_prefix("uniform:") {
                Some(ends) => ends,
                None => return list(text).map(Self::Points),
            },
        };
        match list(ends)?[..] {
            [lower, upper] => Ok(Self::Uniform(lower, upper)),
            _ => Err(ValueError::Grid),
        }
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Text(text) => Self::parse(&text),
            Value::Reals(_) => Vec::<f64>::read(value).map(Self::Points),
            _ => Err(ValueError::Grid),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Points(points) => Value::Reals(points.clone()),
            Self::Names => Value::Text("names".to_owned()),
            Self::Uniform(lower, upper) => Value::Text(format!("uniform:{lower},{upper}")),
        }
    }
}

/// What stands between cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Delimiter {
    separator: Separator,
    text: String,
}

impl Delimiter {
    /// The character.
    pub fn separator(&self) -> Separator {
        self.separator
    }
}

impl SettingValue for Delimiter {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        let separator: Separator = text.parse()?;
        let text = if separator == Separator::TAB { "tab" } else { text };
        Ok(Self { separator, text: text.to_owned() })
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        Value::Text(self.text.clone())
    }
}

impl SettingValue for Missing {
    const FORM: Form = Form::AnyOf(&[Form::Texts, Form::Real, Form::Reals]);

    fn parse(text: &str) -> Result<Self, ValueError> {
        Self::new(text).map_err(|_| ValueError::Codes)
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        let codes = match value {
            Value::Real(number) => exact(number),
            Value::Whole(number) => number.to_string(),
            Value::Reals(numbers) if !numbers.is_empty() => {
                numbers.into_iter().map(exact).collect::<Vec<_>>().join(",")
            }
            codes => texts(codes)?.join(","),
        };
        Self::parse(&codes)
    }

    fn value(&self) -> Value {
        Value::Texts(self.codes().to_vec())
    }
}

impl SettingValue for KernelName {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        text.trim().parse().map_err(|_| ValueError::Kernel)
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        Value::Text(self.to_string())
    }
}

/// Names of one to three columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns(pub Vec<String>);

impl Columns {
    fn of(names: Vec<String>) -> Result<Self, ValueError> {
        if names.iter().any(String::is_empty) {
            return Err(ValueError::Columns);
        }
        if names.len() > 3 {
            return Err(ValueError::TooManyColumns { found: names.len() });
        }
        match (1..names.len()).find(|&i| names[..i].contains(&names[i])) {
            Some(twice) => Err(ValueError::ColumnTwice { name: names[twice].clone() }),
            None => Ok(Self(names)),
        }
    }
}

impl SettingValue for Columns {
    const FORM: Form = Form::Texts;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Self::of(split(text))
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::of(texts(value)?)
    }

    fn value(&self) -> Value {
        Value::Texts(self.0.clone())
    }
}

/// Two visits, and the column that says which visit a row is of: `COLUMN=A,B`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visits {
    /// The column.
    pub column: String,
    /// What it says of the earlier visit.
    pub from: String,
    /// What it says of the later one.
    pub to: String,
}

impl SettingValue for Visits {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (column, visits) = text.split_once('=').ok_or(ValueError::Visits)?;
        let (from, to) = visits.split_once(',').ok_or(ValueError::Visits)?;
        let [column, from, to] = [column, from, to].map(|part| part.trim().to_owned());
        let is_one = !column.is_empty() && !to.contains(',');
        if is_one { Ok(Self { column, from, to }) } else { Err(ValueError::Visits) }
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        let Self { column, from, to } = self;
        Value::Text(format!("{column}={from},{to}"))
    }
}

/// Why a guarantee is not a usual one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(pub String);

impl SettingValue for Reason {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        if is_name(text.trim()) { Ok(Self(text.trim().to_owned())) } else { Err(ValueError::Reason) }
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        Value::Text(self.0.clone())
    }
}

/// A public name for a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label(pub String);

impl SettingValue for Label {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        if is_name(text) { Ok(Self(text.to_owned())) } else { Err(ValueError::Label) }
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        Value::Text(self.0.clone())
    }
}

/// The numbers of points of the axes of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape(pub usize, pub usize);

impl SettingValue for Shape {
    const FORM: Form = Form::Reals;

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (first, second) = text.split_once(',').ok_or(ValueError::Shape)?;
        let points = |piece: &str| piece.trim().parse().ok().filter(|points| *points >= 2).ok_or(ValueError::Shape);
        Ok(Self(points(first)?, points(second)?))
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        let Value::Reals(numbers) = value else { return Err(ValueError::Shape) };
        let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
        Self::parse(&texts.join(","))
    }

    fn value(&self) -> Value {
        Value::Reals(vec![self.0 as f64, self.1 as f64])
    }
}

/// A size such as `800x500`.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// The width and the height in CSS pixels.
    pub pixels: (f64, f64),
    text: String,
}

impl SettingValue for Size {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (width, height) = text.split_once(['x', 'X']).ok_or(ValueError::Size)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| ValueError::Size);
        let (width, height) = (number(width)?, number(height)?);
        if !FIGURE_SIZES.contains(&width) || !FIGURE_SIZES.contains(&height) {
            return Err(ValueError::Size);
        }
        Ok(Self { pixels: (width, height), text: format!("{width}x{height}") })
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        Value::Text(self.text.clone())
    }
}

/// The kinds of files that figures are written as, each once.
#[derive(Debug, Clone, PartialEq)]
pub struct Formats(pub Vec<FormatName>);

impl Formats {
    fn of(names: &[String]) -> Result<Self, ValueError> {
        let mut formats = names.iter().map(|name| FormatName::parse(name)).collect::<Result<Vec<_>, _>>()?;
        formats.sort_by_key(|format| *format as usize);
        formats.dedup();
        Ok(Self(formats))
    }
}

impl SettingValue for Formats {
    const FORM: Form = Form::Texts;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Self::of(&split(text))
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::of(&texts(value)?)
    }

    fn value(&self) -> Value {
        Value::Texts(self.0.iter().map(|format| format.word().to_owned()).collect())
    }
}
