//! What is refused of keys and signatures. Nothing here is private data, and no secret key is shown.

use std::io;

use thiserror::Error;

/// Why a key was not opened, a document not signed, or a signature not accepted. It names no file: whoever gave the file knows it.
#[derive(Debug, Error)]
pub enum SignatureError {
    /// A file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[source] io::Error),
    /// A file holds no such key.
    #[error("the file holds no {what} of minisign")]
    NoKey {
        /// What was looked for: a secret key or a public key.
        what: &'static str,
    },
    /// A secret key was not opened.
    #[error("the key was not opened: its passphrase is missing or wrong")]
    Passphrase,
    /// A secret key that is not kept well was refused, as it was asked for.
    #[error("the key {0}; strict use refuses such a key")]
    Weak(Weakness),
    /// No pair of keys was made, or no signature.
    #[error("the system gave no random numbers")]
    NoRandomness,
    /// A pair of keys has no text.
    #[error("the keys cannot be written as text")]
    NoText,
    /// There is no signature beside the document.
    #[error("there is no signature beside the document")]
    Unsigned,
    /// A text is no signature.
    #[error("the file is no signature of minisign")]
    NoSignature,
    /// Somebody else signed.
    #[error("the signature is by the key {by}, and not by {asked}")]
    OtherKey {
        /// The id of the key that signed.
        by: String,
        /// The id of the key that was given.
        asked: String,
    },
    /// The bytes are not those that were signed.
    #[error("the release, its signature or the comment in it was changed after it was signed by the key {key}")]
    Changed {
        /// The id of the key that signed.
        key: String,
    },
}

/// Why a secret key does not protect well what it signs. A text goes on from "the key".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Weakness {
    /// Others on this machine may read its file.
    #[error("can be read by others on this machine; `chmod 600` it")]
    Readable,
    /// It has no passphrase.
    #[error("has no passphrase: whoever copies the file can sign")]
    NoPassphrase,
}
