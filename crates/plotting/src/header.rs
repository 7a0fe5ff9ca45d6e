//! What stands above the panels: stamp, title, caption, warning and legend; and the watermark.

use crate::columns::MARGIN;
use crate::font::{CAP_HEIGHT, width};
use crate::legend::{Entry, draw_legend};
use crate::scene::{Anchor, INK, PAPER, Paint, SOFT_INK, Scene, VERMILION};
use crate::text::{lines_of_facts, lines_of_words};

/// The stamp on a release whose noise can be drawn again by anyone who knows the seed.
pub(crate) const SEED_STAMP: &str = "NOISE FROM A SEED: NOT PRIVATE";
/// The watermark on a figure that shows private data.
pub(crate) const CURATOR_STAMP: &str = "NOT PRIVATE - CURATOR ONLY";

/// What is private on a figure with raw curves.
pub(crate) const CURATOR_CAPTION: &str =
    "Curator’s view: the raw curves and their mean are private data, shown without any protection. Do not publish.";
const BAND_HEIGHT: f64 = 22.0;

/// A column of text, from `left`, `room` wide; `y` is the top of what comes next.
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

    /// Sets the name of a panel, if it has one.
    pub(crate) fn panel_label(&mut self, scene: &mut Scene, label: &str) {
        if !label.is_empty() {
            self.lines(scene, &lines_of_words(label, 13.0, self.room, 2), 13.0, INK);
            self.y += 1.0;
        }
    }

    /// Sets a text in a vermilion band.
    pub(crate) fn band(&mut self, scene: &mut Scene, text: &str) {
        let em = (0.92 * self.room / width(text, 1.0)).min(12.0);
        scene.rectangle((self.left, self.y), self.room, BAND_HEIGHT, VERMILION);
        let at = (self.left + 0.5 * self.room, self.y + 0.5 * (BAND_HEIGHT + CAP_HEIGHT * em));
        scene.text(text, at, em, Anchor::Middle, PAPER);
        self.y += BAND_HEIGHT;
    }
}

/// What stands above all panels, besides the title.
#[derive(Default)]
pub(crate) struct Header<'a> {
    /// Whether the noise of a released density came from a seed.
    pub(crate) from_seed: bool,
    /// Facts side by side, each list on lines of its own.
    pub(crate) facts: &'a [Vec<String>],
    /// On a figure of private data, what of it is private. A figure with a warning has the curator's stamp.
    pub(crate) warning: Option<&'a str>,
    pub(crate) legend: &'a [Entry],
}

impl Header<'_> {
    /// Draws stamp, title, facts, warning and legend, and returns the column of text below them.
    pub(crate) fn draw(&self, scene: &mut Scene, title: &str) -> Column {
        let mut column = Column { left: MARGIN, room: scene.width - 2.0 * MARGIN, y: 16.0 };
        let stamp = self.warning.map(|_| CURATOR_STAMP).or(self.from_seed.then_some(SEED_STAMP));
        if let Some(stamp) = stamp {
            column.band(scene, stamp);
            column.y += 10.0;
        }
        if !title.is_empty() {
            column.lines(scene, &lines_of_words(title, 17.0, column.room, 3), 17.0, INK);
            column.y += 3.0;
        }
        for facts in self.facts {
            column.lines(scene, &lines_of_facts(facts, 11.0, column.room, 8), 11.0, SOFT_INK);
        }
        if let Some(warning) = self.warning {
            column.lines(scene, &lines_of_words(warning, 11.0, column.room, 3), 11.0, VERMILION);
        }
        column.y += 8.0;
        draw_legend(scene, &mut column, self.legend);
        column
    }
}

/// The watermark's paint.
pub(crate) const WATERMARK: Paint = VERMILION.faded(0.17);

/// Draws the watermark over the whole figure: rows of the same words, each row shifted against the one above.
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
