//! Bars for people who wait; a log gets none.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dpfda::crossval::Progress;
use dpfda::privacy::NonPrivate;
use dpfda::smoothing::{Bytes, TableFiles};
use dpfda_study::{Door, Note, Reading, Watch};
use indicatif::{ProgressBar, ProgressStyle};

use crate::summary::{CURATOR_ONLY, wrapped};

/// Files from this size on show their progress, in bytes.
const LARGE: u64 = 1 << 24;

/// Whether bars are unwanted.
static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Draws no bars in this process.
pub fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

/// Whether summaries are not printed either.
pub fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

fn is_seen() -> bool {
    !is_silent() && io::stderr().is_terminal()
}

/// A bar over the bytes of files; of a stream, whose size nobody knows, how many came.
pub fn reading(bytes: u64) -> ProgressBar {
    if bytes == 0 && is_seen() {
        return ProgressStyle::with_template("reading {bytes}")
            .map_or(ProgressBar::hidden(), |style| ProgressBar::new_spinner().with_style(style));
    }
    if bytes < LARGE { ProgressBar::hidden() } else { styled(bytes, "reading {bar:40} {bytes} of {total_bytes}") }
}

/// A bar over steps of a computation, under its name.
pub fn steps(name: &'static str, total: u64) -> ProgressBar {
    styled(total, "{msg} {bar:40} {pos} of {len}").with_message(name)
}

/// Runs a computation that says nothing on its way.
pub fn waiting<T>(name: &'static str, compute: impl FnOnce() -> T) -> T {
    if !is_seen() {
        return compute();
    }
    let spinner = ProgressBar::new_spinner().with_message(name);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}: {elapsed}") {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(Duration::from_millis(100));
    let result = compute();
    spinner.finish_and_clear();
    result
}

/// Tells whoever reads numbers from the standard output what should make them careful, on the error stream.
pub fn caution(text: &str) {
    if !is_silent() {
        // without a standard error stream, nobody is there to be told
        let _ = io::stderr().write_all(wrapped("", &format!("NOTE: {text}")).as_bytes());
    }
}

/// Bars, and notes for the curator on the error stream.
pub struct Bars;

/// A bar over the bytes of files.
struct Bar(ProgressBar);

impl Watch for Bars {
    fn reading(&self, files: &TableFiles) -> Box<dyn Reading> {
        let sizes = files.paths().iter().filter_map(|path| fs::metadata(path).ok());
        Box::new(Bar(reading(sizes.map(|file| file.len()).sum())))
    }

    fn step(&self, name: &'static str, work: &mut dyn FnMut()) {
        waiting(name, work);
    }

    fn tell(&self, note: NonPrivate<Note>) {
        let note = wrapped("", &format!("NOTE, not for publication: {}", Door::Flags.spell(&note.reveal().in_words())));
        // without a standard error stream, nobody is there to be told
        let _ = write!(io::stderr(), "{CURATOR_ONLY}\n{note}");
    }
}

impl Reading for Bar {
    fn watched(&self, bytes: Bytes) -> Bytes {
        Box::new(self.0.wrap_read(bytes))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Runs a computation that calls back after each spectrum.
pub fn over_spectra<T>(name: &'static str, compute: impl FnOnce(&dyn Fn(Progress)) -> T) -> T {
    let bar = steps(name, 0);
    let report = |progress: Progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    };
    let result = compute(&report);
    bar.finish_and_clear();
    result
}

fn styled(total: u64, template: &str) -> ProgressBar {
    if !is_seen() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}
