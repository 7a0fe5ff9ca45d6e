//! How series are told apart: colours, dashes and markers.

use crate::canvas::palette::{PAPER, Paint, SERIES, SOFT_INK};
use crate::canvas::scene::{Point, Scene};

#[cfg(test)]
#[path = "look_tests.rs"]
mod tests;

/// The number of distinct line styles.
pub(crate) const MOST_LOOKS: usize = 2 * SERIES.len();

/// The opacity of areas.
pub(crate) const AREA: f64 = 0.18;

const LINE_WIDTH: f64 = 1.75;
/// Half the height of a marker.
const RADIUS: f64 = 3.5;
/// The length of dashes, and of the gaps between them.
const DASHES: (f64, f64) = (7.0, 4.5);
const REFERENCE_DASHES: (f64, f64) = (2.5, 3.5);

/// The corners of the markers, in units of the radius. The empty list stands for a circle.
const SHAPES: [&[Point]; 6] = [
    &[],
    &[(-0.87, -0.87), (0.87, -0.87), (0.87, 0.87), (-0.87, 0.87)],
    &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
    &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
    &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    &[
        (-0.4, -1.15),
        (0.4, -1.15),
        (0.4, -0.4),
        (1.15, -0.4),
        (1.15, 0.4),
        (0.4, 0.4),
        (0.4, 1.15),
        (-0.4, 1.15),
        (-0.4, 0.4),
        (-1.15, 0.4),
        (-1.15, -0.4),
        (-0.4, -0.4),
    ],
];

/// The line and the marker of a series. The first half of all looks has whole lines and filled markers; the second half
/// has dashes and hollow markers in the same colours and shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    index: usize,
}

impl Look {
    /// The look of a series by the number of its label, counted from 0.
    pub(crate) fn of(index: usize) -> Self {
        Self { index: index % MOST_LOOKS }
    }

    /// The colour.
    pub(crate) fn paint(self) -> Paint {
        SERIES[self.index % SERIES.len()]
    }

    fn is_second_half(self) -> bool {
        self.index >= SERIES.len()
    }

    pub(crate) fn draw_line(self, scene: &mut Scene, points: &[Point]) {
        let parts = if self.is_second_half() { dashed(points, DASHES) } else { vec![points.to_vec()] };
        for part in parts {
            scene.line(part, LINE_WIDTH, self.paint());
        }
    }

    pub(crate) fn draw_area(self, scene: &mut Scene, points: &[Point]) {
        scene.area(points.to_vec(), self.paint().faded(AREA));
    }

    pub(crate) fn draw_marker(self, scene: &mut Scene, (x, y): Point) {
        let round = |i: i32| {
            let angle = std::f64::consts::TAU * f64::from(i) / 24.0;
            (angle.cos(), angle.sin())
        };
        let shape = match SHAPES[self.index % SHAPES.len()] {
            [] => (0..24).map(round).collect(),
            corners => corners.to_vec(),
        };
        let corners: Vec<Point> = shape.into_iter().map(|(dx, dy)| (x + RADIUS * dx, y + RADIUS * dy)).collect();
        let outline: Vec<Point> = corners.iter().chain(corners.first()).copied().collect();
        scene.area(corners, if self.is_second_half() { PAPER } else { self.paint() });
        // The outline smooths the edge of a filled marker, too.
        scene.line(outline, 1.0, self.paint());
    }
}

/// Draws a horizontal reference line from a point to the right.
pub(crate) fn draw_reference(scene: &mut Scene, (left, y): Point, right: f64) {
    for part in dashed(&[(left, y), (right, y)], REFERENCE_DASHES) {
        scene.line(part, 1.25, SOFT_INK);
    }
}

/// The dashes of a polyline. A dash may go around a corner.
fn dashed(points: &[Point], (on, off): (f64, f64)) -> Vec<Vec<Point>> {
    let mut dashes: Vec<Vec<Point>> = points.first().map(|first| vec![vec![*first]]).unwrap_or_default();
    let (mut is_on, mut left) = (true, on);
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let length = dx.hypot(dy);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let turn = (pair[0].0 + done / length * dx, pair[0].1 + done / length * dy);
            match dashes.last_mut() {
                Some(dash) if is_on => dash.push(turn),
                _ => dashes.push(vec![turn]),
            }
            is_on = !is_on;
            left = if is_on { on } else { off };
        }
        left -= length - done;
        if let Some(dash) = dashes.last_mut().filter(|_| is_on) {
            dash.push(pair[1]);
        }
    }
    dashes
}
