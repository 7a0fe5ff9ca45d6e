//! Why a figure could not be made.

use thiserror::Error;

/// Why a figure could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FigureError {
    /// A comparison needs something to compare.
    #[error("a figure needs at least one release")]
    NoReleases,
    /// Small multiples stop being readable.
    #[error("a figure holds at most {most} releases, got {found}; make several figures")]
    TooManyReleases {
        /// The number of releases given.
        found: usize,
        /// The number of releases allowed.
        most: usize,
    },
    /// The embedded font could not be read.
    #[error("the embedded font could not be read")]
    Font,
    /// The drawing library refused a line, an area or a text.
    #[error("the figure could not be drawn")]
    Drawing,
    /// The drawing was made but could not be written as SVG or PNG.
    #[error("the figure could not be encoded")]
    Encoding,
}
