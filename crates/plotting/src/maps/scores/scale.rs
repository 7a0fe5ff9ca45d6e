//! From scores to colours.

use crate::canvas::numbers::{distinct, rounded};
use crate::canvas::palette::{BEYOND, Paint, VIRIDIS};
use crate::parts::axis::logarithmic::{finest, value};
use crate::parts::axis::nice_step;

#[cfg(test)]
#[path = "scale_tests.rs"]
mod tests;

/// A range of scores below this fraction of the scores themselves is rounding.
const FLAT: f64 = 1e-12;

/// Scores of the upper quarter that are more than so many units above the least are no longer told apart.
const FAR: f64 = 8.0;

/// How many ticks of one digit a scale has at least, and at most.
const FEWEST: usize = 3;
const MOST: f64 = 8.0;

/// A colour scale over scores, finest near the least of them.
///
/// ```text
/// position = ln(1 + (score - least) / unit) / ln(1 + (most - least) / unit)
/// ```
///
/// The unit is the lower quartile of `score - least`. `most` is the largest score, or the larger of the upper quartile and 8 units above
/// the least where that is smaller: at most a quarter of the scores are beyond, in one colour that is none of the scale. The scale
/// exists for negative scores too, and is nearly linear over the least quarter of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    least: f64,
    most: f64,
    /// The largest score, where it is beyond the scale.
    beyond: Option<f64>,
    /// A quarter of the unit, and of `most - least`: the whole might overflow.
    unit: f64,
    range: f64,
}

impl Scale {
    /// The scale of finite scores.
    pub(super) fn covering(scores: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = scores.collect();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
        let (least, most) = (at(0), at(sorted.len().saturating_sub(1)));
        let range = 0.25 * most - 0.25 * least;
        let lower_quartile = 0.25 * at(sorted.len() / 4) - 0.25 * least;
        let upper_quartile = 0.25 * at(3 * sorted.len() / 4) - 0.25 * least;
        let far = (FAR * lower_quartile).max(upper_quartile);
        // With many equal least scores the quartile is zero; six decades are enough for any eye.
        let unit = |range: f64| lower_quartile.max(1e-6 * range);
        if far > 0.0 && far < range {
            let end = least + 2.0 * far + 2.0 * far;
            return Self { least, most: end, beyond: Some(most), unit: unit(far), range: far };
        }
        Self { least, most, beyond: None, unit: unit(range), range }
    }

    /// What the colour of scores beyond the scale means, where there are such.
    pub(super) fn beyond(&self) -> Option<String> {
        self.beyond.map(|largest| format!("above {}, up to {}", rounded(self.most), rounded(largest)))
    }

    pub(super) fn colour(&self, score: f64) -> Paint {
        // the score at the end of the scale is on it, whatever rounding does to it
        let is_beyond = self.beyond.is_some() && 0.25 * score - 0.25 * self.least > (1.0 + FLAT) * self.range;
        if is_beyond { BEYOND } else { VIRIDIS.at(self.position(score)) }
    }

    fn is_flat(&self) -> bool {
        self.range <= (FLAT * self.least.abs().max(self.most.abs())).max(1e-290)
    }

    /// Where a score is: 0 for the least, 1 at the end of the scale, the middle when all are the same.
    fn position(&self, score: f64) -> f64 {
        if self.is_flat() {
            return 0.5;
        }
        let above = 0.25 * score - 0.25 * self.least;
        ((above / self.unit).ln_1p() / (self.range / self.unit).ln_1p()).clamp(0.0, 1.0)
    }

    fn score_at(&self, position: f64) -> f64 {
        let above = self.unit * (position * (self.range / self.unit).ln_1p()).exp_m1();
        (self.least + 2.0 * above + 2.0 * above).clamp(self.least, self.most)
    }

    /// Scores of one digit on the scale, as a logarithmic axis has them; none where there are too few, or where powers of ten would be skipped.
    fn of_one_digit(&self) -> Vec<f64> {
        if self.least <= 0.0 {
            return Vec::new();
        }
        let rounds = finest((self.least.log10(), self.most.log10()), MOST).unwrap_or_default();
        let skips = rounds.windows(2).any(|pair| pair[1].1 > pair[0].1 + 1);
        if skips || rounds.len() < FEWEST { Vec::new() } else { rounds.into_iter().map(value).collect() }
    }

    /// Scores to be written beside the colours: those of one digit, or round ones that are as even along the bar as they can be.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if self.is_flat() {
            return vec![(self.position(self.least), distinct(&[self.least]).concat())];
        }
        let values = self.of_one_digit();
        if !values.is_empty() {
            return values.iter().map(|value| self.position(*value)).zip(distinct(&values)).collect();
        }
        let even = [0.0, 0.25, 0.5, 0.75, 1.0].map(|position| self.score_at(position));
        let near = |place: usize| {
            let apart = even.windows(2).skip(place.saturating_sub(1)).take(2).map(|pair| pair[1] - pair[0]);
            let step = nice_step(0.4 * apart.fold(f64::INFINITY, f64::min));
            // at the ends, the next round score inside
            let steps = match place {
                0 => (even[0] / step).ceil(),
                4 => (even[4] / step).floor(),
                _ => (even[place] / step).round(),
            };
            // no tick is -0
            step * steps + 0.0
        };
        let mut values: Vec<f64> = (0..5).map(near).filter(|value| (self.least..=self.most).contains(value)).collect();
        values.dedup();
        values.iter().map(|value| self.position(*value)).zip(distinct(&values)).collect()
    }
}
