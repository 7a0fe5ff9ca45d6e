#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn words(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn a_table_is_told_in_words_and_reads_back() {
    let source =
        Source::new(words(&["h0", "h1"]), Some("id".to_owned()), Some(GridSource::Names), words(&["-999"])).unwrap();
    let source = source.because(Some("a pilot without people")).unwrap();
    let json = serde_json::to_string(&source).unwrap();
    assert_eq!(serde_json::from_str::<Source>(&json).unwrap(), source);
    let facts = source.facts();
    for said in ["2 columns, h0 to h1", "subjects by column id", "where the names", "NA, -999)"] {
        assert!(facts[0].text.contains(said), "{said}: {}", facts[0].text);
    }
    assert_eq!((facts[1].name, facts[1].text.as_str()), ("reason", "a pilot without people"));
    let filled = source.with_gaps(Some("are filled by an oracle")).unwrap();
    let json = serde_json::to_string(&filled).unwrap();
    assert_eq!(serde_json::from_str::<Source>(&json).unwrap(), filled);
    assert!(filled.facts()[0].text.ends_with("NA, -999) are filled by an oracle"), "{}", filled.facts()[0].text);
    let array = Source::new(Vec::new(), None, None, Vec::new()).unwrap().with_gaps(Some("count as not seen")).unwrap();
    let facts = array.facts();
    assert_eq!((facts.len(), facts[0].name, facts[0].text.as_str()), (1, "missing values", "count as not seen"));
    let nameless = Source::new(Vec::new(), None, Some(GridSource::Default), Vec::new()).unwrap();
    assert!(nameless.facts()[0].text.contains("names are not told") && nameless.facts().len() == 1);
    assert_eq!(serde_json::to_string(&nameless).unwrap(), r#"{"grid":"default"}"#);
}

#[test]
fn a_table_of_points_has_no_grid_and_a_reason_needs_no_table() {
    let points = Source::new(words(&["x", "y"]), None, None, words(&["-999"])).unwrap();
    let text = points.facts()[0].text.clone();
    assert!(
        text.starts_with("columns x, y; missing") && text.ends_with("-999) count as the centre of their axis"),
        "{text}"
    );
    let reason = Source::new(Vec::new(), None, None, Vec::new()).unwrap().because(Some("a rehearsal")).unwrap();
    let facts = reason.facts();
    assert_eq!((facts.len(), facts[0].name, facts[0].text.as_str()), (1, "reason", "a rehearsal"));
    assert_eq!(serde_json::to_string(&reason).unwrap(), r#"{"reason":"a rehearsal"}"#);
    let study = Digest::of(b"a study");
    let following = Source::empty().following(Some(study));
    let facts = following.facts();
    assert!(facts.len() == 1 && facts[0].text.contains(&study.to_string()[..16]), "{facts:?}");
    assert_eq!(serde_json::from_str::<Source>(&serde_json::to_string(&following).unwrap()).unwrap(), following);
    assert_eq!(following.study(), Some(study));
}

#[test]
fn names_that_would_move_a_cursor_are_refused_also_when_they_are_read() {
    for bad in ["", "two\nlines", "\u{1b}[2J", &"x".repeat(101)] {
        assert!(Source::new(words(&[bad]), None, Some(GridSource::Default), Vec::new()).is_err(), "{bad}");
        assert!(Source::new(Vec::new(), None, None, words(&[bad])).is_err(), "{bad}");
        let grid = Some(GridSource::Names);
        assert!(Source::new(Vec::new(), None, grid, Vec::new()).unwrap().with_gaps(Some(bad)).is_err(), "{bad}");
        let json = serde_json::json!({ "grid": "names", "reason": bad }).to_string();
        assert!(serde_json::from_str::<Source>(&json).is_err(), "{bad}");
    }
}
