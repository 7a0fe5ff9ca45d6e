//! Signatures of releases, in the format of minisign (<https://jedisct1.github.io/minisign/>): Ed25519 over the bytes of the document.
//!
//! ```text
//! new_pair       a secret key and a public key, as the texts of their files
//! SigningKey     a secret key that was opened; signs a document
//! VerifyingKey   a public key; says who signed a document, and whether it was changed since
//! ```
//!
//! The signature lies beside the document, in a file of the same name with `.minisig`. Any program that knows the format can check it.
//! What is secret is in the file of the secret key alone. Its passphrase is an argument here, and nothing is asked or printed.

mod error;
mod file;
mod signing;
mod verifying;

pub use error::{SignatureError, Weakness};
pub use file::{signature_beside, signature_path};
pub use signing::{SigningKey, new_pair};
pub use verifying::{Signed, VerifyingKey, signer};

#[cfg(test)]
mod tests;

/// The environment variable that holds the passphrase of a secret key where nobody sits at a terminal.
pub const PASSPHRASE: &str = "DPFDA_PASSPHRASE";

/// What stands before the time in a comment that is signed.
const TIME: &str = "timestamp:";

/// The id of a key as minisign writes it: 16 hexadecimal digits of the eight bytes, the last first.
fn id(bytes: &[u8]) -> String {
    bytes.iter().rev().fold(String::new(), |digits, byte| digits + &format!("{byte:02X}"))
}
