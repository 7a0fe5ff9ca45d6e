//! The kinds of releases that a study can ask for.

/// What is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The mean of curves.
    Mean,
    /// The mean of each of several groups.
    Groups,
    /// The mean change of people between two visits, or with time.
    Change,
    /// The mean of what was seen, at other times for each person.
    Rows,
    /// The mean of surfaces.
    Surface,
    /// Coefficient functions of curves on covariates.
    Regression,
    /// Centile curves.
    Centiles,
    /// The density of points.
    Density,
}

use Kind::{Centiles, Change, Density, Groups, Mean, Regression, Rows, Surface};

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [Mean, Groups, Change, Rows, Surface, Regression, Centiles, Density];

    /// The word in a study file: `[release.mean]`.
    pub fn word(self) -> &'static str {
        match self {
            Mean => "mean",
            Groups => "groups",
            Change => "change",
            Rows => "rows",
            Surface => "surface",
            Regression => "regression",
            Centiles => "centiles",
            Density => "density",
        }
    }

    /// The kind of this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The setting by which options ask for this kind.
    pub(crate) fn asked_by(self) -> Option<&'static str> {
        match self {
            Mean => None,
            Groups => Some("{by}"),
            Change => Some("{change}, or {per},"),
            Rows => Some("{gaps} rows, or {time},"),
            Surface => Some("{surface}"),
            Regression => Some("{on}, or {outcome},"),
            Centiles => Some("{centiles}"),
            Density => Some("{columns}"),
        }
    }

    /// What a study of this kind asks for, in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Mean => "a mean of curves",
            Groups => "means of groups",
            Change => "a change between visits",
            Rows => "a mean of rows",
            Surface => "a mean of surfaces",
            Regression => "a regression",
            Centiles => "centile curves",
            Density => "a density",
        }
    }
}
