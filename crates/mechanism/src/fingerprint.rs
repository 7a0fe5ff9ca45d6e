//! Keyed digests of private data: whoever has no key learns nothing from one.

use dpfda_privacy::Randomness;
use hmac_sha256::HMAC;

use crate::digest::Digest;

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;

/// A secret of the curator, with which private data are recognised again.
///
/// Whoever has the key and a fingerprint can test guesses at the data. The key is therefore kept where the data are kept; it
/// is in no release, and `Debug` does not show it.
#[derive(Clone)]
pub struct FingerprintKey([u8; 32]);

/// Takes private data in, piece by piece, and returns their fingerprint: HMAC-SHA256 of the context and the data.
pub struct Fingerprinter(HMAC);

impl FingerprintKey {
    /// A new key.
    pub fn new<R: Randomness + ?Sized>(randomness: &mut R) -> Self {
        let mut key = [0; 32];
        randomness.fill_bytes(&mut key);
        Self(key)
    }

    /// A key that was kept.
    pub fn from_bytes(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// The key itself, to keep it beside the data.
    pub fn reveal(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key of everything that is fingerprinted under one plan: fingerprints under two plans cannot be compared.
    #[must_use]
    pub fn under(&self, plan: &Digest) -> Self {
        let mut fingerprinter = self.begin(b"plan");
        fingerprinter.add(plan.to_string().as_bytes());
        Self(fingerprinter.finish())
    }

    /// Begins a fingerprint. Fingerprints of different contexts cannot be compared.
    pub fn begin(&self, context: &[u8]) -> Fingerprinter {
        let mut fingerprinter = Fingerprinter(HMAC::new(self.0));
        fingerprinter.add(&(context.len() as u64).to_le_bytes());
        fingerprinter.add(context);
        fingerprinter
    }
}

dpfda_privacy::opaque!(FingerprintKey);

impl Fingerprinter {
    /// Adds bytes. The bytes of all calls are one sequence: data of changing length are added with their length.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The fingerprint of everything that was added.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize()
    }
}

dpfda_privacy::opaque!(Fingerprinter);
