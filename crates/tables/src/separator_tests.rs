use super::*;

#[test]
fn a_separator_is_one_character_that_no_number_needs() {
    for (text, separator) in [(",", Separator::COMMA), (";", Separator::SEMICOLON), ("tab", Separator::TAB)] {
        assert_eq!(text.parse(), Ok(separator));
    }
    assert_eq!("\\t".parse(), Ok(Separator::TAB));
    assert_eq!("|".parse(), Ok(Separator(b'|')));
    for text in ["", ";;", "\"", ".", "-", "+", "_", "0", "e", "\n", "\r", "\u{e4}"] {
        assert_eq!(Separator::from_str(text), Err(SeparatorError { text: text.into() }), "{text:?}");
    }
    let message = SeparatorError { text: "\n".into() }.to_string();
    assert!(message.starts_with("`\\n` cannot stand"), "{message}");
}
