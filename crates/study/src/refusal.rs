//! Why a study was refused.

use std::fmt;

use crate::door::Door;

/// Why a study was refused. Everything in it is public: it was said before anybody saw the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The name of the setting that has to change; empty where it is the study as a whole.
    pub setting: &'static str,
    /// What was wrong with it, and what is allowed. Settings stand in braces.
    pub why: String,
    /// What to do, where that is not said yet.
    pub instead: Option<String>,
}

impl Refusal {
    pub(crate) fn of(setting: &'static str, why: impl Into<String>) -> Self {
        Self { setting, why: why.into(), instead: None }
    }

    pub(crate) fn instead(self, instead: impl Into<String>) -> Self {
        Self { instead: Some(instead.into()), ..self }
    }
}

/// As a study file is told of it.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Door::File.refusal(self))
    }
}

impl std::error::Error for Refusal {}
