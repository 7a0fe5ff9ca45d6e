//! How surely an audit sees a false claim.

use dpfda_privacy::{binomial_bounds, binomial_tail};

use crate::attack::{Attack, AuditPlan};
use crate::claim::Inequality;
use crate::error::AuditError;
use crate::exact::EventProbabilities;

#[cfg(test)]
#[path = "power_tests.rs"]
mod tests;

/// The part of the power that is given up for a bound in closed form.
const SLACK: f64 = 1e-4;

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
    /// The probabilities of events are known, from tables or by quadrature; see [`power`]. One event counts, the most telling,
    /// and what the exact sums show is left aside.
    pub fn power(&self, drawn: &Self, plan: &AuditPlan) -> Result<f64, AuditError> {
        let level = self.level(plan);
        let of = |event: EventProbabilities| {
            let Inequality { epsilon, delta, .. } = event.inequality;
            // only events that can refute are worth the exact tails
            let can_refute = event.likely > epsilon.exp() * event.other + delta;
            if can_refute { power(event.likely, event.other, plan.draws, epsilon, delta, level) } else { 0.0 }
        };
        Ok(self.probabilities(drawn)?.into_iter().map(of).fold(0.0, f64::max))
    }
}
