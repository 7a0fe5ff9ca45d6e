//! Fills missing values of a curve or a surface from other values of the same one.

use dpfda_kernels::Grid;

#[cfg(test)]
#[path = "missing_tests.rs"]
mod tests;

/// Replaces every NaN in a record on these axes, of which the last runs fastest: linearly between observed values along the last axis,
/// and where a whole line is missing along the axis before.
///
/// Returns `false`, and leaves the record as it is, if no value was observed. A record's contribution stays a function
/// of that record alone, as a sensitivity bound needs.
pub(crate) fn fill_missing(axes: &[Grid], values: &mut [f64]) -> bool {
    let (mut stride, mut is_whole, mut line) = (1, false, Vec::new());
    for axis in axes.iter().rev() {
        let block = stride * axis.len();
        is_whole = true;
        for block in values.chunks_mut(block) {
            for start in 0..stride {
                if stride == 1 {
                    is_whole &= fill_line(axis, block);
                    continue;
                }
                line.clear();
                line.extend(block[start..].iter().step_by(stride));
                is_whole &= fill_line(axis, &mut line);
                block[start..].iter_mut().step_by(stride).zip(&line).for_each(|(to, from)| *to = *from);
            }
        }
        if is_whole {
            break;
        }
        stride = block;
    }
    is_whole
}

/// The same along one axis: by the nearest value before the first observed one and after the last. On a circle the last value and the
/// first are neighbours, and nothing lies outside.
fn fill_line(grid: &Grid, values: &mut [f64]) -> bool {
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
