//! How series are told apart: colours, dashes and markers.

use crate::scene::{BLACK, BLUE, GREEN, NEIGHBOURS, PAPER, Paint, Point, SOFT_INK, Scene, VERMILION};

#[cfg(test)]
mod tests;

/// Okabe and Ito's palette without the sky blue and the yellow, which are too light for thin lines.
const PAINTS: [Paint; 6] = [BLUE, VERMILION, GREEN, NEIGHBOURS[2], NEIGHBOURS[0], BLACK];
/// So many looks differ.
pub(crate) const MOST_LOOKS: usize = 2 * PAINTS.len();

const LINE_WIDTH: f64 = 1.75;
/// Half the height of a marker.
const RADIUS: f64 = 3.5;
/// How long dashes are, and the gaps between them.
const DASHES: (f64, f64) = (7.0, 4.5);
const REFERENCE_DASHES: (f64, f64) = (2.5, 3.5);

/// Markers as corners in units of the radius; a circle has many.
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

/// How a series looks: the first half of all looks have whole lines and filled markers, the others dashes and hollow
/// markers in the same colours and shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    index: usize,
}

impl Look {
    /// The look of the series with this label, counted from 0.
    pub(crate) fn of(index: usize) -> Self {
        Self { index: index % MOST_LOOKS }
    }

    fn paint(self) -> Paint {
        PAINTS[self.index % PAINTS.len()]
    }

    fn is_second_half(self) -> bool {
        self.index >= PAINTS.len()
    }

    pub(crate) fn draw_line(self, scene: &mut Scene, points: &[Point]) {
        let parts = if self.is_second_half() { dashed(points, DASHES) } else { vec![points.to_vec()] };
        for part in parts {
            scene.line(part, LINE_WIDTH, self.paint());
        }
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

/// The dashes of a polyline; they go around its corners.
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
