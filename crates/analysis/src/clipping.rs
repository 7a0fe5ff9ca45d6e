//! How far clipping at a bought radius may have moved a mean.

use dpfda_mechanism::rounded;
use dpfda_release::{Bought, GroupSize, most_outside};

/// What of the estimated excess counts: pulls cancel in part. Measured (`docs/proofs/posterior.md`), not proved.
const OF_EXCESS: f64 = 0.8;

/// The allowance of a band for the pull on records outside a bought ball, in data units; 0 in a stated one.
///
/// ```text
/// E = max( 0.8 Ehat(tau), 5 p^4 tau ),    p = min(8 sqrt(15 c) / (mu N), 0.4)
/// ```
///
/// `Ehat` is the [excess](Bought::excess) that the noisy counts tell, and the other part a floor where they tell little: a mean moves by
/// at most the mean excess. `c` is how many times the usual energy the noise has.
pub(crate) fn allowance(bought: Option<&Bought>, radius: f64, group: usize, size: GroupSize, noise: f64) -> f64 {
    let Some((bought, mu)) = bought.and_then(|bought| Some((bought, bought.mu()?))) else { return 0.0 };
    let excess = bought.excess(group, size).unwrap_or(0.0);
    (OF_EXCESS * excess).max(radius * floor(most_outside(size.records, mu, noise)))
}

/// `5 p^4`: what the pull on a share `p` of all records may do to the mean in radii, where counts say nothing.
pub(crate) fn floor(share: f64) -> f64 {
    5.0 * share.powi(4)
}

/// The allowance for squared lengths, in squared data units: `e = 2 max( ehat2(tau), 10 p^4 tau^2 )`.
///
/// Clipping only lowers second moments: the true ones less the clipped ones are positive, with a trace of at most the energy outside.
pub(crate) fn energy_allowance(bought: Option<&Bought>, radius: f64, group: usize, size: GroupSize) -> f64 {
    let Some((bought, mu)) = bought.and_then(|bought| Some((bought, bought.mu()?))) else { return 0.0 };
    let energy = bought.excess_energy(group, size).unwrap_or(0.0);
    2.0 * energy.max(2.0 * floor(most_outside(size.records, mu, 1.0)) * radius * radius)
}

/// How many people far outside a bought ball the noise of the counts can hide, and what each would move.
///
/// ```text
/// 2 sqrt(2) / (mu sqrt(s))  people, two standard deviations of a count;    (r - tau) / N  each, r the largest radius
/// ```
///
/// Whatever is asked with a share `s` of the budget has noise of about this size; `docs/proofs/bought-ball.md` says what no rule finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unseen {
    people: f64,
    farther: f64,
    each: f64,
}

impl Unseen {
    pub(crate) fn of(bought: Option<&Bought>, radius: f64, records: f64) -> Option<Self> {
        let bought = bought?;
        let (mu, share) = bought.mu().zip(bought.shares().radius())?;
        let people = 2.0 * std::f64::consts::SQRT_2 / (mu * share.value().sqrt());
        Some(Self { people, farther: radius, each: (bought.stated_ball().radius() - radius) / records })
    }

    /// One sentence.
    pub(crate) fn in_words(&self) -> String {
        let people = rounded(self.people.ceil());
        let (farther, each) = (rounded(self.farther), rounded(self.each));
        format!(
            "Up to {people} people farther than {farther} from the centre may go unseen; each of them moves the mean by at most {each}."
        )
    }
}
