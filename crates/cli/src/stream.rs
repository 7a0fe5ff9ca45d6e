//! Curves that are encoded as they are read.

use dpfda::release::{EncodeError, FileEncoding, MeanPart, PlannedMean};
use dpfda::smoothing::{AnyCurves, CurveLayout, TableFiles};

use crate::error::CliError;
use crate::input::{bytes_of, tell_of_ids};
use crate::progress;

/// The most bytes of files that are read whole: a radius is then bought by reading the curves in memory again, which is faster
/// than to add them up for all radii at once.
const IN_MEMORY: u64 = 1 << 28;

/// Whether the files are small, and are as large as they seem.
pub fn fits_in_memory(files: &TableFiles) -> bool {
    !files.is_stream() && !files.are_compressed() && bytes_of(files) <= IN_MEMORY
}

/// All curves as one part; the curator is told of ids that look alike.
pub fn encode(
    plan: &PlannedMean,
    files: &TableFiles,
    first: AnyCurves,
    layout: &CurveLayout,
    encoding: FileEncoding,
) -> Result<MeanPart, CliError> {
    let progress = progress::reading(bytes_of(files));
    let watched = progress.clone();
    let encoder = plan.encode_files(files, first, layout, encoding, &|bytes| Box::new(watched.wrap_read(bytes)));
    progress.finish_and_clear();
    let encoder = encoder?;
    tell_of_ids(encoder.similar_ids());
    Ok(encoder.finish().map_err(EncodeError::from)?)
}
