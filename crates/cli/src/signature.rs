//! Signatures of releases, in the format of minisign (<https://jedisct1.github.io/minisign/>): Ed25519 over the bytes of the document.
//!
//! `release.json.minisig` lies beside the document, and any program that knows the format can check it. Keys are made and read
//! here; what is secret is in the file of the key alone, and its passphrase comes from the terminal or from [`PASSPHRASE`].

use std::env;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use minisign::{KeyPair, PublicKey, PublicKeyBox, SecretKey, SecretKeyBox, SignatureBox};
use thiserror::Error;

use crate::shown::shown;

/// The environment variable that holds the passphrase where nobody sits at a terminal.
pub const PASSPHRASE: &str = "DPFDA_PASSPHRASE";
/// The file of the signature of a document named so.
pub const SIGNED: (&str, &str) = ("release.json", "release.json.minisig");
/// No key and no signature is larger.
const MOST_BYTES: u64 = 1 << 14;

/// Why something was not signed, or a signature not accepted. Nothing here is private data, and no secret key is shown.
#[derive(Debug, Error)]
pub enum SignatureError {
    /// The file cannot be read.
    #[error("{argument}: cannot read `{}`: {source}", shown(path))]
    Read {
        /// The argument that names it.
        argument: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file holds no such key.
    #[error(
        "{argument}: `{}` holds no {what} of minisign; `dpfda key new FILE` writes FILE, the secret key, and FILE.pub, the public one",
        shown(path)
    )]
    NoKey {
        /// The argument that names it.
        argument: &'static str,
        /// The file.
        path: PathBuf,
        /// What was looked for.
        what: &'static str,
    },
    /// The passphrase is wrong, or could not be asked for.
    #[error(
        "--sign: the key `{}` was not opened: the passphrase is wrong, or there is no terminal to ask for it; it is also read from \
         the environment variable {PASSPHRASE}",
        shown(path)
    )]
    Passphrase {
        /// The file.
        path: PathBuf,
    },
    /// A key that is not kept well, under `--strict`.
    #[error("--sign: {weakness}; --strict refuses such a key")]
    Weak {
        /// What is wrong.
        weakness: Weakness,
    },
    /// No pair of keys could be made.
    #[error("no key was made: {reason}")]
    NotMade {
        /// Why.
        reason: &'static str,
    },
    /// A new passphrase was not read twice the same.
    #[error(
        "no key was made: no passphrase was read twice the same; without a terminal, give it in the environment variable \
         {PASSPHRASE}, or make a key without one by --no-passphrase"
    )]
    NoPassphrase,
    /// No signature could be made.
    #[error("--sign: the release was not signed: the system gave no random numbers")]
    NotSigned,
    /// There is no signature.
    #[error(
        "there is no signature beside `{}`: `{}` is missing; give --sign KEY when you release",
        shown(path),
        shown(&signature_path(path))
    )]
    Unsigned {
        /// The document.
        path: PathBuf,
    },
    /// The file is no signature.
    #[error("`{}` is no signature of minisign", shown(path))]
    NoSignature {
        /// The file.
        path: PathBuf,
    },
}

/// Why a key does not protect what it signs well.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Weakness {
    /// Others on this machine may read it.
    #[error("the key `{}` can be read by others on this machine; `chmod 600` it", shown(path))]
    Readable {
        /// The file.
        path: PathBuf,
    },
    /// It has no passphrase.
    #[error("the key `{}` has no passphrase: whoever copies the file can sign", shown(path))]
    NoPassphrase {
        /// The file.
        path: PathBuf,
    },
}

/// A secret key that was opened, and what is wrong with how it is kept.
pub struct SigningKey {
    secret: SecretKey,
    public: PublicKey,
    weaknesses: Vec<Weakness>,
}

/// A public key.
pub struct VerifyingKey(PublicKey);

/// What a signature that holds says.
pub struct Signed {
    /// The id of the key, as minisign writes it.
    pub key: String,
    /// When it was signed, in seconds after 1970, if the signature says so.
    pub at: Option<u64>,
}

/// Where the signature of a document lies.
pub fn signature_path(document: &Path) -> PathBuf {
    let mut name = document.as_os_str().to_owned();
    name.push(".minisig");
    name.into()
}

/// A new pair: the texts of the secret and of the public file. The passphrase is asked for at the terminal, twice.
pub fn new_pair(is_protected: bool) -> Result<(String, String), SignatureError> {
    let random = |_| SignatureError::NotMade { reason: "the system gave no random numbers" };
    let pair = if is_protected {
        let passphrase = passphrase(true).ok_or(SignatureError::NoPassphrase)?;
        KeyPair::generate_encrypted_keypair(Some(passphrase)).map_err(random)?
    } else {
        KeyPair::generate_unencrypted_keypair().map_err(random)?
    };
    let id = id(pair.pk.keynum());
    let written = |_| SignatureError::NotMade { reason: "it cannot be written as text" };
    let secret = pair.sk.to_box(Some(&format!("minisign secret key {id}"))).map_err(written)?;
    let public = pair.pk.to_box().map_err(written)?;
    Ok((secret.into_string(), public.into_string()))
}

