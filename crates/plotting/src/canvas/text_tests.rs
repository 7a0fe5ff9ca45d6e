use super::*;

fn register() {
    assert!(crate::canvas::font::check().is_ok());
}

#[test]
fn control_characters_become_single_spaces() {
    assert_eq!(cleaned(" a\u{0}\u{1b}\tb\n\nc\u{ffff} "), "a b c");
}

#[test]
fn no_line_is_wider_than_its_room() {
    register();
    let text = "one two three four five incomprehensibilities and Incomprehensibilitiesagainandagain";
    for room in [40.0, 90.0, 200.0, 1000.0] {
        let lines = lines_of_words(text, 12.0, room, 50);
        assert!(lines.iter().all(|line| width(line, 12.0) <= room), "{lines:?}");
    }
}

#[test]
fn nothing_is_lost_when_there_is_room() {
    register();
    let text = "one two three four five six seven";
    assert_eq!(lines_of_words(text, 12.0, 100.0, 50).join(" "), text);
}

#[test]
fn a_word_that_is_wider_than_a_line_is_broken_behind_a_mark_and_never_cut() {
    register();
    let name = "concentration_of_glucose_in_capillary_blood_measured_before_meals_(mmol/L)";
    let lines = lines_of_words(name, 12.0, 150.0, 50);
    assert_eq!(lines.concat(), name);
    let (_, broken) = lines.split_last().unwrap_or_else(|| unreachable!("there are lines"));
    assert!(broken.len() > 1 && broken.iter().all(|line| line.ends_with('_')), "{lines:?}");
}

#[test]
fn what_is_left_out_leaves_an_ellipsis() {
    register();
    let lines = lines_of_words("one two three four five six seven", 12.0, 80.0, 2);
    assert_eq!(lines.len(), 2);
    assert!(lines[1].ends_with('…'));
    assert!(!shortened("a long label", 12.0, 0.0).is_empty());
}

#[test]
fn facts_stay_whole_when_they_fit() {
    register();
    let facts = ["neighbours: substitute one".to_owned(), "unit: subject".to_owned()];
    let lines = lines_of_facts(&facts, 12.0, width(&facts[0], 12.0) + 1.0, 8);
    assert_eq!(lines, facts);
    assert_eq!(lines_of_facts(&facts, 12.0, 1000.0, 8), ["neighbours: substitute one · unit: subject"]);
}

#[test]
fn the_last_line_is_no_single_word_where_the_line_before_can_spare_one() {
    register();
    let text = "one two three four five";
    // room for four words
    let room = width("one two three four", 12.0) + 1.0;
    assert_eq!(lines_of_words(text, 12.0, room, 5), ["one two three", "four five"]);
    // two words and one stay: the line before would become a single word
    let room = width("incomprehensible words", 12.0) + 1.0;
    assert_eq!(lines_of_words("incomprehensible words alone", 12.0, room, 5), ["incomprehensible words", "alone"]);
}

#[test]
fn phrases_stay_whole_when_they_fit() {
    let phrases = ["least 1 at range 2,", "penalty 3"].map(str::to_owned);
    assert!(crate::canvas::font::check().is_ok());
    assert_eq!(lines_of_phrases(&phrases, 10.0, 500.0, 4), ["least 1 at range 2, penalty 3"]);
    assert_eq!(lines_of_phrases(&phrases, 10.0, 110.0, 4), phrases);
}
