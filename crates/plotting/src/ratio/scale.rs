//! From ratios to colours.

use crate::colour_bar::ramp;
use crate::numbers::rounded;
use crate::scene::Paint;

/// `ColorBrewer`'s diverging ramp `RdBu` (Harrower and Brewer, 2003), blue first, which the colour blind see too.
const BLUE_TO_RED: [(u8, u8, u8); 11] = [
    (5, 48, 97),
    (33, 102, 172),
    (67, 147, 195),
    (146, 197, 222),
    (209, 229, 240),
    (247, 247, 247),
    (253, 219, 199),
    (244, 165, 130),
    (214, 96, 77),
    (178, 24, 43),
    (103, 0, 31),
];

/// The colour scale from the inverse of a ratio to the ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub(super) largest: f64,
    /// The least and the largest logarithm on the figure.
    pub(super) range: (f64, f64),
}

impl Scale {
    /// Where the ratio with this logarithm is: 1 in the middle.
    pub(super) fn position(&self, log: f64) -> f64 {
        0.5 + 0.5 * (log / self.largest.ln()).clamp(-1.0, 1.0)
    }

    /// The ends, powers between them at both sides of 1, and whether other ratios have the colours of the ends.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        const BASES: [f64; 9] = [2.0, 4.0, 10.0, 100.0, 1e4, 1e10, 1e25, 1e50, 1e100];
        let end = self.largest.ln();
        let slack = 1e-9 * end;
        let step = BASES.map(f64::ln).into_iter().find(|step| *step * 4.5 > end).unwrap_or(end);
        let inner = (1..5).map(|k| f64::from(k) * step).filter(|log| *log < end - slack);
        let above: Vec<(f64, String)> = inner.map(|log| (log, rounded(log.exp()))).collect();
        let largest = rounded(self.largest);
        let beyond = |is_beyond: bool, sign: &str| if is_beyond { sign.to_owned() + " " } else { String::new() };
        let (under, over) = (beyond(self.range.0 < -end - slack, "≤"), beyond(self.range.1 > end + slack, "≥"));
        let mut ticks = vec![(0.0, format!("{under}1/{largest}"))];
        ticks.extend(above.iter().rev().map(|(log, text)| (self.position(-log), format!("1/{text}"))));
        ticks.push((0.5, "1".to_owned()));
        ticks.extend(above.into_iter().map(|(log, text)| (self.position(log), text)));
        ticks.push((1.0, format!("{over}{largest}")));
        ticks
    }
}

/// The colour at a position between 0 and 1.
pub(super) fn colour(position: f64) -> Paint {
    ramp(&BLUE_TO_RED, position)
}
