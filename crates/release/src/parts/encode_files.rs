//! All files of a data set as one part, by several threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, ScopedJoinHandle};

use dpfda_mechanism::{FingerprintKey, PartId};
use dpfda_privacy::PrivacyUnit;
use dpfda_smoothing::{AnyCurves, Bytes, CurveBatch, CurveLayout, CurveSource, MissingCells, TableError, TableFiles};

use crate::mean::Mean;
use crate::mean::domain::MeanDomain;
use crate::mean::encoder::{EncodeError, MeanEncoder};
use crate::parts::plan::Plan;

/// How files are encoded.
#[derive(Debug, Clone)]
pub struct FileEncoding {
    /// What the part is called.
    pub part: PartId,
    /// The curator's key, where parts of subjects are to be joined or curves are sorted.
    pub key: Option<FingerprintKey>,
    /// The number of threads: files are shared out among them, and where there are more threads than files, the curves of a file
    /// among several threads while one more reads. The result is the same for every number.
    pub threads: NonZeroUsize,
    /// Whether all curves of a subject follow one another in one file: see [`MeanEncoder::sorted`].
    pub sorted: bool,
}

/// Batches on their way between two threads.
const BATCHES: usize = 4;

impl<D: MeanDomain> Plan<Mean<D>> {
    /// Encodes all curves of all files, in memory that does not grow with their number. `first` is the first of the files, whose
    /// header told the grid; `watch` sees the bytes of the others as they are read.
    pub fn encode_files(
        &self,
        files: &TableFiles,
        first: AnyCurves,
        layout: &CurveLayout,
        encoding: FileEncoding,
        watch: &(dyn Fn(Bytes) -> Bytes + Sync),
    ) -> Result<MeanEncoder<D>, EncodeError> {
        for file in 1..files.paths().len() {
            // every header is looked at before any curve is read
            files.check_same(&first, file, &files.open(file, layout)?)?;
        }
        let first = Mutex::new(Some(first));
        let workers = encoding.threads.get().min(files.paths().len());
        let sharing = encoding.threads.get() / workers.max(1);
        let next = AtomicUsize::new(0);
        let mut work = Vec::new();
        for _ in 0..workers {
            let mut encoders: Vec<MeanEncoder<D>> =
                (0..self.encoders_of_file(sharing)).map(|_| encoder(self, &encoding)).collect();
            let (next, first, encoding) = (&next, &first, &encoding);
            work.push(move || -> Result<Vec<MeanEncoder<D>>, (usize, EncodeError)> {
                loop {
                    let file = next.fetch_add(1, Ordering::Relaxed);
                    if file >= files.paths().len() {
                        return Ok(encoders);
                    }
                    let opened = if file == 0 { first.lock().ok().and_then(|mut first| first.take()) } else { None };
                    let source = match opened {
                        Some(source) => Ok(source),
                        None => files.open_with(file, layout, watch),
                    };
                    let outcome = source.map_err(EncodeError::from).and_then(|mut source| {
                        let outcome = match &mut encoders[..] {
                            [encoder] if sharing <= 1 => encoder.read(&mut source),
                            all => encode_piped(all, source),
                        };
                        // a subject who goes on in the next file is refused, whichever thread has that
                        let is_sorted = encoding.sorted;
                        let closed = outcome.and_then(|()| {
                            encoders.iter_mut().filter(|_| is_sorted).try_for_each(|encoder| Ok(encoder.close_all()?))
                        });
                        closed.map_err(|error| in_file(files, file, error))
                    });
                    outcome.map_err(|error| (file, error))?;
                }
            });
        }
        let mut encoders = Vec::new();
        let mut first: Option<(usize, EncodeError)> = None;
        for outcome in in_threads(work) {
            match outcome {
                Ok(finished) => encoders.extend(finished),
                Err((file, error)) if first.as_ref().is_none_or(|(known, _)| file < *known) => {
                    first = Some((file, error));
                }
                Err(_) => {}
            }
        }
        if let Some((_, error)) = first {
            return Err(error);
        }
        let mut encoders = encoders.into_iter();
        let mut whole = encoders.next().unwrap_or_else(|| encoder(self, &encoding));
        encoders.try_for_each(|encoder| whole.absorb(encoder))?;
        Ok(whole)
    }

