//! What stands above the panels: title, caption, warnings and the legend.

use crate::font::{CAP_HEIGHT, width};
use crate::layer::{Layer, PrivateLayer};
use crate::panel::{MEAN_WIDTH, RAW_WIDTH, RELEASED_WIDTH, RIBBON};
use crate::scene::{Anchor, BLACK, BLUE, GREY, INK, PAPER, Paint, SOFT_INK, Scene, VERMILION};
use crate::text::{lines_of_facts, lines_of_words};

/// The stamp on a release whose noise can be drawn again by anyone who knows the seed.
pub(crate) const SEED_STAMP: &str = "NOISE FROM A SEED: NOT PRIVATE";
/// The watermark on a figure that shows private curves.
pub(crate) const CURATOR_STAMP: &str = "NOT PRIVATE - CURATOR ONLY";

const CURATOR_CAPTION: &str =
    "Curator’s view: the raw curves and their mean are private data, shown without any protection. Do not publish.";
const BAND_HEIGHT: f64 = 22.0;

/// A column of lines, from `left`, `room` wide; `y` is the top of what comes next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) left: f64,
    pub(crate) room: f64,
    pub(crate) y: f64,
}

impl Column {
    /// Sets lines of text below each other.
    pub(crate) fn lines(&mut self, scene: &mut Scene, lines: &[String], em: f64, paint: Paint) {
        for line in lines {
            scene.text(line.as_str(), (self.left, self.y + em), em, Anchor::Start, paint);
            self.y += 1.42 * em;
        }
    }

    /// A vermilion band with a text in it.
    pub(crate) fn band(&mut self, scene: &mut Scene, text: &str) {
        let em = (0.92 * self.room / width(text, 1.0)).min(12.0);
        scene.rectangle((self.left, self.y), self.room, BAND_HEIGHT, VERMILION);
        let at = (self.left + 0.5 * self.room, self.y + 0.5 * (BAND_HEIGHT + CAP_HEIGHT * em));
        scene.text(text, at, em, Anchor::Middle, PAPER);
        self.y += BAND_HEIGHT;
    }
}

/// Title, the facts that all layers share, and the legend.
pub(crate) fn draw_header(
    scene: &mut Scene,
    column: &mut Column,
    title: &str,
    layers: &[Layer],
    raw: Option<&PrivateLayer>,
) {
    if raw.is_some() {
        column.band(scene, CURATOR_STAMP);
        column.y += 10.0;
    }
    if !title.is_empty() {
        column.lines(scene, &lines_of_words(title, 17.0, column.room, 3), 17.0, INK);
        column.y += 3.0;
    }
    column.lines(scene, &lines_of_facts(&shared_facts(layers), 11.0, column.room, 8), 11.0, SOFT_INK);
    if raw.is_some() {
        column.lines(scene, &lines_of_words(CURATOR_CAPTION, 11.0, column.room, 3), 11.0, VERMILION);
    }
    column.y += 8.0;
    draw_legend(scene, column, raw);
}

/// Label, own facts and stamp above one panel.
pub(crate) fn draw_heading(scene: &mut Scene, column: &mut Column, layer: &Layer, layers: &[Layer]) {
    if !layer.label.is_empty() {
        column.lines(scene, &lines_of_words(&layer.label, 13.0, column.room, 2), 13.0, INK);
        column.y += 1.0;
    }
    column.lines(scene, &lines_of_facts(&own_facts(layer, layers), 10.0, column.room, 8), 10.0, SOFT_INK);
    if !layer.is_private {
        column.y += 4.0;
        column.band(scene, SEED_STAMP);
    }
}

fn is_shared(index: usize, layers: &[Layer]) -> bool {
    layers.windows(2).all(|pair| pair[0].facts.get(index) == pair[1].facts.get(index))
}

fn shared_facts(layers: &[Layer]) -> Vec<String> {
    let facts = layers.first().map_or(&[][..], |layer| &layer.facts[..]);
    facts.iter().enumerate().filter(|(index, _)| is_shared(*index, layers)).map(|(_, fact)| fact.clone()).collect()
}

fn own_facts(layer: &Layer, layers: &[Layer]) -> Vec<String> {
    let own = layer.facts.iter().enumerate().filter(|(index, _)| !is_shared(*index, layers));
    own.map(|(_, fact)| fact.clone()).collect()
}

/// A legend key: a stroke of this width, or a patch.
enum Key {
    Stroke(f64, Paint),
    Patch(Paint),
}

fn draw_legend(scene: &mut Scene, column: &mut Column, raw: Option<&PrivateLayer>) {
    const EM: f64 = 11.0;
    const KEY: f64 = 26.0;
    let mut entries = vec![
        (Key::Stroke(RELEASED_WIDTH, BLUE), "released function".to_owned()),
        (Key::Patch(RIBBON), "privacy noise, ±2 sd (not a confidence band)".to_owned()),
    ];
    if let Some(raw) = raw {
        let (shown, total) = (raw.curves.len(), raw.total);
        let count = if shown < total { format!("{shown} of {total}") } else { format!("{total}") };
        entries.push((Key::Stroke(MEAN_WIDTH, BLACK), "raw mean".to_owned()));
        entries.push((Key::Stroke(RAW_WIDTH, GREY), format!("raw curves ({count})")));
    }
    let mut x = column.left;
    for (key, text) in entries {
        let length = KEY + 7.0 + width(&text, EM);
        if x > column.left && x + length > column.left + column.room {
            x = column.left;
            column.y += 1.6 * EM;
        }
        let middle = column.y + EM - 0.5 * CAP_HEIGHT * EM;
        match key {
            Key::Stroke(width, paint) => scene.line(vec![(x, middle), (x + KEY, middle)], width, paint),
            Key::Patch(paint) => scene.rectangle((x, middle - 5.5), KEY, 11.0, paint),
        }
        scene.text(text, (x + KEY + 7.0, column.y + EM), EM, Anchor::Start, INK);
        x += length + 22.0;
    }
    column.y += 1.6 * EM;
}

/// The watermark over the whole figure: rows of the same words, each row shifted against the one above.
pub(crate) fn draw_watermark(scene: &mut Scene) {
    const EM: f64 = 27.0;
    const BETWEEN_ROWS: f64 = 86.0;
    let length = width(CURATOR_STAMP, EM) + 70.0;
    let mut y = 62.0;
    let mut start = -0.2 * length;
    while y < scene.height {
        let mut x = start;
        while x < scene.width {
            scene.text(CURATOR_STAMP, (x, y), EM, Anchor::Start, VERMILION.faded(0.17));
            x += length;
        }
        start = if start < -0.7 * length { start + 0.63 * length } else { start - 0.37 * length };
        y += BETWEEN_ROWS;
    }
}
