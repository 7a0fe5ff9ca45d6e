//! A ball of which the centre or the radius was bought with a share of the budget.

use dpfda_mechanism::{Fact, MOST_BYTES_OF_SUMS, Purchases, Release, exact, rounded};
use dpfda_privacy::{Body, Law, NestedRadius, Share};
use dpfda_smoothing::Ball;

use crate::bound_fact::short;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::{outside, trusted_total};

pub use dpfda_mechanism::{BallShareError, BallShares};

#[cfg(test)]
#[path = "bought_tests.rs"]
mod tests;

/// How a ball was bought. It follows from the plan and the noisy answers:
///
/// ```text
/// centre:  a noisy mean in the stated ball, made smooth                                     share of mu^2
/// radius:  noisy numbers of records by their distance from that centre, and a fixed rule    share of mu^2
/// ```
///
/// See [`Mechanism::shares`](dpfda_mechanism::Mechanism::shares) and `docs/proofs/bought-ball.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct Bought {
    ball: Ball,
    shares: BallShares,
    radius: NestedRadius,
    outside: Option<f64>,
}

impl Bought {
    /// A part of this ball, with these shares.
    pub(crate) fn of(ball: Ball, shares: BallShares) -> Self {
        Self { ball, shares, radius: NestedRadius::STATED, outside: None }
    }

    /// The ball that was stated in public, before anything was bought.
    pub fn stated_ball(&self) -> &Ball {
        &self.ball
    }

    /// The radius, as a part of the stated one.
    pub fn radius(&self) -> NestedRadius {
        self.radius
    }

    /// The shares that were spent.
    pub fn shares(&self) -> BallShares {
        self.shares
    }

    /// The largest share of the records that the rule lets lie outside a bought radius, a public number; `None` for a stated one.
    pub fn outside(&self) -> Option<f64> {
        self.outside
    }

    /// What was bought, in words.
    pub(crate) fn in_words(&self, ball: &Ball, record: &str) -> String {
        let percent = |share: Share| exact((share.value() * 1e8).round() / 1e6);
        let stated = short(self.ball.radius());
        let center = self.shares.center().map(|share| format!("{}% of mu squared bought the centre", percent(share)));
        let radius = self.shares.radius().map(|share| {
            let to = rounded(ball.radius());
            format!("{}% of mu squared bought the radius: {to}, of at most {stated}", percent(share))
        });
        let parts: Vec<String> = center.into_iter().chain(radius).collect();
        format!("{}. How many {record}s lie outside the bought ball is not told", parts.join("; "))
    }
}

/// The statistic in the ball that noisy answers call for: post-processing.
pub(crate) fn under<S: InBall>(stated: &S, purchases: &Purchases<'_>) -> S {
    let Purchases { shares, whole, center, radius, .. } = *purchases;
    let records = stated.counted(purchases.records);
    let mut ball = center.and_then(|center| stated.centered(&center)).unwrap_or_else(|| stated.ball().clone());
    let mut bought = Bought::of(stated.ball().clone(), shares);
    if let Some((counts, share)) = radius.zip(shares.radius()) {
        let radius = Bought::narrowed(counts, records, stated.smallest(), whole, share);
        if let Some(narrowed) = Bought::narrowed_ball(&ball, radius) {
            (ball, bought.radius) = (narrowed, radius);
        }
        let total = records.map(|records| records as f64);
        let total = trusted_total(&Norms::counts(counts), total, whole.share(share).mu());
        bought.outside = Some(outside(total, stated.smallest(), whole.mu()));
    }
    on(stated, ball, bought)
}

/// The statistic in a smaller or moved ball.
fn on<S: InBall>(stated: &S, ball: Ball, bought: Bought) -> S {
    let moved = stated.in_ball(ball, Some(bought));
    moved.unwrap_or_else(|_| unreachable!("a bought ball has a centre on the grid of the stated one"))
}

/// What a release says where its records, too few or too wide, kept it from buying a radius, as it would have by default.
pub fn stated_by_default<S: InBall>(release: &Release<S>) -> Option<Fact> {
    let mechanism = release.mechanism();
    let bytes = release.statistic().body(mechanism.law()).bytes_of_sums();
    let is_normal = matches!(mechanism.law(), Law::Gaussian { .. });
    let text = if is_normal && mechanism.shares().radius().is_none() && bytes > MOST_BYTES_OF_SUMS {
        let [found, most] = [bytes, MOST_BYTES_OF_SUMS].map(|bytes| rounded(bytes as f64 / 1e6));
        format!("nothing: the sums for every radius of records this wide take {found} MB, more than {most} MB")
    } else {
        let least = least_for_usual_radius(release)?;
        format!("nothing: by default, a radius is bought from {least} records on")
    };
    Some(Fact::new("bought", text))
}

/// The fewest records that the usual share buys a radius from, of a release of fewer in a stated ball; `None` for others, and where the
/// number of records is private.
fn least_for_usual_radius<S: InBall>(release: &Release<S>) -> Option<u64> {
    let (usual, records) = (BallShares::default().radius()?, release.public_records()?);
    let Law::Gaussian { .. } = release.mechanism().law() else { return None };
    let least = release.mechanism().terms().least_for_radius(&Norms::body(), usual).ok()??;
    (release.mechanism().shares().radius().is_none() && records < least).then_some(least)
}
