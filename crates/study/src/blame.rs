//! Which setting has to change for an error of the library: one map, for every door.

mod curves;
mod points;
mod table;

/// What has to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// These settings, by their names.
    Settings(&'static [&'static str]),
    /// The private data themselves.
    Data,
}

/// An error that has to be told at a setting.
pub trait Blamed {
    /// What has to change.
    fn blame(&self) -> Blame;
}

/// The setting of this name.
pub(crate) const fn of(setting: &'static [&'static str]) -> Blame {
    Blame::Settings(setting)
}
