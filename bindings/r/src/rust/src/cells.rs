//! The cells of a vector of R that names something: ids, labels and covariates. What a cell says is decided by [`Said`] alone.

use dpfda::smoothing::{Missing, NoId, Said, TextColumn, Unfit, id_said};
use dpfda_study::UnfitCell;
use savvy::{NotAvailableValue, Sexp, TypedSexp};

use crate::refusal::Refusal;

/// A vector. Its type is public: a column is refused by its type, whatever its cells hold.
pub enum Cells {
    /// Text; a factor as its levels.
    Text(Vec<Option<&'static str>>),
    /// Whole numbers.
    Whole(Vec<Option<i32>>),
    /// Numbers.
    Real(Vec<f64>),
    /// Truths.
    Truth(Vec<Option<bool>>),
    /// Dates, lists, complex numbers and whatever else.
    Other,
}

impl Cells {
    /// The cells of a vector without a class.
    pub fn of(vector: Sexp) -> Self {
        if vector.get_class().is_some() {
            return Self::Other;
        }
        match vector.into_typed() {
            TypedSexp::String(texts) => Self::Text(texts.iter().map(|text| (!text.is_na()).then_some(text)).collect()),
            TypedSexp::Integer(whole) => {
                Self::Whole(whole.iter().map(|&number| (!number.is_na()).then_some(number)).collect())
            }
            TypedSexp::Real(real) => Self::Real(real.to_vec()),
            // R says NA of a truth by the smallest integer
            TypedSexp::Logical(truths) => {
                Self::Truth(truths.as_slice_raw().iter().map(|&truth| (!truth.is_na()).then_some(truth != 0)).collect())
            }
            _ => Self::Other,
        }
    }

    fn said(&self) -> Vec<Said<'_>> {
        match self {
            Self::Text(cells) => cells.iter().map(|cell| cell.map_or(Said::Missing, Said::of_text)).collect(),
            Self::Whole(cells) => {
                cells.iter().map(|cell| cell.map_or(Said::Missing, |whole| Said::of_whole(whole.into()))).collect()
            }
            Self::Real(cells) => cells.iter().map(|number| Said::of_number(*number)).collect(),
            Self::Truth(cells) => cells.iter().map(|cell| cell.map_or(Said::Missing, Said::Truth)).collect(),
            Self::Other => Vec::new(),
        }
    }
}

/// Ids: text and whole numbers, and nothing else.
///
/// # Errors
/// [`Refusal`] with the row of an id that is none.
pub fn ids(vector: Sexp, setting: &str) -> Result<Vec<String>, Refusal> {
    let cells = Cells::of(vector);
    if matches!(cells, Cells::Truth(_) | Cells::Other) {
        return Err(Refusal::new(setting, "ids are text or whole numbers, and the column of ids is of another type"));
    }
    let id = |(row, said): (usize, Said<'_>)| {
        let why = match id_said(said) {
            Ok(id) => return Ok(id.into_owned()),
            Err(NoId::Missing) => "is missing",
            Err(NoId::Kind) => {
                "is a truth or a number with decimals, and ids are text or whole numbers: 1.10 and 1.1 would be one person"
            }
        };
        Err(Refusal::new(setting, format!("the subject id of row {} {why}", row + 1)))
    };
    cells.said().into_iter().enumerate().map(id).collect()
}

/// Labels or a covariate, which may be a number.
///
/// # Errors
/// [`Refusal`] for a column of another type, and for a cell that may be a code.
pub fn labels(vector: Sexp, missing: &Missing, is_number: bool, setting: &str) -> Result<TextColumn, Refusal> {
    let cells = Cells::of(vector);
    match cells {
        Cells::Other => {
            let why = "labels and covariates are factors, text, numbers or truths, and the column is of another type, such as dates or lists";
            return Err(Refusal::new(setting, why));
        }
        Cells::Truth(_) if is_number => {
            let why = "the covariate is a number, and its column holds truths: give it levels by `covariate_bounds`";
            return Err(Refusal::new(setting, why));
        }
        _ => {}
    }
    let said = cells.said();
    let code = said.iter().position(|cell| missing.name(cell.clone()).is_err());
    TextColumn::of(said, missing, "").map_err(|error| match code {
        Some(row) => Refusal::unfit(UnfitCell { row, column: 0, unfit: Unfit::Code }, Some("of labels or covariates")),
        None => error.into(),
    })
}

/// What one value of a covariate says; `None` where it is missing.
pub fn said(vector: Sexp) -> Option<String> {
    let cells = Cells::of(vector);
    cells.said().into_iter().next()?.name().map(std::borrow::Cow::into_owned)
}
