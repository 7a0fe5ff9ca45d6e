//! The ticks of a logarithmic axis: powers of ten, or round numbers where the axis covers less than a few powers.

use super::{Axis, nice_step};
use crate::canvas::numbers::{distinct, exact, fixed, raised};

/// A round number: `mantissa * 10^exponent`.
type Round = (f64, i32);

impl Axis {
    fn place_of_round(&self, (mantissa, exponent): Round) -> f64 {
        self.place(mantissa.log10() + f64::from(exponent))
    }

    /// The finest of the usual choices with at most this many ticks (or three): 1, 2, 5; 1, 3; every power of ten; every
    /// few powers of ten.
    pub(super) fn set_logarithmic_ticks(&mut self, most: f64) {
        const EVERY: [i32; 10] = [1, 2, 3, 4, 5, 10, 20, 50, 100, 200];
        let fits = |ticks: &Vec<Round>, least: usize| ticks.len() >= least && ticks.len() as f64 <= most.max(3.0);
        let fine = [(&[1.0, 2.0, 5.0][..], 4), (&[1.0, 3.0][..], 3)];
        let fine = fine.into_iter().map(|(mantissas, least)| (self.rounds(mantissas, 1), least));
        let powers = EVERY.into_iter().map(|every| (self.rounds(&[1.0], every), 2));
        if let Some((rounds, _)) = fine.chain(powers).find(|(ticks, least)| fits(ticks, *least)) {
            let places: Vec<f64> = rounds.iter().map(|round| self.place_of_round(*round)).collect();
            self.ticks = places.into_iter().zip(texts(&rounds)).collect();
        } else {
            self.ticks = self.ticks_between_powers(most);
        }
        let decades = self.upper - self.lower;
        let digits: &[f64] = if decades <= 8.0 { &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] } else { &[1.0] };
        if decades <= 40.0 {
            self.minor_ticks = self.rounds(digits, 1).into_iter().map(|round| self.place_of_round(round)).collect();
        }
    }

    /// The numbers on the axis with one of these mantissas and an exponent that is a multiple of `every`.
    #[allow(clippy::cast_possible_truncation, reason = "the logarithm of a finite positive double is below 400")]
    fn rounds(&self, mantissas: &[f64], every: i32) -> Vec<Round> {
        let exponents = self.lower.floor() as i32..=self.upper.ceil() as i32;
        exponents
            .filter(|exponent| exponent % every == 0)
            .flat_map(|exponent| mantissas.iter().map(move |mantissa| (*mantissa, exponent)))
            .filter(|round| (-1e-9..=1.0 + 1e-9).contains(&self.place_of_round(*round)))
            .collect()
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
        let texts = if (-3.0..5.0).contains(&exponent) {
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
    let text = |&(mantissa, exponent): &Round| match (is_plain, exponent) {
        (true, 0..) => exact(mantissa * 10f64.powi(exponent)),
        (true, _) => exact(mantissa / 10f64.powi(-exponent)),
        (false, _) => {
            let power = format!("10{}", raised(&exponent.to_string()));
            if mantissa > 1.0 { format!("{}×{power}", exact(mantissa)) } else { power }
        }
    };
    rounds.iter().map(text).collect()
}
