//! Keys and signatures as the command is given them: their files, their passphrases and its words for what is refused.

use std::env;
use std::path::{Path, PathBuf};

use dpfda_signature::{PASSPHRASE, SignatureError, SigningKey, VerifyingKey, Weakness, signature_path};
use thiserror::Error;

use crate::shown::shown;

/// The file of the signature of a document named so.
pub const SIGNED: (&str, &str) = ("release.json", "release.json.minisig");

/// Why something was not signed, or a signature not accepted. Nothing here is private data, and no secret key is shown.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SignatureRefusal {
    #[error("{}", in_words(argument, path, reason))]
    File { argument: &'static str, path: PathBuf, reason: Box<SignatureError> },
    #[error("no key was made: {0}")]
    NotMade(SignatureError),
    #[error(
        "no key was made: no passphrase was read twice the same; without a terminal, give it in the environment variable \
         {PASSPHRASE}, or make a key without one by --no-passphrase"
    )]
    NoPassphrase,
    #[error("--sign: the release was not signed: {0}")]
    NotSigned(SignatureError),
}

fn in_words(argument: &str, path: &Path, reason: &SignatureError) -> String {
    let file = shown(path);
    match reason {
        SignatureError::Read(source) if argument == "--sign" && source.kind() == std::io::ErrorKind::NotFound => {
            format!("{argument}: there is no file `{file}`; `dpfda key new {file}` makes a key")
        }
        SignatureError::Read(source) => format!("{argument}: cannot read `{file}`: {source}"),
        SignatureError::NoKey { what } => format!(
            "{argument}: `{file}` holds no {what} of minisign; `dpfda key new FILE` writes FILE, the secret key, and FILE.pub, the \
             public one"
        ),
        SignatureError::Passphrase => format!(
            "{argument}: the key `{file}` was not opened: the passphrase is wrong, or there is no terminal to ask for it; it is also \
             read from the environment variable {PASSPHRASE}"
        ),
        SignatureError::Unsigned => format!(
            "there is no signature beside `{file}`: `{}` is missing; give --sign KEY when you release",
            shown(&signature_path(path))
        ),
        SignatureError::NoSignature => format!("`{}` is no signature of minisign", shown(&signature_path(path))),
        other => format!("`{file}`: {other}"),
    }
}

/// What is wrong with how a key is kept.
pub fn weak(path: &Path, weakness: Weakness) -> String {
    format!("the key `{}` {weakness}", shown(path))
}

/// Opens a secret key: `--sign`.
pub fn signing_key(path: &Path) -> Result<SigningKey, SignatureRefusal> {
    SigningKey::open(path, false, || passphrase(false)).map_err(at("--sign", path))
}

/// Reads a public key: `--key`.
pub fn public_key(path: &Path) -> Result<VerifyingKey, SignatureRefusal> {
    VerifyingKey::open(path).map_err(at("--key", path))
}

/// The refusal of a file.
pub fn at(argument: &'static str, path: &Path) -> impl Fn(SignatureError) -> SignatureRefusal {
    move |reason| SignatureRefusal::File { argument, path: path.to_owned(), reason: Box::new(reason) }
}

/// From the environment, or from the terminal, where a new one is asked for twice; `None` for none and for two that differ.
pub fn passphrase(is_new: bool) -> Option<String> {
    let ask = |prompt: &str| rpassword::prompt_password(prompt).ok();
    let given = env::var(PASSPHRASE).ok().or_else(|| {
        let first = ask("Passphrase of the key: ")?;
        (!is_new || ask("The same again: ")? == first).then_some(first)
    });
    given.filter(|passphrase| !passphrase.is_empty())
}
