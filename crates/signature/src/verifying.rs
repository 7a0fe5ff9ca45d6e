//! Public keys, and what a signature says.

use std::io::Cursor;
use std::path::Path;

use minisign::{PublicKey, PublicKeyBox, SignatureBox};

use crate::error::SignatureError;
use crate::file::read;
use crate::{TIME, id};

/// A public key.
pub struct VerifyingKey(PublicKey);

/// What a signature that holds says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The id of the key, as minisign writes it.
    pub key: String,
    /// When it was signed, in seconds after 1970 by the clock of whoever signed, if the signature says so.
    pub at: Option<u64>,
}

impl VerifyingKey {
    pub(crate) fn of(key: PublicKey) -> Self {
        Self(key)
    }

    /// Reads a public key.
    pub fn open(path: &Path) -> Result<Self, SignatureError> {
        let (text, _) = read(path)?;
        let key = PublicKeyBox::from_string(&text).and_then(PublicKeyBox::into_public_key);
        key.map(Self).map_err(|_| SignatureError::NoKey { what: "public key" })
    }

    /// The id of the key.
    pub fn id(&self) -> String {
        id(self.0.keynum())
    }

    /// What a signature of these bytes by this key says.
    ///
    /// # Errors
    /// [`SignatureError::NoSignature`] for another text, [`SignatureError::OtherKey`] for a signature by another key, and
    /// [`SignatureError::Changed`] where a byte of the document, of the signature or of its signed comment is another one.
    pub fn verify(&self, signature: &str, document: &[u8]) -> Result<Signed, SignatureError> {
        let text = signature;
        let signature = SignatureBox::from_string(text).map_err(|_| SignatureError::NoSignature)?;
        // a decoder of base64 reads some changed letters as if nothing had changed
        let written = signature.to_string();
        if !text.lines().map(str::trim_end).eq(written.lines().map(str::trim_end)) {
            return Err(SignatureError::NoSignature);
        }
        let by = id(signature.keynum());
        let holds = minisign::verify(&self.0, &signature, Cursor::new(document), true, false, false).is_ok();
        match signature.trusted_comment() {
            Ok(comment) if holds => {
                let at = comment.split('\t').find_map(|word| word.strip_prefix(TIME)?.parse().ok());
                Ok(Signed { key: by, at })
            }
            _ if by == self.id() => Err(SignatureError::Changed { key: by }),
            _ => Err(SignatureError::OtherKey { by, asked: self.id() }),
        }
    }
}

/// The id of the key that a signature says it is by. Nothing is compared.
///
/// # Errors
/// [`SignatureError::NoSignature`] for another text.
pub fn signer(signature: &str) -> Result<String, SignatureError> {
    let signature = SignatureBox::from_string(signature).map_err(|_| SignatureError::NoSignature)?;
    Ok(id(signature.keynum()))
}
