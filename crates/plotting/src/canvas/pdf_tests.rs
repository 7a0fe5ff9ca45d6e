#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::canvas::palette::{BLUE, INK, SKY_BLUE};

fn scene() -> Scene {
    let mut scene = Scene { width: 400.0, height: 200.0, ..Scene::default() };
    scene.line(vec![(10.0, 20.0), (30.0, 40.0)], 2.0, BLUE);
    scene.rectangle((50.0, 60.0), 70.0, 80.0, SKY_BLUE.faded(0.4));
    scene.text("ε = 1 (10⁻⁵) <&>", (200.0, 100.0), 12.0, Anchor::Middle, INK);
    scene.upward_text("value", (20.0, 100.0), 12.0, INK);
    scene
}

/// The bytes as text, one letter of one byte for each, so that places are those in the document.
fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()
}

#[test]
fn every_object_stands_where_the_table_says() {
    let bytes = pdf(&scene()).unwrap();
    let document = text(&bytes);
    assert!(document.starts_with("%PDF-1.7\n") && document.ends_with("%%EOF\n"));
    let start: usize = document.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
    let table: Vec<&str> = document[start..].lines().collect();
    assert_eq!((table[0], table[1]), ("xref", "0 10"));
    for number in 1..10 {
        let line = table[2 + number];
        assert_eq!(line.len() + 1, 20, "an entry has 20 bytes");
        let offset: usize = line.split(' ').next().unwrap().parse().unwrap();
        assert!(document[offset..].starts_with(&format!("{number} 0 obj\n")), "{number}");
    }
    for (place, _) in document.match_indices("/Length ") {
        let length: usize = document[place + 8..].split(' ').next().unwrap().parse().unwrap();
        let begin = place + document[place..].find("stream\n").unwrap() + 7;
        assert!(document[begin + length..].starts_with("\nendstream"), "{length}");
    }
}

#[test]
fn the_page_has_the_size_of_the_scene_in_points_and_all_its_marks() {
    let document = text(&pdf(&scene()).unwrap());
    assert!(document.contains("/MediaBox [0 0 300.00 150.00]"));
    assert!(document.contains("10.00 20.00 m 30.00 40.00 l S"));
    assert!(document.contains("/A400 gs\n") && document.contains("/A400 << /ca 0.400 /CA 0.400 >>"));
    assert_eq!(document.matches(" Tj ET\n").count(), 2);
}

/// Whoever copies a text gets its letters.
#[test]
fn every_glyph_is_mapped_to_its_letter() {
    let document = text(&pdf(&scene()).unwrap());
    let drawn = document.split("Tm <").nth(1).unwrap().split('>').next().unwrap();
    let map: Vec<(&str, &str)> =
        document.lines().filter_map(|line| line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <")).collect();
    let letters: String = drawn
        .as_bytes()
        .chunks(4)
        .map(|id| {
            let id = std::str::from_utf8(id).unwrap();
            let unit = map.iter().find(|(glyph, _)| *glyph == id).unwrap().1;
            char::from_u32(u32::from_str_radix(unit, 16).unwrap()).unwrap()
        })
        .collect();
    assert_eq!(letters, "ε = 1 (10⁻⁵) <&>");
}

#[test]
fn the_same_scene_is_the_same_document() {
    assert_eq!(pdf(&scene()).unwrap(), pdf(&scene()).unwrap());
}
