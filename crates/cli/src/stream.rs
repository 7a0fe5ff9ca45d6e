//! Curves that are encoded as they are read.

use dpfda::mechanism::{FingerprintKey, PartId};
use dpfda::privacy::SystemRandomness;
use dpfda::release::{EncodeError, FileEncoding, Mean, MeanDomain, Part, Plan, PreparedMean};
use dpfda::smoothing::{AnyCurves, Bytes, CurveLayout, TableFiles};
use indicatif::ProgressBar;

use crate::arguments::WorkArguments;
use crate::error::CliError;
use crate::input::{FilledBy, bytes_of, tell_of_ids, tell_of_missing};
use crate::progress;

/// Files whose first header was read, and a bar over their bytes.
pub struct Stream {
    files: TableFiles,
    /// The first of the files.
    pub first: AnyCurves,
    progress: ProgressBar,
}

/// Opens the first of the files.
pub fn open(files: TableFiles, layout: &CurveLayout) -> Result<Stream, CliError> {
    let progress = progress::reading(bytes_of(&files));
    let first = files.open_with(0, layout, |bytes| Box::new(progress.wrap_read(bytes)))?;
    Ok(Stream { files, first, progress })
}

/// Everything of a release of all records but its noise.
pub fn prepared<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    stream: Stream,
    layout: &CurveLayout,
    work: &WorkArguments,
) -> Result<PreparedMean<'static, D>, CliError> {
    let sorted = work.sorted_by_subject;
    let key = sorted.then(|| SystemRandomness::new().map(|mut bits| FingerprintKey::new(&mut bits))).transpose()?;
    let encoding = FileEncoding { part: PartId::whole(), key, threads: work.threads(), sorted };
    let part = encode(plan, stream, layout, encoding)?;
    part.prepare(plan).map_err(|again| again.reason.into())
}

/// All curves as one part; the curator is told of ids that look alike and of what is missing.
pub fn encode<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    stream: Stream,
    layout: &CurveLayout,
    encoding: FileEncoding,
) -> Result<Part<Mean<D>>, CliError> {
    let Stream { files, first, progress } = stream;
    let watch = |bytes| -> Bytes { Box::new(progress.wrap_read(bytes)) };
    let encoder = plan.encode_files(&files, first, layout, encoding, &watch);
    progress.finish_and_clear();
    let encoder = encoder?;
    tell_of_ids(encoder.similar_ids());
    tell_of_missing(encoder.missing_cells(), FilledBy::Line);
    Ok(encoder.finish().map_err(EncodeError::from)?)
}
