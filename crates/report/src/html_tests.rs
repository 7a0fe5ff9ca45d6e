use super::*;

#[test]
fn no_text_becomes_markup() {
    let hostile = "</p><script>alert(\"1\" & '2')</script>\u{1b}[2J\0";
    let text = || hostile.to_owned();
    let table = Table { caption: text(), columns: vec![("a", 1.0)], rows: vec![vec![text()]], is_form: true };
    let blocks = vec![
        Block::Title(text()),
        Block::Text(text()),
        Block::Small(text()),
        Block::Stamp(text()),
        Block::Note(text()),
        Block::Quote(text()),
        Block::Facts(vec![(text(), text())]),
        Block::Table(table),
    ];
    let page = of(hostile, &[Page { blocks }]).unwrap_or_default();
    assert!(!page.contains("<script") && !page.contains("</p><s") && !page.contains(['\u{1b}', '\0']), "{page}");
    let escaped = "&lt;/p&gt;&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\u{fffd}[2J\u{fffd}";
    assert_eq!(page.matches(escaped).count(), 11, "{page}");
}
