//! How surely an audit sees a false claim.

use dpfda_privacy::{binomial_bounds, binomial_tail};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::attack::{Attack, EventCount, Plan};
use crate::claim::{Claim, Inequality};
use crate::error::AuditError;
use crate::law::Noise;

/// How often the bounds on the probabilities of events are wrong, which are put in for the probabilities.
const CONFIDENCE: f64 = 1e-3;

/// The part of the power that is given up for a bound in closed form.
const SLACK: f64 = 1e-4;

/// The probability of an event on the side where it is likely, that on the other side, and what is claimed of them.
type EventProbabilities = (f64, f64, Inequality);

/// A lower bound on the probability that counts of one event refute `P(A) <= e^epsilon Q(A) + delta`.
///
/// ```text
/// P(K >= k) - P(K' > k'),    K ~ Binomial(n, P(A)),  K' ~ Binomial(n, Q(A)),
/// ```
///
/// `k'` the `1 - 1e-4` quantile of `K'` and `k` the least count that refutes together with `k'`, when each Clopper-Pearson
/// bound is allowed the error `level`. Both probabilities are exact.
pub fn power(likely: f64, other: f64, draws: u64, epsilon: f64, delta: f64, level: f64) -> f64 {
    let most = first_above(draws, |k| binomial_tail(k + 1, draws, other) <= SLACK);
    let (_, upper) = binomial_bounds(most, draws, level);
    let needed = epsilon.exp() * upper + delta;
    if needed.is_nan() || needed >= 1.0 {
        return 0.0;
    }
    let enough = first_above(draws, |k| binomial_bounds(k, draws, level).0 > needed);
    if binomial_bounds(enough, draws, level).0 > needed {
        (binomial_tail(enough, draws, likely) - SLACK).max(0.0)
    } else {
        0.0
    }
}

/// The least count that holds; the largest if none does.
fn first_above(draws: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, draws);
    while low < high {
        let middle = u64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

impl Attack {
    /// A lower bound on the probability that an audit with this plan refutes the claim when `drawn` is what really releases.
    ///
    /// For normal noise the probabilities of the events are known; otherwise they are bounded by a run of their own, wrong with
    /// probability 0.001. See [`power`]. One event counts, and what the exact sums show is left aside.
    ///
    /// # Errors
    /// [`AuditError`], as [`Attack::run`].
    pub fn power(&self, drawn: &Self, plan: &Plan) -> Result<f64, AuditError> {
        let level = self.level(plan);
        let of = |(likely, other, inequality): EventProbabilities| {
            let Inequality { epsilon, delta, .. } = inequality;
            // only events that can refute are worth the exact tails
            let can_refute = likely > epsilon.exp() * other + delta;
            if can_refute { power(likely, other, plan.draws, epsilon, delta, level) } else { 0.0 }
        };
        let probabilities = match self.normal_probabilities(drawn)? {
            Some(known) => known,
            None => self.bounded_probabilities(drawn, plan)?,
        };
        Ok(probabilities.into_iter().map(of).fold(0.0, f64::max))
    }

    /// The probabilities of the events of the worst pair, on the likely side and on the other, where all noise is normal.
    ///
    /// ```text
    /// P = Phi((mu^2 / 2 - e) / (mu r)),  Q = Phi((-mu^2 / 2 - e) / (mu r)),    r = scale drawn / scale claimed
    /// ```
    fn normal_probabilities(&self, drawn: &Self) -> Result<Option<Vec<EventProbabilities>>, AuditError> {
        let plain = |noise: &Noise| matches!(noise, Noise::Normal(_) | Noise::Path { law: None, .. });
        let (Claim::Gaussian { .. }, Some(claimed), Some(used)) = (&self.claim, &self.noise, &drawn.noise) else {
            return Ok(None);
        };
        if !(plain(claimed) && plain(used)) {
            return Ok(None);
        }
        let mut mu = 0.0_f64;
        for pair in &self.pairs {
            mu = mu.max(self.pair_loss(pair)?.unwrap_or(0.0));
        }
        let (ratio, normal) = (used.scale() / claimed.scale(), Normal::standard());
        let at = |inequality: Inequality, side: f64| {
            normal.cdf((side * 0.5 * mu * mu - inequality.threshold) / (mu * ratio))
        };
        let of = |inequality: Inequality| (at(inequality, 1.0), at(inequality, -1.0), inequality);
        Ok(Some(self.claim.inequalities().into_iter().map(of).collect()))
    }

    /// Bounds on the probabilities of the most telling event, against the power: that of the likely side from below, the other
    /// from above. The event is chosen by one run, its probabilities are bounded by another.
    fn bounded_probabilities(&self, drawn: &Self, plan: &Plan) -> Result<Vec<EventProbabilities>, AuditError> {
        let choice = Plan { draws: plan.draws.div_ceil(4), seed: plan.seed.wrapping_add(0x5EED), ..*plan };
        let distance = |event: &EventCount| {
            let share = |count: u64| count as f64 / choice.draws as f64;
            let (p, q) = (share(event.likely), share(event.other));
            let factor = event.inequality.epsilon.exp();
            let variance = p * (1.0 - p) + factor * factor * q * (1.0 - q);
            (p - factor * q - event.inequality.delta) / variance.max(f64::MIN_POSITIVE).sqrt()
        };
        let counts = self.count(drawn, &choice)?;
        let best = (0..counts.len()).max_by(|a, b| distance(&counts[*a]).total_cmp(&distance(&counts[*b])));
        let estimate = Plan { draws: 2 * plan.draws, seed: plan.seed.wrapping_add(0xB0B), ..*plan };
        let counts = self.count(drawn, &estimate)?;
        let bounds = |event: EventCount| {
            let (likely, _) = binomial_bounds(event.likely, estimate.draws, CONFIDENCE / 2.0);
            let (_, other) = binomial_bounds(event.other, estimate.draws, CONFIDENCE / 2.0);
            (likely, other, event.inequality)
        };
        Ok(best.map(|best| bounds(counts[best])).into_iter().collect())
    }
}
