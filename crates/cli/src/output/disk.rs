//! Steps that a crash leaves either undone or done.

use std::io;
use std::path::Path;

/// Waits until the disk has the names in a directory.
#[cfg(unix)]
pub(super) fn sync(directory: &Path) -> io::Result<()> {
    match std::fs::File::open(directory)?.sync_all() {
        // a file system that has no such step
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

#[cfg(not(unix))]
pub(super) fn sync(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// Moves a directory to a name that nothing has: not even an empty directory that appeared meanwhile is replaced.
#[cfg(target_os = "linux")]
pub(super) fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(error) if is_unknown(error) => std::fs::rename(from, to),
        done => Ok(done?),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

/// Gives each of two directories the name of the other, at once; `false` where that is not possible.
#[cfg(target_os = "linux")]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(error) if is_unknown(error) => Ok(false),
        done => Ok(done.map(|()| true)?),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exchange(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Whether a file system or an old kernel has no such flag.
#[cfg(target_os = "linux")]
fn is_unknown(error: rustix::io::Errno) -> bool {
    use rustix::io::Errno;

    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
}
