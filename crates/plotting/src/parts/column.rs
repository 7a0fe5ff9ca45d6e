//! A column of text.

use crate::canvas::font::{CAP_HEIGHT, width};
use crate::canvas::palette::{INK, PAPER, Paint, VERMILION};
use crate::canvas::scene::{Anchor, Scene};
use crate::canvas::text::lines_of_words;

/// What is free at the edges of a figure.
pub(crate) const MARGIN: f64 = 20.0;

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

    /// Sets the name of a panel, if it has one: a long one in smaller letters.
    pub(crate) fn panel_label(&mut self, scene: &mut Scene, label: &str) {
        if !label.is_empty() {
            let lines = |em: f64| lines_of_words(label, em, self.room, usize::MAX);
            let (em, lines) = if lines(13.0).len() <= 2 { (13.0, lines(13.0)) } else { (11.0, lines(11.0)) };
            self.lines(scene, &lines, em, INK);
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
