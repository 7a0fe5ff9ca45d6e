//! The way of every release, for every door: what is public is checked, the private data are read and encoded, and whoever pays gets a
//! release that is prepared, with what is to be made of it afterwards.
//!
//! ```text
//! Asked::of(study)              public settings, checked without the data
//! asked.release(data, account)  reads and encodes: everything but payment and noise
//! Account::pay                  pays, draws, and makes what its door makes of a release     <- the privacy boundary
//! ```

mod account;
mod asked;
mod count;
mod covariates;
mod curves;
mod data;
mod look;
mod repeats;
mod stream;
mod tables;
mod watch;

pub use account::{Account, Estimating, Failure, Finish, Viewing};
pub use asked::Asked;
pub(crate) use curves::plain;
pub use data::{Data, Work};
pub use look::{Look, columns_in_words};
pub use repeats::tell_of_repeats;
pub use stream::{Stream, encode};
pub use tables::{column_names, read_curves, read_rows, text_columns};
pub use watch::{FilledBy, Note, Reading, Watch, during, tell_of_ids, tell_of_missing};
pub(crate) use watch::{Unwatched, tell_of_unused};
