//! Sheets of paper with texts, rules and figures, as a PDF document.

use crate::canvas::font;
use crate::canvas::palette::{ACCENT, INK, Paint, SOFT_INK, VERMILION};
use crate::canvas::pdf;
use crate::canvas::scene::{Anchor, Point, Scene};
use crate::canvas::text::{cleaned, lines_of_words};
use crate::error::FigureError;
use crate::figure::{Content, Figure, FigureSize};

/// The colour of a text or a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Texts.
    Plain,
    /// Captions and rules.
    Soft,
    /// Headings.
    Accent,
    /// Warnings.
    Warning,
}

impl Ink {
    fn paint(self) -> Paint {
        match self {
            Self::Plain => INK,
            Self::Soft => SOFT_INK,
            Self::Accent => ACCENT,
            Self::Warning => VERMILION,
        }
    }
}

/// How much smaller the letters of a figure are on a sheet.
const SMALLER: f64 = 0.82;

/// A sheet of A4 paper, in CSS pixels from its top left corner, of which there are 96 to an inch.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet(Scene);

impl Default for Sheet {
    fn default() -> Self {
        Self(Scene { width: Self::WIDTH, height: Self::HEIGHT, ..Scene::default() })
    }
}

impl Sheet {
    /// 210 mm.
    pub const WIDTH: f64 = 210.0 / 25.4 * 96.0;
    /// 297 mm.
    pub const HEIGHT: f64 = 297.0 / 25.4 * 96.0;

    /// The lines of a text, none wider than `room`, for letters of this em.
    ///
    /// # Errors
    /// [`FigureError::Font`] where the font cannot be read.
    pub fn lines(text: &str, em: f64, room: f64) -> Result<Vec<String>, FigureError> {
        font::check()?;
        Ok(lines_of_words(&cleaned(text), em, room, usize::MAX))
    }

    /// Writes a line with its baseline at this point.
    pub fn text(&mut self, words: &str, at: Point, em: f64, ink: Ink) {
        self.0.text(words, at, em, Anchor::Start, ink.paint());
    }

    /// Draws a rule between two points.
    pub fn rule(&mut self, from: Point, to: Point, width: f64, ink: Ink) {
        self.0.line(vec![from, to], width, ink.paint());
    }

    /// Places a figure with its top left corner at this point, across this width and no higher than `highest`, and gives its height.
    ///
    /// The figure is composed anew for the room, so that its letters are nearly of their usual size; they are smaller only where its panels
    /// and texts need more height.
    ///
    /// # Errors
    /// [`FigureError`] for a figure that cannot be drawn.
    pub fn place<C: Content>(
        &mut self,
        figure: &Figure<C>,
        corner: Point,
        (width, highest): (f64, f64),
    ) -> Result<f64, FigureError> {
        let usual = figure.scene_of(None)?;
        let height = highest.min(width * usual.height / usual.width);
        let scene = figure.scene_of(Some(FigureSize { width: width / SMALLER, height: height / SMALLER }))?;
        let (scale, below) = ((width / scene.width).min(highest / scene.height), scene.height);
        self.0.place(scene, corner, scale);
        Ok(scale * below)
    }
}

/// The sheets as a PDF document of as many pages, with its font inside.
///
/// # Errors
/// [`FigureError::Font`] where the font cannot be read.
pub fn sheets_to_pdf(sheets: &[Sheet]) -> Result<Vec<u8>, FigureError> {
    pdf::pages(sheets.iter().map(|sheet| &sheet.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_of_two_sheets_has_two_pages_and_the_texts_of_both() {
        let mut sheets = [Sheet::default(), Sheet::default()];
        sheets[0].text("one", (10.0, 20.0), 11.0, Ink::Plain);
        sheets[1].rule((10.0, 20.0), (18.0, 20.0), 1.0, Ink::Soft);
        let Ok(bytes) = sheets_to_pdf(&sheets) else { unreachable!("the font is there") };
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("/Count 2") && text.matches("/MediaBox [0 0 595.28 841.89]").count() == 2, "{text}");
    }

    #[test]
    fn a_text_is_broken_where_the_room_ends() {
        let lines = Sheet::lines("one two three four five six seven", 10.0, 60.0).unwrap_or_default();
        assert!(lines.len() > 2 && lines.iter().all(|line| font::width(line, 10.0) <= 60.0), "{lines:?}");
    }
}
