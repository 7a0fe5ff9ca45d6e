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

/// How much smaller the letters of a figure are on a sheet: the first with which it fits, or the last.
const SMALLER: [f64; 5] = [0.82, 0.75, 0.68, 0.62, 0.56];

/// The share of its width that a figure fills at least, where smaller letters can do so.
const ENOUGH: f64 = 0.9;

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
    /// The figure is composed anew for the room, so that its letters are nearly of their usual size; where its panels and texts need more
    /// height they are smaller, and more panels are side by side.
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
        let composed =
            |smaller: f64| figure.scene_of(Some(FigureSize { width: width / smaller, height: height / smaller }));
        let scale = |scene: &Scene| (width / scene.width).min(highest / scene.height);
        let share = |scene: &Scene| scale(scene) * scene.width / width;
        let mut scene = composed(SMALLER[0])?;
        for smaller in &SMALLER[1..] {
            if share(&scene) >= ENOUGH {
                break;
            }
            let tried = composed(*smaller)?;
            if share(&tried) > share(&scene) {
                scene = tried;
            }
        }
        let (scale, below) = (scale(&scene), scene.height);
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
    use crate::canvas::scene::Mark;
    use crate::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};

    #[test]
    fn a_document_of_two_sheets_has_two_pages_and_the_texts_of_both() {
        let mut sheets = [Sheet::default(), Sheet::default()];
        sheets[0].text("one", (10.0, 20.0), 11.0, Ink::Plain);
        sheets[1].rule((10.0, 20.0), (18.0, 20.0), 1.0, Ink::Soft);
        let Ok(bytes) = sheets_to_pdf(&sheets) else { unreachable!("the font is there") };
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("/Count 2") && text.matches("/MediaBox [0 0 595.28 841.89]").count() == 2, "{text}");
    }

    /// Eight panels that are two by four in a narrow column, and too high for it, are three by three in smaller letters.
    #[test]
    fn a_figure_of_many_panels_fills_the_width_of_its_room() {
        let series =
            || Series { label: "a".to_owned(), x: vec![0.0, 24.0], y: vec![-2.0, 9.0], style: SeriesStyle::Line };
        let panels: Result<Vec<_>, FigureError> = (0..8)
            .map(|index| LinePanel::new(&format!("site {index}"), AxisScale::Linear, AxisScale::Linear, vec![series()]))
            .collect();
        let Ok(figure) = panels.and_then(LineFigure::new) else { unreachable!("the panels are right") };
        let mut sheet = Sheet::default();
        let (width, highest) = (390.0, 355.0);
        let height = sheet.place(&figure, (0.0, 0.0), (width, highest)).unwrap_or_default();
        let ends = sheet
            .0
            .marks
            .iter()
            .flat_map(|mark| if let Mark::Line { points, .. } = mark { points.clone() } else { Vec::new() });
        let right = ends.map(|(x, _)| x).fold(0.0, f64::max);
        assert!(height > 0.0 && height <= highest + 1e-9 && right > 0.8 * width && right < width, "{height}, {right}");
    }

    #[test]
    fn a_text_is_broken_where_the_room_ends() {
        let lines = Sheet::lines("one two three four five six seven", 10.0, 60.0).unwrap_or_default();
        assert!(lines.len() > 2 && lines.iter().all(|line| font::width(line, 10.0) <= 60.0), "{lines:?}");
    }
}
