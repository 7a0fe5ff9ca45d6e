//! A ball of which the centre or the radius was bought with a share of the budget.

use dpfda_mechanism::{Guarantee, Mechanism, Release, exact, rounded};
use dpfda_privacy::{Calibration, GaussianPrivacy, Law, Share, ShareError};
use dpfda_smoothing::{Ball, Center};
use serde::{Deserialize, Serialize};

use crate::coarse_center::coarse;
use crate::mean::Mean;
use crate::norms::Norms;
use crate::radius_rule::{eighths, shrunk};

#[cfg(test)]
#[path = "bought_tests.rs"]
mod tests;

/// Which shares of the budget buy the ball: of `mu^2`, which adds up over the steps.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BallShares {
    /// For the centre; `None` keeps the stated one.
    pub center: Option<Share>,
    /// For the radius; `None` keeps the stated one.
    pub radius: Option<Share>,
}

/// The largest share that may be spent on the centre, and on the radius.
const LARGEST: f64 = 0.5;

impl BallShares {
    /// These shares.
    ///
    /// # Errors
    /// [`ShareError::Range`] for a share of one half or more.
    pub fn new(center: Option<Share>, radius: Option<Share>) -> Result<Self, ShareError> {
        for share in [center, radius].into_iter().flatten() {
            if share.value() >= LARGEST {
                return Err(ShareError::Range { value: share.value() });
            }
        }
        Ok(Self { center, radius })
    }

    /// Whether anything is bought.
    pub fn buys(&self) -> bool {
        self.center.is_some() || self.radius.is_some()
    }

    /// What is left for the release itself.
    ///
    /// # Errors
    /// [`ShareError::NothingLeft`]
    pub fn rest(&self) -> Result<Share, ShareError> {
        Share::rest_of([self.center, self.radius].into_iter().flatten())
    }
}

/// How a ball was bought: the noisy answers that it follows from. All of it is public.
///
/// ```text
/// centre:  a noisy mean in the stated ball, made smooth                                     share of mu^2
/// radius:  noisy numbers of records by their distance from that centre, and a fixed rule    share of mu^2
/// ```
///
/// Each answer is a release of its own with its share of `mu^2`, and the release of the mean has the rest: adaptive composition
/// of Gaussian steps is exact (Dong, Roth and Su 2022, Corollary 3.3). See `docs/proofs/bought-ball.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bought {
    /// The ball that was stated.
    ball: Ball,
    /// The noisy mean that the centre follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<Box<Release<Mean>>>,
    /// The noisy counts that the radius follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<Box<Release<Norms>>>,
}

impl Bought {
    /// Nothing bought yet.
    pub(crate) fn stated(ball: Ball) -> Self {
        Self { ball, center: None, radius: None }
    }

    pub(crate) fn with_center(mut self, center: Release<Mean>) -> Self {
        self.center = Some(Box::new(center));
        self
    }

    pub(crate) fn with_radius(mut self, radius: Release<Norms>) -> Self {
        self.radius = Some(Box::new(radius));
        self
    }

    /// The ball that was stated in public, before anything was bought.
    pub fn stated_ball(&self) -> &Ball {
        &self.ball
    }

    /// The noisy mean that the centre follows from, where it was bought.
    pub fn center(&self) -> Option<&Release<Mean>> {
        self.center.as_deref()
    }

    /// The noisy counts that the radius follows from, where it was bought.
    pub fn radius(&self) -> Option<&Release<Norms>> {
        self.radius.as_deref()
    }

    /// The ball that follows: post-processing.
    pub fn ball(&self) -> Ball {
        let centered = self.center().and_then(|center| self.moved_to(center)).unwrap_or_else(|| self.ball.clone());
        let shrunk = self.radius().and_then(|counts| {
            let noisy = counts.statistic().counts(counts.coordinates());
            let records = counts.public_records().map(|records| records as f64);
            let whole = whole(counts)?;
            centered.moved(centered.center().clone(), shrunk(centered.radius(), eighths(&noisy, records, whole.mu()))).ok()
        });
        shrunk.unwrap_or(centered)
    }

    /// The stated ball about a bought centre, which lies in it: the mean of the bounded curves does.
    fn moved_to(&self, center: &Release<Mean>) -> Option<Ball> {
        let statistic = center.statistic();
        let unit_grid = statistic.grid().to_unit().ok()?;
        let (noisy, sd) = statistic.whitened(center);
        let deviation = coarse(&unit_grid, &noisy.to_vec(), sd, self.ball.radius());
        let length = deviation.iter().map(|z| z * z).sum::<f64>().sqrt();
        let factor = if length > self.ball.radius() { self.ball.radius() / length } else { 1.0 };
        let stated = self.ball.center_at(statistic.grid()).ok()?;
        let points = stated.iter().zip(&deviation).zip(unit_grid.weights());
        let values = points.map(|((c, z), w)| self.ball.clamp(c + factor * z / w.sqrt())).collect();
        self.ball.moved(Center::Curve(values), self.ball.radius()).ok()
    }

