//! A scene as SVG or PNG, through plotters.

use plotters::backend::{BitMapBackend, DrawingBackend, RGBPixel, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, TextStyle};

use crate::canvas::font::{self, FAMILY};
use crate::canvas::palette::{PAPER, Paint};
use crate::canvas::scene::{Anchor, Mark, Point, Scene, Spot, Text};
use crate::canvas::stroke;
use crate::error::FigureError;

/// The factor by which everything is drawn larger, since plotters rounds to whole pixels.
const OVERSAMPLING: u32 = 4;
/// A PNG has this many pixels for a CSS pixel; the rest of the oversampling smooths its edges.
const PNG_SCALE: u32 = 2;

/// The scene as an SVG document of the scene's size.
pub(crate) fn svg(scene: &Scene) -> Result<String, FigureError> {
    let (width, height) = size(scene);
    let mut document = String::new();
    let mut backend = SVGBackend::with_string(&mut document, (width * OVERSAMPLING, height * OVERSAMPLING));
    draw(scene, &mut backend)?;
    drop(backend);
    // The backend has written the large size; the document keeps it as its coordinates only.
    let (_, body) = document.split_once('>').ok_or(FigureError::Encoding)?;
    let (body, _) = body.rsplit_once("</svg>").ok_or(FigureError::Encoding)?;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\">{body}{}</svg>\n",
        width * OVERSAMPLING,
        height * OVERSAMPLING,
        spots(scene)
    ))
}

/// What a viewer shows beside the pointer: invisible rectangles with titles.
fn spots(scene: &Scene) -> String {
    if scene.spots.is_empty() {
        return String::new();
    }
    let rectangle = |Spot { corner, width, height, words }: &Spot| {
        let ((left, top), (width, height)) = (pixel(*corner), pixel((*width, *height)));
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"><title>{words}</title></rect>\n")
    };
    let rectangles: String = scene.spots.iter().map(rectangle).collect();
    format!("<g class=\"spots\" fill-opacity=\"0\">\n{rectangles}</g>\n")
}

/// The scene as a PNG file of twice the scene's size.
pub(crate) fn png(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    let (width, height) = size(scene);
    let large = (width * OVERSAMPLING, height * OVERSAMPLING);
    let mut pixels = vec![255; 3 * large.0 as usize * large.1 as usize];
    let mut backend =
        BitMapBackend::<RGBPixel>::with_buffer_and_format(&mut pixels, large).map_err(|_| FigureError::Drawing)?;
    draw(scene, &mut backend)?;
    drop(backend);
    let pixels = halved(&pixels, 3 * large.0 as usize);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width * PNG_SCALE, height * PNG_SCALE);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    let mut writer = encoder.write_header().map_err(|_| FigureError::Encoding)?;
    writer.write_image_data(&pixels).map_err(|_| FigureError::Encoding)?;
    writer.finish().map_err(|_| FigureError::Encoding)?;
    Ok(file)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "layouts are far below 2^32 pixels")]
