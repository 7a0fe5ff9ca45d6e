//! An axis: its range, its ticks and how they are written.

mod linear;
mod logarithmic;
#[cfg(test)]
mod tests;

use linear::Linear;
use logarithmic::Logarithmic;

/// Where values lie on an axis, and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Axis {
    /// Equal steps are equally long.
    Linear(Linear),
    /// Equal ratios are equally long.
    Logarithmic(Logarithmic),
}

impl Axis {
    /// The linear axis that covers all finite values, with this fraction of the range added at both ends and about this
    /// many ticks.
    pub(crate) fn covering(values: impl Iterator<Item = f64>, padding: f64, ticks: f64) -> Self {
        Self::Linear(Linear::covering(values, padding, ticks))
    }

    /// The logarithmic axis that covers all positive finite values, with this fraction of the range of their logarithms
    /// added at both ends and about this many ticks.
    pub(crate) fn covering_logs(values: impl Iterator<Item = f64>, padding: f64, ticks: f64) -> Self {
        Self::Logarithmic(Logarithmic::covering(values, padding, ticks))
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper.
    pub(crate) fn position(&self, value: f64) -> f64 {
        match self {
            Self::Linear(axis) => axis.position(value),
            Self::Logarithmic(axis) => axis.position(value),
        }
    }

    /// The ticks: position and text.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        match self {
            Self::Linear(axis) => axis.ticks(),
            Self::Logarithmic(axis) => axis.ticks.clone(),
        }
    }

    /// Where marks without a text go.
    pub(crate) fn minor_ticks(&self) -> &[f64] {
        match self {
            Self::Linear(_) => &[],
            Self::Logarithmic(axis) => &axis.minor_ticks,
        }
    }

    /// The power of ten that the ticks leave out, if they do: `×10⁶`.
    pub(crate) fn factor(&self) -> Option<String> {
        match self {
            Self::Linear(axis) => axis.factor(),
            Self::Logarithmic(_) => None,
        }
    }

    /// The label with that power of ten: `value (×10⁶)`.
    pub(crate) fn labelled(&self, label: &str) -> String {
        match self.factor() {
            Some(factor) => format!("{label} ({factor})").trim_start().to_owned(),
            None => label.to_owned(),
        }
    }
}

/// `value / 10^exponent`, in two factors because `10^-exponent` alone may overflow.
fn unit_part(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value / 10f64.powi(half) / 10f64.powi(exponent - half)
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
