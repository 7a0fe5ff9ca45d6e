//! Paths as they are printed.

use std::io;
use std::path::Path;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_printable_in_a_path_is_escaped() {
        for (path, expected) in [
            ("out\u{1b}[2Jput", "out\\u{1b}[2Jput"),
            ("a\nerror: b\r\tc\0\u{7f}\u{9b}", "a\\nerror: b\\r\\tc\\0\\u{7f}\\u{9b}"),
            ("\u{202e}gpj.exe\u{2066}\u{200f}\u{61c}", "\\u{202e}gpj.exe\\u{2066}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{feff}\u{2028}\u{a0}", "a\\u{200b}b\\u{feff}\\u{2028}\\u{a0}"),
        ] {
            assert_eq!(shown(Path::new(path)), expected);
        }
    }

    #[test]
    fn a_path_of_letters_is_shown_as_it_is() {
        for path in
            ["", "out/a b-1.csv", "C:\\data\\it's \"it\"", "\u{e9}tude/e\u{301}/\u{65e5}\u{672c}/\u{1f431}", "''\\\\"]
        {
            assert_eq!(shown(Path::new(path)), path);
        }
    }
}
