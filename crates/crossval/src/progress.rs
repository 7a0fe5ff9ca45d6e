//! How far a long computation has come.

/// Spectra done, of those that there are to do: what nearly all of the time goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Done.
    pub done: usize,
    /// In all.
    pub total: usize,
}
