//! The files of keys and signatures: small texts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::SignatureError;

/// No key and no signature is larger.
const MOST_BYTES: u64 = 1 << 14;

/// Where the signature of a document lies: the name of the document with `.minisig`.
pub fn signature_path(document: &Path) -> PathBuf {
    let mut name = document.as_os_str().to_owned();
    name.push(".minisig");
    name.into()
}

/// The text of the signature beside a document.
pub fn signature_beside(document: &Path) -> Result<String, SignatureError> {
    read(&signature_path(document)).map(|(text, _)| text).map_err(|_| SignatureError::Unsigned)
}

/// The text of a file, and whether others may read it.
pub(crate) fn read(path: &Path) -> Result<(String, bool), SignatureError> {
    let file = File::open(path).map_err(SignatureError::Read)?;
    let is_readable = others_may_read(&file).map_err(SignatureError::Read)?;
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(SignatureError::Read)?;
    Ok((text, is_readable))
}

#[cfg(unix)]
fn others_may_read(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::mode(&file.metadata()?) & 0o077 != 0)
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on other systems")]
fn others_may_read(_: &File) -> io::Result<bool> {
    Ok(false)
}
