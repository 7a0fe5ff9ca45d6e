//! The progress of a long computation.

/// The number of spectra that are done, of all that are needed. Spectra take nearly all of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of spectra that are done.
    pub done: usize,
    /// The number of spectra in total.
    pub total: usize,
}
