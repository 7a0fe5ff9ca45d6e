//! What `dpfda verify` finds wrong.

use dpfda::mechanism::Digest;
use dpfda_signature::SignatureError;
use thiserror::Error;

/// What does not hold of a signed release.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Doubt {
    #[error(transparent)]
    Signature(SignatureError),
    #[error("the release names no ledger, but one was given")]
    NoLedger,
    #[error("the release says that it follows the study {said}, and the study that was given is {given}")]
    OtherStudy { said: Digest, given: Digest },
    #[error("the release names the study that was given, and `{setting}` of its guarantee is not that of the study")]
    OtherGuarantee { setting: &'static str },
    #[error("the release follows no study")]
    NoStudy,
}
