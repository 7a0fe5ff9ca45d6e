//! Texts that fit: breaking into lines, shortening, and characters that a file may hold.

use crate::canvas::font::width;

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;

/// Longer texts are cut before anything is measured; no readable figure needs more.
const LONGEST: usize = 2000;

/// The text without control characters (XML 1.0 has no way to write them) and with single spaces.
pub(crate) fn cleaned(text: &str) -> String {
    let printable = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c };
    let spaced: String = text.chars().take(LONGEST).map(printable).collect();
    spaced.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text, or its beginning and an ellipsis if the text is wider than `room`.
pub(crate) fn shortened(text: &str, em: f64, room: f64) -> String {
    if width(text, em) <= room {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    loop {
        kept.pop();
        let candidate: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if kept.is_empty() || width(&candidate, em) <= room {
            return candidate;
        }
    }
}

/// At most `most` lines of words, none wider than `room`. A word that is wider is broken. If words are left out, the last line ends in an
/// ellipsis.
pub(crate) fn lines_of_words(text: &str, em: f64, room: f64, most: usize) -> Vec<String> {
    let words: Vec<String> = text.split(' ').flat_map(|word| broken(word, em, room)).collect();
    limited(flow(&words, " ", em, room), em, room, most)
}

/// The parts of a word, each as long as it can be on a line, and broken behind a mark where there is one.
fn broken(word: &str, em: f64, room: f64) -> Vec<String> {
    let (mut parts, mut rest) = (Vec::new(), word);
    while width(rest, em) > room {
        let ends = || {
            rest.char_indices()
                .map(|(at, c)| (at + c.len_utf8(), c))
                .take_while(|(end, _)| width(&rest[..*end], em) <= room)
        };
        let is_mark = |(_, c): &(usize, char)| matches!(c, '_' | '-' | '/' | '.' | '\u{a0}');
        let Some((end, _)) = ends().filter(is_mark).last().or_else(|| ends().last()) else { break };
        parts.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    parts.push(rest.to_owned());
    parts
}

/// Lines of facts with a dot between facts. A fact is broken only if it is wider than a line.
pub(crate) fn lines_of_facts(facts: &[String], em: f64, room: f64, most: usize) -> Vec<String> {
    lines_of_pieces(facts, " · ", em, room, most)
}

/// Lines of phrases. A phrase is broken only if it is wider than a line.
pub(crate) fn lines_of_phrases(phrases: &[String], em: f64, room: f64, most: usize) -> Vec<String> {
    lines_of_pieces(phrases, " ", em, room, most)
}

fn lines_of_pieces(pieces: &[String], between: &str, em: f64, room: f64, most: usize) -> Vec<String> {
    let fitting: Vec<String> = pieces
        .iter()
        .flat_map(
            |piece| if width(piece, em) <= room { vec![piece.clone()] } else { lines_of_words(piece, em, room, most) },
        )
        .collect();
    limited(flow(&fitting, between, em, room), em, room, most)
}

fn flow(pieces: &[String], between: &str, em: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<Vec<&str>> = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(&line.join(between), em) + width(between, em) + width(piece, em) <= room => {
                line.push(piece);
            }
            _ => lines.push(vec![piece]),
        }
    }
    // a last line of one piece gets company from the line before, where that keeps two
    if let [.., before, last] = &mut lines[..]
        && last.len() == 1
        && before.len() > 2
        && let Some(piece) = before.pop()
    {
        if width(piece, em) + width(between, em) + width(last[0], em) <= room {
            last.insert(0, piece);
        } else {
            before.push(piece);
        }
    }
    lines.iter().map(|line| line.join(between)).collect()
}

fn limited(mut lines: Vec<String>, em: f64, room: f64, most: usize) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines.iter().map(|line| shortened(line, em, room)).collect()
}