fn size(scene: &Scene) -> (u32, u32) {
    (scene.width.ceil() as u32, scene.height.ceil() as u32)
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

/// Thick lines and texts, which the two backends of plotters draw differently.
trait Canvas: DrawingBackend {
    fn line(&mut self, points: &[Point], width: f64, paint: Paint) -> Result<(), FigureError>;
    fn words(&mut self, text: &Text) -> Result<(), FigureError>;
}

fn draw(scene: &Scene, canvas: &mut impl Canvas) -> Result<(), FigureError> {
    canvas
        .draw_rect((0, 0), pixel((scene.width, scene.height)), &colour(PAPER), true)
        .map_err(|_| FigureError::Drawing)?;
    for mark in &scene.marks {
        match mark {
            Mark::Line { points, width, paint } => canvas.line(points, *width, *paint)?,
            Mark::Area { points, paint } => fill(canvas, points, *paint)?,
            Mark::Text(text) => canvas.words(text)?,
        }
    }
    canvas.present().map_err(|_| FigureError::Drawing)
}

fn fill<B: DrawingBackend>(canvas: &mut B, points: &[Point], paint: Paint) -> Result<(), FigureError> {
    canvas.fill_polygon(points.iter().copied().map(pixel), &colour(paint).filled()).map_err(|_| FigureError::Drawing)
}

impl Canvas for SVGBackend<'_> {
    fn line(&mut self, points: &[Point], width: f64, paint: Paint) -> Result<(), FigureError> {
        let mut path: Vec<(i32, i32)> = points.iter().copied().map(pixel).collect();
        path.dedup();
        let style = colour(paint).stroke_width(enlarged(width).max(1).unsigned_abs());
        self.draw_path(path, &style).map_err(|_| FigureError::Drawing)
    }

    fn words(&mut self, text: &Text) -> Result<(), FigureError> {
        // The backend writes the size over 1.24 as the em, and puts the baseline 0.76 em below the top.
        let down = 0.76 * text.em;
        let top = if text.upwards { (text.at.0 - down, text.at.1) } else { (text.at.0, text.at.1 - down) };
        let size = 1.24 * text.em * f64::from(OVERSAMPLING);
        let transform = if text.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let horizontal = match text.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let style = TextStyle {
            font: FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal).transform(transform),
            color: colour(text.paint).to_backend_color(),
            pos: Pos::new(horizontal, VPos::Top),
        };
        self.draw_text(&text.words, &style, pixel(top)).map_err(|_| FigureError::Drawing)
    }
}

impl Canvas for BitMapBackend<'_, RGBPixel> {
    fn line(&mut self, points: &[Point], width: f64, paint: Paint) -> Result<(), FigureError> {
        let scale = f64::from(OVERSAMPLING);
        let path: Vec<Point> = points.iter().map(|(x, y)| (x * scale, y * scale)).collect();
        let mut ink = Ink::new(self, paint);
        stroke::rasterise(&path, width * scale, |x, y, coverage| ink.cover(x, y, coverage));
        ink.drawn
    }

    fn words(&mut self, text: &Text) -> Result<(), FigureError> {
        let scale = f64::from(OVERSAMPLING);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let start = -before * font::width(&text.words, text.em) * scale;
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

/// Colours pixels of a bitmap and ignores pixels outside it.
struct Ink<'a, 'b> {
    canvas: &'a mut BitMapBackend<'b, RGBPixel>,
    size: (u32, u32),
    colour: RGBAColor,
    drawn: Result<(), FigureError>,
}

impl<'a, 'b> Ink<'a, 'b> {
    fn new(canvas: &'a mut BitMapBackend<'b, RGBPixel>, paint: Paint) -> Self {
        Self { size: canvas.get_size(), canvas, colour: colour(paint), drawn: Ok(()) }
    }

    fn cover(&mut self, x: i32, y: i32, coverage: f64) {
        let below = |value: i32, end: u32| u32::try_from(value).is_ok_and(|value| value < end);
        if below(x, self.size.0) && below(y, self.size.1) {
            let pixel = self.canvas.draw_pixel((x, y), self.colour.mix(coverage).to_backend_color());
            self.drawn = self.drawn.and(pixel.map_err(|_| FigureError::Drawing));
        }
    }
}

fn colour(paint: Paint) -> RGBAColor {
    let (r, g, b) = paint.rgb;
    RGBAColor(r, g, b, paint.alpha)
}

fn pixel((x, y): Point) -> (i32, i32) {
    (enlarged(x), enlarged(y))
}

#[allow(clippy::cast_possible_truncation, reason = "layouts are far below 2^31 pixels, and the cast saturates")]
fn saturated(length: f64) -> i32 {
    length.round() as i32
}

fn enlarged(length: f64) -> i32 {
    saturated(length * f64::from(OVERSAMPLING))
}
