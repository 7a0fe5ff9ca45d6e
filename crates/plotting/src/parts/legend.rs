//! What the lines and colours of a figure mean.

use crate::canvas::font::{CAP_HEIGHT, width};
use crate::canvas::palette::{BLACK, INK, PAPER, Paint};
use crate::canvas::scene::{Point, Scene};
use crate::canvas::text::lines_of_words;
use crate::parts::column::Column;
use crate::parts::look::{AREA, Look, draw_reference};

const EM: f64 = 11.0;
/// The length of a key, and its distance from its text.
const KEY: f64 = 26.0;
const AFTER_KEY: f64 = 7.0;
/// The most lines of a text.
const MOST_LINES: usize = 6;

/// A sample of a line, a colour or a mark, beside the text that explains it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Key {
    /// A line of this width.
    Stroke(f64, Paint),
    Patch(Paint),
    /// The mark on the least score of a surface, over this colour.
    Ring(Paint),
    /// A line of a series, its marker and its band, or some of them.
    Series {
        look: Look,
        line: bool,
        marker: bool,
        area: bool,
    },
    /// A reference line.
    Dashes,
}

/// A key and its meaning.
pub(crate) type Entry = (Key, String);

/// Draws the entries beside each other, on several lines if one is too short.
pub(crate) fn draw_legend(scene: &mut Scene, column: &mut Column, entries: &[Entry]) {
    if entries.is_empty() {
        return;
    }
    let mut x = column.left;
    for (key, text) in entries {
        let lines = lines_of_words(text, EM, column.room - KEY - AFTER_KEY, MOST_LINES);
        let length = KEY + AFTER_KEY + lines.iter().map(|line| width(line, EM)).fold(0.0, f64::max);
        if x > column.left && x + length > column.left + column.room {
            x = column.left;
            column.y += 1.6 * EM;
        }
        let middle = column.y + EM - 0.5 * CAP_HEIGHT * EM;
        match *key {
            Key::Stroke(width, paint) => scene.line(vec![(x, middle), (x + KEY, middle)], width, paint),
            Key::Patch(paint) => scene.rectangle((x, middle - 5.5), KEY, 11.0, paint),
            Key::Series { look, line, marker, area } => {
                if area {
                    scene.rectangle((x, middle - 5.5), KEY, 11.0, look.paint().faded(AREA));
                }
                if line {
                    look.draw_line(scene, &[(x, middle), (x + KEY, middle)]);
                }
                if marker {
                    look.draw_marker(scene, (x + 0.5 * KEY, middle));
                }
            }
            Key::Dashes => draw_reference(scene, (x, middle), x + KEY),
            Key::Ring(paint) => {
                scene.rectangle((x, middle - 9.0), KEY, 18.0, paint);
                draw_ring(scene, (x + 0.5 * KEY, middle), 5.5);
            }
        }
        let mut words = Column { left: x + KEY + AFTER_KEY, ..*column };
        words.lines(scene, &lines, EM, INK);
        x += length + 22.0;
        // whatever comes next stands below a text of several lines
        if lines.len() > 1 {
            (x, column.y) = (f64::INFINITY, words.y - 1.6 * EM);
        }
    }
    column.y += 1.6 * EM;
}

/// Draws a ring that is visible on every colour: white with a black edge.
pub(crate) fn draw_ring(scene: &mut Scene, at: Point, radius: f64) {
    scene.ring(at, radius, 4.0, BLACK);
    scene.ring(at, radius, 2.0, PAPER);
}