impl SigningKey {
    /// Opens a secret key.
    ///
    /// # Errors
    /// [`SignatureError`]; under `strict`, also where others may read the file or it has no passphrase.
    pub fn open(path: &Path, strict: bool) -> Result<Self, SignatureError> {
        let argument = "--sign";
        let (text, is_readable) = read(argument, path)?;
        let no_key = || SignatureError::NoKey { argument, path: path.to_owned(), what: "secret key" };
        let mut weaknesses = Vec::new();
        if is_readable {
            weaknesses.push(Weakness::Readable { path: path.to_owned() });
        }
        let sealed = |text: &str| SecretKeyBox::from_string(text).map_err(|_| no_key());
        let secret = match sealed(&text)?.into_unencrypted_secret_key() {
            Ok(secret) => {
                weaknesses.push(Weakness::NoPassphrase { path: path.to_owned() });
                secret
            }
            Err(_) if !is_secret_key(&text) => return Err(no_key()),
            Err(_) => {
                refuse_weak(strict, &weaknesses)?;
                let refused = || SignatureError::Passphrase { path: path.to_owned() };
                let opened = sealed(&text)?.into_secret_key(Some(passphrase(false).ok_or_else(refused)?));
                opened.map_err(|_| refused())?
            }
        };
        refuse_weak(strict, &weaknesses)?;
        let public = PublicKey::from_secret_key(&secret).map_err(|_| no_key())?;
        Ok(Self { secret, public, weaknesses })
    }

    /// What is wrong with how the key is kept.
    pub fn weaknesses(&self) -> &[Weakness] {
        &self.weaknesses
    }

    /// The id of the key.
    pub fn id(&self) -> String {
        id(self.public.keynum())
    }

    /// The signature of a document, as text. A signature that is there and holds is given back: a document that is written again has
    /// the same files.
    ///
    /// # Errors
    /// [`SignatureError::NotSigned`] where the system gives no random numbers.
    pub fn sign(&self, document: &[u8], earlier: &Path) -> Result<String, SignatureError> {
        if let Ok((text, _)) = read("", earlier)
            && VerifyingKey(self.public.clone()).check(&text, document).is_some()
        {
            return Ok(text);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let trusted = format!("{TIME}{now}\tfile:{}\thashed", SIGNED.0);
        let untrusted = format!("signature from dpfda with the key {}", self.id());
        let signed = minisign::sign(Some(&self.public), &self.secret, document, Some(&trusted), Some(&untrusted));
        signed.map(SignatureBox::into_string).map_err(|_| SignatureError::NotSigned)
    }
}

/// What stands before the time in a comment that is signed.
const TIME: &str = "timestamp:";

impl VerifyingKey {
    /// Reads a public key.
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn open(path: &Path) -> Result<Self, SignatureError> {
        let argument = "--key";
        let no_key = || SignatureError::NoKey { argument, path: path.to_owned(), what: "public key" };
        let (text, _) = read(argument, path)?;
        let key = PublicKeyBox::from_string(&text).and_then(PublicKeyBox::into_public_key);
        key.map(Self).map_err(|_| no_key())
    }

    /// The id of the key.
    pub fn id(&self) -> String {
        id(self.0.keynum())
    }

    /// What the signature beside a document says; or the id of the key that it is by, where it is not that of these bytes by this
    /// key.
    ///
    /// # Errors
    /// [`SignatureError`] where there is none.
    pub fn verify(&self, path: &Path, document: &[u8]) -> Result<Result<Signed, String>, SignatureError> {
        let beside = signature_path(path);
        let (text, _) = read("", &beside).map_err(|_| SignatureError::Unsigned { path: path.to_owned() })?;
        let signature = SignatureBox::from_string(&text);
        let by = signature.map_err(|_| SignatureError::NoSignature { path: beside })?;
        Ok(self.check(&text, document).ok_or_else(|| id(by.keynum())))
    }

    fn check(&self, signature: &str, document: &[u8]) -> Option<Signed> {
        let signature = SignatureBox::from_string(signature).ok()?;
        minisign::verify(&self.0, &signature, Cursor::new(document), true, false, false).ok()?;
        let comment = signature.trusted_comment().ok()?;
        let at = comment.split('\t').find_map(|word| word.strip_prefix(TIME)?.parse().ok());
        Some(Signed { key: self.id(), at })
    }
}

/// From the environment, or from the terminal, where a new one is asked for twice; `None` for none and for two that differ.
fn passphrase(is_new: bool) -> Option<String> {
    let ask = |prompt: &str| rpassword::prompt_password(prompt).ok();
    let given = env::var(PASSPHRASE).ok().or_else(|| {
        let first = ask("Passphrase of the key: ")?;
        (!is_new || ask("The same again: ")? == first).then_some(first)
    });
    given.filter(|passphrase| !passphrase.is_empty())
}

fn refuse_weak(strict: bool, weaknesses: &[Weakness]) -> Result<(), SignatureError> {
    match weaknesses.first() {
        Some(weakness) if strict => Err(SignatureError::Weak { weakness: weakness.clone() }),
        _ => Ok(()),
    }
}

/// Whether a text has the form of a secret key: a comment, and a line as long as no public key is.
fn is_secret_key(text: &str) -> bool {
    text.starts_with("untrusted comment:") && text.lines().nth(1).is_some_and(|line| line.trim().len() == 212)
}

/// The text of a file, and whether others may read it.
fn read(argument: &'static str, path: &Path) -> Result<(String, bool), SignatureError> {
    let failed = |source| SignatureError::Read { argument, path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let is_readable = others_may_read(&file).map_err(failed)?;
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
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

/// As minisign writes it: 16 hexadecimal digits of the eight bytes, the last first.
fn id(bytes: &[u8]) -> String {
    bytes.iter().rev().fold(String::new(), |digits, byte| digits + &format!("{byte:02X}"))
}
