use super::*;

#[test]
fn no_text_becomes_markup() {
    let mut page = Html::default();
    let hostile = "</p><script>alert(\"1\" & '2')</script>\u{1b}[2J\0";
    page.element("p", hostile).terms([(hostile, hostile)]).table(hostile, &[hostile], &[vec![hostile.to_owned()]]);
    let page = page.into_string();
    assert!(!page.contains("<script") && !page.contains("</p><") && !page.contains(['\u{1b}', '\0']), "{page}");
    let escaped = "&lt;/p&gt;&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\u{fffd}[2J\u{fffd}";
    assert_eq!(page.matches(escaped).count(), 6, "{page}");
}
