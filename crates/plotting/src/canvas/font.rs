//! The embedded font: how wide a text is in it, and its glyphs as pixels.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};

use crate::error::FigureError;

/// The `font-family` of every text in an SVG. Verdana has nearly the same widths, and `sans-serif` exists everywhere.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// The height of capitals and digits above the baseline, in units of the em.
pub(crate) const CAP_HEIGHT: f64 = 0.729;

pub(crate) static BYTES: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();

/// Whether the font can be read.
pub(crate) fn check() -> Result<(), FigureError> {
    font().map(|_| ()).ok_or(FigureError::Font)
}

fn font() -> Option<&'static FontRef<'static>> {
    FONT.get_or_init(|| FontRef::try_from_slice(BYTES).ok()).as_ref()
}

/// The width of a text set with this em, in the unit of the em.
pub(crate) fn width(text: &str, em: f64) -> f64 {
    // Without the font nothing is drawn, and drawing reports it.
    let Some(font) = font() else { return 0.0 };
    let units: f64 = text.chars().map(|c| f64::from(font.h_advance_unscaled(font.glyph_id(drawn(c))))).sum();
    em * units / f64::from(font.units_per_em().unwrap_or(2048.0))
}

/// The letter that is drawn for a letter: itself, or the mark of letters that the font does not have.
pub(crate) fn drawn(letter: char) -> char {
    let is_there = font().is_some_and(|font| font.glyph_id(letter).0 > 0);
    if is_there { letter } else { char::REPLACEMENT_CHARACTER }
}

/// The number of the glyph that is drawn for a letter.
pub(crate) fn glyph(letter: char) -> u16 {
    font().map_or(0, |font| font.glyph_id(drawn(letter)).0)
}

/// Calls `cover` with every pixel of a text and the fraction of the pixel that the text covers. The baseline of the text
/// starts at the origin, plus the fraction `shift` of a pixel.
#[allow(clippy::cast_possible_truncation, reason = "pixels of a text within a figure")]
pub(crate) fn rasterise(text: &str, em: f64, shift: (f64, f64), mut cover: impl FnMut(i32, i32, f64)) {
    let Some(font) = font() else { return };
    let scale = PxScale::from((em * f64::from(font.height_unscaled() / font.units_per_em().unwrap_or(2048.0))) as f32);
    let scaled = font.as_scaled(scale);
    let mut pen = shift.0 as f32;
    for c in text.chars() {
        let mut glyph = scaled.scaled_glyph(drawn(c));
        glyph.position = point(pen, shift.1 as f32);
        pen += scaled.h_advance(glyph.id);
        if let Some(outline) = scaled.outline_glyph(glyph) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, coverage| {
                cover(corner.x as i32 + x.cast_signed(), corner.y as i32 + y.cast_signed(), f64::from(coverage));
            });
        }
    }
}
