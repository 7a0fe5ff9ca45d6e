//! Signed releases: who signed, and what was changed since.

use std::fs;

use crate::common::{Place, Run, dti_like};

/// A release that is signed by a key without a passphrase.
fn signed() -> Place {
    let place = Place::new();
    place.run("key new mine --no-passphrase").succeeded();
    let run = released(&place, "--sign mine --out out").succeeded();
    assert!(run.words().contains("signed by the key") && run.words().contains("has no passphrase"), "{}", run.stdout);
    place
}

fn released(place: &Place, more: &str) -> Run {
    place.release(&dti_like(), &format!("--values cca_* --subject ID {more}"))
}

fn verified(place: &Place, more: &str) -> Run {
    place.run(&format!("verify out/release.json --key mine.pub {more}"))
}

#[test]
fn a_signed_release_is_verified_by_its_key_and_by_no_other() {
    let place = signed();
    let run = verified(&place, "").succeeded();
    assert!(run.words().starts_with("VERIFIED out/release.json is unchanged since it was signed"), "{}", run.stdout);
    assert!(run.words().contains("the release names none"), "{}", run.stdout);
    assert!(run.words().contains("figures beside it are not signed") && !run.words().contains("NOT PRIVATE"));
    let smoothed = place.run("smooth out/release.json --level 0.9 --out out --force");
    assert!(smoothed.code == 2 && smoothed.stderr.contains("lies in that directory"), "{}", smoothed.text());
    verified(&place, "").succeeded();
    released(&place, "--sign mine --not-private --seed 1 --out demonstration").succeeded();
    let run = place.run("verify demonstration/release.json --key mine.pub").succeeded();
    assert!(run.words().contains("NOT PRIVATE"), "{}", run.stdout);
    let quiet = released(&place, "--sign mine --out quiet --quiet").succeeded();
    assert!(quiet.stdout.is_empty() && quiet.stderr.contains("has no passphrase"), "{}", quiet.text());
    place.run("key new other --no-passphrase").succeeded();
    let run = place.run("verify out/release.json --key other.pub");
    assert!(
        run.code == 1 && run.stderr.contains("NOT VERIFIED") && run.stderr.contains("and not by"),
        "{}",
        run.text()
    );
}

/// One byte in each place, of the document and of its signature.
#[test]
fn a_change_of_any_byte_is_found() {
    let place = signed();
    for (name, every) in [("out/release.json", 97), ("out/release.json.minisig", 1)] {
        let path = place.path(name);
        let whole = fs::read(&path).unwrap();
        // the first line of a signature is a comment that is not signed, and says so
        let from = if every == 1 { whole.iter().position(|byte| *byte == b'\n').unwrap() + 1 } else { 0 };
        for at in (from..whole.len()).step_by(every) {
            let mut changed = whole.clone();
            // the last letter of a line of base64 says less than a letter does
            changed[at] ^= if whole[at] == b'=' { 4 } else { 1 };
            // white space at the end of a line of a signature says nothing
            if every == 1 && whole[at] == b'\n' {
                continue;
            }
            fs::write(&path, &changed).unwrap();
            let run = verified(&place, "");
            assert!(matches!(run.code, 1 | 2) && run.stdout.is_empty(), "{name} {at}: {}", run.text());
        }
        fs::write(&path, &whole).unwrap();
    }
    verified(&place, "").succeeded();
}

#[test]
fn the_signature_of_another_release_is_none_of_this_one() {
    let place = signed();
    released(&place, "--sign mine --out other").succeeded();
    fs::copy(place.path("other/release.json.minisig"), place.path("out/release.json.minisig")).unwrap();
    let run = verified(&place, "");
    assert!(run.code == 1 && run.stderr.contains("was changed after it was signed"), "{}", run.text());
    fs::remove_file(place.path("out/release.json.minisig")).unwrap();
    let run = verified(&place, "");
    assert!(run.code == 2 && run.stderr.contains("there is no signature beside"), "{}", run.text());
}

