//! Where noise comes from: the operating system, or openly a seed.

use std::convert::Infallible;

use rand::rngs::{ChaCha20Rng, SysRng};
use rand::{CryptoRng, Rng, SeedableRng, TryCryptoRng, TryRng};
use thiserror::Error;

/// A source of random bits that knows whether noise made from it protects anybody.
///
/// Only the two sources of this module implement it: a generator that somebody else seeded cannot pass for a secret one.
pub trait Randomness: CryptoRng + sealed::Sealed {
    /// Whether nobody can repeat the noise. A release made otherwise is stamped `private: false`.
    fn is_private(&self) -> bool;
}

/// The operating system gave no random bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the operating system gave no random bits; without them no private noise can be drawn")]
pub struct RandomnessError;

/// `ChaCha20` with the knowledge of where its seed came from.
pub struct Generator<const PRIVATE: bool>(ChaCha20Rng);

/// `ChaCha20`, seeded with 256 bits from the operating system: the only source of private noise.
pub type SystemRandomness = Generator<true>;

/// `ChaCha20` from a seed that the caller knows: repeatable, and therefore **not private**.
pub type SeededRandomness = Generator<false>;

impl SystemRandomness {
    /// A fresh generator.
    pub fn new() -> Result<Self, RandomnessError> {
        ChaCha20Rng::try_from_rng(&mut SysRng).map(Self).map_err(|_| RandomnessError)
    }
}

impl SeededRandomness {
    /// The generator that everybody with the same seed has.
    pub fn from_seed(seed: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(seed))
    }
}

impl<const PRIVATE: bool> Randomness for Generator<PRIVATE> {
    fn is_private(&self) -> bool {
        PRIVATE
    }
}

impl<const PRIVATE: bool> TryRng for Generator<PRIVATE> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

impl<const PRIVATE: bool> TryCryptoRng for Generator<PRIVATE> {}

mod sealed {
    pub trait Sealed {}

    impl<const PRIVATE: bool> Sealed for super::Generator<PRIVATE> {}
}
