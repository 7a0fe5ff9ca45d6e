use super::*;

fn similar(ids: &[&str]) -> usize {
    similar_ids(ids.iter().map(|id| id.as_bytes()))
}

#[test]
fn ids_that_differ_in_what_is_hardly_seen_look_alike() {
    for (one, other) in [
        ("S01", "s01"),
        ("7", "007"),
        ("S-01-2", "S-1-02"),
        ("Jos\u{e9}", "Jose\u{301}"),
        ("stra\u{df}e", "STRASSE"),
        ("\u{3a3}\u{3c2}", "\u{3c3}\u{3c3}"),
        ("\u{ff21}1", "a1"),
        ("a1", "a\u{200b}1"),
        ("a1", "\u{feff}a1"),
        ("a1", "a\u{ad}1"),
        ("a 1", "a\u{a0}1"),
        ("a1", "a1\u{202e}"),
        ("0", "00"),
    ] {
        assert_eq!(similar(&[one, other, "another"]), 1, "{one:?} {other:?}");
    }
}

#[test]
fn other_ids_do_not() {
    for (one, other) in [("S01", "S10"), ("1", "10"), ("a1", "b1"), ("S1", "S11"), ("a-1", "a1"), ("100", "1000")] {
        assert_eq!(similar(&[one, other]), 0, "{one} {other}");
    }
    assert_eq!(similar_ids([&b"M\xfcller"[..], b"M\xf6ller"].into_iter()), 0);
    assert_eq!(similar_ids([&b"M\xfcller"[..], b"m\xdcller"].into_iter()), 1, "letters of an older encoding");
}

#[test]
fn groups_are_counted_and_not_ids() {
    assert_eq!(similar(&[]), 0);
    assert_eq!(similar(&["a", "b", "A", "c", "01", "1", "001"]), 2);
}

#[test]
fn a_word_for_a_summary_is_no_person() {
    for id in ["mean", "Total", " SUM ", "grand total", "(mean)", "TOTAL:", "sd"] {
        assert!(says_summary(id.as_bytes()), "{id:?}");
    }
    for id in ["", "1", "Max", "mean1", "sumita", "S-total-1"] {
        assert!(!says_summary(id.as_bytes()), "{id:?}");
    }
}

#[test]
fn an_id_that_only_says_that_it_is_missing_is_none() {
    for id in ["", " ", "N/A", "NULL", "None", "-", "#N/A", "nan", "NA", ".", "\u{200b}", "n/a", "NONE"] {
        assert_eq!(id_of(id.as_bytes()), Err(NoId::Missing), "{id:?}");
    }
    assert_eq!(id_of(b"\xa0-\xad"), Err(NoId::Missing), "a space and a soft hyphen of an older encoding");
    assert_eq!(id_of(b" S01 ").as_deref(), Ok(&b"S01"[..]));
    assert_eq!(id_of(b" M\xfcller").as_deref(), Ok(&b"M\xfcller"[..]));
}

#[test]
fn a_whole_number_is_one_person_in_every_spelling_and_other_numbers_are_nobody() {
    for id in ["7", " 07", "7.0", "7.", "+7", "7e0"] {
        assert_eq!(id_of(id.as_bytes()).as_deref(), Ok(&b"7"[..]), "{id:?}");
    }
    for id in ["1.10", "1.1", "true", "False"] {
        assert_eq!(id_of(id.as_bytes()), Err(NoId::Kind), "{id:?}");
    }
}
