//! All files of a data set as one part, by several threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use dpfda_mechanism::{FingerprintKey, PartId};
use dpfda_smoothing::{AnyCurves, Bytes, CurveBatch, CurveLayout, CurveSource, TableError, TableFiles};

use crate::mean_encoder::{EncodeError, MeanEncoder};
use crate::planned_mean::PlannedMean;

/// How files are encoded.
#[derive(Debug)]
pub struct FileEncoding {
    /// What the part is called.
    pub part: PartId,
    /// The curator's key, where parts of subjects are to be joined or curves are sorted.
    pub key: Option<FingerprintKey>,
    /// The number of threads: files are shared out among them, and of a single file one thread reads what another encodes. The
    /// result is the same for every number.
    pub threads: NonZeroUsize,
    /// Whether all curves of a subject follow one another in one file: see [`MeanEncoder::sorted`].
    pub sorted: bool,
}

/// Batches on their way between two threads.
const BATCHES: usize = 4;

impl PlannedMean {
    /// Encodes all curves of all files, in memory that does not grow with their number. `first` is the first of the files, whose
    /// header told the grid; `watch` sees the bytes of the others as they are read.
    ///
    /// # Errors
    /// [`EncodeError`], the one of the first file that has one.
    pub fn encode_files(
        &self,
        files: &TableFiles,
        first: AnyCurves,
        layout: &CurveLayout,
        encoding: FileEncoding,
        watch: &(dyn Fn(Bytes) -> Bytes + Sync),
    ) -> Result<MeanEncoder, EncodeError> {
        for file in 1..files.paths().len() {
            // every header is looked at before any curve is read
            files.check_same(&first, file, &files.open(file, layout)?)?;
        }
        let first = Mutex::new(Some(first));
        let workers = encoding.threads.get().min(files.paths().len());
        let is_piped = encoding.threads.get() > workers;
        let next = AtomicUsize::new(0);
        let mut work = Vec::new();
        for _ in 0..workers {
            let key = encoding.key.as_ref().map(|key| FingerprintKey::from_bytes(*key.reveal()));
            let encoder = self.encoder(encoding.part.clone(), key);
            let mut encoder = if encoding.sorted { encoder.sorted() } else { encoder };
            let (next, first) = (&next, &first);
            work.push(move || -> Result<MeanEncoder, (usize, EncodeError)> {
                loop {
                    let file = next.fetch_add(1, Ordering::Relaxed);
                    if file >= files.paths().len() {
                        return Ok(encoder);
                    }
                    let opened = if file == 0 { first.lock().ok().and_then(|mut first| first.take()) } else { None };
                    let source = match opened {
                        Some(source) => Ok(source),
                        None => files.open_with(file, layout, watch),
                    };
                    let outcome = source.map_err(EncodeError::from).and_then(|mut source| {
                        let outcome =
                            if is_piped { encode_piped(&mut encoder, source) } else { encoder.read(&mut source) };
                        outcome.map_err(|error| in_file(files, file, error))
                    });
                    outcome.map_err(|error| (file, error))?;
                }
            });
        }
        let mut encoders = Vec::new();
        let mut first: Option<(usize, EncodeError)> = None;
        for outcome in in_threads(work) {
            match outcome {
                Ok(encoder) => encoders.push(encoder),
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
        let mut whole = encoders.next().unwrap_or_else(|| self.encoder(encoding.part, encoding.key));
        encoders.try_for_each(|encoder| whole.absorb(encoder))?;
        Ok(whole)
    }
}

fn in_file(files: &TableFiles, file: usize, error: EncodeError) -> EncodeError {
    match error {
        EncodeError::Table(error) => EncodeError::Table(files.in_file(file, error)),
        other => other,
    }
}

/// One thread reads, this one encodes.
fn encode_piped(encoder: &mut MeanEncoder, source: impl CurveSource) -> Result<(), EncodeError> {
    encoder.check_grid(source.grid())?;
    let (full, to_encode) = sync_channel::<Result<CurveBatch, TableError>>(BATCHES);
    let (empty, to_fill) = sync_channel::<CurveBatch>(BATCHES);
    thread::scope(|scope| {
        scope.spawn(move || read_batches(source, &full, &to_fill));
        for batch in to_encode {
            let batch = batch?;
            encoder.push_batch(&batch)?;
            // the reader may have come to its end
            let _ = empty.try_send(batch);
        }
        Ok(())
    })
}

fn read_batches(
    mut source: impl CurveSource,
    full: &SyncSender<Result<CurveBatch, TableError>>,
    to_fill: &Receiver<CurveBatch>,
) {
    loop {
        let mut batch = to_fill.try_recv().unwrap_or_default();
        let sent = match source.read(&mut batch) {
            Ok(false) => return,
            Ok(true) => full.send(Ok(batch)),
            Err(error) => {
                // nobody listens any more where the other thread met an error of its own
                let _ = full.send(Err(error));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Runs each piece of work in a thread of its own, the last one in this.
fn in_threads<T: Send>(mut work: Vec<impl FnOnce() -> T + Send>) -> Vec<T> {
    let Some(mine) = work.pop() else { return Vec::new() };
    thread::scope(|scope| {
        let others: Vec<_> = work.into_iter().map(|work| scope.spawn(work)).collect();
        let mine = mine();
        let joined =
            others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.chain([mine]).collect()
    })
}
