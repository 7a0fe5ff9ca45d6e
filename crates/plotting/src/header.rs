//! What stands above the panels: title, caption, warnings and the legend; and the watermark.

use crate::font::{CAP_HEIGHT, width};
use crate::layer::Layer;
use crate::legend::{Entry, draw_legend};
use crate::scene::{Anchor, INK, PAPER, Paint, SOFT_INK, Scene, VERMILION};
use crate::text::{lines_of_facts, lines_of_words};

/// The stamp on a release whose noise can be drawn again by anyone who knows the seed.
pub(crate) const SEED_STAMP: &str = "NOISE FROM A SEED: NOT PRIVATE";
/// The watermark on a figure that shows private curves.
pub(crate) const CURATOR_STAMP: &str = "NOT PRIVATE - CURATOR ONLY";

/// What is private on a figure with raw curves.
pub(crate) const CURATOR_CAPTION: &str =
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

/// What stands above all panels.
pub(crate) struct Header<'a> {
    pub(crate) title: &'a str,
    /// Facts side by side, each list on lines of its own.
    pub(crate) facts: &'a [Vec<String>],
    /// On a figure of private data, what of it is private.
    pub(crate) warning: Option<&'a str>,
    pub(crate) legend: &'a [Entry],
}

impl Header<'_> {
    /// Stamp, title, facts, warning and legend.
    pub(crate) fn draw(&self, scene: &mut Scene, column: &mut Column) {
        if self.warning.is_some() {
            column.band(scene, CURATOR_STAMP);
            column.y += 10.0;
        }
        if !self.title.is_empty() {
            column.lines(scene, &lines_of_words(self.title, 17.0, column.room, 3), 17.0, INK);
            column.y += 3.0;
        }
        for facts in self.facts {
            column.lines(scene, &lines_of_facts(facts, 11.0, column.room, 8), 11.0, SOFT_INK);
        }
        if let Some(warning) = self.warning {
            column.lines(scene, &lines_of_words(warning, 11.0, column.room, 3), 11.0, VERMILION);
        }
        column.y += 8.0;
        draw_legend(scene, column, self.legend);
    }
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

/// The facts that are true of all layers.
pub(crate) fn shared_facts(layers: &[Layer]) -> Vec<String> {
    let facts = layers.first().map_or(&[][..], |layer| &layer.facts[..]);
    facts.iter().enumerate().filter(|(index, _)| is_shared(*index, layers)).map(|(_, fact)| fact.clone()).collect()
}

fn own_facts(layer: &Layer, layers: &[Layer]) -> Vec<String> {
    let own = layer.facts.iter().enumerate().filter(|(index, _)| !is_shared(*index, layers));
    own.map(|(_, fact)| fact.clone()).collect()
}

/// The watermark's paint.
pub(crate) const WATERMARK: Paint = VERMILION.faded(0.17);

/// The watermark over the whole figure: rows of the same words, each row shifted against the one above.
pub(crate) fn draw_watermark(scene: &mut Scene, paint: Paint) {
    const EM: f64 = 27.0;
    const BETWEEN_ROWS: f64 = 86.0;
    let length = width(CURATOR_STAMP, EM) + 70.0;
    let mut y = 62.0;
    let mut start = -0.2 * length;
    while y < scene.height {
        let mut x = start;
        while x < scene.width {
            scene.text(CURATOR_STAMP, (x, y), EM, Anchor::Start, paint);
            x += length;
        }
        start = if start < -0.7 * length { start + 0.63 * length } else { start - 0.37 * length };
        y += BETWEEN_ROWS;
    }
}
