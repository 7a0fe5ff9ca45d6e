//! What a figure keeps of a release, and of the curator's private curves.

use std::ops::Range;

use crate::mean::from_release::Drawn;
use crate::parts::stretches::{is_cut, without_zero};

/// The number of [`Layer::facts`], from the first, that do not depend on the smoother.
pub(crate) const FACTS_OF_A_RELEASE: usize = 4;

/// One released function with what its caption says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layer {
    /// Title of the panel; empty for none.
    pub(crate) label: String,
    /// What the line is, for the legend.
    pub(crate) line: &'static str,
    /// Points of the curve.
    pub(crate) t: Vec<f64>,
    /// The released function at the points.
    pub(crate) value: Vec<f64>,
    /// The lower edge of the ribbon.
    pub(crate) lower: Vec<f64>,
    /// The upper edge of the ribbon.
    pub(crate) upper: Vec<f64>,
    /// What the ribbon is, for the legend.
    pub(crate) ribbon: String,
    /// The privacy parameters and whatever else is public. Every layer has the same kinds of facts in the same order, so
    /// that a comparison can state once what all layers share.
    pub(crate) facts: Vec<String>,
    /// The same release through neighbouring smoothers, at the same points: name and values.
    pub(crate) neighbours: Vec<(String, Vec<f64>)>,
    /// The functions of other panels, at the same points.
    pub(crate) behind: Vec<Vec<f64>>,
    /// What 0 is called, where it is marked, and where the ribbon leaves it out.
    pub(crate) zero: Option<&'static str>,
    /// The least and the largest value that are shown.
    pub(crate) limits: Option<(f64, f64)>,
    /// The parts of the domain that too few people were measured in.
    pub(crate) unsupported: Vec<Range<f64>>,
    /// Whether all noise came from the operating system, not from a seed.
    pub(crate) is_private: bool,
}

impl Layer {
    /// A function with its ribbon, of which nothing else is said.
    pub(crate) fn of(Drawn { t, value, lower, upper }: Drawn, line: &'static str, ribbon: &str) -> Self {
        Self {
            label: String::new(),
            line,
            t,
            value,
            lower,
            upper,
            ribbon: ribbon.to_owned(),
            facts: Vec::new(),
            neighbours: Vec::new(),
            behind: Vec::new(),
            zero: None,
            limits: None,
            unsupported: Vec::new(),
            is_private: true,
        }
    }

    /// Where the ribbon leaves out a 0 that is marked.
    pub(crate) fn without_zero(&self) -> Vec<(f64, f64)> {
        self.zero.map_or_else(Vec::new, |_| without_zero(&self.t, &self.lower, &self.upper))
    }

    /// Whether the ribbon is cut at the limits.
    pub(crate) fn is_cut(&self) -> bool {
        is_cut(self.lower.iter().chain(&self.upper), self.limits)
    }
}

/// What a ribbon of two standard deviations of the privacy noise is called.
pub(crate) const NOISE_RIBBON: &str = "privacy noise, ±2 sd (not a confidence band)";

/// The edges of a ribbon of two standard deviations of the noise on both sides.
pub(crate) fn noise_ribbon(value: &[f64], noise_sd: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let edge = |sign: f64| value.iter().zip(noise_sd).map(|(v, sd)| v + sign * 2.0 * sd).collect();
    (edge(-1.0), edge(1.0))
}

/// The raw curves that a curator's view shows below the release. Never leaves a `NonPrivate`.
#[derive(Clone)]
pub(crate) struct PrivateLayer {
    /// Points of the curves.
    pub(crate) t: Vec<f64>,
    /// The curves shown; a value that is not a number is a gap.
    pub(crate) curves: Vec<Vec<f64>>,
    /// How many curves there are.
    pub(crate) total: usize,
    /// The raw mean.
    pub(crate) mean: Vec<f64>,
}

/// The distance between the curves shown, so that at most this many of them are shown.
pub(crate) fn step_between_shown(total: usize, most: usize) -> usize {
    total.div_ceil(most).max(1)
}