    /// How many encoders share the curves of one file. Subjects have one, so that nobody's sums are kept twice.
    fn encoders_of_file(&self, sharing: usize) -> usize {
        if self.unit() == PrivacyUnit::Curve { sharing.max(1) } else { 1 }
    }
}

fn encoder<D: MeanDomain>(plan: &Plan<Mean<D>>, encoding: &FileEncoding) -> MeanEncoder<D> {
    let encoder = plan.encoder(encoding.part.clone(), encoding.key.clone());
    if encoding.sorted { encoder.sorted() } else { encoder }
}

fn in_file(files: &TableFiles, file: usize, error: EncodeError) -> EncodeError {
    match error {
        EncodeError::Table(error) => EncodeError::Table(files.in_file(file, error)),
        other => other,
    }
}

/// One thread reads, and each encoder has one of its own; it takes whatever comes next.
fn encode_piped<D: MeanDomain>(encoders: &mut [MeanEncoder<D>], source: impl CurveSource) -> Result<(), EncodeError> {
    encoders.iter().try_for_each(|encoder| encoder.check_grid(source.grid()))?;
    let places = BATCHES * encoders.len();
    let (full, to_encode) = sync_channel::<Result<CurveBatch, TableError>>(places);
    let (empty, to_fill) = sync_channel::<CurveBatch>(places);
    let to_encode = Mutex::new(to_encode);
    let encode = |encoder: &mut MeanEncoder<D>| {
        let mut outcome = Ok(());
        // after an error the batches are taken and dropped: a reader whose batches nobody takes would wait for ever
        while let Some(batch) = to_encode.lock().ok().and_then(|batches| batches.recv().ok()) {
            outcome = outcome.and_then(|()| {
                let batch = batch?;
                encoder.push_batch(&batch)?;
                // the reader may have come to its end
                let _ = empty.try_send(batch);
                Ok(())
            });
        }
        outcome
    };
    let missing = thread::scope(|scope| -> Result<MissingCells, EncodeError> {
        let reader = scope.spawn(move || read_batches(source, &full, &to_fill));
        let encode = &encode;
        in_threads(encoders.iter_mut().map(|encoder| move || encode(encoder)).collect())
            .into_iter()
            .collect::<Result<(), EncodeError>>()?;
        Ok(joined(reader))
    })?;
    encoders.iter_mut().take(1).for_each(|encoder| encoder.note_missing(&missing));
    Ok(())
}

/// Reads all that is left, and says which cells were missing.
fn read_batches(
    mut source: impl CurveSource,
    full: &SyncSender<Result<CurveBatch, TableError>>,
    to_fill: &Receiver<CurveBatch>,
) -> MissingCells {
    loop {
        let mut batch = to_fill.try_recv().unwrap_or_default();
        let sent = match source.read(&mut batch) {
            Ok(false) => return source.missing_cells().clone(),
            Ok(true) => full.send(Ok(batch)),
            Err(error) => {
                // nobody listens any more where the other thread met an error of its own
                let _ = full.send(Err(error));
                return MissingCells::default();
            }
        };
        if sent.is_err() {
            return MissingCells::default();
        }
    }
}

/// Runs each piece of work in a thread of its own, the last one in this.
pub(crate) fn in_threads<T: Send>(mut work: Vec<impl FnOnce() -> T + Send>) -> Vec<T> {
    let Some(mine) = work.pop() else { return Vec::new() };
    thread::scope(|scope| {
        let others: Vec<_> = work.into_iter().map(|work| scope.spawn(work)).collect();
        let mine = mine();
        others.into_iter().map(joined).chain([mine]).collect()
    })
}

/// What a thread gave, or its panic.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
