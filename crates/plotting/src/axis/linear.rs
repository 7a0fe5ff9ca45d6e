//! An axis of equal steps.

use super::{floor_log10, nice_step, unit_part};
use crate::numbers::{fixed, raised};

/// Narrower than this fraction of the values themselves, a range is a constant up to rounding.
const FLAT: f64 = 1e-9;

/// Where values lie on an axis of equal steps, and its ticks.
///
/// Everything is kept in units of a power of ten near the largest value, so that neither a difference overflows nor a
/// tick underflows, whatever the values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Linear {
    exponent: i32,
    lower: f64,
    upper: f64,
    step: f64,
}

impl Linear {
    /// The axis that covers all finite values, with this fraction of the range added at both ends and about this many
    /// ticks.
    pub(super) fn covering(values: impl Iterator<Item = f64>, padding: f64, ticks: f64) -> Self {
        let (mut lower, mut upper) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if lower > upper {
            (lower, upper) = (0.0, 0.0);
        }
        let largest = lower.abs().max(upper.abs());
        // Below this, a tick could not be told from its neighbour; the axis shows zero.
        let exponent = if largest < 1e-290 { 0 } else { floor_log10(largest) };
        (lower, upper) = (unit_part(lower, exponent), unit_part(upper, exponent));
        let span = upper - lower;
        if span <= FLAT {
            // |upper| is in [1, 10) or both are zero: a tenth of the value is room enough for a constant.
            let room = if largest < 1e-290 { 1.0 } else { 0.1 * upper.abs().max(lower.abs()) };
            (lower, upper) = (lower - room, upper + room);
        } else {
            (lower, upper) = (lower - padding * span, upper + padding * span);
        }
        Self { exponent, lower, upper, step: nice_step((upper - lower) / ticks) }
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper.
    pub(super) fn position(&self, value: f64) -> f64 {
        (unit_part(value, self.exponent) - self.lower) / (self.upper - self.lower)
    }

    /// The ticks: position and text.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let slack = 1e-9 * (self.upper - self.lower) / self.step;
        let first = (self.lower / self.step - slack).ceil();
        let last = (self.upper / self.step + slack).floor();
        std::iter::successors(Some(first), |index| Some(index + 1.0))
            .take_while(|index| *index <= last)
            .take(50)
            .map(|index| {
                let tick = index * self.step;
                ((tick - self.lower) / (self.upper - self.lower), self.text(tick))
            })
            .collect()
    }

    /// The power of ten that the ticks leave out.
    pub(super) fn factor(&self) -> Option<String> {
        (!self.is_plain()).then(|| format!("×10{}", raised(&self.exponent.to_string())))
    }

    /// Whether ticks are written in full.
    fn is_plain(&self) -> bool {
        (-3..5).contains(&self.exponent)
    }

    fn text(&self, tick: f64) -> String {
        let (scale, shift) = if self.is_plain() { (10f64.powi(self.exponent), self.exponent) } else { (1.0, 0) };
        let decimals = -(floor_log10(self.step) + shift);
        fixed(tick * scale, usize::try_from(decimals).unwrap_or(0))
    }
}
