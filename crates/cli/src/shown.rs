//! Paths as they are printed.

use std::io;
use std::path::Path;

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;

/// A path for a message, on one line and in the order of its letters.
///
/// A file name may hold control characters and marks that turn the direction of writing: a terminal would obey them, and a
/// reader would see another name. Whatever is not printable is shown as its escape, such as `\n` or `\u{202e}`.
pub fn shown(path: &Path) -> String {
    // Separators and quotation marks are printable, and would be escaped as well.
    let text = path.to_string_lossy();
    let mut shown = String::new();
    for piece in text.split_inclusive(['\\', '\'', '"']) {
        let end = piece.trim_end_matches(['\\', '\'', '"']).len();
        shown.extend(piece[..end].escape_debug());
        shown += &piece[end..];
    }
    shown
}

/// What the operating system said, in its own words or in plain ones.
pub fn said(source: &io::Error) -> String {
    if source.kind() == io::ErrorKind::NotFound { "there is no such file".to_owned() } else { source.to_string() }
}
