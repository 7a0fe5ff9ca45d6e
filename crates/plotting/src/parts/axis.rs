//! An axis: its range, its ticks and how they are written.

use crate::canvas::numbers::{fixed, raised};

pub(crate) mod logarithmic;
#[cfg(test)]
mod tests;

/// Where values lie on an axis, and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    scale: Scale,
    /// The ends, in the units of the scale.
    lower: f64,
    upper: f64,
    /// Position and text of each tick; positions are 0 at the lower end and 1 at the upper.
    pub(crate) ticks: Vec<(f64, String)>,
    /// Positions of marks without a text.
    pub(crate) minor_ticks: Vec<f64>,
    /// The power of ten that the texts of the ticks leave out, if they leave one out: `×10⁶`.
    pub(crate) factor: Option<String>,
}

/// How values become lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    /// Equal differences are equally long. The unit is this power of ten, near the largest value: no difference overflows
    /// and no tick underflows, whatever the values.
    Linear(i32),
    /// Equal ratios are equally long. The units are decimal logarithms.
    Logarithmic,
}

/// Narrower than this fraction of the values themselves, a range is a constant up to rounding.
const FLAT: f64 = 1e-9;

impl Axis {
    /// The linear axis that covers all finite values, with this fraction of the range added at both ends and about this
    /// many ticks.
    pub(crate) fn covering(values: impl Iterator<Item = f64>, padding: f64, ticks: f64) -> Self {
        Self::covering_within(values, padding, ticks, None)
    }

    /// The same, and no more than from the first to the second limit.
    pub(crate) fn covering_within(
        values: impl Iterator<Item = f64>,
        padding: f64,
        ticks: f64,
        limits: Option<(f64, f64)>,
    ) -> Self {
        let (least, most) = limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let inside = |value: f64| if least < most { value.clamp(least, most) } else { value };
        let (lower, upper) = range(values.filter(|value| value.is_finite()).map(inside));
        let largest = lower.abs().max(upper.abs());
        // Below this, a tick could not be told from its neighbour; the axis shows zero.
        let exponent = if largest < 1e-290 { 0 } else { floor_log10(largest) };
        let (lower, upper) = (unit_part(lower, exponent), unit_part(upper, exponent));
        let span = upper - lower;
        let room = match span {
            _ if span > FLAT => padding * span,
            _ if largest < 1e-290 => 1.0,
            // The larger end is in [1, 10): a tenth of the value is room enough for a constant.
            _ => 0.1 * upper.abs().max(lower.abs()),
        };
        let ends = (lower - room).max(unit_part(least, exponent))..(upper + room).min(unit_part(most, exponent));
        let mut axis = Self::without_ticks(Scale::Linear(exponent), ends.start, ends.end);
        // an axis of values has room at its ends, one of a domain has none
        axis.set_linear_ticks(exponent, ticks, padding == 0.0);
        axis
    }

    /// The logarithmic axis that covers all positive finite values, with this fraction of the range of their logarithms
    /// added at both ends and about this many ticks.
    pub(crate) fn covering_logs(values: impl Iterator<Item = f64>, padding: f64, ticks: f64) -> Self {
        let (lower, upper) = range(values.filter(|value| value.is_finite() && *value > 0.0).map(f64::log10));
        // One value stands in the middle of a decade.
        let room = if upper - lower <= FLAT { 0.5 } else { padding * (upper - lower) };
        let mut axis = Self::without_ticks(Scale::Logarithmic, lower - room, upper + room);
        axis.set_logarithmic_ticks(ticks);
        axis
    }

