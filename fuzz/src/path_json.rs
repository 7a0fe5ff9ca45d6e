//! Releases of noise paths, and the curator's file that belongs to one.

use std::fs;
use std::path::{Path, PathBuf};

use dpfda::release::{KeptPath, PathRelease};

/// The data are the document.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.contains("\"kept-path\"") {
        // it is read from a file and no other way
        kept(data);
        return;
    }
    let Ok(release) = PathRelease::from_json(text) else { return };
    assert!(release.values().iter().chain(release.noise_sd()).all(|value| value.is_finite()));
    assert_eq!(
        (release.values().len(), release.noise_sd().len()),
        (release.functionals().len(), release.functionals().len())
    );
    assert!(!release.id().chars().any(char::is_control), "it is printed");
    let Ok(written) = release.to_json() else { unreachable!("a release can be written") };
    assert!(PathRelease::from_json(&written).is_ok_and(|again| again == release));
}

fn kept(data: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else { unreachable!("there is a place for temporary files") };
    let file = |name: &str| folder.path().join(name);
    private_file(&file("given"), data);
    let Ok(path) = KeptPath::read(&file("given")) else { return };
    assert!(path.id().len() == 32);
    let written: Vec<PathBuf> = ["first", "second"].into_iter().map(file).collect();
    assert!(path.write(&written[0]).is_ok());
    match KeptPath::read(&written[0]) {
        Ok(again) => assert!(again.write(&written[1]).is_ok()),
        Err(error) => unreachable!("what was written can be read: {error}"),
    }
    assert_eq!(fs::read(&written[0]).ok(), fs::read(&written[1]).ok());
}

#[cfg(unix)]
fn private_file(path: &Path, data: &[u8]) {
    use std::os::unix::fs::PermissionsExt;
    let made = fs::write(path, data).and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o600)));
    assert!(made.is_ok(), "there is a place for temporary files");
}

#[cfg(not(unix))]
fn private_file(_path: &Path, _data: &[u8]) {}
