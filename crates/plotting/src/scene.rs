//! What is on a figure before anything draws it: lines, areas and texts in CSS pixels.

/// A colour and its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paint {
    pub(crate) rgb: (u8, u8, u8),
    pub(crate) alpha: f64,
}

impl Paint {
    pub(crate) const fn solid(r: u8, g: u8, b: u8) -> Self {
        Self { rgb: (r, g, b), alpha: 1.0 }
    }

    /// The same colour with this opacity.
    pub(crate) const fn faded(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}

/// Text and axes.
pub(crate) const INK: Paint = Paint::solid(34, 34, 34);
/// Captions and ticks.
pub(crate) const SOFT_INK: Paint = Paint::solid(85, 85, 85);
/// Grid lines.
pub(crate) const GRID: Paint = Paint::solid(229, 229, 229);
/// Letters on a coloured band; the background.
pub(crate) const PAPER: Paint = Paint::solid(255, 255, 255);
/// Raw curves.
pub(crate) const GREY: Paint = Paint::solid(190, 190, 190);
/// Okabe and Ito's black: the raw mean.
pub(crate) const BLACK: Paint = Paint::solid(0, 0, 0);
/// Okabe and Ito's bluish green: a mean without noise.
pub(crate) const GREEN: Paint = Paint::solid(0, 158, 115);
/// Okabe and Ito's blue: a released function.
pub(crate) const BLUE: Paint = Paint::solid(0, 114, 178);
/// Okabe and Ito's sky blue: its noise.
pub(crate) const SKY_BLUE: Paint = Paint::solid(86, 180, 233);
/// Okabe and Ito's vermilion: warnings, and a sanitised estimate beside other means.
pub(crate) const VERMILION: Paint = Paint::solid(213, 94, 0);
/// The neighbours of a released function: other colours of Okabe and Ito's palette, dark grey, and wine from Tol's.
pub(crate) const NEIGHBOURS: [Paint; 6] =
    [Paint::solid(230, 159, 0), GREEN, Paint::solid(204, 121, 167), SOFT_INK, Paint::solid(136, 34, 85), VERMILION];

/// A point in CSS pixels from the top left corner.
pub(crate) type Point = (f64, f64);

/// The part of a text that is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// One thing on a figure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A polyline.
    Line {
        points: Vec<Point>,
        width: f64,
        paint: Paint,
    },
    /// A filled polygon.
    Area {
        points: Vec<Point>,
        paint: Paint,
    },
    Text(Text),
}

/// A text on its baseline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) words: String,
    pub(crate) at: Point,
    pub(crate) em: f64,
    pub(crate) anchor: Anchor,
    /// Whether the text reads from bottom to top.
    pub(crate) upwards: bool,
    pub(crate) paint: Paint,
}

/// A part of a figure that says something when a reader points at it, where the file can.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spot {
    /// The top left corner.
    pub(crate) corner: Point,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) words: String,
}

/// Everything on a figure, in drawing order, and its size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) marks: Vec<Mark>,
    pub(crate) spots: Vec<Spot>,
}

impl Scene {
    pub(crate) fn line(&mut self, points: Vec<Point>, width: f64, paint: Paint) {
        if points.len() > 1 {
            self.marks.push(Mark::Line { points, width, paint });
        }
    }

    pub(crate) fn area(&mut self, points: Vec<Point>, paint: Paint) {
        if points.len() > 2 {
            self.marks.push(Mark::Area { points, paint });
        }
    }

    pub(crate) fn rectangle(&mut self, (left, top): Point, width: f64, height: f64, paint: Paint) {
        let (right, bottom) = (left + width, top + height);
        self.area(vec![(left, top), (right, top), (right, bottom), (left, bottom)], paint);
    }

    /// A circle as a closed polyline.
    pub(crate) fn ring(&mut self, (x, y): Point, radius: f64, width: f64, paint: Paint) {
        let angle = |i: i32| std::f64::consts::TAU * f64::from(i % 32) / 32.0;
        let points = (0..=32).map(|i| (x + radius * angle(i).cos(), y + radius * angle(i).sin())).collect();
        self.line(points, width, paint);
    }

    pub(crate) fn text(&mut self, text: impl Into<String>, at: Point, em: f64, anchor: Anchor, paint: Paint) {
        self.marks.push(Mark::Text(Text { words: text.into(), at, em, anchor, upwards: false, paint }));
    }

    pub(crate) fn upward_text(&mut self, text: impl Into<String>, at: Point, em: f64, paint: Paint) {
        self.marks.push(Mark::Text(Text { words: text.into(), at, em, anchor: Anchor::Middle, upwards: true, paint }));
    }
}
