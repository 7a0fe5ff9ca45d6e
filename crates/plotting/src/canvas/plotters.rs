//! What is asked of plotters: a scene as SVG, and pixels that mix with what lies below them.
//!
//! Its habits, and what is done about them here:
//!
//! | habit | here |
//! |---|---|
//! | coordinates and widths are whole pixels | an SVG is drawn several times larger, and its `viewBox` keeps its size |
//! | the size of a text over 1.24 is the em, and the baseline lies 0.76 em below the top | both are turned back |
//! | its bitmap has thick lines with holes, areas without smooth edges and letters that run together | of the bitmap, single pixels alone are drawn |

use plotters::backend::{BitMapBackend, DrawingBackend, RGBPixel, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, TextStyle};

use crate::canvas::font::FAMILY;
use crate::canvas::palette::{PAPER, Paint};
use crate::canvas::scene::{Anchor, Mark, Point, Scene, Spot, Text};
use crate::error::FigureError;

/// The coordinates of an SVG for a CSS pixel.
const FINENESS: u32 = 4;

/// The scene as an SVG document of the scene's size.
pub(crate) fn svg(scene: &Scene) -> Result<String, FigureError> {
    let (width, height) = size(scene);
    let mut document = String::new();
    let mut backend = SVGBackend::with_string(&mut document, (width * FINENESS, height * FINENESS));
    draw(scene, &mut backend)?;
    drop(backend);
    // The backend has written the large size; the document keeps it as its coordinates only.
    let (_, body) = document.split_once('>').ok_or(FigureError::Encoding)?;
    let (body, _) = body.rsplit_once("</svg>").ok_or(FigureError::Encoding)?;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\">{body}{}</svg>\n",
        width * FINENESS,
        height * FINENESS,
        spots(scene)
    ))
}

/// What a viewer shows beside the pointer: invisible rectangles with titles.
fn spots(scene: &Scene) -> String {
    if scene.spots.is_empty() {
        return String::new();
    }
    let rectangle = |Spot { corner, width, height, words }: &Spot| {
        let ((left, top), (width, height)) = (place(*corner), place((*width, *height)));
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"><title>{words}</title></rect>\n")
    };
    let rectangles: String = scene.spots.iter().map(rectangle).collect();
    format!("<g class=\"spots\" fill-opacity=\"0\">\n{rectangles}</g>\n")
}

/// The width and the height of a scene in whole CSS pixels.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "layouts are far below 2^32 pixels")]
pub(super) fn size(scene: &Scene) -> (u32, u32) {
    (scene.width.ceil() as u32, scene.height.ceil() as u32)
}

fn draw(scene: &Scene, backend: &mut SVGBackend<'_>) -> Result<(), FigureError> {
    let whole = place((scene.width, scene.height));
    backend.draw_rect((0, 0), whole, &colour(PAPER), true).map_err(|_| FigureError::Drawing)?;
    for mark in &scene.marks {
        let drawn = match mark {
            Mark::Line { points, width, paint } => {
                let mut path: Vec<(i32, i32)> = points.iter().copied().map(place).collect();
                path.dedup();
                let style = colour(*paint).stroke_width(finer(*width).max(1).unsigned_abs());
                backend.draw_path(path, &style)
            }
            Mark::Area { points, paint } => {
                backend.fill_polygon(points.iter().copied().map(place), &colour(*paint).filled())
            }
            Mark::Text(text) => backend.draw_text(&text.words, &style_of(text), place(top_of(text))),
        };
        drawn.map_err(|_| FigureError::Drawing)?;
    }
    backend.present().map_err(|_| FigureError::Drawing)
}

/// The top of a text, where plotters wants its position.
fn top_of(text: &Text) -> Point {
    let down = 0.76 * text.em;
    if text.upwards { (text.at.0 - down, text.at.1) } else { (text.at.0, text.at.1 - down) }
}

fn style_of(text: &Text) -> TextStyle<'static> {
    let size = 1.24 * text.em * f64::from(FINENESS);
    let transform = if text.upwards { FontTransform::Rotate270 } else { FontTransform::None };
    let horizontal = match text.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    TextStyle {
        font: FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal).transform(transform),
        color: colour(text.paint).to_backend_color(),
        pos: Pos::new(horizontal, VPos::Top),
    }
}

fn colour(paint: Paint) -> RGBAColor {
    let (r, g, b) = paint.rgb;
    RGBAColor(r, g, b, paint.alpha)
}

fn place((x, y): Point) -> (i32, i32) {
    (finer(x), finer(y))
}

fn finer(length: f64) -> i32 {
    saturated(length * f64::from(FINENESS))
}

#[allow(clippy::cast_possible_truncation, reason = "layouts are far below 2^31 pixels, and the cast saturates")]
pub(super) fn saturated(length: f64) -> i32 {
    length.round() as i32
}

/// White pixels, three bytes each, which paints are mixed into.
pub(super) struct Pixels<'a>(BitMapBackend<'a, RGBPixel>);

impl<'a> Pixels<'a> {
    /// Makes the bytes of so many pixels white.
    pub(super) fn new(bytes: &'a mut [u8], size: (u32, u32)) -> Result<Self, FigureError> {
        bytes.fill(255);
        BitMapBackend::with_buffer_and_format(bytes, size).map(Self).map_err(|_| FigureError::Drawing)
    }

    /// Covers a fraction of a pixel with a paint, in sixteenths, which make a shorter file; pixels elsewhere are ignored.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 16, and the cast saturates")]
    pub(super) fn cover(&mut self, at: (i32, i32), coverage: f64, paint: Paint) {
        let coverage = f64::from((16.0 * coverage + 0.5) as u8) / 16.0;
        // the bitmap refuses nothing
        let _ = self.0.draw_pixel(at, colour(paint).mix(coverage).to_backend_color());
    }
}
