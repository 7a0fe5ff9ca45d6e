//! Data that are gone through twice: under the plan, and about the centre that was bought from the first time.

use dpfda_privacy::{ClippedBall, ExactSum, OneHot};
use thiserror::Error;

use crate::fingerprint::Fingerprinter;
use crate::payable::RestoreError;
use crate::private_data::PrivateData;
use crate::row_digest::RowDigest;
use crate::statistic::Statistic;

/// Why a release did not go on to its second round. It depends on the data alone, or on an answer that is kept, and never on noise that is
/// to be drawn; no variant holds a value of them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AgainError {
    #[error(
        "the data are gone through twice where a centre is bought, and they are not the same the second time: somebody changed them in \
         between"
    )]
    Changed,
    #[error(
        "the data are gone through twice where a centre is bought, and could not be read the second time: {reason}"
    )]
    Unread { reason: String },
    #[error(
        "the records were encoded again about another centre than the one that was bought: encode them by the plan that was written when \
         it was bought"
    )]
    OtherCenter,
    #[error("a centre was bought, and the data are to be gone through again about it")]
    Awaited,
    #[error(transparent)]
    Answer(#[from] RestoreError),
}

/// Data that stay as they are from the first time to the second: in memory, or not needed again.
pub trait AtHand {}

impl<B: dpfda_privacy::Body> AtHand for ExactSum<B> {}

/// What goes through the rows again: given the statistic about the centre, it gives the data of the answers that are left, and the digest
/// of the rows that it saw.
type Again<'a, S, D> = Box<dyn FnMut(&S) -> Result<(D, RowDigest), AgainError> + Send + 'a>;

/// What the first pass found, and what makes the second: private data.
///
/// The second pass is refused unless it saw the rows of the first ([`RowDigest`]). Each pass is private for whatever it read, so a
/// change that is missed costs nobody privacy.
pub struct TwoPasses<'a, S: Statistic, D> {
    records: u64,
    first: Option<ExactSum<ClippedBall>>,
    rows: RowDigest,
    again: Again<'a, S, D>,
    second: Option<D>,
}

impl<'a, S: Statistic, D: PrivateData<S>> TwoPasses<'a, S, D> {
    /// The sum that a centre is bought with, the digest of its rows, and what goes through them again.
    pub fn new(
        first: ExactSum<ClippedBall>,
        rows: RowDigest,
        again: impl FnMut(&S) -> Result<(D, RowDigest), AgainError> + Send + 'a,
    ) -> Self {
        Self { records: first.records(), first: Some(first), rows, again: Box::new(again), second: None }
    }
}

/// Each sum is given away once. Where there is none, a sum of no records stands: an answer would be noise alone, and a
/// [`Prepared`](crate::Prepared) never asks for it.
impl<S: Statistic, D: PrivateData<S>> PrivateData<S> for TwoPasses<'_, S, D> {
    fn records(&self) -> u64 {
        self.records
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.rows.fingerprint(fingerprinter);
    }

    fn center(&mut self, _stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall> {
        self.first.take().unwrap_or_else(|| ExactSum::new(body.clone()))
    }

    fn again(&mut self, centered: &S, _body: &S::Body) -> Result<(), AgainError> {
        let (second, rows) = (self.again)(centered)?;
        if !self.rows.is_same(&rows) || second.records() != self.records {
            return Err(AgainError::Changed);
        }
        self.second = Some(second);
        Ok(())
    }

    fn radius(&mut self, centered: &S, body: &OneHot) -> ExactSum<OneHot> {
        self.second.as_mut().map_or_else(|| ExactSum::new(*body), |second| second.radius(centered, body))
    }

    fn last(self, bought: &S, body: &S::Body) -> ExactSum<S::Body> {
        self.second.map_or_else(|| ExactSum::new(body.clone()), |second| second.last(bought, body))
    }
}