    /// What the answers cost, each with the privacy that its noise has.
    pub(crate) fn spent(&self) -> Option<GaussianPrivacy> {
        GaussianPrivacy::compose(self.center().and_then(privacy).into_iter().chain(self.radius().and_then(privacy)))
    }

    /// The shares that were spent.
    pub fn shares(&self) -> BallShares {
        BallShares { center: self.center().and_then(share), radius: self.radius().and_then(share) }
    }

    /// Whether the answers are of the same statistic, people, guarantee and secrecy as the release of the mean, about the balls
    /// that they must be of, and leave it its share.
    pub(crate) fn belongs_to(&self, mean: &Release<Mean>) -> bool {
        let statistic = mean.statistic();
        let plain = |ball: Ball| statistic.plain_on(ball);
        let (Ok(stated), Ok(rest)) = (plain(self.ball.clone()), self.shares().rest()) else { return false };
        let centered = Self { radius: None, ..self.clone() }.ball();
        let same = |guarantee: &Guarantee, records: Option<u64>, private: bool| {
            guarantee == mean.guarantee() && records == mean.public_records() && private == mean.is_private()
        };
        let center_fits = self.center().is_none_or(|center| {
            same(center.guarantee(), center.public_records(), center.is_private()) && *center.statistic() == stated
        });
        let radius_fits = self.radius().is_none_or(|radius| {
            let of = plain(centered);
            same(radius.guarantee(), radius.public_records(), radius.is_private())
                && of.is_ok_and(|of| radius.statistic().mean().is_close_to(&of))
        });
        let (law, calibration) = (mean.mechanism().law(), self.calibration());
        let law_fits = matches!(law, Law::Gaussian { calibration: c, share } if Some(*c) == calibration && *share == rest);
        center_fits && radius_fits && law_fits && self.shares().buys()
    }

    fn calibration(&self) -> Option<Calibration> {
        let of = |law: &Law| match law {
            Law::Gaussian { calibration, .. } => Some(*calibration),
            _ => None,
        };
        let center = self.center().map(|center| of(center.mechanism().law()));
        let radius = self.radius().map(|radius| of(radius.mechanism().law()));
        match (center, radius) {
            (Some(center), Some(radius)) if center != radius => None,
            (center, radius) => center.or(radius).flatten(),
        }
    }

    /// What was bought, in words.
    pub(crate) fn in_words(&self, ball: &Ball) -> String {
        let percent = |share: Option<Share>| exact((share.map_or(0.0, Share::value) * 1e8).round() / 1e6);
        let stated = exact(self.ball.radius());
        let center = self.center().map(|center| format!("{}% of mu squared bought the centre", percent(share(center))));
        let radius = self.radius().map(|radius| {
            let to = rounded(ball.radius());
            format!("{}% of mu squared bought the radius: {to}, where {stated} was stated", percent(share(radius)))
        });
        let parts: Vec<String> = center.into_iter().chain(radius).collect();
        format!("{}. How many curves lie outside the bought ball is not told", parts.join("; "))
    }
}

fn privacy<S: dpfda_mechanism::Statistic>(release: &Release<S>) -> Option<GaussianPrivacy> {
    release.noise().privacy(release.mechanism().body(), release.neighbours())
}

fn share<S: dpfda_mechanism::Statistic>(release: &Release<S>) -> Option<Share> {
    match release.mechanism().law() {
        Law::Gaussian { share, .. } => Some(*share),
        _ => None,
    }
}

/// The privacy of the whole budget.
fn whole<S: dpfda_mechanism::Statistic>(release: &Release<S>) -> Option<GaussianPrivacy> {
    match release.mechanism().law() {
        Law::Gaussian { calibration, .. } => GaussianPrivacy::calibrated(*calibration, &release.budget()).ok(),
        _ => None,
    }
}

/// The mechanisms that buy a ball and release a mean in it.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    pub(crate) center: Option<Mechanism<Mean>>,
    pub(crate) radius: Option<Mechanism<Norms>>,
    /// In the stated ball.
    pub(crate) mean: Mechanism<Mean>,
}

impl Steps {
    /// The three steps of a mean, its guarantee and calibration. Whatever can be refused is refused here: the noise of a step
    /// depends on no ball.
    pub(crate) fn new(
        mean: &Mean,
        guarantee: Guarantee,
        calibration: Calibration,
        shares: BallShares,
    ) -> Result<Self, crate::private_mean::ReleaseError> {
        let law = |share| Law::Gaussian { calibration, share };
        let plain = mean.plain_on(mean.ball().clone())?;
        let center = shares.center.map(|share| Mechanism::new(plain.clone(), guarantee, law(share))).transpose()?;
        let radius = shares.radius.map(|share| Mechanism::new(Norms::new(plain), guarantee, law(share))).transpose()?;
        let mean = Mechanism::new(mean.clone(), guarantee, law(shares.rest()?))?;
        Ok(Self { center, radius, mean })
    }
}

