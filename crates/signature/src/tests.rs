#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

const DOCUMENT: &[u8] = b"{\n  \"kind\": \"mean\"\n}\n";

/// The files of a pair in a new folder: the secret key and the public one.
fn pair(passphrase: Option<&str>) -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (secret, public) = new_pair(passphrase.map(str::to_owned)).unwrap();
    let paths = [("key", secret), ("key.pub", public)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    });
    let [secret, public] = paths;
    (folder, secret, public)
}

fn opened(path: &std::path::Path, passphrase: Option<&str>) -> Result<SigningKey, SignatureError> {
    SigningKey::open(path, false, || passphrase.map(str::to_owned))
}

#[test]
fn a_signature_says_who_signed_and_when() {
    let (_folder, secret, public) = pair(None);
    let (key, verifying) = (opened(&secret, None).unwrap(), VerifyingKey::open(&public).unwrap());
    let signed = verifying.verify(&key.sign(DOCUMENT, None).unwrap(), DOCUMENT).unwrap();
    assert_eq!((signed.key.as_str(), key.id()), (verifying.id().as_str(), verifying.id()));
    assert!(signed.at.unwrap() > 1_700_000_000 && signed.key.len() == 16);
}

#[test]
fn every_changed_byte_of_document_and_signature_is_found() {
    let (_folder, secret, public) = pair(None);
    let (key, verifying) = (opened(&secret, None).unwrap(), VerifyingKey::open(&public).unwrap());
    let signature = key.sign(DOCUMENT, None).unwrap();
    for at in 0..DOCUMENT.len() {
        let mut changed = DOCUMENT.to_vec();
        changed[at] ^= 1;
        assert!(matches!(verifying.verify(&signature, &changed), Err(SignatureError::Changed { .. })), "{at}");
    }
    // the first line is a comment that is not signed
    for at in signature.find('\n').unwrap() + 1..signature.len() {
        let mut changed = signature.clone().into_bytes();
        changed[at] ^= 1;
        let Ok(changed) = String::from_utf8(changed) else { continue };
        // white space at the end of a line says nothing
        assert!(signature.as_bytes()[at] == b'\n' || verifying.verify(&changed, DOCUMENT).is_err(), "{at}");
    }
}

#[test]
fn another_key_and_another_text_are_told_apart() {
    let ((_first, secret, _), (_second, _, public)) = (pair(None), pair(None));
    let (key, other) = (opened(&secret, None).unwrap(), VerifyingKey::open(&public).unwrap());
    let signature = key.sign(DOCUMENT, None).unwrap();
    let refused = other.verify(&signature, DOCUMENT).unwrap_err();
    assert!(matches!(refused, SignatureError::OtherKey { by, asked } if by == key.id() && asked == other.id()));
    assert!(matches!(other.verify("no signature", DOCUMENT), Err(SignatureError::NoSignature)));
}

#[test]
fn an_earlier_signature_is_kept_if_it_holds() {
    let (_folder, secret, _) = pair(None);
    let key = opened(&secret, None).unwrap();
    let earlier = key.sign(DOCUMENT, None).unwrap();
    assert_eq!(key.sign(DOCUMENT, Some(earlier.clone())).unwrap(), earlier);
    assert_ne!(key.sign(b"another", Some(earlier.clone())).unwrap(), earlier);
}

#[test]
fn a_passphrase_opens_its_key_and_no_other_does() {
    let (_folder, secret, public) = pair(Some("correct horse"));
    let key = opened(&secret, Some("correct horse")).unwrap();
    assert_eq!(key.id(), VerifyingKey::open(&public).unwrap().id());
    assert!(!key.weaknesses().contains(&Weakness::NoPassphrase));
    for wrong in [None, Some("wrong")] {
        assert!(matches!(opened(&secret, wrong), Err(SignatureError::Passphrase)), "{wrong:?}");
    }
}

#[test]
fn files_that_hold_another_thing_are_no_keys() {
    let (folder, secret, public) = pair(None);
    assert!(matches!(opened(&public, None), Err(SignatureError::NoKey { what: "secret key" })));
    assert!(matches!(VerifyingKey::open(&secret), Err(SignatureError::NoKey { what: "public key" })));
    assert!(matches!(opened(&folder.path().join("none"), None), Err(SignatureError::Read(_))));
    let document = folder.path().join("release.json");
    assert_eq!(signature_path(&document), folder.path().join("release.json.minisig"));
    assert!(matches!(signature_beside(&document), Err(SignatureError::Unsigned)));
}

#[cfg(unix)]
#[test]
fn a_badly_kept_key_says_so_and_is_refused_by_strict_use() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, secret, _) = pair(None);
    for (mode, expected) in
        [(0o644, &[Weakness::Readable, Weakness::NoPassphrase][..]), (0o600, &[Weakness::NoPassphrase])]
    {
        fs::set_permissions(&secret, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(opened(&secret, None).unwrap().weaknesses(), expected);
        let strict = SigningKey::open(&secret, true, || None);
        assert!(matches!(strict, Err(SignatureError::Weak(weakness)) if weakness == expected[0]));
    }
}