#[test]
fn keys_that_are_none_or_badly_kept_are_refused_before_anything_is_spent() {
    let place = signed();
    place
        .run("ledger create spent.db --epsilon 3 --delta 1e-4 --unit subject --neighbours substitute --dataset d")
        .succeeded();
    let spent = || place.run("ledger show spent.db").succeeded().stdout;
    let before = spent();
    place.write("ssh", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n");
    for (key, expected) in [
        ("nowhere", "`dpfda key new nowhere` makes a key"),
        ("ssh", "holds no secret key"),
        ("mine.pub", "holds no secret key"),
    ] {
        let run = released(&place, &format!("--ledger spent.db --sign {key} --out refused"));
        assert!(run.code == 2 && run.stderr.contains(expected), "{key}: {}", run.text());
        assert!(!place.names().contains(&"refused".to_owned()) && spent() == before, "{key}");
    }
    let run = place.run("verify out/release.json --key mine");
    assert!(run.code == 2 && run.stderr.contains("holds no public key"), "{}", run.text());
    let run = place.run("key new mine --no-passphrase");
    assert!(run.code == 2 && run.stderr.contains("exists"), "{}", run.text());
}

#[cfg(unix)]
#[test]
fn a_secret_key_is_for_its_owner_alone_and_others_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let place = signed();
    let path = place.path("mine");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let run = released(&place, "--sign mine --out open").succeeded();
    assert!(run.words().contains("can be read by others on this machine"), "{}", run.stdout);
}

#[test]
fn a_passphrase_opens_its_key_and_no_other_does() {
    let place = Place::new();
    let with = |passphrase: &str, arguments: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dpfda"));
        command.current_dir(place.path("")).env("DPFDA_PASSPHRASE", passphrase).args(arguments.split_whitespace());
        command.output().unwrap()
    };
    assert!(with("correct horse", "key new mine").status.success());
    let release = format!(
        "release {} --values cca_* --subject ID {} --sign mine --out out",
        dti_like(),
        crate::common::PUBLIC.join(" ")
    );
    let refused = with("wrong", &release);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("the passphrase is wrong"));
    let done = with("correct horse", &release);
    assert!(done.status.success(), "{}", String::from_utf8(done.stderr).unwrap());
    verified(&place, "").succeeded();
}

/// A release that the ledger gives back is written with the signature that it has.
#[test]
fn a_ledger_gives_a_signed_release_back_and_vouches_for_it() {
    let place = Place::new();
    place.run("key new mine --no-passphrase").succeeded();
    place
        .run("ledger create spent.db --epsilon 3 --delta 1e-4 --unit subject --neighbours substitute --dataset d")
        .succeeded();
    let paid = "--ledger spent.db --sign mine --out out";
    released(&place, paid).succeeded();
    let first = place.tree("out");
    released(&place, paid).succeeded();
    assert_eq!(place.tree("out"), first);
    place.write("export.json", &place.run("ledger export spent.db").succeeded().stdout);
    for account in ["--ledger spent.db", "--export export.json", "--ledger-export export.json"] {
        let run = verified(&place, account).succeeded();
        assert!(run.words().contains("paid for it, with this guarantee"), "{account}: {}", run.stdout);
    }
    let run = verified(&place, "").succeeded();
    assert!(run.words().contains("to compare, give --ledger or --export"), "{}", run.stdout);
    let export: serde_json::Value = place.json("export.json");
    let mut cut = export.clone();
    cut["entries"].as_array_mut().unwrap().pop().unwrap();
    let mut reordered = export;
    reordered["entries"].as_array_mut().unwrap().swap(0, 1);
    for (name, export) in [("cut.json", cut), ("reordered.json", reordered)] {
        place.write(name, &export.to_string());
        let run = verified(&place, &format!("--export {name}"));
        assert!(matches!(run.code, 1 | 2) && run.stdout.is_empty(), "{name}: {}", run.text());
    }
}
