//! What stands above the panels: stamp, title, caption, warning and legend; and the watermark.

use crate::canvas::font::width;
use crate::canvas::palette::{INK, Paint, SOFT_INK, VERMILION};
use crate::canvas::scene::{Anchor, Scene};
use crate::canvas::text::{lines_of_facts, lines_of_words};
use crate::parts::column::{Column, MARGIN};
use crate::parts::legend::{Entry, draw_legend};

/// The stamp on a release whose noise can be drawn again by anyone who knows the seed.
pub(crate) const SEED_STAMP: &str = "NOISE FROM A SEED: NOT PRIVATE";
/// The watermark on a figure that shows private data.
pub(crate) const CURATOR_STAMP: &str = "NOT PRIVATE - CURATOR ONLY";

/// What is private on a figure with raw curves.
pub(crate) const CURATOR_CAPTION: &str =
    "Curator’s view: the raw curves and their mean are private data, shown without any protection. Do not publish.";

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
            column.lines(scene, &lines_of_words(title, 17.0, column.room, 5), 17.0, INK);
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
