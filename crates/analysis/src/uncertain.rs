//! Numbers with a standard deviation, and their intervals.

use serde::Serialize;

/// A number and its posterior standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uncertain {
    /// The posterior mean.
    pub value: f64,
    /// The posterior standard deviation.
    pub sd: f64,
}

/// A number with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Feature {
    /// The number for the posterior mean.
    pub value: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The lower end of its interval.
    pub lower: f64,
    /// The upper end of its interval.
    pub upper: f64,
}

impl Uncertain {
    /// The interval that reaches so many standard deviations to each side.
    pub(crate) fn within(self, critical: f64) -> Feature {
        let (Self { value, sd }, half) = (self, critical * self.sd);
        Feature { value, sd, lower: value - half, upper: value + half }
    }
}
