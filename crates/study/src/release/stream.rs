//! Records that are encoded as they are read, in memory that does not grow with their number.

use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{AgainError, Statistic};
use dpfda::privacy::{ClippedBall, NonPrivate};
use dpfda::release::{EncodeError, FileEncoding, Mean, MeanDomain, Part, Plan, PreparedMean, PreparedTwice};
use dpfda::smoothing::{AnyCurves, CurveLayout, MissingCells, Spool, TableError, TableFiles};

use super::account::{Account, Failure, Finish};
use super::data::Work;
use super::watch::{FilledBy, Reading, Watch, tell_of_ids, tell_of_missing};

/// Files whose first header was read.
pub struct Stream {
    files: TableFiles,
    /// The first of the files.
    pub first: AnyCurves,
    reading: Box<dyn Reading>,
    /// The rows of the standard input, where it was read before, and what was read as missing then.
    spool: Option<Spool>,
    missing: Option<MissingCells>,
}

/// Curves that were read once.
struct Again<'w> {
    files: TableFiles,
    spool: Option<Spool>,
    watch: &'w dyn Watch,
}

impl Stream {
    /// Opens the first of the files.
    ///
    /// # Errors
    /// [`TableError`]
    pub fn open(files: TableFiles, layout: &CurveLayout, watch: &dyn Watch) -> Result<Self, TableError> {
        let reading = watch.reading(&files);
        let first = files.open_with(0, layout, |bytes| reading.watched(bytes))?;
        Ok(Self { files, first, reading, spool: None, missing: None })
    }

    /// The same of files whose records were counted.
    ///
    /// # Errors
    /// [`TableError`]
    pub(super) fn after(
        counted: Option<(Spool, MissingCells)>,
        files: TableFiles,
        layout: &CurveLayout,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let Some((spool, missing)) = counted else { return Self::open(files, layout, watch) };
        let (first, reading) = (AnyCurves::of_spool(&spool)?, watch.reading(&files));
        Ok(Self { files, first, reading, spool: Some(spool), missing: Some(missing) })
    }

    /// Encodes all records, and has the account pay for them; in two steps where the plan buys a centre.
    pub(super) fn release<'f, D: MeanDomain, A: Account>(
        self,
        plan: &Plan<Mean<D>>,
        layout: &CurveLayout,
        (work, account): (Work, A),
        watch: &dyn Watch,
        finish: impl FnOnce() -> Result<Finish<'f, Mean<D>>, A::Error>,
    ) -> Result<A::Output, A::Error>
    where
        Mean<D>: Estimable + Statistic<Body = ClippedBall>,
    {
        let encoding = work.as_one_part()?;
        if plan.is_twice() {
            let prepared = self.prepared_twice::<_, A::Error>(plan, layout, encoding, watch)?;
            return account.pay(prepared, finish()?);
        }
        let prepared = self.prepared::<_, A::Error>(plan, layout, encoding, watch)?;
        account.pay(prepared, finish()?)
    }

    /// Everything of a release of all records but its noise.
    fn prepared<D: MeanDomain, E: Failure>(
        self,
        plan: &Plan<Mean<D>>,
        layout: &CurveLayout,
        encoding: FileEncoding,
        watch: &dyn Watch,
    ) -> Result<PreparedMean<'static, D>, E> {
        let part = encode(plan, self, layout, encoding, watch)?;
        Ok(part.prepare(plan).map_err(|again| again.reason)?)
    }

    /// The same where a centre is bought: the records are encoded as they are read, and once more about it. The standard input is kept
    /// in a spool, which is filled while it is read.
    fn prepared_twice<'w, D: MeanDomain, E: Failure>(
        mut self,
        plan: &Plan<Mean<D>>,
        layout: &CurveLayout,
        encoding: FileEncoding,
        watch: &'w dyn Watch,
    ) -> Result<PreparedTwice<'w, Mean<D>>, E> {
        let files = self.files.clone();
        let (stream, spool) = match self.spool.take() {
            Some(spool) => (self, Some(spool)),
            None if files.is_stream() => {
                let (first, spool) = self.first.spooled()?;
                (Self { first, ..self }, Some(spool))
            }
            None => (self, None),
        };
        let part = encode(plan, stream, layout, encoding.clone(), watch)?;
        let (layout, rows) = (layout.clone(), Again { files, spool, watch });
        let again = move |plan: &Plan<Mean<D>>| rows.encode(plan, &layout, encoding.clone());
        Ok(part.prepare_twice(plan, again).map_err(|again| again.reason)?)
    }
}

impl Again<'_> {
    /// All curves once more, as one part: about a centre that was bought. No text of a refusal holds a value.
    fn encode<D: MeanDomain>(
        &self,
        plan: &Plan<Mean<D>>,
        layout: &CurveLayout,
        encoding: FileEncoding,
    ) -> Result<Part<Mean<D>>, AgainError> {
        let encode = || -> Result<Part<Mean<D>>, EncodeError> {
            let Stream { files, first, reading, .. } = match &self.spool {
                Some(spool) => {
                    let (files, reading) = (self.files.clone(), self.watch.reading(&self.files));
                    Stream { files, first: AnyCurves::of_spool(spool)?, reading, spool: None, missing: None }
                }
                None => Stream::open(self.files.clone(), layout, self.watch)?,
            };
            Ok(plan.encode_files(&files, first, layout, encoding, &|bytes| reading.watched(bytes))?.finish()?)
        };
        encode().map_err(|error| AgainError::Unread { reason: error.to_string() })
    }
}

/// All records as one part; the curator is told of ids that look alike and of what is missing.
///
/// # Errors
/// [`EncodeError`]
pub fn encode<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    stream: Stream,
    layout: &CurveLayout,
    encoding: FileEncoding,
    watch: &dyn Watch,
) -> Result<Part<Mean<D>>, EncodeError> {
    let Stream { files, first, reading, missing, .. } = stream;
    if let Some(missing) = &missing {
        tell_of_missing(watch, &NonPrivate::new(missing), FilledBy::Line);
    }
    let encoder = plan.encode_files(&files, first, layout, encoding, &|bytes| reading.watched(bytes))?;
    drop(reading);
    tell_of_ids(watch, &encoder.similar_ids());
    tell_of_missing(watch, &encoder.missing_cells(), FilledBy::Line);
    Ok(encoder.finish()?)
}
