//! A ball of which the centre or the radius was bought with a share of the budget.

use dpfda_mechanism::{Fact, MOST_BYTES_OF_SUMS, Purchases, Release, Wanted, rounded};
use dpfda_privacy::{Body, Law, NestedRadius, Share};
use dpfda_smoothing::Ball;

use crate::bound_fact::short;
use crate::purchase::ball_rule::distances;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::{Distances, Outside};
use crate::purchase::tail::Tail;

pub use dpfda_mechanism::{BallShareError, BallShares};

#[cfg(test)]
#[path = "bought_tests.rs"]
mod tests;

/// So many radii stand behind one another in a cell of counts.
const NUMBERS_OF_CELL: u32 = 4;

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
    distances: Option<Distances>,
    outside: Option<Outside>,
    crowd: Option<f64>,
}

/// How many records a group has, and all groups together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupSize {
    /// Of the group, more than 0.
    pub records: f64,
    /// Of all.
    pub all: f64,
}

impl GroupSize {
    /// The only group.
    pub fn only(records: f64) -> Self {
        Self { records, all: records }
    }
}

impl Bought {
    /// A part of this ball, with these shares.
    pub(crate) fn of(ball: Ball, shares: BallShares) -> Self {
        Self { ball, shares, radius: NestedRadius::STATED, distances: None, outside: None, crowd: None }
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

    /// The largest share of so many records that the rule lets lie outside a bought radius, `min(8 sqrt(15) / (mu N), 0.4)`: a public number;
    /// `None` for a stated one.
    pub fn most_outside(&self, records: f64) -> Option<f64> {
        self.distances.as_ref().map(|distances| distances.most_outside(records))
    }

    /// What the noisy counts tell of the records outside the bought radius, of all groups together; `None` for a stated one.
    pub fn outside(&self) -> Option<Outside> {
        self.outside
    }

    /// The part of all records that noisy counts tell beyond `1 / sqrt(2)` of the stated radius, where this is the one that was found: those outside
    /// it are among them. `None` for a smaller radius, and for counts that tell nothing.
    pub fn crowd(&self) -> Option<f64> {
        self.crowd
    }

    /// An estimate of `E (|u| - tau)_+`, how far a record of a group lies beyond the bought radius in the mean, in data units, from its noisy
    /// counts. Where groups are counted together, all who are outside may be of this one. `None` for a stated radius.
    pub fn excess(&self, group: usize, size: GroupSize) -> Option<f64> {
        let (tail, times) = self.tail(group, size)?;
        Some(times * tail.excess(self.radius.of(1.0)) * self.ball.radius())
    }

    /// The same of `E (|u|^2 - tau^2)_+`, in squared data units.
    pub fn excess_energy(&self, group: usize, size: GroupSize) -> Option<f64> {
        let (tail, times) = self.tail(group, size)?;
        Some(times * tail.energy(self.radius.of(1.0)) * self.ball.radius().powi(2))
    }

    /// The tail that is counted for a group, and how many times its mean may be that of the group.
    fn tail(&self, group: usize, size: GroupSize) -> Option<(Tail, f64)> {
        let distances = self.distances.as_ref()?;
        let (counts, of) = if distances.are_apart() { (group, size.records) } else { (0, size.all) };
        Some((distances.tail(counts, of)?, of / size.records))
    }

    /// The privacy of the whole budget, as `mu`; `None` for a stated radius.
    pub fn mu(&self) -> Option<f64> {
        self.distances.as_ref().map(Distances::mu)
    }

    /// What was found with a part of the budget, in words.
    pub(crate) fn fact(&self, ball: &Ball, record: &str) -> Fact {
        let percent = |share: Share| rounded(100.0 * share.value());
        let stated = short(self.ball.radius());
        let center = self.shares.center().map(|share| format!("centre found with {}% of the budget", percent(share)));
        let radius = self.shares.radius().map(|share| {
            let to = rounded(ball.radius());
            format!("radius {to} (of at most {stated}) found with {}% of the budget", percent(share))
        });
        let parts: Vec<String> = radius.into_iter().chain(center).collect();
        let text =
            format!("{}. How many {record}s lie farther from the centre than the radius is not told", parts.join("; "));
        Fact::new("found", text).briefly(self.in_brief(ball))
    }

    /// The same on one line.
    fn in_brief(&self, ball: &Ball) -> String {
        let percent = |share: Share| rounded(100.0 * share.value());
        let (radius, stated) = (rounded(ball.radius()), short(self.ball.radius()));
        let radius =
            self.shares.radius().map(|share| format!("radius {radius} (of at most {stated}) with {}%", percent(share)));
        let center = self.shares.center().map(|share| format!("centre with {}%", percent(share)));
        format!("{} of the budget", radius.into_iter().chain(center).collect::<Vec<_>>().join(", "))
    }
}

/// The statistic in the ball that noisy answers call for: post-processing.
pub(crate) fn under<S: InBall>(stated: &S, purchases: &Purchases<'_>) -> S {
    let Purchases { shares, whole, records, center, radius } = *purchases;
    let mut ball = center.and_then(|center| stated.centered(&center)).unwrap_or_else(|| stated.ball().clone());
    let mut bought = Bought::of(stated.ball().clone(), shares);
    if let Some((counts, share)) = radius.zip(shares.radius()) {
        let distances = distances(counts, &stated.counted(records), whole, share);
        let weighing = stated.weighing(records.is_some());
        let radius = distances.radius(&weighing);
        if let Some(narrowed) = Bought::narrowed_ball(&ball, radius) {
            (ball, bought.radius) = (narrowed, radius);
            bought.outside = distances.outside(radius, &weighing);
        }
        if radius == NestedRadius::STATED {
            let first = NestedRadius::new(NUMBERS_OF_CELL).and_then(|first| distances.outside(first, &weighing));
            bought.crowd = first.map(|first| first.most);
        }
        bought.distances = Some(distances);
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
        format!("nothing: by default, a radius is found from {least} records on")
    };
    Some(Fact::new("found", text))
}

/// The fewest records that the usual share buys a radius from, of a release of fewer in a stated ball; `None` for others, and where the
/// number of records is private.
fn least_for_usual_radius<S: InBall>(release: &Release<S>) -> Option<u64> {
    let (usual, records) = (BallShares::default().radius()?, release.public_records()?);
    let Law::Gaussian { .. } = release.mechanism().law() else { return None };
    let terms = release.mechanism().terms();
    let by_rule = Wanted::least_for_radius(terms.gaussian().ok()?.mu());
    let of_usual = terms.least_for_radius(&Norms::body(1), usual).ok()??;
    let is_stated = release.mechanism().shares().radius().is_none();
    [by_rule, of_usual].into_iter().find(|least| is_stated && records < *least)
}
