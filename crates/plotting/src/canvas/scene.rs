//! What is on a figure before anything draws it: lines, areas and texts in CSS pixels.

use crate::canvas::palette::Paint;

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

    /// Adds the marks of another scene, made smaller or larger, with its top left corner at a point.
    pub(crate) fn place(&mut self, other: Self, corner: Point, scale: f64) {
        self.marks.extend(other.marks.into_iter().map(|mark| placed(mark, corner, scale)));
    }

    pub(crate) fn upward_text(&mut self, text: impl Into<String>, at: Point, em: f64, paint: Paint) {
        self.marks.push(Mark::Text(Text { words: text.into(), at, em, anchor: Anchor::Middle, upwards: true, paint }));
    }
}

/// A mark that is made smaller or larger, and moved.
fn placed(mark: Mark, (left, top): Point, scale: f64) -> Mark {
    let at = |(x, y): Point| (left + scale * x, top + scale * y);
    let all = |points: Vec<Point>| points.into_iter().map(at).collect();
    match mark {
        Mark::Line { points, width, paint } => Mark::Line { points: all(points), width: scale * width, paint },
        Mark::Area { points, paint } => Mark::Area { points: all(points), paint },
        Mark::Text(mut text) => {
            (text.at, text.em) = (at(text.at), scale * text.em);
            Mark::Text(text)
        }
    }
}