    fn without_ticks(scale: Scale, lower: f64, upper: f64) -> Self {
        Self { scale, lower, upper, ticks: Vec::new(), minor_ticks: Vec::new(), factor: None }
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper.
    pub(crate) fn position(&self, value: f64) -> f64 {
        self.place(match self.scale {
            Scale::Linear(exponent) => unit_part(value, exponent),
            Scale::Logarithmic => value.log10(),
        })
    }

    /// The position of a number in the units of the scale.
    fn place(&self, value: f64) -> f64 {
        (value - self.lower) / (self.upper - self.lower)
    }

    /// The label with the power of ten that the ticks leave out: `value (×10⁶)`.
    pub(crate) fn labelled(&self, label: &str) -> String {
        match &self.factor {
            Some(factor) => format!("{label} ({factor})").trim_start().to_owned(),
            None => label.to_owned(),
        }
    }

    fn set_linear_ticks(&mut self, exponent: i32, count: f64, is_domain: bool) {
        let unit = 10f64.powi(exponent.clamp(-1, 2));
        let is_day = is_domain && exponent == 1 && is_day(self.lower * unit, self.upper * unit);
        let step = if is_day { hours(count) / unit } else { nice_step((self.upper - self.lower) / count) };
        // Ticks are written in full, or all without the power of ten.
        let (scale, shift) = if (-3..5).contains(&exponent) {
            (10f64.powi(exponent), exponent)
        } else {
            self.factor = Some(format!("×10{}", raised(&exponent.to_string())));
            (1.0, 0)
        };
        let decimals = usize::try_from(-(floor_log10(step) + shift)).unwrap_or(0);
        let slack = 1e-9 * (self.upper - self.lower) / step;
        let first = (self.lower / step - slack).ceil();
        let last = (self.upper / step + slack).floor();
        self.ticks = std::iter::successors(Some(first), |index| Some(index + 1.0))
            .take_while(|index| *index <= last)
            .take(50)
            .map(|index| (self.place(index * step), fixed(index * step * scale, decimals)))
            .collect();
    }
}

/// The least and the largest of the values; 0 and 0 if there are none.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (lower, upper) = values.fold(ends, |(low, high), value| (low.min(value), high.max(value)));
    if lower > upper { (0.0, 0.0) } else { (lower, upper) }
}

/// `value / 10^exponent`, in two factors because `10^-exponent` alone may overflow.
fn unit_part(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value / 10f64.powi(half) / 10f64.powi(exponent - half)
}

/// The last hours of a day that is divided into at least 8 parts.
const LATE: std::ops::RangeInclusive<f64> = 21.0 - FLAT..=24.0;

/// Whether an axis shows a day: 24 hours from a whole hour on, or from 0 to the last time before the next day.
fn is_day(lower: f64, upper: f64) -> bool {
    let is = |value: f64, other: f64| (value - other).abs() < FLAT;
    let is_whole = is(upper - lower, 24.0) && is(lower, lower.round()) && lower >= -24.0 && upper <= 48.0;
    is_whole || (is(lower, 0.0) && LATE.contains(&upper))
}

/// The hours between ticks of an axis of a day: of 3, 6 and 12, those nearest to `count` ticks by ratio.
fn hours(count: f64) -> f64 {
    match 24.0 / count {
        // Geometric means of the neighbours: sqrt(3 6), sqrt(6 12).
        x if x < 18f64.sqrt() => 3.0,
        x if x < 72f64.sqrt() => 6.0,
        _ => 12.0,
    }
}

/// Of 1, 2, 5, 10 times a power of ten, the one nearest to `raw` by ratio.
pub(crate) fn nice_step(raw: f64) -> f64 {
    let magnitude = 10f64.powi(floor_log10(raw));
    let leading = raw / magnitude;
    // Geometric means of the neighbours: sqrt(1 2), sqrt(2 5), sqrt(5 10).
    let factor = match leading {
        x if x < 2f64.sqrt() => 1.0,
        x if x < 10f64.sqrt() => 2.0,
        x if x < 50f64.sqrt() => 5.0,
        _ => 10.0,
    };
    factor * magnitude
}

#[allow(clippy::cast_possible_truncation, reason = "the logarithm of a finite positive double is below 400")]
fn floor_log10(value: f64) -> i32 {
    let exponent = value.log10().floor() as i32;
    // The logarithm of a power of ten may round down past it.
    if unit_part(value, exponent) >= 10.0 - 1e-12 { exponent + 1 } else { exponent }
}
