//! A ball of which the centre or the radius was bought with a share of the budget.

use dpfda_mechanism::{Fact, Purchases, Release, exact, rounded};
use dpfda_privacy::{Body, GaussianPrivacy, Law, NestedRadius, Share};
use dpfda_smoothing::Ball;

use crate::bound_fact::short;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::{least_records, outside, trusted_total};
use crate::release_error::ReleaseError;

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
/// See [`Mechanism::buying`](dpfda_mechanism::Mechanism::buying) and `docs/proofs/bought-ball.md`.
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
    let Purchases { shares, whole, records, center, radius } = *purchases;
    let mut ball = center.and_then(|center| stated.centered(&center)).unwrap_or_else(|| stated.ball().clone());
    let mut bought = Bought::of(stated.ball().clone(), shares);
    if let Some((counts, share)) = radius.zip(shares.radius()) {
        let radius = Bought::narrowed(counts, records, whole, share);
        if let Some(narrowed) = Bought::narrowed_ball(&ball, radius) {
            (ball, bought.radius) = (narrowed, radius);
        }
        let total = records.map(|records| records as f64);
        let total = trusted_total(&Norms::counts(counts), total, whole.share(share).mu());
        bought.outside = Some(outside(total, whole.mu()));
    }
    on(stated, ball, bought)
}

/// The statistic in a smaller or moved ball.
fn on<S: InBall>(stated: &S, ball: Ball, bought: Bought) -> S {
    let moved = stated.in_ball(ball, Some(bought));
    moved.unwrap_or_else(|_| unreachable!("a bought ball has a centre on the grid of the stated one"))
}

/// What is bought of so many records: **the one place that decides it**. `least` is the fewest that a radius is bought from, where their
/// number is public; where it is private, that number decides nothing.
///
/// # Errors
/// [`ReleaseError::TooFewForRadius`] for a share that was asked for.
pub(crate) fn shares_of(shares: BallShares, least: Option<u64>, found: u64) -> Result<BallShares, ReleaseError> {
    match least {
        Some(least) if found < least && !shares.is_if_enough() => Err(ReleaseError::TooFewForRadius { least, found }),
        Some(least) if found < least => Ok(shares.without_radius()),
        _ => Ok(shares.asked_for()),
    }
}

/// The most bytes that the sums for every radius may take: 32 million. Records that need more, such as surfaces on more than about 20,000
/// points, have the stated radius.
pub const MOST_BYTES_OF_SUMS: u64 = 32_000_000;

/// What is bought of records in this body, whose sums are kept for every radius: **the one place that decides it**, for every statistic in
/// a ball. `is_default` where nobody asked for the radius.
///
/// # Errors
/// [`ReleaseError::TooWideForRadius`] for a share that was asked for.
pub(crate) fn shares_in(body: &impl Body, shares: BallShares, is_default: bool) -> Result<BallShares, ReleaseError> {
    let (bytes, most) = (body.bytes_of_sums(), MOST_BYTES_OF_SUMS);
    if shares.radius().is_none() || bytes <= most {
        Ok(shares)
    } else if is_default {
        Ok(shares.without_radius())
    } else {
        Err(ReleaseError::TooWideForRadius { bytes, most })
    }
}

/// Why the usual share bought no radius, where that is public: the records are too few, or too wide. `None` where a radius was bought.
pub(crate) fn nothing_bought<S: InBall>(release: &Release<S>) -> Option<Fact> {
    if release.mechanism().shares().radius().is_some() {
        return None;
    }
    let body = release.statistic().body(release.mechanism().law());
    let text = match least_for_usual_radius(release) {
        _ if shares_in(&body, BallShares::default(), false).is_err() => {
            let megabytes = |bytes: u64| rounded(bytes as f64 / 1e6);
            let (found, most) = (megabytes(body.bytes_of_sums()), megabytes(MOST_BYTES_OF_SUMS));
            format!("nothing: the sums for every radius of records this wide take {found} MB, more than {most} MB")
        }
        Some(least) => format!("nothing: by default, a radius is bought from {least} records on"),
        None => return None,
    };
    Some(Fact::new("bought", text))
}

/// The fewest records that the usual share buys a radius from, of a release of fewer in a stated ball; `None` for others, and where the
/// number of records is private.
fn least_for_usual_radius<S: InBall>(release: &Release<S>) -> Option<u64> {
    let (usual, records) = (BallShares::default().radius()?, release.public_records()?);
    let Law::Gaussian { calibration } = release.mechanism().law() else { return None };
    let whole = GaussianPrivacy::calibrated(*calibration, &release.budget()).ok()?;
    let least = least_records(whole, usual);
    (release.mechanism().shares().radius().is_none() && records < least).then_some(least)
}
