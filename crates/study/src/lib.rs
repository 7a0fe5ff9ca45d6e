//! The study: every setting of a release said once, for the command, files and Python.
//!
//! A study is public. It is written before anybody sees the data, and it has a digest by which a release shows that it followed it.
//!
//! ```text
//! study.toml, flags, JSON of other languages -> Study -> check -> Checked      what was said; then with defaults, a centre's values, a digest
//! sections!                                  -> SETTINGS                       the table that flags, schema, new files and help are made of
//! ```
//!
//! Texts name settings in braces, such as `{radius_share}`, and a [`Door`] spells them: `--radius-share`, `bound.radius_share` or
//! `radius_share=`.

mod advice;
mod agreement;
mod asked;
mod blame;
mod canonical;
mod checked;
mod choice;
mod choices;
mod covariates;
mod day;
mod document;
mod door;
mod flags;
mod forecast;
mod kind;
mod layouts;
mod meaning;
mod memory;
mod new;
mod refusal;
mod release;
mod rules;
mod schema;
mod sections;
mod setting;
mod study;
mod texts;
mod value;
mod value_error;
mod values;

pub use advice::advice;
pub use asked::{
    AskedCentiles, AskedChange, AskedDensity, AskedGroups, AskedMean, AskedRegression, AskedRows, AskedSurface,
    BandChoice, MOST_CELLS, MOST_DRAWS, PublicBall, RECORDS, Selected, Selection, check_names,
};
pub use blame::{Blame, Blamed};
pub use checked::{Checked, Origin, Told};
pub use choice::Word;
pub use choices::{BandName, FormatName, GapsName, MechanismName, MomentsName, NeighboursName, SelectName, UnitName};
pub use document::LARGEST;
pub use door::Door;
pub use forecast::{Errors, Expected, Forecast, ForecastError, Foretold};
pub use kind::Kind;
pub use memory::{LongTable, MemoryRows, RowTable, TextAsked, UnfitCell};
pub use new::{Question, new_study, questions};
pub use refusal::Refusal;
pub use release::{
    Account, Asked, Data, Estimating, Failure, FilledBy, Finish, Look, Note, Reading, Stream, Viewing, Watch, Work,
    column_names, columns_in_words, during, encode, read_curves, read_rows, tell_of_ids, tell_of_missing,
    tell_of_repeats, text_columns,
};
pub use rules::epsilon_not_given;
pub use schema::schema;
pub use sections::{
    Bound, Change, Density, Estimate, Figure, Groups, Mean, Privacy, Regression, Rows, SETTINGS, Sections, Surface,
    Table,
};
pub use setting::{Default, Section, Setting, setting};
pub use study::Study;
pub use texts::not_given;
pub use value::{Form, SettingValue, Value};
pub use value_error::{ValueError, no_number};
pub use values::{CenterValue, Columns, Delimiter, Formats, GridValue, Label, Reason, Shape, Share, Size};
