//! All files of a data set as one part, by several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use dpfda_mechanism::{FingerprintKey, PartId};
use dpfda_privacy::PrivacyUnit;
use dpfda_smoothing::{AnyCurves, Bytes, CurveBatch, CurveLayout, CurveSource, TableFiles};

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
    /// among several threads. The result is the same for every number.
    pub threads: NonZeroUsize,
    /// Whether all curves of a subject follow one another in one file: see [`MeanEncoder::sorted`].
    pub sorted: bool,
}

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
                        let is_file = source.is_file();
                        let outcome = match &mut encoders[..] {
                            // sorted curves come in their order
                            [encoder] if sharing <= 1 || encoding.sorted => encoder.read(&mut source),
                            all => encode_shared(all, source, sharing).map_err(|error| {
                                let first =
                                    is_file.then(|| self.first_refused(files, file, layout, encoding)).flatten();
                                first.unwrap_or(error)
                            }),
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

    /// What one thread that reads a file from its beginning is refused with, so that the number of threads changes no word of it.
    fn first_refused(
        &self,
        files: &TableFiles,
        file: usize,
        layout: &CurveLayout,
        encoding: &FileEncoding,
    ) -> Option<EncodeError> {
        let mut source = files.open(file, layout).ok()?;
        encoder(self, encoding).read(&mut source).err()
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

/// Each thread cuts off some curves, decodes them, and gives them to an encoder, which threads may share.
fn encode_shared<D: MeanDomain>(
    encoders: &mut [MeanEncoder<D>],
    source: impl CurveSource,
    threads: usize,
) -> Result<(), EncodeError> {
    encoders.iter().try_for_each(|encoder| encoder.check_grid(source.grid()))?;
    let encoders: Vec<Mutex<&mut MeanEncoder<D>>> = encoders.iter_mut().map(Mutex::new).collect();
    // after an error there is no source any more: every thread ends
    let source = Mutex::new(Some(source));
    let cut = || locked(&source).as_mut().map_or(Ok(None), CurveSource::cut);
    let encode = |encoder: &Mutex<&mut MeanEncoder<D>>| -> Result<(), EncodeError> {
        let mut batch = CurveBatch::new();
        while let Some(mut part) = cut()? {
            while part.read(&mut batch)? {
                locked(encoder).push_batch(&batch)?;
            }
            locked(encoder).note_missing(part.missing_cells());
        }
        Ok(())
    };
    let work = encoders.iter().cycle().take(threads).map(|encoder| {
        let (encode, source) = (&encode, &source);
        move || encode(encoder).inspect_err(|_| *locked(source) = None)
    });
    in_threads(work.collect()).into_iter().collect::<Result<(), _>>()?;
    if let (Some(encoder), Some(source)) = (encoders.first(), &*locked(&source)) {
        locked(encoder).note_missing(source.missing_cells());
    }
    Ok(())
}

/// What a mutex guards: a thread that panicked ends all of them.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
