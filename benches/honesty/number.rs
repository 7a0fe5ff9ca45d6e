//! An average over releases with its standard error.

use serde::{Deserialize, Serialize};

/// An average and its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    pub mean: f64,
    pub error: f64,
}

impl Number {
    /// The average of some values; `None` where there are none, or one of them is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        let error = (variance / count).sqrt();
        (mean.is_finite() && error.is_finite()).then_some(Self { mean, error })
    }

    /// The root, with the standard error to first order.
    pub fn root(self) -> Self {
        let mean = self.mean.sqrt();
        Self { mean, error: if mean > 0.0 { self.error / (2.0 * mean) } else { 0.0 } }
    }

    /// One over it, with the standard error to first order; `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        (self.mean > 0.0).then(|| Self { mean: 1.0 / self.mean, error: self.error / self.mean.powi(2) })
    }

    /// The average with its standard error in brackets.
    pub fn text(self, digits: usize) -> String {
        format!("{:.digits$} ({:.digits$})", self.mean, self.error)
    }
}
