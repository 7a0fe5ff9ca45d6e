//! Private tables of curves, read in bounded memory.
//!
//! A [`CurveSource`] gives curves in batches, from a CSV file ([`CsvCurves`]) or any other table. [`TableFiles`] finds the
//! files of a data set and opens them; [`CurveLayout`] says which columns hold what. [`Records`] is the layer below: one line
//! is one record, whatever its cells hold.

#[cfg(feature = "columnar")]
mod arrow_cells;
mod batch;
mod codes;
#[cfg(feature = "columnar")]
mod columnar;
mod columns;
mod csv;
mod error;
mod files;
mod header;
mod ids;
mod layout;
mod names;
#[cfg(feature = "columnar")]
mod npy;
mod number;
mod open;
mod records;
mod said;
mod separator;
mod spool;
mod subjects;
mod text_column;
mod zstandard;

pub use batch::{CurveBatch, CurveSource, MissingCells};
pub use codes::{Missing, Unfit};
pub use csv::CsvCurves;
pub use error::TableError;
pub use files::{AnyCurves, TableFiles, refuse_same};
pub use header::columns_of;
pub use ids::Ids;
pub use layout::{CurveLayout, GridChoice};
pub use number::{are_values, is_invisible, number, says_missing};
pub use open::{Bytes, STANDARD_INPUT};
pub use records::{MOST_CELLS, MOST_LINE_BYTES, Record, RecordError, Records};
pub use said::{Said, stated_name};
pub use separator::{Decimal, Separator, SeparatorError};
pub use spool::{MOST_SPOOLED, Spool};
pub use subjects::{NoId, id_of, id_said, similar_ids};
pub use text_column::TextColumn;
