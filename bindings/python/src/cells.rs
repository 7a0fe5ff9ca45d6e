//! The cells of a column as Python holds them: ids, labels and covariates. What a cell says is decided by [`Said`] alone.

use std::borrow::Cow;

use dpfda::smoothing::{Missing, NoId, Said, TextColumn, id_said};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};

use crate::refusal::{Refusal, one_of, suspected};

/// The type that a table gives to a column. It is public: a column is refused by its type, whatever its cells hold.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Whole,
    Real,
    Truth,
    /// No type: each cell has its own.
    Mixed,
    /// Dates, bytes, lists and whatever else.
    Other,
}

const KINDS: [(&str, Kind); 6] = [
    ("text", Kind::Text),
    ("whole", Kind::Whole),
    ("real", Kind::Real),
    ("truth", Kind::Truth),
    ("mixed", Kind::Mixed),
    ("other", Kind::Other),
];

/// One cell, by its own type.
enum Cell {
    Missing,
    Truth(bool),
    Whole(i128),
    Real(f64),
    Text(PyBackedStr),
    /// Digits of more than 64 bits, or of a decimal number.
    Digits(String),
    /// A thing of another type. It counts as missing: what one person's cell holds changes nothing for anybody else.
    Strange,
}

impl Cell {
    fn of(cell: &Bound<'_, PyAny>) -> Self {
        if cell.is_none() {
            return Self::Missing;
        }
        if cell.is_instance_of::<PyString>() {
            return cell.extract().map_or(Self::Strange, Self::Text);
        }
        if cell.is_instance_of::<PyFloat>() {
            return cell.extract().map_or(Self::Strange, Self::Real);
        }
        // True is a whole number to Python, and scalars of NumPy are neither bool nor int
        if cell.is_instance_of::<PyInt>() && !cell.is_instance_of::<PyBool>() {
            let digits = || cell.str().map_or(Self::Strange, |digits| Self::Digits(digits.to_string()));
            return cell.extract::<i64>().map_or_else(|_| digits(), |number| Self::Whole(number.into()));
        }
        if let Ok(truth) = cell.extract::<bool>() {
            return Self::Truth(truth);
        }
        if let Ok(number) = cell.extract::<i64>() {
            return Self::Whole(number.into());
        }
        if let Ok(number) = cell.extract::<u64>() {
            return Self::Whole(number.into());
        }
        if is_scalar(cell) {
            return cell.extract().map_or(Self::Strange, Self::Real);
        }
        if type_name(cell).as_deref() == Some("Decimal") {
            return cell.str().map_or(Self::Strange, |digits| Self::Digits(digits.to_string()));
        }
        if is_nothing(cell) { Self::Missing } else { Self::Strange }
    }

    fn said(&self) -> Said<'_> {
        match self {
            Self::Missing | Self::Strange => Said::Missing,
            Self::Truth(truth) => Said::Truth(*truth),
            Self::Whole(number) => Said::of_whole(*number),
            Self::Real(number) => Said::of_number(*number),
            Self::Text(text) => Said::of_text(text),
            Self::Digits(digits) => Said::of_text(digits),
        }
    }
}

/// Whether it is a real number of NumPy that is no float of Python.
fn is_scalar(cell: &Bound<'_, PyAny>) -> bool {
    matches!(type_name(cell).as_deref(), Some("float32" | "float16" | "longdouble"))
}

/// Whether it is what pandas calls missing.
fn is_nothing(cell: &Bound<'_, PyAny>) -> bool {
    matches!(type_name(cell).as_deref(), Some("NAType" | "NaTType"))
}

fn type_name(cell: &Bound<'_, PyAny>) -> Option<String> {
    cell.get_type().name().ok().map(|name| name.to_string())
}

/// The ids of the subjects of all rows: private, nothing shows them.
#[pyclass(name = "Ids", module = "dpfda._dpfda", frozen)]
pub struct Ids(Vec<String>);

impl Ids {
    /// The ids, row by row.
    pub fn all(&self) -> &[String] {
        &self.0
    }
}

/// Reads ids: text and whole numbers, and nothing else.
#[pyfunction]
pub fn ids(kind: &str, cells: &Bound<'_, PyList>, parameter: &str) -> Result<Ids, Refusal> {
    let parameter = argument(parameter);
    if matches!(one_of("kind", kind, &KINDS)?, Kind::Truth | Kind::Other) {
        return Err(Refusal::new(parameter, "ids are text or whole numbers, and the column of ids is of another type"));
    }
    let id = |(row, cell): (usize, Bound<'_, PyAny>)| {
        let cell = Cell::of(&cell);
        let why = match id_said(cell.said()) {
            Ok(id) => return Ok(id.into_owned()),
            Err(NoId::Missing) => "is missing, or neither text nor a whole number",
            Err(NoId::Kind) => {
                "is a truth or a number with decimals, and ids are text or whole numbers: 1.10 and 1.1 would be one person"
            }
        };
        Err(Refusal::new(parameter, format!("the subject id of row {row} (counted from 0) {why}")))
    };
    cells.iter().enumerate().map(id).collect::<Result<_, _>>().map(Ids)
}

/// Labels or covariates of all rows: private, nothing shows them.
#[pyclass(name = "Labels", module = "dpfda._dpfda", frozen)]
pub struct Labels {
    /// What the cells say.
    pub column: TextColumn,
    /// Whether there are cells that are no text, number or truth, or no number where one is expected: they count as missing.
    pub are_strange: bool,
}

/// Reads the labels of groups, or a covariate, which may be a number.
#[pyfunction]
pub fn labels(
    kind: &str,
    cells: &Bound<'_, PyList>,
    missing: Option<&str>,
    is_number: bool,
    parameter: &str,
) -> Result<Labels, Refusal> {
    let parameter = argument(parameter);
    match one_of("kind", kind, &KINDS)? {
        Kind::Other => {
            let reason = "labels and covariates are text, numbers or truths, and the column is of another type, such as dates or lists";
            return Err(Refusal::new(parameter, reason));
        }
        Kind::Truth if is_number => {
            return Err(Refusal::new(
                parameter,
                "the covariate is a number, and its column holds truths: give it levels",
            ));
        }
        _ => {}
    }
    let missing = missing.map(Missing::new).transpose()?.unwrap_or_default();
    let cells: Vec<Cell> = cells.iter().map(|cell| Cell::of(&cell)).collect();
    let column = TextColumn::of(cells.iter().map(Cell::said), &missing, "").map_err(|error| suspected(&error))?;
    let is_word = |name: Option<&str>| name.is_some_and(|name| name.parse::<f64>().is_err());
    let are_words = is_number && column.cells().any(is_word);
    Ok(Labels { are_strange: are_words || cells.iter().any(|cell| matches!(cell, Cell::Strange)), column })
}

/// What the value of a covariate says; `None` where it is missing.
#[pyfunction]
pub fn said(cell: &Bound<'_, PyAny>) -> Option<String> {
    Cell::of(cell).said().name().map(Cow::into_owned)
}

/// The argument of a function that is named so.
fn argument(name: &str) -> &'static str {
    const ARGUMENTS: [&str; 4] = ["subject", "id", "by", "on"];
    ARGUMENTS.into_iter().find(|known| *known == name).unwrap_or("subject")
}
