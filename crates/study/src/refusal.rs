//! Why a study was refused.

use std::fmt;

use crate::blame::{Blame, Blamed};
use crate::door::Door;

/// Why a study was refused, or what it asks for. Nothing in it is private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What has to change.
    pub blame: Blame,
    /// What was wrong with it, and what is allowed. Settings stand in braces.
    pub why: String,
    /// What to do, where that is not said yet.
    pub instead: Option<String>,
}

impl Refusal {
    /// A refusal of a setting, or of the study as a whole where the name is empty.
    pub fn of(setting: &'static str, why: impl Into<String>) -> Self {
        Self { blame: Blame::of(setting), why: why.into(), instead: None }
    }

    /// The same with what to do.
    #[must_use]
    pub fn instead(self, instead: impl Into<String>) -> Self {
        Self { instead: Some(instead.into()), ..self }
    }

    /// The first setting that has to change; empty where it is the study as a whole, or the data.
    pub fn setting(&self) -> &'static str {
        self.blame.names().first().copied().unwrap_or_default()
    }
}

/// What the library refuses is a refusal of the setting that it blames.
impl<E: Blamed> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self { blame: error.blame(), why: error.why(), instead: error.instead() }
    }
}

/// As a study file is told of it.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Door::File.refusal(self))
    }
}

impl std::error::Error for Refusal {}
