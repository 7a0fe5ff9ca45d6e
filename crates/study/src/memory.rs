//! Private tables in memory, as doors of other languages have them: one record in each row, or a long table.

mod long;
mod release;
mod rows;
mod table;

pub use long::LongTable;
pub use rows::{MemoryRows, UnfitCell};
pub use table::{RowTable, TextAsked};
