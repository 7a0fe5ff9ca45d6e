//! Whether rows are the same as before, whatever their order and wherever they come from: a digest of what was decoded.

use crate::fingerprint::{FingerprintKey, Fingerprinter};

#[cfg(test)]
#[path = "row_digest_tests.rs"]
mod tests;

/// A digest of the rows of a table, whatever their order: the same from memory, files and parts.
///
/// ```text
/// x = length of the id + 1 or 0, id, values      in words of 64 bits, as many as are even;   k a public key
/// p = sum_i (x_2i + k_2i mod 2^64) (x_2i+1 + k_2i+1 mod 2^64)  mod 2^128       (NH of UMAC; Black et al. 1999)
/// digest = sum over rows of mix(p) mod 2^128, and the number of rows
/// ```
///
/// The key is fixed, so that parts which were made apart have digests that can be added. Two different rows of one length have the same `p`
/// with probability at most `2^-64` over keys; whoever chooses rows can make two that do, and that sums of mixed `p` differ is not proved. It
/// need not be: each time that rows are gone through is private for whatever was read. A change that is missed costs nobody privacy. It is
/// private data: a ledger keeps it under its own secret ([`RowDigest::fingerprint`]).
#[derive(Clone, Default)]
pub struct RowDigest {
    words: Vec<u64>,
    row: Vec<u64>,
    seen: Seen,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    sum: u128,
    rows: u64,
}

/// Odd factors of the mixing step.
const FACTORS: [u128; 2] = [0xda94_2042_e4dd_58b5_a4c1_9d86_9b4e_3b65, 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835];

impl RowDigest {
    /// No rows yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row: the id of its subject, where it has one, and its values, missing ones as NaN.
    pub fn add(&mut self, subject: Option<&[u8]>, values: &[f64]) {
        self.row.clear();
        self.row.push(subject.map_or(0, |id| id.len() as u64 + 1));
        for piece in subject.unwrap_or_default().chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            self.row.push(u64::from_le_bytes(word));
        }
        self.row.extend(values.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }));
        self.add_row();
    }

    /// Adds what is kept of a record in place of its rows.
    pub fn add_words(&mut self, words: impl IntoIterator<Item = u64>) {
        self.row.clear();
        self.row.extend(words);
        self.add_row();
    }

    fn add_row(&mut self) {
        if self.row.len() % 2 == 1 {
            self.row.push(0);
        }
        while self.words.len() < self.row.len() {
            self.extend_key();
        }
        let (pairs, keys) = (self.row.as_chunks::<2>().0, self.words.as_chunks::<2>().0);
        let products = pairs
            .iter()
            .zip(keys)
            .map(|([a, b], [k, l])| u128::from(a.wrapping_add(*k)) * u128::from(b.wrapping_add(*l)));
        let p = products.fold(self.row.len() as u128, u128::wrapping_add);
        self.seen.sum = self.seen.sum.wrapping_add(mixed(p));
        self.seen.rows += 1;
    }

    /// Four more words of the key.
    fn extend_key(&mut self) {
        let mut more = FingerprintKey::from_bytes([0; 32]).begin(b"rows");
        more.add(&(self.words.len() as u64).to_le_bytes());
        let bytes = more.finish();
        self.words.extend(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
    }

    /// Adds the rows of another digest.
    pub fn merge(&mut self, other: &Self) {
        self.seen.sum = self.seen.sum.wrapping_add(other.seen.sum);
        self.seen.rows += other.seen.rows;
    }

    /// Whether the same rows were seen, as far as the digest tells.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.seen == other.seen
    }

    /// Gives what was seen to a keyed digest.
    pub fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        fingerprinter.add(&self.to_bytes());
    }

    /// What was seen, to keep it beside the data: **private**.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..16].copy_from_slice(&self.seen.sum.to_le_bytes());
        bytes[16..].copy_from_slice(&self.seen.rows.to_le_bytes());
        bytes
    }

    /// What was kept.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let mut sum = [0; 16];
        sum.copy_from_slice(&bytes[..16]);
        let mut rows = [0; 8];
        rows.copy_from_slice(&bytes[16..]);
        let seen = Seen { sum: u128::from_le_bytes(sum), rows: u64::from_le_bytes(rows) };
        Self { seen, ..Self::new() }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.seen.rows
    }

    /// The length of [`RowDigest::to_bytes`].
    pub const BYTES: usize = 24;
}

fn mixed(mut p: u128) -> u128 {
    for factor in FACTORS {
        p = (p ^ (p >> 67)).wrapping_mul(factor);
    }
    p ^ (p >> 64)
}

dpfda_privacy::opaque!(RowDigest);
