//! One noise path, of which more may be published later at no further cost.

use dpfda_mechanism::{
    AgainError, Asked, Drawn, Fingerprinter, LedgerReference, Mechanism, MechanismError, Payable, Prepared,
    RestoreError, Stored, Terms,
};
use dpfda_privacy::{Law, MixingLaw, NonPrivate, Randomness};
use dpfda_smoothing::{Ball, BallError, CurveSet, PenalizedMean};
use thiserror::Error;

use crate::coordinates::encode::CurveRecord;
use crate::functionals::functional::LinearFunctional;
use crate::functionals::map::{Dispersion, FunctionalMapError};
use crate::paths::kept::{KeptPath, PathId};
use crate::paths::released::PathRelease;
use crate::paths::statistic::Path;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// Why a path was not released or extended. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PathError {
    #[error(
        "this kept path does not belong to this release: its noise is another, and extending with it would publish the data under two noises for the price of one"
    )]
    NotThisRelease,
    #[error(transparent)]
    Map(#[from] FunctionalMapError),
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

impl From<BallError> for PathError {
    fn from(error: BallError) -> Self {
        FunctionalMapError::from(error).into()
    }
}

/// Linear functionals of the private mean function, now and later, for one `(epsilon, delta)`.
///
/// ```text
/// g(c + S (Xbar - c)) + sigma V g(Z),    Z ~ GP(0, C)
/// ```
///
/// The whole function with this noise is `(epsilon, delta)`-private (Theorem 3.3 of Mirshani, Reimherr and Slavkovic; for a
/// random `V` the mixture of their profiles, since one path gives `V` away, Reimherr and Awan, Theorem 4). So any number of
/// functionals of the *same* path may be published, at any time. The path is drawn whole and exactly, once, and kept:
/// [`KeptPath::extend`] reads more numbers off it. That has the law of drawing the rest conditionally on what was
/// published, and leaves no second path that could be drawn by mistake; see `docs/proofs/extension.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivatePath {
    ball: Ball,
    terms: Terms,
    smoother: PenalizedMean,
    dispersion: Dispersion,
}

on_terms!(PrivatePath: neighbours);

impl PrivatePath {
    /// A path of the mean of the curves in this ball seen through this smoother, with Gaussian noise.
    pub fn new(ball: Ball, terms: impl Into<Terms>, smoother: PenalizedMean) -> Self {
        Self { ball, terms: terms.into(), smoother, dispersion: Dispersion::default() }
    }

    /// Sets the covariance of the noise (default: white noise through the smoother).
    #[must_use]
    pub fn dispersion(mut self, dispersion: Dispersion) -> Self {
        self.dispersion = dispersion;
        self
    }

    /// Makes the noise elliptical: a Gaussian path times an independent `V` of this law (default: `V = 1`).
    #[must_use]
    pub fn mixing(mut self, mixing: MixingLaw) -> Self {
        self.terms = self.terms.noise(Law::RandomScale { mixing });
        self
    }

    /// Draws the path and releases functionals of it: **spends the budget**, and no ledger remembers it.
    ///
    /// The second value is for the curator: [`KeptPath::write`] puts it in a file that only its owner can read.
    ///
    /// # Errors
    /// [`PathError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        functionals: &[LinearFunctional],
        randomness: &mut R,
    ) -> Result<(PathRelease, KeptPath), PathError> {
        let prepared = self.prepare(curves)?;
        // whatever can be refused is refused before the first bit of noise
        let map = prepared.mechanism().statistic().basis().map(functionals)?;
        let kept = prepared.draw_at_once(None, randomness);
        Ok((kept.read_off(functionals, &map), kept))
    }

    /// Does everything but the noise: what is paid for is the whole path, and the public document is a view of it
    /// ([`KeptPath::publish`]).
    ///
    /// # Errors
    /// [`PathError`]; nothing has been drawn or spent then.
    pub fn prepare(&self, curves: &CurveSet) -> Result<PreparedPath, PathError> {
        let path = Path::new(self.ball.clone(), curves.grid().clone(), self.smoother.clone(), self.dispersion)?;
        let mechanism = Mechanism::new(path, self.terms.clone().unit(curves.unit()))?;
        let bounded = self.ball.bound(curves)?;
        Ok(PreparedPath(mechanism.prepare_all(CurveRecord::all(&bounded))?))
    }
}

/// A path that lacks nothing but its noise and its id.
#[derive(Debug)]
pub struct PreparedPath(Prepared<Path>);

impl PreparedPath {
    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism<Path> {
        self.0.mechanism()
    }

    fn draw_at_once<R: Randomness + ?Sized>(self, ledger: Option<LedgerReference>, randomness: &mut R) -> KeptPath {
        let prepared = self.0.realised(randomness);
        let id = PathId::draw(randomness);
        KeptPath::new(id, prepared.draw_at_hand(ledger, randomness))
    }
}

impl Payable for PreparedPath {
    type Drawn = KeptPath;

    fn asked(&self) -> Asked {
        self.0.asked()
    }

    fn records(&self) -> NonPrivate<u64> {
        self.0.records()
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.0.fingerprint(fingerprinter);
    }

    fn stored_len(&self) -> u64 {
        PathId::BYTES as u64 + self.0.stored_len()
    }

    fn draw<R: Randomness + ?Sized>(
        self,
        ledger: Option<LedgerReference>,
        randomness: &mut R,
    ) -> Result<KeptPath, AgainError> {
        Ok(self.draw_at_once(ledger, randomness))
    }

    fn restore(self, mut stored: Stored, ledger: Option<LedgerReference>) -> Result<KeptPath, RestoreError> {
        let (expected, found) = (self.stored_len(), stored.bytes.len() as u64);
        if found != expected {
            return Err(RestoreError::Length { expected, found });
        }
        let (id, rest) = stored.bytes.split_at(PathId::BYTES);
        let id = PathId::from_bytes(id).ok_or(RestoreError::Integers)?;
        stored.bytes = rest.to_vec();
        Ok(KeptPath::new(id, self.0.restore(stored, ledger)?))
    }
}

impl Drawn for KeptPath {
    fn stored(&self) -> Stored {
        let mut stored = self.release().stored();
        stored.bytes.splice(0..0, self.path_id().to_bytes());
        stored
    }
}
