//! A payable with nothing behind it: integers with integers added.

use std::path::Path;

use dpfda_mechanism::{
    AgainError, Asked, Digest, Drawn, Fingerprinter, Guarantee, LedgerReference, Payable, RestoreError, Stored,
};
use dpfda_privacy::{
    Calibration, GaussianPrivacy, NeighbouringRelation, NonPrivate, PrivacyBudget, PrivacyUnit, Randomness, Spend,
    SystemRandomness,
};

use crate::{Ledger, LedgerError, LedgerTerms, Outcome};

pub struct Toy<'a> {
    pub data: Vec<i64>,
    pub guarantee: Guarantee,
    pub spend: Spend,
    pub plan: &'static str,
    pub length: u64,
    /// What happens while the noise is drawn.
    pub during: Box<dyn FnOnce() + 'a>,
    /// A first answer, and what goes through the data again.
    pub first: Option<First<'a>>,
}

/// The first round of a toy: its data are summed, and gone through again.
pub struct First<'a> {
    /// What happens while the first noise is drawn.
    pub during: Box<dyn FnMut() + 'a>,
    /// What the second time finds.
    pub again: Box<dyn FnMut() -> Result<(), AgainError> + 'a>,
    /// The answer, once the data were gone through again.
    pub answer: Option<i64>,
}

impl First<'_> {
    pub fn plain() -> Self {
        Self { during: Box::new(|| ()), again: Box::new(|| Ok(())), answer: None }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToyRelease {
    pub noisy: Vec<i64>,
    /// The answer of a first round.
    pub first: Option<i64>,
    pub private: bool,
    pub ledger: Option<LedgerReference>,
}

pub fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

pub fn ledger(path: &Path, epsilon: f64, delta: f64) -> Ledger {
    Ledger::create(path, &terms(epsilon, delta)).unwrap()
}

pub fn terms(epsilon: f64, delta: f64) -> LedgerTerms {
    LedgerTerms::new("tracts", PrivacyUnit::Subject, NeighbouringRelation::SubstituteOne, budget(epsilon, delta))
        .unwrap()
}

/// Asks for a release with secret noise.
pub fn release(ledger: &mut Ledger, id: &str, toy: Toy<'_>) -> Result<Outcome<ToyRelease>, LedgerError> {
    ledger.release(id.parse().unwrap(), toy, &mut SystemRandomness::new().unwrap())
}

impl Toy<'_> {
    /// A release of a few integers at a purely private cost.
    pub fn pure(epsilon: f64) -> Self {
        let budget = budget(epsilon, 0.0);
        Self {
            data: vec![1, 2, 3],
            guarantee: Guarantee::new(budget, NeighbouringRelation::SubstituteOne, PrivacyUnit::Subject),
            spend: Spend::of_budget(&budget),
            plan: "plan",
            length: 24,
            during: Box::new(|| ()),
            first: None,
        }
    }

    /// The same in two rounds.
    pub fn twice(epsilon: f64) -> Self {
        Self { length: 32, first: Some(First::plain()), ..Self::pure(epsilon) }
    }

    /// The same at a Gaussian cost.
    pub fn gaussian(epsilon: f64, delta: f64) -> Self {
        let budget = budget(epsilon, delta);
        let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap();
        let guarantee = Guarantee::new(budget, NeighbouringRelation::SubstituteOne, PrivacyUnit::Subject);
        Self { guarantee, spend: Spend::of_gaussian(privacy), ..Self::pure(0.1) }
    }

    pub fn of(data: Vec<i64>, epsilon: f64) -> Self {
        Self { length: 8 * data.len() as u64, data, ..Self::pure(epsilon) }
    }
}

impl Payable for Toy<'_> {
    type Drawn = ToyRelease;

    fn asked(&self) -> Asked {
        let plan = Digest::of(self.plan.as_bytes());
        Asked { kind: "toy", guarantee: self.guarantee, spend: self.spend.clone(), plan }
    }

    fn records(&self) -> NonPrivate<u64> {
        NonPrivate::new(self.data.len() as u64)
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.data.iter().for_each(|value| fingerprinter.add(&value.to_le_bytes()));
    }

    fn stored_len(&self) -> u64 {
        self.length
    }

    fn first_len(&self) -> Option<u64> {
        self.first.as_ref().filter(|first| first.answer.is_none()).map(|_| 8)
    }

    fn draw_first<R: Randomness + ?Sized>(&mut self, randomness: &mut R) -> Option<Stored> {
        let first = self.first.as_mut().filter(|first| first.answer.is_none())?;
        (first.during)();
        let bytes = randomness.next_u64().to_le_bytes().to_vec();
        Some(Stored { software: "0.1.0".to_owned(), private: randomness.is_private(), bytes })
    }

    fn go_on(&mut self, stored: &Stored) -> Result<(), AgainError> {
        let Some(first) = self.first.as_mut() else { return Ok(()) };
        (first.again)()?;
        first.answer = stored.bytes.as_chunks::<8>().0.first().map(|word| i64::from_le_bytes(*word));
        Ok(())
    }

    fn draw<R: Randomness + ?Sized>(
        self,
        ledger: Option<LedgerReference>,
        randomness: &mut R,
    ) -> Result<ToyRelease, AgainError> {
        (self.during)();
        let noisy = self.data.iter().map(|value| value.wrapping_add(randomness.next_u64().cast_signed())).collect();
        let first = self.first.and_then(|first| first.answer);
        Ok(ToyRelease { noisy, first, private: randomness.is_private(), ledger })
    }

    fn restore(self, stored: Stored, ledger: Option<LedgerReference>) -> Result<ToyRelease, RestoreError> {
        let (words, rest) = stored.bytes.as_chunks::<8>();
        if words.len() != self.data.len() + usize::from(self.first.is_some()) || !rest.is_empty() {
            return Err(RestoreError::Length { expected: self.length, found: stored.bytes.len() as u64 });
        }
        let mut noisy: Vec<i64> = words.iter().map(|word| i64::from_le_bytes(*word)).collect();
        let first = self.first.map(|_| noisy.remove(0));
        Ok(ToyRelease { noisy, first, private: stored.private, ledger })
    }
}

impl Drawn for ToyRelease {
    fn stored(&self) -> Stored {
        let bytes = self.first.iter().chain(&self.noisy).flat_map(|value| value.to_le_bytes()).collect();
        Stored { software: "0.1.0".to_owned(), private: self.private, bytes }
    }
}
