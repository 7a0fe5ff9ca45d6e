//! Fills missing values of a curve or a surface from other values of the same one.

use dpfda_kernels::{Grid, SurfaceGrid};

#[cfg(test)]
#[path = "missing_tests.rs"]
mod tests;

/// Replaces every NaN: linearly in `t` between observed values, and by the nearest value before the first and after the
/// last. On a circle the last value and the first are neighbours, and nothing lies outside.
///
/// Returns `false`, and leaves the curve as it is, if no value was observed. A record's contribution stays a function
/// of that record alone, as a sensitivity bound needs.
pub(crate) fn fill_missing(grid: &Grid, values: &mut [f64]) -> bool {
    let mut observed: Option<(usize, usize)> = None;
    for i in 0..values.len() {
        if values[i].is_nan() {
            continue;
        }
        if let Some((_, previous)) = observed {
            interpolate(grid, values, previous, i);
        }
        observed = Some((observed.map_or(i, |(first, _)| first), i));
    }
    let Some((first, last)) = observed else { return false };
    if grid.is_periodic() {
        interpolate(grid, values, last, first + values.len());
    } else {
        let (start, end) = (values[first], values[last]);
        values[..first].fill(start);
        values[last + 1..].fill(end);
    }
    true
}

/// The same for a surface: along `t` within each line of the same `s`, then along `s` where a whole line is missing.
pub(crate) fn fill_missing_surface(grid: &SurfaceGrid, values: &mut [f64]) -> bool {
    let [s, t] = grid.unit_axes();
    let mut is_whole = true;
    for line in values.chunks_mut(t.len()) {
        is_whole &= fill_missing(t, line);
    }
    if is_whole {
        return true;
    }
    let mut across = vec![f64::NAN; s.len()];
    for place in 0..t.len() {
        let column = values.iter().skip(place).step_by(t.len());
        across.iter_mut().zip(column).for_each(|(to, from)| *to = *from);
        if !fill_missing(s, &mut across) {
            return false;
        }
        let column = values.iter_mut().skip(place).step_by(t.len());
        column.zip(&across).for_each(|(to, from)| *to = *from);
    }
    true
}

/// Fills the values strictly between two observed ones. Places from the number of points on are those of the next period.
fn interpolate(grid: &Grid, values: &mut [f64], from: usize, to: usize) {
    let n = values.len();
    let place = |i: usize| grid.points()[i % n] + if i < n { 0.0 } else { grid.length() };
    let (a, b) = (values[from], values[to % n]);
    let length = place(to) - place(from);
    for i in from + 1..to {
        let u = (place(i) - place(from)) / length;
        // convex, not a + u (b - a), which overflows for values of opposite sign; clamped, since rounding may leave [a, b]
        values[i % n] = ((1.0 - u) * a + u * b).clamp(a.min(b), a.max(b));
    }
}
