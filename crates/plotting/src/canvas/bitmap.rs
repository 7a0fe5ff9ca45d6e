//! A scene as PNG, painted in bands of rows, so that the whole picture is never in memory.

use std::io::Write as _;
use std::ops::Range;

use crate::canvas::font;
use crate::canvas::plotters::{Pixels, saturated, size};
use crate::canvas::scene::{Anchor, Mark, Point, Scene, Text};
use crate::canvas::{area, stroke};
use crate::error::FigureError;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
#[path = "bitmap_tests.rs"]
mod tests;

/// The pixels of a PNG for a CSS pixel.
const SCALE: u32 = 2;

/// The rows that are painted at a time.
const BAND: u32 = 128;

/// The scene as a PNG file of twice the scene's size.
pub(crate) fn png(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    png_in_bands(scene, BAND)
}

fn png_in_bands(scene: &Scene, band: u32) -> Result<Vec<u8>, FigureError> {
    let (width, height) = size(scene);
    let (width, height) = (SCALE * width, SCALE * height);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    // drawings are areas of one colour: differences of pixels are no shorter than pixels
    encoder.set_filter(png::FilterType::NoFilter);
    let mut writer = encoder.write_header().map_err(|_| FigureError::Encoding)?;
    let mut rows = writer.stream_writer().map_err(|_| FigureError::Encoding)?;
    let mut bytes = vec![0; 3 * width as usize * band.min(height) as usize];
    for top in (0..height).step_by(band as usize) {
        let end = height.min(top + band);
        let bytes = &mut bytes[..3 * width as usize * (end - top) as usize];
        let rows_of_band = top.cast_signed()..end.cast_signed();
        paint(scene, &mut Pixels::new(bytes, (width, end - top))?, rows_of_band);
        rows.write_all(bytes).map_err(|_| FigureError::Encoding)?;
    }
    rows.finish().map_err(|_| FigureError::Encoding)?;
    writer.finish().map_err(|_| FigureError::Encoding)?;
    Ok(file)
}

/// Paints what of the scene lies in these rows.
fn paint(scene: &Scene, pixels: &mut Pixels<'_>, rows: Range<i32>) {
    let top = rows.start;
    let scaled = |points: &[Point]| -> Vec<Point> {
        points.iter().map(|(x, y)| (x * f64::from(SCALE), y * f64::from(SCALE))).collect()
    };
    for mark in &scene.marks {
        let paint = match mark {
            Mark::Line { paint, .. } | Mark::Area { paint, .. } => *paint,
            Mark::Text(text) => text.paint,
        };
        let cover = |x: i32, y: i32, coverage: f64| pixels.cover((x, y - top), coverage, paint);
        match mark {
            Mark::Line { points, width, .. } => {
                stroke::rasterise(&scaled(points), width * f64::from(SCALE), &rows, cover);
            }
            Mark::Area { points, .. } => area::rasterise(&scaled(points), &rows, cover),
            Mark::Text(text) => write(text, &rows, cover),
        }
    }
}

fn write(text: &Text, rows: &Range<i32>, mut cover: impl FnMut(i32, i32, f64)) {
    let scale = f64::from(SCALE);
    let length = font::width(&text.words, text.em);
    let (x, y) = (text.at.0 * scale, text.at.1 * scale);
    // no glyph reaches two ems beyond its baseline, nor beyond its text
    let reach = scale * (2.0 * text.em + if text.upwards { length } else { 0.0 });
    if y + reach < f64::from(rows.start) || y - reach > f64::from(rows.end) {
        return;
    }
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    let start = -before * length * scale;
    let (left, top) = (saturated(x.floor()), saturated(y.floor()));
    // Along the text and down from its baseline; for a text that reads upwards, along is up and down is right.
    if text.upwards {
        let shift = (y.ceil() - y + start, x - x.floor());
        let bottom = saturated(y.ceil()) - 1;
        font::rasterise(&text.words, text.em * scale, shift, |along, down, coverage| {
            cover(left + down, bottom - along, coverage);
        });
    } else {
        let shift = (x - x.floor() + start, y - y.floor());
        font::rasterise(&text.words, text.em * scale, shift, |along, down, coverage| {
            cover(left + along, top + down, coverage);
        });
    }
}
