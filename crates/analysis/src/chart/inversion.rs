//! From a band around a distribution function to a band around a centile.

use ndarray::ArrayView1;

#[cfg(test)]
#[path = "inversion_tests.rs"]
mod tests;

/// What stands for the distribution function less its allowance at the lower end of the range, and plus it at the upper end.
const BELOW: f64 = -1.0;
const ABOVE: f64 = 2.0;

/// A distribution function at fine levels of the range, with the variance of its error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Uncertain<'a> {
    pub(super) levels: ArrayView1<'a, f64>,
    pub(super) distribution: ArrayView1<'a, f64>,
    pub(super) variance: ArrayView1<'a, f64>,
    /// The places of the first and the last released level: nothing was released beyond them.
    pub(super) seen: (usize, usize),
}

impl Uncertain<'_> {
    /// The ends of a band of a centile.
    ///
    /// ```text
    /// [ first y with F + c sqrt(v + s) >= p,   last y with F - c sqrt(v + s) <= p ]
    /// ```
    ///
    /// `s` is the variance of the sample's distribution function where it is `p`. Between levels both sides are linear. Below the first
    /// released level the lower end uses that level; above the last one the upper end does likewise. An end that is not reached is the
    /// end of the range.
    pub(super) fn ends(&self, p: f64, c: f64, sampling: f64) -> (f64, f64) {
        let half = |level: usize| c * (self.variance[level] + sampling).sqrt();
        let upper = |level: usize| {
            let level = level.max(self.seen.0);
            self.distribution[level] + half(level)
        };
        let lower = |level: usize| {
            let level = level.min(self.seen.1);
            self.distribution[level] - half(level)
        };
        let count = self.levels.len();
        let from = match (0..count).find(|&level| upper(level) >= p) {
            Some(0) => 0.0,
            Some(level) => self.between(p, Some((level - 1, upper(level - 1))), Some((level, upper(level)))),
            None => self.between(p, Some((count - 1, upper(count - 1))), None),
        };
        let to = match (0..count).rev().find(|&level| lower(level) <= p) {
            Some(level) if level + 1 == count => 1.0,
            Some(level) => self.between(p, Some((level, lower(level))), Some((level + 1, lower(level + 1)))),
            None => self.between(p, None, Some((0, lower(0)))),
        };
        // a chart that is not monotone below its first released level could turn them
        (from.min(to), to.max(from))
    }

    /// Where a line between two levels, or the ends of the range, is `p`.
    fn between(&self, p: f64, below: Option<(usize, f64)>, above: Option<(usize, f64)>) -> f64 {
        let at = |(level, value): (usize, f64)| (self.levels[level], value);
        let ((y, value), (next, other)) = (below.map_or((0.0, BELOW), at), above.map_or((1.0, ABOVE), at));
        y + (next - y) * (p - value) / (other - value)
    }
}

/// Levels of the range that part each step between released levels, and those to the ends, in four; and the places of the first and
/// the last released level among them.
pub(super) fn fine_levels(released: ArrayView1<'_, f64>) -> (Vec<f64>, (usize, usize)) {
    let ends = [0.0].into_iter().chain(released.iter().copied());
    let next = released.iter().copied().chain([1.0]);
    let quarters = |(from, to): (f64, f64)| [0.0, 0.25, 0.5, 0.75].map(|share| from + share * (to - from));
    let levels: Vec<f64> = ends.zip(next).flat_map(quarters).skip(1).collect();
    let last = 4 * released.len() - 1;
    (levels, (3, last))
}
