//! Cells that lack nothing but their draw.

use dpfda_mechanism::{AgainError, Asked, Fingerprinter, Labels, LedgerReference, Payable, RestoreError, Stored};
use dpfda_privacy::{NeighbouringRelation, NonPrivate, Randomness, SeededRandomness, Spend};
use rand::Rng;

use super::{CellDraws, DrawsPlan};

/// What cells are drawn from: private data.
pub(crate) trait DrawsCells {
    /// The index of each drawn cell.
    fn draw(&self, randomness: &mut dyn Rng) -> Vec<usize>;

    /// Gives the exact counts or sums to a keyed digest.
    fn absorb(&self, digest: &mut dyn FnMut(&[u8]));
}

/// Exact counts or sums with the mechanism that draws cells from them: whatever can be refused has been. Private data: its
/// `Debug` shows nothing.
pub struct PreparedDraws {
    plan: DrawsPlan,
    records: u64,
    source: Box<dyn DrawsCells + Send>,
}

impl PreparedDraws {
    pub(crate) fn new(plan: DrawsPlan, records: u64, source: impl DrawsCells + Send + 'static) -> Self {
        Self { plan, records, source: Box::new(source) }
    }

    /// Draws the cells and crosses the privacy boundary, without a ledger: **spends the budget**, and nothing remembers it.
    pub fn draw_unrecorded<R: Randomness + ?Sized>(self, randomness: &mut R) -> CellDraws {
        self.draw_at_once(None, randomness)
    }

    fn draw_at_once<R: Randomness + ?Sized>(self, ledger: Option<LedgerReference>, randomness: &mut R) -> CellDraws {
        let draws = self.source.draw(&mut &mut *randomness);
        let software = concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned();
        self.drawn(software, randomness.is_private(), draws, ledger)
    }

    /// Draws the cells so many times: for simulations and audits, with points that are nobody's. The randomness is from a seed,
    /// so none of it is private.
    pub fn repeat(&self, times: u64, randomness: &mut SeededRandomness, mut seen: impl FnMut(Vec<usize>)) {
        (0..times).for_each(|_| seen(self.source.draw(randomness)));
    }

    fn drawn(self, software: String, private: bool, draws: Vec<usize>, ledger: Option<LedgerReference>) -> CellDraws {
        let (plan, labels) = (self.plan, Labels::default());
        let is_public = plan.guarantee.neighbours() == NeighbouringRelation::SubstituteOne;
        let records = is_public.then_some(self.records);
        CellDraws { software, private, plan, records, draws, labels, source: None, ledger }
    }
}

/// At most 2^24 cells: four bytes a draw.
const BYTES: usize = size_of::<u32>();

impl Payable for PreparedDraws {
    type Drawn = CellDraws;

    fn asked(&self) -> Asked {
        Asked {
            kind: self.plan.mechanism.kind(),
            guarantee: self.plan.guarantee,
            spend: Spend::of_budget(&self.plan.guarantee.budget()),
            plan: self.plan.digest(),
        }
    }

    fn records(&self) -> NonPrivate<u64> {
        NonPrivate::new(self.records)
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.source.absorb(&mut |bytes| fingerprinter.add(bytes));
    }

    fn stored_len(&self) -> u64 {
        (BYTES * self.plan.draws) as u64
    }

    fn draw<R: Randomness + ?Sized>(
        self,
        ledger: Option<LedgerReference>,
        randomness: &mut R,
    ) -> Result<CellDraws, AgainError> {
        Ok(self.draw_at_once(ledger, randomness))
    }

    fn restore(self, stored: Stored, ledger: Option<LedgerReference>) -> Result<CellDraws, RestoreError> {
        let (words, rest) = stored.bytes.as_chunks::<BYTES>();
        let (expected, found) = (self.stored_len(), stored.bytes.len() as u64);
        if found != expected || !rest.is_empty() {
            return Err(RestoreError::Length { expected, found });
        }
        let draws: Vec<usize> = words.iter().map(|word| u32::from_le_bytes(*word) as usize).collect();
        if !self.plan.allows(&draws) {
            return Err(RestoreError::Integers);
        }
        Ok(self.drawn(stored.software, stored.private, draws, ledger))
    }
}

dpfda_privacy::opaque!(PreparedDraws);
