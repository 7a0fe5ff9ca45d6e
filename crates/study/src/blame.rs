//! Which setting has to change for an error of the library, and what to do: one map, for every door.

use std::fmt::Display;
use std::slice;

use crate::advice::advice;
use crate::setting::setting;

mod analysis;
mod curves;
mod points;
mod table;

pub(crate) use points::of_density;

/// What has to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// One of these settings, by their names; the study as a whole, where there are none.
    Settings(&'static [&'static str]),
    /// The private data themselves.
    Data,
}

impl Blame {
    /// The setting of this name, or the study as a whole.
    pub(crate) fn of(name: &str) -> Self {
        Self::Settings(setting(name).map_or(&[], |setting| slice::from_ref(&setting.name)))
    }

    /// The names of the settings.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Settings(names) => names,
            Self::Data => &[],
        }
    }
}

/// An error that has to be told at a setting. In texts, settings stand in braces.
pub trait Blamed: Display {
    /// What has to change.
    fn blame(&self) -> Blame;

    /// What is wrong with it, and what is allowed.
    fn why(&self) -> String {
        self.to_string()
    }

    /// What to do, where that is not said yet.
    fn instead(&self) -> Option<String> {
        advice(self.blame().names())
    }
}

/// The settings of these names.
pub(crate) const fn of(setting: &'static [&'static str]) -> Blame {
    Blame::Settings(setting)
}
