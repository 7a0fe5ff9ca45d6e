//! Between neighbouring points of a grid.

use ndarray::ArrayView1;

/// Two neighbouring points, and how far from the left one to the right one a point lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The place of the left point.
    pub left: usize,
    /// The place of the right point: on a circle, the first point after the last one.
    pub right: usize,
    /// How far across the cell the point lies: 0 at the left point, 1 at the right one.
    pub share: f64,
    /// The length of the cell.
    pub length: f64,
}

impl Cell {
    /// The cell that holds `t`, of at least two increasing points. Where the points are those of a circle, `closes_at` is the end of
    /// the domain, where the first point comes again.
    pub fn of(points: ArrayView1<'_, f64>, closes_at: Option<f64>, t: f64) -> Self {
        let last = points.len() - 1;
        let ended = closes_at.filter(|_| t > points[last]);
        let (left, right, end) = if let Some(end) = ended {
            (last, 0, end)
        } else {
            let beyond = |s: &f64| *s > t;
            let sorted = points.as_slice().map(|points| points.partition_point(|s| !beyond(s)));
            let right = sorted.or_else(|| points.iter().position(beyond)).unwrap_or(last).clamp(1, last);
            (right - 1, right, points[right])
        };
        let length = end - points[left];
        Self { left, right, share: (t - points[left]) / length, length }
    }

    /// The value at the point of the line between the two values.
    pub fn between(&self, values: ArrayView1<'_, f64>) -> f64 {
        values[self.left] + self.share * (values[self.right] - values[self.left])
    }

    /// The slope of the line between the two values.
    pub fn slope(&self, values: ArrayView1<'_, f64>) -> f64 {
        (values[self.right] - values[self.left]) / self.length
    }
}
