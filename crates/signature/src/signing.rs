//! Secret keys: how they are made, opened and used.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox, SignatureBox};

use crate::error::{SignatureError, Weakness};
use crate::file::read;
use crate::verifying::VerifyingKey;
use crate::{TIME, id};

/// What the comment of a signature calls the document.
const DOCUMENT: &str = "release.json";

/// A new pair: the texts of the file of the secret key and of that of the public key. Without a passphrase, whoever copies the first file
/// can sign.
///
/// # Errors
/// [`SignatureError::NoRandomness`] where the system gives no random numbers, [`SignatureError::NoText`] where the keys cannot be
/// written.
pub fn new_pair(passphrase: Option<String>) -> Result<(String, String), SignatureError> {
    let pair = match passphrase {
        Some(passphrase) => KeyPair::generate_encrypted_keypair(Some(passphrase)),
        None => KeyPair::generate_unencrypted_keypair(),
    };
    let pair = pair.map_err(|_| SignatureError::NoRandomness)?;
    let secret = pair.sk.to_box(Some(&format!("minisign secret key {}", id(pair.pk.keynum()))));
    let public = pair.pk.to_box().map_err(|_| SignatureError::NoText)?;
    Ok((secret.map_err(|_| SignatureError::NoText)?.into_string(), public.into_string()))
}

/// A secret key that was opened, and what is wrong with how it is kept.
pub struct SigningKey {
    secret: SecretKey,
    public: PublicKey,
    path: PathBuf,
    weaknesses: Vec<Weakness>,
}

impl SigningKey {
    /// Opens a secret key. The passphrase is asked for if the key has one.
    ///
    /// # Errors
    /// [`SignatureError::Read`] and [`SignatureError::NoKey`] for another file, [`SignatureError::Passphrase`] for none or a wrong one;
    /// under `strict` also [`SignatureError::Weak`], where others may read the file or the key has no passphrase.
    pub fn open(
        path: &Path,
        strict: bool,
        passphrase: impl FnOnce() -> Option<String>,
    ) -> Result<Self, SignatureError> {
        let (text, is_readable) = read(path)?;
        let no_key = || SignatureError::NoKey { what: "secret key" };
        let mut weaknesses = Vec::new();
        if is_readable {
            weaknesses.push(Weakness::Readable);
        }
        let sealed = |text: &str| SecretKeyBox::from_string(text).map_err(|_| no_key());
        let secret = match sealed(&text)?.into_unencrypted_secret_key() {
            Ok(secret) => {
                weaknesses.push(Weakness::NoPassphrase);
                secret
            }
            Err(_) if !is_secret_key(&text) => return Err(no_key()),
            Err(_) => {
                refuse_weak(strict, &weaknesses)?;
                let passphrase = passphrase().ok_or(SignatureError::Passphrase)?;
                sealed(&text)?.into_secret_key(Some(passphrase)).map_err(|_| SignatureError::Passphrase)?
            }
        };
        refuse_weak(strict, &weaknesses)?;
        let public = PublicKey::from_secret_key(&secret).map_err(|_| no_key())?;
        Ok(Self { secret, public, path: path.to_owned(), weaknesses })
    }

    /// The file of the key.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong with how the key is kept.
    pub fn weaknesses(&self) -> &[Weakness] {
        &self.weaknesses
    }

    /// The id of the key.
    pub fn id(&self) -> String {
        id(self.public.keynum())
    }

    /// The signature of a document, as text. An earlier signature that holds is given back: a document that is written again has the
    /// same files.
    pub fn sign(&self, document: &[u8], earlier: Option<String>) -> Result<String, SignatureError> {
        let holds = |text: &String| VerifyingKey::of(self.public.clone()).verify(text, document).is_ok();
        if let Some(text) = earlier.filter(holds) {
            return Ok(text);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let trusted = format!("{TIME}{now}\tfile:{DOCUMENT}\thashed");
        let untrusted = format!("signature from dpfda with the key {}", self.id());
        let signed = minisign::sign(Some(&self.public), &self.secret, document, Some(&trusted), Some(&untrusted));
        signed.map(SignatureBox::into_string).map_err(|_| SignatureError::NoRandomness)
    }
}

fn refuse_weak(strict: bool, weaknesses: &[Weakness]) -> Result<(), SignatureError> {
    match weaknesses.first() {
        Some(weakness) if strict => Err(SignatureError::Weak(*weakness)),
        _ => Ok(()),
    }
}

/// Whether a text has the form of a secret key: a comment, and a line as long as no public key is.
fn is_secret_key(text: &str) -> bool {
    text.starts_with("untrusted comment:") && text.lines().nth(1).is_some_and(|line| line.trim().len() == 212)
}
