//! What a release is called in a ledger where nobody names it.

use dpfda_mechanism::{Asked, Digest, ReleaseId};

use crate::group::GroupName;

/// The kind and the beginning of a digest of the plan and, where the release is of a group of the ledger, of its name: the same request
/// has the same id, and requests for two groups have two.
pub fn usual_id(asked: &Asked, part_of: Option<&GroupName>) -> ReleaseId {
    let digest = match part_of {
        None => asked.plan,
        Some(group) => Digest::of(format!("{} {group}", asked.plan).as_bytes()),
    };
    let id = format!("{}-{:.16}", asked.kind, digest.to_string());
    id.parse().unwrap_or_else(|_| unreachable!("a kind is a word, and a digest has letters and digits"))
}
