//! A release of any kind from its file, with the estimate that belongs to it.

use std::path::Path;

use dpfda::AnyRelease;
use dpfda::analysis::{Estimable, Estimated};
use dpfda::mechanism::{Digest, Fact, LedgerReference, ReadError};
use dpfda::release::{Groups, Mean, Occupancy, Regression, Surface};

use serde_json::value::RawValue;

use crate::error::CliError;
use crate::flaw::Flaw;
use crate::groups;
use crate::input::document;
use crate::long;
use crate::regress;
use crate::selection::Selection;
use crate::summary::{MEAN, NOTE, notes, weak_delta};
use crate::surfaces;

/// The largest document that is read.
pub const LARGEST: u64 = 1 << 30;

/// A release with its estimate.
pub struct Document {
    pub release: AnyRelease,
    pub estimated: Estimates,
    /// That of the file.
    pub digest: Digest,
}

/// What is estimated from a release.
pub enum Estimates {
    Mean(Box<Estimated<Mean>>),
    Occupancy(Box<Estimated<Occupancy>>),
    Groups(Box<Estimated<Groups>>),
    Surface(Box<Estimated<Surface>>),
    Regression(Box<Estimated<Regression>>),
    /// The release is the answer.
    Nothing,
}

/// A release of any kind, and the text of its document.
pub fn any(path: &Path) -> Result<(String, AnyRelease), CliError> {
    let text = document(path, LARGEST)?;
    let release = parsed(path, &text)?;
    Ok((text, release))
}

/// The release in a text that was read from a file.
pub fn parsed(path: &Path, text: &str) -> Result<AnyRelease, CliError> {
    AnyRelease::from_json(text).map_err(|error| flawed(path, text, &error))
}

fn flawed(path: &Path, text: &str, error: &ReadError) -> CliError {
    CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(text, error) }
}

/// A release that was read, with the estimate in its document.
fn boxed<S: Estimable>(release: &S::View, estimate: Option<&RawValue>) -> Result<Box<Estimated<S>>, ReadError> {
    Estimated::of_document(release.clone(), estimate).map(Box::new)
}

impl Estimates {
    fn of(release: &AnyRelease, estimate: Option<&RawValue>) -> Result<Self, ReadError> {
        Ok(match release {
            AnyRelease::Mean(of) => Self::Mean(boxed(&**of, estimate)?),
            AnyRelease::Occupancy(of) => Self::Occupancy(boxed(&**of, estimate)?),
            AnyRelease::Groups(of) => Self::Groups(boxed(&**of, estimate)?),
            AnyRelease::Surface(of) => Self::Surface(boxed(&**of, estimate)?),
            AnyRelease::Regression(of) => Self::Regression(boxed(&**of, estimate)?),
            _ => Self::Nothing,
        })
    }
}

/// The estimate in the text of a release, for the place of its fault.
fn placed(release: &AnyRelease, text: &str) -> Result<(), ReadError> {
    match release {
        AnyRelease::Mean(_) => Estimated::<Mean>::from_json(text).map(drop),
        AnyRelease::Occupancy(_) => Estimated::<Occupancy>::from_json(text).map(drop),
        AnyRelease::Groups(_) => Estimated::<Groups>::from_json(text).map(drop),
        AnyRelease::Surface(_) => Estimated::<Surface>::from_json(text).map(drop),
        AnyRelease::Regression(_) => Estimated::<Regression>::from_json(text).map(drop),
        _ => Ok(()),
    }
}

impl Document {
    /// Reads a document by its kind.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let text = document(path, LARGEST)?;
        let read = AnyRelease::from_json_with_estimate(&text);
        let (release, estimate) = read.map_err(|error| flawed(path, &text, &error))?;
        let estimated = Estimates::of(&release, estimate.as_deref()).map_err(|error| {
            // a fault in the part is told with its place in the whole
            let error = placed(&release, &text).err().unwrap_or(error);
            flawed(path, &text, &error)
        })?;
        Ok(Self { release, estimated, digest: Digest::of(text.as_bytes()) })
    }

    /// What it is called.
    pub fn title(&self) -> &'static str {
        match &self.release {
            AnyRelease::Mean(_) => MEAN,
            AnyRelease::Occupancy(_) => long::TITLE,
            AnyRelease::Groups(_) => groups::TITLE,
            AnyRelease::Surface(_) => surfaces::TITLE,
            AnyRelease::Regression(_) => regress::TITLE,
            AnyRelease::Functionals(_) => "Private numbers of a mean function",
            AnyRelease::Path(_) => "Private numbers of a mean function, with one noise path",
            AnyRelease::Histogram(_) | AnyRelease::Series(_) | AnyRelease::Draws(_) => "Private density",
        }
    }

    /// What it is, in words, with its place in a ledger and without notes.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = match &self.estimated {
            Estimates::Mean(estimated) => estimated.facts(),
            Estimates::Occupancy(estimated) => estimated.facts(),
            Estimates::Groups(estimated) => estimated.facts(),
            Estimates::Surface(estimated) => estimated.facts(),
            Estimates::Regression(estimated) => estimated.facts(),
            Estimates::Nothing => self.release.facts(),
        };
        facts.retain(|fact| fact.name != NOTE);
        facts.extend(self.release.ledger().map(|reference| Fact::new("ledger", place_in_words(reference))));
        facts
    }

    /// What should make a reader careful.
    pub fn notes(&self) -> Vec<String> {
        let release = &self.release;
        match &self.estimated {
            Estimates::Mean(estimated) => notes(estimated, &Selection::Off),
            Estimates::Occupancy(estimated) => long::notes(estimated),
            Estimates::Groups(estimated) => groups::notes(estimated),
            Estimates::Surface(estimated) => surfaces::notes(estimated),
            Estimates::Regression(estimated) => regress::notes(estimated),
            Estimates::Nothing => {
                let facts = release.facts().into_iter().filter(|fact| fact.name == NOTE).map(|fact| fact.text);
                let guarantee = release.guarantee();
                let weak = release
                    .public_records()
                    .and_then(|records| weak_delta(guarantee.budget().delta(), records as f64, guarantee.neighbours()));
                facts.chain(weak).collect()
            }
        }
    }
}

/// Where a release stands in a ledger.
pub fn place_in_words(reference: &LedgerReference) -> String {
    format!(
        "release {}, entry {} of the ledger of {}; the hash of the entry is {}",
        reference.id(),
        reference.entry(),
        reference.dataset(),
        reference.head()
    )
}
