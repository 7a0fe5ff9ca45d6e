//! Curves that are encoded as they are read.

use dpfda::mechanism::{AgainError, FingerprintKey, PartId};
use dpfda::privacy::SystemRandomness;
use dpfda::release::{EncodeError, FileEncoding, Mean, MeanDomain, Part, Plan, PreparedMean, PreparedTwice};
use dpfda::smoothing::{AnyCurves, Bytes, CurveLayout, Spool, TableFiles};
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

/// How the records of a release are encoded: all as one part.
pub fn whole(work: &WorkArguments) -> Result<FileEncoding, CliError> {
    let sorted = work.sorted_by_subject;
    let key = sorted.then(|| SystemRandomness::new().map(|mut bits| FingerprintKey::new(&mut bits))).transpose()?;
    Ok(FileEncoding { part: PartId::whole(), key, threads: work.threads(), sorted })
}

/// Everything of a release of all records but its noise.
pub fn prepared<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    stream: Stream,
    layout: &CurveLayout,
    encoding: FileEncoding,
) -> Result<PreparedMean<'static, D>, CliError> {
    let part = encode(plan, stream, layout, encoding)?;
    part.prepare(plan).map_err(|again| again.reason.into())
}

impl Stream {
    /// What gives the same curves a second time: the files, or of the standard input a spool, which is filled while it is read.
    pub fn again(self) -> Result<(Self, Again), CliError> {
        let files = self.files.clone();
        if !files.is_stream() {
            return Ok((self, Again { files, spool: None }));
        }
        let (first, spool) = self.first.spooled()?;
        Ok((Self { first, ..self }, Again { files, spool: Some(spool) }))
    }
}

/// Curves that were read once.
pub struct Again {
    files: TableFiles,
    spool: Option<Spool>,
}

impl Again {
    /// Everything of a release but its noise, where a centre is bought: the records are encoded as they are read, and once more about it.
    pub fn prepared<D: MeanDomain>(
        self,
        plan: &Plan<Mean<D>>,
        stream: Stream,
        layout: &CurveLayout,
        encoding: FileEncoding,
    ) -> Result<PreparedTwice<'static, Mean<D>>, CliError> {
        let part = encode(plan, stream, layout, encoding.clone())?;
        let layout = layout.clone();
        let again = move |plan: &Plan<Mean<D>>| self.encode(plan, &layout, encoding.clone());
        part.prepare_twice(plan, again).map_err(|again| again.reason.into())
    }

    /// All curves once more, as one part: about a centre that was bought.
    ///
    /// # Errors
    /// [`AgainError::Unread`] with the words of whatever refused them; no text holds a value.
    fn encode<D: MeanDomain>(
        &self,
        plan: &Plan<Mean<D>>,
        layout: &CurveLayout,
        encoding: FileEncoding,
    ) -> Result<Part<Mean<D>>, AgainError> {
        let encode = || -> Result<Part<Mean<D>>, CliError> {
            let Stream { files, first, progress } = match &self.spool {
                Some(spool) => {
                    let first = AnyCurves::of_spool(spool)?;
                    Stream { files: self.files.clone(), first, progress: progress::reading(0) }
                }
                None => open(self.files.clone(), layout)?,
            };
            let watch = |bytes| -> Bytes { Box::new(progress.wrap_read(bytes)) };
            let encoder = plan.encode_files(&files, first, layout, encoding, &watch);
            progress.finish_and_clear();
            Ok(encoder?.finish().map_err(EncodeError::from)?)
        };
        encode().map_err(|error| AgainError::Unread { reason: error.to_string() })
    }
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
