//! Texts that fit: breaking into lines, shortening, and characters that a file may hold.

use crate::font::width;

#[cfg(test)]
mod tests;

/// Longer texts are cut before anything is measured; no readable figure needs more.
const LONGEST: usize = 2000;

/// The text without control characters (XML 1.0 has no way to write them) and with single spaces.
pub(crate) fn cleaned(text: &str) -> String {
    let printable = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c };
    let spaced: String = text.chars().take(LONGEST).map(printable).collect();
    spaced.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text, or as much of it as fits with an ellipsis.
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

/// Lines of words, none wider than `room`, at most `most` of them; what is left over ends in an ellipsis.
pub(crate) fn lines_of_words(text: &str, em: f64, room: f64, most: usize) -> Vec<String> {
    limited(flow(&text.split(' ').map(str::to_owned).collect::<Vec<_>>(), " ", em, room), em, room, most)
}

/// Lines of facts with a dot between them; a fact is broken only when it is wider than a line.
pub(crate) fn lines_of_facts(facts: &[String], em: f64, room: f64, most: usize) -> Vec<String> {
    lines_of_pieces(facts, " · ", em, room, most)
}

/// Lines of phrases; a phrase is broken only when it is wider than a line.
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
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line}{between}{piece}");
            if width(&longer, em) <= room {
                *line = longer;
                continue;
            }
        }
        lines.push(piece.clone());
    }
    lines
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
