//! A scene as PNG. It is painted in bands of rows, so that the whole enlarged figure is never in memory.

use std::io::Write as _;
use std::ops::Range;

use plotters::backend::{BitMapBackend, DrawingBackend, RGBPixel};
use plotters::style::{Color, RGBAColor};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, DrawingErrorKind};

use crate::canvas::font;
use crate::canvas::palette::Paint;
use crate::canvas::render::{Canvas, OVERSAMPLING, colour, draw, fill, saturated, size};
use crate::canvas::scene::{Anchor, Point, Scene, Text};
use crate::canvas::stroke;
use crate::error::FigureError;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
#[path = "bitmap_tests.rs"]
mod tests;

/// A PNG has this many pixels for a CSS pixel; the rest of the oversampling smooths its edges.
const PNG_SCALE: u32 = 2;

/// Enlarged rows that are painted at a time: whole rows of the file.
const BAND: u32 = 128;

/// The scene as a PNG file of twice the scene's size.
pub(crate) fn png(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    png_in_bands(scene, BAND)
}

fn png_in_bands(scene: &Scene, band: u32) -> Result<Vec<u8>, FigureError> {
    let (width, height) = size(scene);
    let large = (width * OVERSAMPLING, height * OVERSAMPLING);
    let stride = 3 * large.0 as usize;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width * PNG_SCALE, height * PNG_SCALE);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    let mut writer = encoder.write_header().map_err(|_| FigureError::Encoding)?;
    let mut rows = writer.stream_writer().map_err(|_| FigureError::Encoding)?;
    let mut pixels = vec![0; stride * band.min(large.1) as usize];
    for top in (0..large.1).step_by(band as usize) {
        let pixels = &mut pixels[..stride * band.min(large.1 - top) as usize];
        pixels.fill(255);
        draw(scene, &mut Band::new(pixels, large, top..(top + band).min(large.1))?)?;
        rows.write_all(&halved(pixels, stride)).map_err(|_| FigureError::Encoding)?;
    }
    rows.finish().map_err(|_| FigureError::Encoding)?;
    writer.finish().map_err(|_| FigureError::Encoding)?;
    Ok(file)
}

/// Means of 2 x 2 pixels of an RGB image with `stride` bytes a row.
#[allow(clippy::cast_possible_truncation, reason = "a mean of bytes is a byte")]
fn halved(pixels: &[u8], stride: usize) -> Vec<u8> {
    let mut half = Vec::with_capacity(pixels.len() / 4);
    for rows in pixels.chunks_exact(2 * stride) {
        let (upper, lower) = rows.split_at(stride);
        for (a, b) in upper.chunks_exact(6).zip(lower.chunks_exact(6)) {
            let sum = |c: usize| u16::from(a[c]) + u16::from(a[c + 3]) + u16::from(b[c]) + u16::from(b[c + 3]);
            half.extend([0, 1, 2].map(|c| ((sum(c) + 2) / 4) as u8));
        }
    }
    half
}

/// Some rows of a bitmap: what is drawn elsewhere is ignored.
struct Band<'a> {
    pixels: BitMapBackend<'a, RGBPixel>,
    size: (u32, u32),
    rows: Range<i32>,
}

type Drawn = Result<(), DrawingErrorKind<<Band<'static> as DrawingBackend>::ErrorType>>;

impl<'a> Band<'a> {
    fn new(pixels: &'a mut [u8], size: (u32, u32), rows: Range<u32>) -> Result<Self, FigureError> {
        let of_band = (size.0, rows.end - rows.start);
        let pixels = BitMapBackend::with_buffer_and_format(pixels, of_band).map_err(|_| FigureError::Drawing)?;
        Ok(Self { pixels, size, rows: rows.start.cast_signed()..rows.end.cast_signed() })
    }

    /// Whether anything between two heights, in CSS pixels, can be in the band.
    fn shows(&self, top: f64, bottom: f64) -> bool {
        let scale = f64::from(OVERSAMPLING);
        // areas are drawn at whole pixels and fade over one more
        bottom * scale + 2.0 >= f64::from(self.rows.start) && top * scale - 2.0 <= f64::from(self.rows.end)
    }

    fn moved(&self, (x, y): BackendCoord) -> BackendCoord {
        (x, y.saturating_sub(self.rows.start))
    }
}

impl DrawingBackend for Band<'_> {
    type ErrorType = <BitMapBackend<'static, RGBPixel> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.pixels.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.pixels.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        self.pixels.draw_pixel(self.moved(point), colour)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.pixels.draw_line(self.moved(from), self.moved(to), style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.pixels.draw_rect(self.moved(upper_left), self.moved(bottom_right), style, fill)
    }
}

impl Canvas for Band<'_> {
    fn line(&mut self, points: &[Point], width: f64, paint: Paint) -> Result<(), FigureError> {
        let scale = f64::from(OVERSAMPLING);
        let path: Vec<Point> = points.iter().map(|(x, y)| (x * scale, y * scale)).collect();
        let rows = self.rows.clone();
        let mut ink = Ink::new(self, paint);
        stroke::rasterise(&path, width * scale, rows, |x, y, coverage| ink.cover(x, y, coverage));
        ink.drawn
    }

    fn area(&mut self, points: &[Point], paint: Paint) -> Result<(), FigureError> {
        let heights = || points.iter().map(|point| point.1);
        let (top, bottom) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        if self.shows(top, bottom) { fill(self, points, paint) } else { Ok(()) }
    }

    fn words(&mut self, text: &Text) -> Result<(), FigureError> {
        let length = font::width(&text.words, text.em);
        // no glyph reaches two ems beyond its baseline, nor beyond its text
        let reach = 2.0 * text.em + if text.upwards { length } else { 0.0 };
        if !self.shows(text.at.1 - reach, text.at.1 + reach) {
            return Ok(());
        }
        let scale = f64::from(OVERSAMPLING);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let start = -before * length * scale;
        let (x, y) = (text.at.0 * scale, text.at.1 * scale);
        let (left, top) = (saturated(x.floor()), saturated(y.floor()));
        let mut ink = Ink::new(self, text.paint);
        // Along the text and down from its baseline; for a text that reads upwards, along is up and down is right.
        if text.upwards {
            let shift = (y.ceil() - y + start, x - x.floor());
            let bottom = saturated(y.ceil()) - 1;
            font::rasterise(&text.words, text.em * scale, shift, |along, down, c| {
                ink.cover(left + down, bottom - along, c);
            });
        } else {
            let shift = (x - x.floor() + start, y - y.floor());
            font::rasterise(&text.words, text.em * scale, shift, |along, down, c| {
                ink.cover(left + along, top + down, c);
            });
        }
        ink.drawn
    }
}

/// Colours pixels of a band and ignores pixels outside it.
struct Ink<'a, 'b> {
    band: &'a mut Band<'b>,
    colour: RGBAColor,
    drawn: Result<(), FigureError>,
}

impl<'a, 'b> Ink<'a, 'b> {
    fn new(band: &'a mut Band<'b>, paint: Paint) -> Self {
        Self { band, colour: colour(paint), drawn: Ok(()) }
    }

    fn cover(&mut self, x: i32, y: i32, coverage: f64) {
        if self.band.rows.contains(&y) && u32::try_from(x).is_ok_and(|x| x < self.band.size.0) {
            let pixel = self.band.draw_pixel((x, y), self.colour.mix(coverage).to_backend_color());
            self.drawn = self.drawn.and(pixel.map_err(|_| FigureError::Drawing));
        }
    }
}
