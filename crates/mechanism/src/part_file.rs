//! Parts that travel: the exact sums of a part as bytes.

use std::collections::{BTreeSet, VecDeque};

use dpfda_privacy::{Body, ExactSum, LatticeError, NonPrivate, Word};
use thiserror::Error;

use crate::digest::Digest;
use crate::members::{Members, Tag, Tags};
use crate::part_id::PartId;
use crate::row_digest::RowDigest;

#[cfg(test)]
#[path = "part_file_tests.rs"]
mod tests;

/// What a file of a part begins with, and its version.
const MAGIC: &[u8] = b"dpfda part 1\n";

/// The bytes of the digest at the end.
const DIGEST: usize = 32;

/// Why bytes are no part. What it tells of the data is for the curator alone: it never stands in a release.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PartError {
    #[error("this is no part of a data set, or one of another version: a part is written by `dpfda part`")]
    NoPart,
    #[error("the part is damaged or cut short: its bytes do not have the digest at its end. Copy it again")]
    Damaged,
    #[error("the part was encoded by another plan than this one")]
    OtherPlan,
    #[error("the plan of the part cannot be read: {reason}")]
    Plan { reason: String },
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// The exact sums of a part of a data set, its plan and who is in it, on their way to or from bytes: **private data, without
/// any noise**.
///
/// ```text
/// "dpfda part 1\n"   plan   ids of parts   tags of subjects   sums   digest of rows   SHA-256 of all bytes before
/// ```
///
/// The digest finds accidents. It is no signature: whoever can change a part can change its digest. Whoever holds a part knows
/// the sums of its curves exactly, and of a part of one person the curve of that person.
pub struct PartFile {
    plan: String,
    pub(crate) members: Members,
    sums: VecDeque<Sum>,
}

/// One exact sum: its number of records, and integers of a width.
struct Sum {
    records: u64,
    width: usize,
    words: Vec<u8>,
}

impl PartFile {
    pub(crate) fn new(plan: String, members: Members) -> Self {
        Self { plan, members, sums: VecDeque::new() }
    }

    /// The public plan that the part was encoded by.
    pub fn plan(&self) -> &str {
        &self.plan
    }

    /// Adds an exact sum after those there are.
    pub fn push<B: Body>(&mut self, sum: &ExactSum<B>) {
        let mut words = Vec::new();
        sum.reveal().reveal().iter().for_each(|word| word.write(&mut words));
        self.sums.push_back(Sum { records: sum.records(), width: B::Word::BYTES, words });
    }

    /// Takes the first sum that is left.
    pub fn take<B: Body>(&mut self, body: B) -> Result<ExactSum<B>, PartError> {
        let Sum { records, width, words } = self.sums.pop_front().ok_or(PartError::OtherPlan)?;
        if width != B::Word::BYTES {
            return Err(PartError::OtherPlan);
        }
        let words: Option<Vec<B::Word>> = words.chunks(width).map(B::Word::read).collect();
        Ok(ExactSum::restored(body, &words.ok_or(PartError::Damaged)?, records)?)
    }

    /// Adds a digest of records after the sums there are.
    pub fn push_digest(&mut self, digest: &RowDigest) {
        self.sums.push_back(Sum { records: digest.rows(), width: 1, words: digest.to_bytes().to_vec() });
    }

    /// Takes a digest of records, where it comes next.
    pub fn take_digest(&mut self) -> Result<RowDigest, PartError> {
        let Sum { width, words, .. } = self.sums.pop_front().ok_or(PartError::OtherPlan)?;
        let bytes = words.try_into().ok().filter(|_| width == 1).ok_or(PartError::OtherPlan)?;
        Ok(RowDigest::from_bytes(bytes))
    }

    /// Whether all sums were taken.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// The bytes: private data.
    pub fn to_bytes(&self) -> NonPrivate<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        write_bytes(&mut bytes, self.plan.as_bytes());
        write_length(&mut bytes, self.members.parts.len());
        self.members.parts.iter().for_each(|part| write_bytes(&mut bytes, part.to_string().as_bytes()));
        bytes.push(u8::from(self.members.has_untagged));
        bytes.push(u8::from(self.members.tags.is_some()));
        if let Some(tags) = &self.members.tags {
            bytes.extend(tags.key);
            write_length(&mut bytes, tags.subjects.len());
            tags.subjects.iter().for_each(|tag| bytes.extend(tag));
        }
        write_length(&mut bytes, self.sums.len());
        for Sum { records, width, words } in &self.sums {
            bytes.extend(records.to_le_bytes());
            write_length(&mut bytes, *width);
            write_bytes(&mut bytes, words);
        }
        let digest = Digest::of(&bytes).to_bytes();
        bytes.extend(digest);
        NonPrivate::new(bytes)
    }

    /// Reads the bytes of a part.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        if !bytes.starts_with(MAGIC) {
            return Err(PartError::NoPart);
        }
        let (whole, digest) = bytes.split_last_chunk::<DIGEST>().ok_or(PartError::Damaged)?;
        if Digest::of(whole).to_bytes() != *digest {
            return Err(PartError::Damaged);
        }
        let mut rest = Rest(whole.get(MAGIC.len()..).unwrap_or_default());
        Self::read(&mut rest).filter(|_| rest.0.is_empty()).ok_or(PartError::Damaged)
    }

    fn read(rest: &mut Rest<'_>) -> Option<Self> {
        let plan = String::from_utf8(rest.bytes()?.to_vec()).ok()?;
        let mut parts = BTreeSet::new();
        for _ in 0..rest.length()? {
            let part: PartId = std::str::from_utf8(rest.bytes()?).ok()?.parse().ok()?;
            parts.insert(part).then_some(())?;
        }
        let (has_untagged, has_tags) = (rest.flag()?, rest.flag()?);
        let tags = if has_tags { Some(rest.tags()?) } else { None };
        let mut sums = VecDeque::new();
        for _ in 0..rest.length()? {
            let records = rest.number()?;
            let width = rest.length().filter(|width| (1..=16).contains(width))?;
            let words = rest.bytes()?.to_vec();
            sums.push_back(Sum { records, width, words });
        }
        Some(Self { plan, members: Members { parts, tags, has_untagged }, sums })
    }
}

fn write_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend((length as u64).to_le_bytes());
}

fn write_bytes(bytes: &mut Vec<u8>, more: &[u8]) {
    write_length(bytes, more.len());
    bytes.extend(more);
}

/// What is left to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn length(&mut self) -> Option<usize> {
        self.number()?.try_into().ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.take(1)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn tags(&mut self) -> Option<Tags> {
        let key: Tag = self.take(size_of::<Tag>())?.try_into().ok()?;
        let count = self.length()?;
        let bytes = self.take(count.checked_mul(size_of::<Tag>())?)?;
        let subjects: BTreeSet<Tag> = bytes.as_chunks().0.iter().copied().collect();
        (subjects.len() == count).then_some(Tags { key, subjects })
    }
}
