//! What is refused of keys and signatures. Nothing here is private data, and no secret key is shown.

use std::io;

use thiserror::Error;

/// Why a key was not opened, a document not signed, or a signature not accepted. It names no file: whoever gave the file knows it.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SignatureError {
    #[error("the file cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("the file holds no {what} of minisign")]
    NoKey { what: &'static str },
    #[error("the key was not opened: its passphrase is missing or wrong")]
    Passphrase,
    #[error("the key {0}; strict use refuses such a key")]
    Weak(Weakness),
    #[error("the system gave no random numbers")]
    NoRandomness,
    #[error("the keys cannot be written as text")]
    NoText,
    #[error("there is no signature beside the document")]
    Unsigned,
    #[error("the file is no signature of minisign")]
    NoSignature,
    #[error("the signature is by the key {by}, and not by {asked}")]
    OtherKey { by: String, asked: String },
    #[error("the release, its signature or the comment in it was changed after it was signed by the key {key}")]
    Changed { key: String },
}

/// Why a secret key does not protect well what it signs. A text goes on from "the key".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Weakness {
    #[error("can be read by others on this machine; `chmod 600` it")]
    Readable,
    #[error("has no passphrase: whoever copies the file can sign")]
    NoPassphrase,
}
