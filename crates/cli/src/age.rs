//! Encrypts parts by the program `age` (<https://age-encryption.org>), and opens them again.
//!
//! It is a program of its own and not a library here: it brings some hundred crates, which everybody would have to trust who
//! never sends a part anywhere. What is secret goes to it through a pipe and is on no disk.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::str::FromStr;
use std::thread;

use thiserror::Error;

/// What a file that `age` wrote begins with.
const MAGIC: &[u8] = b"age-encryption.org/v1";

/// The public key of whoever may read a part: `age1...`, as `age-keygen` prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient(String);

/// A text that is no such key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "a recipient is a public key of age, which begins with age1 and has small letters and digits, such as `age-keygen` prints"
)]
pub struct RecipientError;

impl FromStr for Recipient {
    type Err = RecipientError;

    fn from_str(text: &str) -> Result<Self, RecipientError> {
        let is_key = text.starts_with("age1")
            && text.len() > 20
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if is_key { Ok(Self(text.to_owned())) } else { Err(RecipientError) }
    }
}

/// Why a part was not encrypted or opened.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AgeError {
    #[error(
        "the program age is not installed, or cannot be run: {0}; it is a package of most systems, or at https://age-encryption.org"
    )]
    Program(io::Error),
    #[error("age says: {0}")]
    Refused(String),
}

/// Whether a file was encrypted by age.
pub fn is_encrypted(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The bytes for a recipient alone.
pub fn encrypt(bytes: &[u8], recipient: &Recipient) -> Result<Vec<u8>, AgeError> {
    run(&[OsStr::new("--encrypt"), OsStr::new("--recipient"), OsStr::new(&recipient.0)], bytes)
}

/// The bytes again, by the file of a secret key.
pub fn decrypt(bytes: &[u8], identity: &Path) -> Result<Vec<u8>, AgeError> {
    run(&[OsStr::new("--decrypt"), OsStr::new("--identity"), identity.as_os_str()], bytes)
}

fn run(arguments: &[&OsStr], bytes: &[u8]) -> Result<Vec<u8>, AgeError> {
    let mut command = Command::new("age");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(AgeError::Program)?;
    let input = child.stdin.take();
    let Output { status, stdout, stderr } = thread::scope(|scope| {
        // both pipes at once, or each would wait for the other
        scope.spawn(move || input.map(|mut input| input.write_all(bytes)));
        child.wait_with_output()
    })
    .map_err(AgeError::Program)?;
    if status.success() {
        return Ok(stdout);
    }
    let first = String::from_utf8_lossy(&stderr).lines().next().unwrap_or("nothing").escape_debug().to_string();
    Err(AgeError::Refused(first))
}
