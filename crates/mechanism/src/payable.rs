//! The seam between a release and a ledger.

use dpfda_privacy::{NonPrivate, Randomness, Spend};
use thiserror::Error;

use crate::digest::Digest;
use crate::fingerprint::Fingerprinter;
use crate::guarantee::Guarantee;
use crate::passes::AgainError;
use crate::reference::LedgerReference;

/// What a release asks for. All of it is public and known before the noise is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The kind of release, as the document of the release names the kind.
    pub kind: &'static str,
    /// What the release promises.
    pub guarantee: Guarantee,
    /// What the release costs.
    pub spend: Spend,
    /// The digest of the plan: of every public setting that the release depends on, and of no data.
    pub plan: Digest,
}

/// A drawn scale comes before the last sums, or zeros.
pub(crate) const SCALE_BYTES: usize = size_of::<u64>();

/// A drawn release in its shortest form, from which the release is made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The version of the software that drew the release.
    pub software: String,
    /// Whether the noise was secret; `false` for noise from a known seed.
    pub private: bool,
    /// The noisy integers at fixed width, little endian.
    pub bytes: Vec<u8>,
}

/// A release that was drawn.
pub trait Drawn {
    /// The release in the form in which a ledger stores it.
    fn stored(&self) -> Stored;
}

/// Stored bytes that are not a release of the settings they were stored under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RestoreError {
    #[error("the stored release has {found} bytes, and its settings make {expected}")]
    Length { expected: u64, found: u64 },
    #[error("the stored integers are not a release of these settings")]
    Integers,
}

/// Something that is ready to be drawn and has to be paid for first.
///
/// Everything that can be refused was refused before a value of this trait exists: after the payment nothing may fail, except that data
/// which are gone through twice are not the same the second time.
///
/// ```text
/// one round     pay, draw, keep
/// two rounds    pay, draw_first, keep the first answer,    go_on: the data again,    mark, draw, keep
/// ```
pub trait Payable: Sized {
    /// What is drawn.
    type Drawn: Drawn;

    /// What the release asks for. It depends on public settings alone.
    fn asked(&self) -> Asked;

    /// The number of records, for what a curator is told before the payment: private where the guarantee does not make it public.
    fn records(&self) -> NonPrivate<u64>;

    /// Feeds the exact private data that the noise is added to (the exact sum, or the counts) to a keyed digest.
    ///
    /// Two data sets that feed the same bytes must have the same law of releases.
    fn fingerprint(&self, fingerprinter: &mut Fingerprinter);

    /// The exact length of [`Stored::bytes`]. It depends on public settings alone: whether a release can be stored must not
    /// depend on its noise.
    fn stored_len(&self) -> u64;

    /// The exact length of the [`Stored::bytes`] of an answer that is drawn and kept before the data are gone through again; `None`
    /// where all answers are drawn at once, and after [`Payable::go_on`]. It depends on public settings alone.
    fn first_len(&self) -> Option<u64> {
        None
    }

    /// Draws this answer, where there is one: **crosses the privacy boundary**. It cannot fail.
    fn draw_first<R: Randomness + ?Sized>(&mut self, _randomness: &mut R) -> Option<Stored> {
        None
    }

    /// Goes through the data again under the first answer, drawn now or kept from before. Nothing is drawn.
    fn go_on(&mut self, _first: &Stored) -> Result<(), AgainError> {
        Ok(())
    }

    /// Adds the noise: **crosses the privacy boundary**. All answers are drawn that were not drawn before.
    ///
    /// It is called by a ledger, after the payment, by `draw_unrecorded`, and by a rehearsal on people who are made up; and by nothing else.
    ///
    /// # Errors
    /// [`AgainError`] where the data are gone through again here; none after [`Payable::go_on`], and none for data in memory.
    fn draw<R: Randomness + ?Sized>(
        self,
        ledger: Option<LedgerReference>,
        randomness: &mut R,
    ) -> Result<Self::Drawn, AgainError>;

    /// The release that was drawn before, made again from what was stored.
    fn restore(self, stored: Stored, ledger: Option<LedgerReference>) -> Result<Self::Drawn, RestoreError>;
}
