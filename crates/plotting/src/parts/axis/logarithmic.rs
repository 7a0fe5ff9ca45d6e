//! The ticks of a logarithmic axis: powers of ten, or round numbers where the axis covers less than a few powers.

use super::{Axis, nice_step};
use crate::canvas::numbers::{distinct, exact, fixed, raised};

/// A round number: `mantissa * 10^exponent`.
pub(crate) type Round = (f64, i32);

/// The value of a round number of an ordinary size.
pub(crate) fn value((mantissa, exponent): Round) -> f64 {
    let power = 10f64.powi(exponent.abs());
    if exponent < 0 { mantissa / power } else { mantissa * power }
}

/// The finest of the usual choices of round numbers with at most this many between two decimal logarithms: 1, 2, 5; 1, 3; every power of
/// ten; every few powers of ten. `None` where each is too many or too few.
pub(crate) fn finest(ends: (f64, f64), most: f64) -> Option<Vec<Round>> {
    const EVERY: [i32; 10] = [1, 2, 3, 4, 5, 10, 20, 50, 100, 200];
    let fine = [(&[1.0, 2.0, 5.0][..], 1, 4), (&[1.0, 3.0][..], 1, 3)];
    let powers = EVERY.map(|every| (&[1.0][..], every, 2));
    let choices =
        fine.into_iter().chain(powers).map(|(mantissas, every, least)| (rounds(ends, mantissas, every), least));
    let mut fitting = choices.filter(|(found, least)| found.len() >= *least && found.len() as f64 <= most);
    fitting.next().map(|(found, _)| found)
}

/// The numbers between two decimal logarithms with one of these mantissas and an exponent that is a multiple of `every`.
#[allow(clippy::cast_possible_truncation, reason = "the logarithm of a finite positive double is below 400")]
fn rounds((lower, upper): (f64, f64), mantissas: &[f64], every: i32) -> Vec<Round> {
    let slack = 1e-9 * (upper - lower);
    let exponents = lower.floor() as i32..=upper.ceil() as i32;
    exponents
        .filter(|exponent| exponent % every == 0)
        .flat_map(|exponent| mantissas.iter().map(move |mantissa| (*mantissa, exponent)))
        .filter(|round| (lower - slack..=upper + slack).contains(&logarithm(*round)))
        .collect()
}

fn logarithm((mantissa, exponent): Round) -> f64 {
    mantissa.log10() + f64::from(exponent)
}

impl Axis {
    /// The finest round numbers with at most this many ticks (or three), or round numbers at equal steps.
    pub(super) fn set_logarithmic_ticks(&mut self, most: f64) {
        let ends = (self.lower, self.upper);
        let places = |rounds: &[Round]| rounds.iter().map(|round| self.place(logarithm(*round))).collect::<Vec<f64>>();
        let ticks = match finest(ends, most.max(3.0)) {
            Some(rounds) => places(&rounds).into_iter().zip(texts(&rounds)).collect(),
            None => self.ticks_between_powers(most),
        };
        let decades = self.upper - self.lower;
        let digits: &[f64] = if decades <= 8.0 { &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] } else { &[1.0] };
        let minor_ticks = if decades <= 40.0 { places(&rounds(ends, digits, 1)) } else { Vec::new() };
        (self.ticks, self.minor_ticks) = (ticks, minor_ticks);
    }

    /// Round numbers at equal steps, for an axis of less than two powers of ten. The step is so large that the labels at
    /// the upper end, where ticks are nearest to each other, do not touch.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a few decimals, not negative")]
    fn ticks_between_powers(&self, most: f64) -> Vec<(f64, String)> {
        // Values are in units of a power of ten near them, so that none overflows.
        let exponent = self.lower.floor();
        // The power is the square of this number, which is always a double; no tick is beyond the largest double.
        let half = 10f64.powf(0.5 * exponent);
        let low = 10f64.powf(self.lower - exponent);
        let high = 10f64.powf(self.upper - exponent).min(f64::MAX / half / half);
        let at = |value: f64| self.place(value.log10() + exponent);
        let mut step = nice_step((high - low) / most);
        while high - 2.0 * step > low && (at(high) - at(high - step)) * most < 0.7 {
            step = nice_step(2.1 * step);
        }
        let first = (low / step - 1e-9).ceil();
        let values: Vec<f64> = std::iter::successors(Some(first), |index| Some(index + 1.0))
            .map(|index| index * step)
            .take_while(|value| *value <= high + 1e-9 * step)
            .take(50)
            .collect();
        let texts = if (-4.0..5.0).contains(&exponent) {
            let decimals = (-(step.log10() + exponent + 1e-9).floor()).max(0.0) as usize;
            values.iter().map(|value| fixed(value * 10f64.powf(exponent), decimals)).collect()
        } else {
            distinct(&values.iter().map(|value| value * half * half).collect::<Vec<f64>>())
        };
        values.into_iter().map(at).zip(texts).collect()
    }
}

/// All in full, or all with powers of ten.
fn texts(rounds: &[Round]) -> Vec<String> {
    let is_plain = rounds.iter().all(|(_, exponent)| (-3..=4).contains(exponent));
    let text = |&(mantissa, exponent): &Round| {
        let power = || format!("10{}", raised(&exponent.to_string()));
        match (is_plain, mantissa > 1.0) {
            (true, _) => exact(value((mantissa, exponent))),
            (false, true) => format!("{}×{}", exact(mantissa), power()),
            (false, false) => power(),
        }
    };
    rounds.iter().map(text).collect()
}
