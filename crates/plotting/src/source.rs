//! Whether what a figure shows may be seen by all.

use dpfda_privacy::NonPrivate;

/// What a figure shows; as `Debug` prints it, nothing private shows.
#[derive(Debug)]
pub(crate) enum Source<T> {
    /// Anyone may see it.
    Public(T),
    /// For the curator's eyes: the figure is stamped.
    Private(NonPrivate<T>),
}

impl<T> Source<T> {
    /// For drawing only.
    pub(crate) fn shown(&self) -> &T {
        match self {
            Self::Public(content) => content,
            Self::Private(content) => content.reveal(),
        }
    }

    pub(crate) fn is_private(&self) -> bool {
        matches!(self, Self::Private(_))
    }
}
