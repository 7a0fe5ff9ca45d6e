//! A filled polygon as pixels with smooth edges.

use std::ops::Range;

use crate::canvas::scene::Point;

#[cfg(test)]
#[path = "area_tests.rs"]
mod tests;

/// The lines along which a row of pixels is measured.
const LINES: i32 = 8;

/// Calls `cover` with every pixel in some rows of a polygon, and the fraction of the pixel that the polygon covers: exact along a row, and
/// a mean over lines across it. Whatever the outline winds around is inside. All lengths are in pixels.
#[allow(clippy::cast_possible_truncation, reason = "pixels of a figure, and the cast saturates")]
pub(crate) fn rasterise(points: &[Point], rows: &Range<i32>, mut cover: impl FnMut(i32, i32, f64)) {
    let ends = |of: fn(&Point) -> f64| {
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        points.iter().map(of).fold((low, high), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((left, right), (top, bottom)) = (ends(|point| point.0), ends(|point| point.1));
    let first = left.floor() as i32;
    let width = (right.ceil() as i32 - first).max(0).unsigned_abs() as usize;
    let mut covered = Covered { parts: vec![0.0; width], wholes: vec![0; width] };
    let edges: Vec<(Point, Point)> = points.iter().copied().zip(points.iter().copied().cycle().skip(1)).collect();
    for row in rows.start.max(top.floor() as i32)..rows.end.min(bottom.ceil() as i32) {
        let near: Vec<&(Point, Point)> =
            edges.iter().filter(|(a, b)| a.1.min(b.1) < f64::from(row + 1) && a.1.max(b.1) > f64::from(row)).collect();
        covered.clear();
        for line in 0..LINES {
            let y = f64::from(row) + (f64::from(line) + 0.5) / f64::from(LINES);
            for (from, to) in spans(&near, y) {
                covered.add(from - f64::from(first), to - f64::from(first));
            }
        }
        for (x, part) in (first..).zip(covered.sums()).filter(|(_, part)| *part > 0.0) {
            cover(x, row, (part / f64::from(LINES)).min(1.0));
        }
    }
}

/// The stretches of a line at this height that lie inside.
fn spans(edges: &[&(Point, Point)], y: f64) -> Vec<(f64, f64)> {
    let crossing = |(a, b): &(Point, Point)| {
        let turn = i32::from(a.1 <= y && y < b.1) - i32::from(b.1 <= y && y < a.1);
        (turn != 0).then(|| (a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0), turn))
    };
    let mut crossings: Vec<(f64, i32)> = edges.iter().filter_map(|edge| crossing(edge)).collect();
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut winds = 0;
    let pairs = crossings.windows(2).filter_map(|pair| {
        winds += pair[0].1;
        (winds != 0).then_some((pair[0].0, pair[1].0))
    });
    pairs.collect()
}

/// What stretches cover of the pixels of a row.
struct Covered {
    /// Of the pixels at their ends.
    parts: Vec<f64>,
    /// How many more stretches cover a pixel as a whole than the one before it.
    wholes: Vec<i32>,
}

impl Covered {
    fn clear(&mut self) {
        self.parts.fill(0.0);
        self.wholes.fill(0);
    }

    /// Adds a stretch.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a stretch lies within its row")]
    fn add(&mut self, from: f64, to: f64) {
        let (first, end) = (from.floor() as usize, (to.ceil() as usize).min(self.parts.len()));
        match end.saturating_sub(first) {
            0 => {}
            1 => self.parts[first] += to - from,
            _ => {
                self.parts[first] += (first + 1) as f64 - from;
                self.parts[end - 1] += to - (end - 1) as f64;
                self.wholes[first + 1] += 1;
                self.wholes[end - 1] -= 1;
            }
        }
    }

    fn sums(&self) -> impl Iterator<Item = f64> {
        self.parts.iter().zip(&self.wholes).scan(0, |wholes, (part, change)| {
            *wholes += change;
            Some(part + f64::from(*wholes))
        })
    }
}
