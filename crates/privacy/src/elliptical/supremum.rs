//! Computes an upper bound on `sup_{r >= 0} g(r + D) - g(r)` that is never too small.
//!
//! On `[a, b]` a nondecreasing `g` satisfies `g(r + D) - g(r) <= g(b + D) - g(a)`, whatever it does in between. Up to
//! the declared tail, intervals are halved until this bound is within the tolerance of a difference that was found. In
//! the tail the declaration gives the bound. If `g` violates a condition, or no bound is found, the result is an error.

use super::{EllipticalError, Tail};
use tail::DeclaredTail;

mod tail;
#[cfg(test)]
mod tests;

/// The relative part of the bound that may come from intervals that were not halved further.
const TOLERANCE: f64 = 1e-3;

/// The assumed error of `g`, relative to `1 + |g|`.
const ROUNDING: f64 = 1e-14;

/// The largest number of evaluations of `g` for one supremum.
const MOST_EVALUATIONS: usize = 1_000_000;

/// An upper bound on the supremum, at most [`TOLERANCE`] and the rounding of `g` too large.
pub(super) fn supremum(
    g: impl Fn(f64) -> f64,
    tail: Tail,
    dimension: usize,
    distance: f64,
) -> Result<f64, EllipticalError> {
    tail.check()?;
    let mut probe = Probe { g, distance, values: Vec::new() };
    let (from, slope) = match tail {
        Tail::Unbounded => return Err(EllipticalError::Unbounded),
        Tail::Unknown => return Err(EllipticalError::TailUnknown),
        Tail::Concave { from } => (from, None),
        Tail::Convex { from, slope } => (from, Some(slope)),
    };
    let at_centre = probe.at(0.0)?;
    let (last, last_shifted) = (probe.at(from)?, probe.shifted(from)?);
    let in_tail = slope.map_or(last_shifted - last, |slope| slope * distance);
    let error = 2.0 * ROUNDING * (1.0 + last.abs().max(last_shifted.abs()));
    DeclaredTail { from, slope, bound: in_tail, error }.look(&mut probe, dimension)?;
    let slack = 2.0 * ROUNDING * (1.0 + at_centre.abs().max(last_shifted.abs()));
    let before_tail = bound_on_interval(&mut probe, from, in_tail, slack)?;
    probe.check_order()?;
    Ok((before_tail.max(in_tail) + slack) * (1.0 + 4.0 * f64::EPSILON))
}

/// Evaluates `g` and keeps its values.
struct Probe<G> {
    g: G,
    distance: f64,
    values: Vec<(f64, f64)>,
}

impl<G: Fn(f64) -> f64> Probe<G> {
    fn at(&mut self, radius: f64) -> Result<f64, EllipticalError> {
        if self.values.len() == MOST_EVALUATIONS {
            return Err(EllipticalError::Evaluations { evaluations: MOST_EVALUATIONS });
        }
        let value = (self.g)(radius);
        // a decreasing density that is infinite anywhere is infinite at the centre
        if value == f64::NEG_INFINITY || (radius == 0.0 && !value.is_finite()) {
            return Err(EllipticalError::Pole);
        }
        if value.is_nan() {
            return Err(EllipticalError::NotANumber { radius });
        }
        if value == f64::INFINITY {
            return Err(EllipticalError::NotPositive { radius });
        }
        self.values.push((radius, value));
        Ok(value)
    }

    /// `g(radius + D)`, at a radius rounded up.
    fn shifted(&mut self, radius: f64) -> Result<f64, EllipticalError> {
        self.at((radius + self.distance).next_up())
    }

    /// Checks that all values are nondecreasing.
    fn check_order(&mut self) -> Result<(), EllipticalError> {
        self.values.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut highest = (0.0, f64::NEG_INFINITY);
        for &(radius, value) in &self.values {
            if value < highest.1 - 2.0 * ROUNDING * (1.0 + value.abs()) {
                return Err(EllipticalError::NotDecreasing { radius: highest.0, further: radius });
            }
            if value > highest.1 {
                highest = (radius, value);
            }
        }
        Ok(())
    }
}

/// `r` from `start` to `end`, with `g(start)` and `g(end + D)`.
struct Interval {
    start: f64,
    end: f64,
    lowest: f64,
    highest: f64,
}

/// An upper bound on the larger of `found` and the differences on `[0, end]`, by branch and bound.
fn bound_on_interval<G: Fn(f64) -> f64>(
    probe: &mut Probe<G>,
    end: f64,
    found: f64,
    slack: f64,
) -> Result<f64, EllipticalError> {
    let (lowest, shifted) = (probe.at(0.0)?, probe.shifted(0.0)?);
    let mut largest = found.max(shifted - lowest);
    let mut bound = largest;
    let mut open = vec![Interval { start: 0.0, end, lowest, highest: probe.shifted(end)? }];
    while !open.is_empty() {
        let mut halves = Vec::new();
        for Interval { start, end, lowest, highest } in open {
            let middle = start + (end - start) / 2.0;
            let on_interval = highest - lowest;
            if on_interval <= largest * (1.0 + TOLERANCE) + slack || middle <= start || middle >= end {
                bound = bound.max(on_interval);
                continue;
            }
            let (value, shifted) = (probe.at(middle)?, probe.shifted(middle)?);
            largest = largest.max(shifted - value);
            halves.push(Interval { start, end: middle, lowest, highest: shifted });
            halves.push(Interval { start: middle, end, lowest: value, highest });
        }
        open = halves;
    }
    Ok(bound.max(largest))
}
