//! Where the private data are, and how they are worked on.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use dpfda::mechanism::{FingerprintKey, PartId};
use dpfda::privacy::{RandomnessError, SystemRandomness};
use dpfda::release::FileEncoding;
use dpfda::smoothing::{CurveSet, TextColumn};

/// The private data.
#[derive(Debug, Clone, Copy)]
pub enum Data<'a> {
    /// A file, a pattern of names, or a directory of files; `-` is the standard input.
    Files(&'a Path),
    /// Curves or surfaces in memory, with the labels or the covariates of their rows.
    Memory(&'a CurveSet, &'a [TextColumn]),
}

/// How files are worked on. The release is the same for every choice.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work {
    /// The number of threads; by default that of the cores.
    pub threads: Option<NonZeroUsize>,
    /// Whether all curves of a subject follow one another in a file.
    pub is_sorted: bool,
}

impl Work {
    /// The number of threads.
    pub fn threads(self) -> NonZeroUsize {
        self.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }

    /// How the records of a release are encoded: all as one part.
    pub(super) fn as_one_part(self) -> Result<FileEncoding, RandomnessError> {
        let sorted = self.is_sorted;
        let key = sorted.then(|| SystemRandomness::new().map(|mut bits| FingerprintKey::new(&mut bits))).transpose()?;
        Ok(FileEncoding { part: PartId::whole(), key, threads: self.threads(), sorted })
    }
}
