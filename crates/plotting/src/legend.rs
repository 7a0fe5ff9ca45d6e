//! What the lines and colours of a figure mean.

use crate::font::{CAP_HEIGHT, width};
use crate::header::Column;
use crate::layer::{Layer, PrivateLayer};
use crate::look::{Look, draw_reference};
use crate::panel::{MEAN_WIDTH, NEIGHBOUR_WIDTH, RAW_WIDTH, RELEASED_WIDTH, RIBBON};
use crate::scene::{Anchor, BLACK, BLUE, GREY, INK, NEIGHBOURS, PAPER, Paint, Point, Scene};
use crate::text::shortened;

const EM: f64 = 11.0;
/// How long a key is, and how far from its text.
const KEY: f64 = 26.0;
const AFTER_KEY: f64 = 7.0;

/// A sample of what the text beside it explains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Key {
    /// A line of this width.
    Stroke(f64, Paint),
    Patch(Paint),
    /// The mark on the least score of a surface, over this colour.
    Ring(Paint),
    /// A line of a series, its marker, or both.
    Series {
        look: Look,
        line: bool,
        marker: bool,
    },
    /// A reference line.
    Dashes,
}

/// A key and its meaning.
pub(crate) type Entry = (Key, String);

/// The legend of released functions.
pub(crate) fn of_layers(layers: &[Layer], raw: Option<&PrivateLayer>) -> Vec<Entry> {
    let mut entries = vec![(Key::Stroke(RELEASED_WIDTH, BLUE), "released function".to_owned())];
    let neighbours = layers.iter().flat_map(|layer| layer.neighbours.iter().zip(NEIGHBOURS));
    entries.extend(neighbours.map(|((name, _), paint)| (Key::Stroke(NEIGHBOUR_WIDTH, paint), name.clone())));
    entries.push((Key::Patch(RIBBON), "privacy noise, ±2 sd (not a confidence band)".to_owned()));
    if let Some(raw) = raw {
        let (shown, total) = (raw.curves.len(), raw.total);
        let count = if shown < total { format!("{shown} of {total}") } else { format!("{total}") };
        entries.push((Key::Stroke(MEAN_WIDTH, BLACK), "raw mean".to_owned()));
        entries.push((Key::Stroke(RAW_WIDTH, GREY), format!("raw curves ({count})")));
    }
    entries
}

/// Sets the entries beside each other, in as many lines as they need.
pub(crate) fn draw_legend(scene: &mut Scene, column: &mut Column, entries: &[Entry]) {
    if entries.is_empty() {
        return;
    }
    let mut x = column.left;
    for (key, text) in entries {
        let text = shortened(text, EM, column.room - KEY - AFTER_KEY);
        let length = KEY + AFTER_KEY + width(&text, EM);
        if x > column.left && x + length > column.left + column.room {
            x = column.left;
            column.y += 1.6 * EM;
        }
        let middle = column.y + EM - 0.5 * CAP_HEIGHT * EM;
        match *key {
            Key::Stroke(width, paint) => scene.line(vec![(x, middle), (x + KEY, middle)], width, paint),
            Key::Patch(paint) => scene.rectangle((x, middle - 5.5), KEY, 11.0, paint),
            Key::Series { look, line, marker } => {
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
        scene.text(text, (x + KEY + AFTER_KEY, column.y + EM), EM, Anchor::Start, INK);
        x += length + 22.0;
    }
    column.y += 1.6 * EM;
}

/// A ring that shows on every colour: white, edged with black.
pub(crate) fn draw_ring(scene: &mut Scene, at: Point, radius: f64) {
    scene.ring(at, radius, 4.0, BLACK);
    scene.ring(at, radius, 2.0, PAPER);
}
