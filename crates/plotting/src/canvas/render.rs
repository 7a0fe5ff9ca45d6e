//! A scene as SVG, through plotters, and what it shares with its bitmap.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, TextStyle};

use crate::canvas::font::FAMILY;
use crate::canvas::palette::{PAPER, Paint};
use crate::canvas::scene::{Anchor, Mark, Point, Scene, Spot, Text};
use crate::error::FigureError;

/// The factor by which everything is drawn larger, since plotters rounds to whole pixels.
pub(super) const OVERSAMPLING: u32 = 4;

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

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "layouts are far below 2^32 pixels")]
pub(super) fn size(scene: &Scene) -> (u32, u32) {
    (scene.width.ceil() as u32, scene.height.ceil() as u32)
}

/// Thick lines and texts, which the two backends of plotters draw differently.
pub(super) trait Canvas: DrawingBackend + Sized {
    fn line(&mut self, points: &[Point], width: f64, paint: Paint) -> Result<(), FigureError>;
    fn words(&mut self, text: &Text) -> Result<(), FigureError>;

    fn area(&mut self, points: &[Point], paint: Paint) -> Result<(), FigureError> {
        fill(self, points, paint)
    }
}

pub(super) fn draw(scene: &Scene, canvas: &mut impl Canvas) -> Result<(), FigureError> {
    canvas
        .draw_rect((0, 0), pixel((scene.width, scene.height)), &colour(PAPER), true)
        .map_err(|_| FigureError::Drawing)?;
    for mark in &scene.marks {
        match mark {
            Mark::Line { points, width, paint } => canvas.line(points, *width, *paint)?,
            Mark::Area { points, paint } => canvas.area(points, *paint)?,
            Mark::Text(text) => canvas.words(text)?,
        }
    }
    canvas.present().map_err(|_| FigureError::Drawing)
}

pub(super) fn fill<B: DrawingBackend>(canvas: &mut B, points: &[Point], paint: Paint) -> Result<(), FigureError> {
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

pub(super) fn colour(paint: Paint) -> RGBAColor {
    let (r, g, b) = paint.rgb;
    RGBAColor(r, g, b, paint.alpha)
}

fn pixel((x, y): Point) -> (i32, i32) {
    (enlarged(x), enlarged(y))
}

#[allow(clippy::cast_possible_truncation, reason = "layouts are far below 2^31 pixels, and the cast saturates")]
pub(super) fn saturated(length: f64) -> i32 {
    length.round() as i32
}

fn enlarged(length: f64) -> i32 {
    saturated(length * f64::from(OVERSAMPLING))
}
