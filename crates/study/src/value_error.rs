//! Why what was given is no value of a setting.

use dpfda::kernels::KernelName;
use dpfda::smoothing::SeparatorError;
use thiserror::Error;

use crate::choice::Word;

/// Why what was given is no value of a setting. Settings are public, so a door may show the text itself.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ValueError {
    #[error("not a number; write it like 0.25, -3 or 1e-5")]
    Number,
    #[error("not a number: write its decimals after a point, as in {written}")]
    Comma { written: String },
    #[error("not a number: write a percentage as a fraction, as in {written}")]
    Percent { written: String },
    #[error("not a finite number, got {value}")]
    NotFinite { value: f64 },
    #[error("not a list of numbers; write them with commas between, like 0.1,0.5,1")]
    Numbers,
    #[error("the list is empty; give at least one value")]
    Empty,
    #[error("not a whole number; write it like 10")]
    Count,
    #[error("not a text; write it in quotes")]
    Text,
    #[error("not a list of names; write texts in quotes, with commas between")]
    Texts,
    #[error("a name in a list cannot hold a comma")]
    CommaInName,
    #[error("write true or false")]
    Truth,
    #[error("none of {}", listed(known))]
    Word { known: &'static [Word] },
    #[error("not a kernel; give one of {}", KernelName::known())]
    Kernel,
    #[error(
        "not a grid: give a list of numbers, its two ends like 0,24 or one point for each column, or one of names, uniform and \
         uniform:0,24"
    )]
    Grid,
    #[error("not a centre: give a number, or a CSV file with the columns t,value")]
    Center,
    #[error("not a public curve: give one value for each point of t, which increase; all must be finite")]
    Points,
    #[error("not a reason; write from 1 to 100 characters on one line, such as 'a rehearsal on simulated curves'")]
    Reason,
    #[error("not a day; write year, month and day, as in 2026-11-27")]
    Day,
    #[error("not a share of the budget; write a number above 0 and below 0.5 such as 0.05, or none")]
    Share,
    #[error("not the shape of a surface; write the numbers of points of its two axes, such as 64,48, each 2 or more")]
    Shape,
    #[error(
        "a name between two commas is empty; write the names of one to three columns with commas between, like x,y"
    )]
    Columns,
    #[error("write the column of visits and two of them, like visit=1,2")]
    Visits,
    #[error("{found} columns were given; a density has at most 3, since its cells grow with the power of their number")]
    TooManyColumns { found: usize },
    #[error("column `{name}` is given twice")]
    ColumnTwice { name: String },
    #[error("a code between two commas is empty; write codes for missing values like -999 or -999,NULL")]
    Codes,
    #[error(transparent)]
    Delimiter(#[from] SeparatorError),
    #[error("not a size; write width and height in CSS pixels, each from 240 to 4000, like 800x500")]
    Size,
    #[error("not a name; write 1 to 100 characters on one line")]
    Label,
}

fn listed(known: &[Word]) -> String {
    known.iter().map(|word| word.name).collect::<Vec<_>>().join(", ")
}

/// Why a text is no number.
pub fn no_number(text: &str) -> ValueError {
    let with_point = text.replacen(',', ".", 1);
    let percentage = text.strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
    match percentage {
        Some(percentage) => ValueError::Percent { written: (percentage / 100.0).to_string() },
        None if with_point.parse::<f64>().is_ok() => ValueError::Comma { written: with_point },
        None => ValueError::Number,
    }
}
