//! Thick lines as pixels, for the bitmap.

use std::ops::Range;

use crate::canvas::scene::Point;

#[cfg(test)]
#[path = "stroke_tests.rs"]
mod tests;

/// Calls `cover` with every pixel in some rows of a line with round joins and ends, and the fraction of the pixel that the line covers. All
/// lengths are in pixels.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixels of a figure, and the cast saturates"
)]
pub(crate) fn rasterise(points: &[Point], width: f64, rows: &Range<i32>, mut cover: impl FnMut(i32, i32, f64)) {
    let ends = |of: fn(&Point) -> f64| {
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        points.iter().map(of).fold((low, high), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((left, right), (top, bottom)) = (ends(|point| point.0), ends(|point| point.1));
    // the edge of the line fades over one pixel
    let reach = 0.5 * width + 0.5;
    let (first, end) = ((left - reach).floor() as i32, (right + reach).ceil() as i32 + 1);
    let rows = rows.start.max((top - reach).floor() as i32)..rows.end.min((bottom + reach).ceil() as i32 + 1);
    if first >= end || rows.is_empty() {
        return;
    }
    // where segments meet, a pixel is covered as much as by the one of them that covers it most
    let stride = (end - first) as usize;
    let mut covered = vec![0.0_f32; stride * rows.len()];
    for pair in points.windows(2) {
        rasterise_segment(pair[0], pair[1], reach, &rows, |x, y, coverage| {
            let pixel = &mut covered[(y - rows.start) as usize * stride + (x - first) as usize];
            *pixel = pixel.max(coverage as f32);
        });
    }
    for (y, row) in rows.zip(covered.chunks_exact(stride)) {
        for (x, coverage) in (first..).zip(row).filter(|(_, coverage)| **coverage > 0.0) {
            cover(x, y, f64::from(*coverage));
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "pixels of a line within a figure, and the cast saturates")]
fn rasterise_segment(a: Point, b: Point, reach: f64, rows: &Range<i32>, mut cover: impl FnMut(i32, i32, f64)) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let squared = dx * dx + dy * dy;
    // How far to the left and right of the line's axis its edge is, along a row.
    let half_row = reach * squared.sqrt() / dy.abs();
    let (top, bottom) = ((a.1.min(b.1) - reach).floor() as i32, (a.1.max(b.1) + reach).ceil() as i32);
    for row in top.max(rows.start)..=bottom.min(rows.end - 1) {
        let y = f64::from(row) + 0.5 - a.1;
        let (mut left, mut right) = (a.0.min(b.0) - reach, a.0.max(b.0) + reach);
        if half_row.is_finite() {
            let axis = a.0 + dx / dy * y;
            (left, right) = (left.max(axis - half_row), right.min(axis + half_row));
        }
        for column in left.floor() as i32..=right.ceil() as i32 {
            let x = f64::from(column) + 0.5 - a.0;
            let along = if squared > 0.0 { ((x * dx + y * dy) / squared).clamp(0.0, 1.0) } else { 0.0 };
            let distance = ((x - along * dx).powi(2) + (y - along * dy).powi(2)).sqrt();
            if distance < reach {
                cover(column, row, (reach - distance).min(1.0));
            }
        }
    }
}
