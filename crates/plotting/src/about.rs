//! What a figure says of a release beside its numbers.

use dpfda_mechanism::{Fact, Labels, Release, Statistic};

/// What a figure says of a release beside its numbers: its facts in the caption, the names of its axes, and a stamp where the noise was no
/// secret.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Facts, of which the words for captions are shown.
    pub facts: &'a [Fact],
    /// The public names of the axes.
    pub labels: &'a Labels,
    /// Whether the noise was secret.
    pub is_private: bool,
}

impl<'a> About<'a> {
    /// A release with the facts that are told of it.
    pub fn of<S: Statistic>(release: &'a Release<S>, facts: &'a [Fact]) -> Self {
        Self { facts, labels: release.labels(), is_private: release.is_private() }
    }
}
