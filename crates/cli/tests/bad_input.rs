//! Bad input: exit code 2, the argument named, no cell of the private file shown, nothing written.

use crate::common::Place;
use crate::refusals::assert_refused;

/// Private curves with a number that no message may hold.
pub fn place() -> Place {
    let place = Place::new();
    place.write("curves.csv", "id,v1,v2,v3\na,0.7354219,0.52,0.63\nb,0.42,0.51,-0.7354219\nc,0.38,0.49,7354219\n");
    place.write("center.csv", "t,value\n0,0.4\n0.8,0.6\n");
    place
}

#[test]
fn what_no_curves_can_be_released_with_is_refused_in_words_that_help_and_shows_no_cell() {
    let place = place();
    assert_refused(&place, include_str!("refusals/curves.txt"));
    // where the number of records is private, no refusal may tell it
    let release = "release curves.csv --values v* --bounds 0,1 --epsilon 1 --delta 1e-5 --out out";
    place.run(&format!("{release} --radius-share 0.05 --neighbours add-remove")).succeeded();
}

#[test]
fn what_no_points_can_be_released_with_is_refused_in_words_that_help_and_shows_no_cell() {
    let place = Place::new();
    place.write("points.csv", "id,x,y,x2,x2\n1,0.7354219,0.52,7,1\n2,0.42,-0.7354219,7,1\n3,0.38,7354219,7,1\n");
    assert_refused(&place, include_str!("refusals/points.txt"));
}

#[test]
fn a_document_that_never_ends_is_refused_by_its_size() {
    let place = place();
    // it begins as a document does
    place.write("large.json", "{");
    let file = std::fs::OpenOptions::new().write(true).open(place.path("large.json")).unwrap();
    file.set_len((1 << 26) + 1).unwrap();
    let most = |bytes: u32| format!("=> larger than {bytes} bytes, the most that are read");
    assert_refused(&place, &format!("$ evaluate large.json --at 0\n{}", most(67_108_864)));
    let release = "$ release curves.csv --values v* --center large.json --radius 1 --epsilon 1 --delta 1e-5 --out out";
    assert_refused(&place, &format!("{release}\n{}", most(8_388_608)));
}

#[test]
fn a_line_or_a_header_that_never_ends_is_refused_by_its_length() {
    let (place, line) = (place(), "7354219x".repeat((1 << 24) / 8));
    let names: Vec<String> = (0..131_073).map(|column| format!("v{column}")).collect();
    let release = "$ release curves.csv --values v* --bounds 0,1 --epsilon 1 --delta 1e-5 --out out\n! 7354219";
    for (text, words) in [
        (format!("{line}\\n"), "--values && 1 column"),
        (format!("v1,v2\\n0.4,{line}\\n"), "curves.csv && line 2 && longer than 16777216 bytes"),
        (names.join(","), "--values && 131073"),
    ] {
        assert_refused(&place, &format!("{release}\n< curves.csv {text}\n=> {words}"));
    }
}
