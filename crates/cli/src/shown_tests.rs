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
