//! Polylines cut off at the edge of a rectangle (Liang and Barsky, 1984).

use crate::canvas::scene::Point;

#[cfg(test)]
#[path = "clip_tests.rs"]
mod tests;

/// The parts of a polyline in the rectangle between two corners, edges included; the points inside stay as they are.
pub(crate) fn clipped(points: &[Point], low: Point, high: Point) -> Vec<Vec<Point>> {
    if let &[(x, y)] = points {
        let inside = (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y);
        return if inside { vec![vec![(x, y)]] } else { Vec::new() };
    }
    let mut parts: Vec<Vec<Point>> = Vec::new();
    let mut continues = false;
    for pair in points.windows(2) {
        let (from, to) = stretch_inside(pair[0], pair[1], low, high);
        if from <= to {
            let end = between(pair[0], pair[1], to, low, high);
            match parts.last_mut() {
                Some(part) if continues => part.push(end),
                _ => parts.push(vec![between(pair[0], pair[1], from, low, high), end]),
            }
        }
        continues = from <= to && to == 1.0;
    }
    parts
}

/// The fractions of a segment between which it is inside the rectangle; the first is the larger if no part is inside.
fn stretch_inside(a: Point, b: Point, low: Point, high: Point) -> (f64, f64) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let edges = [(-dx, a.0 - low.0), (dx, high.0 - a.0), (-dy, a.1 - low.1), (dy, high.1 - a.1)];
    edges.into_iter().fold((0.0, 1.0), |(from, to): (f64, f64), (outwards, room)| {
        if outwards > 0.0 {
            (from, to.min(room / outwards))
        } else if outwards < 0.0 {
            (from.max(room / outwards), to)
        } else if room < 0.0 {
            (1.0, 0.0)
        } else {
            (from, to)
        }
    })
}

fn between(a: Point, b: Point, fraction: f64, low: Point, high: Point) -> Point {
    if fraction == 0.0 {
        return a;
    }
    if fraction == 1.0 {
        return b;
    }
    let (x, y) = (a.0 + fraction * (b.0 - a.0), a.1 + fraction * (b.1 - a.1));
    (x.clamp(low.0, high.0), y.clamp(low.1, high.1))
}
