//! A ball of which the centre or the radius was bought with a share of the budget.

use dpfda_mechanism::{Digest, Fact, Guarantee, Mechanism, Release, Statistic, exact, rounded};
use dpfda_privacy::{Calibration, GaussianPrivacy, Law, Share, Spend};
use dpfda_smoothing::Ball;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bound_fact::short;
use crate::in_ball::InBall;
use crate::mean::Mean;
use crate::norms::Norms;
use crate::prepared_in_ball::plan_of_buying;
use crate::radius_rule::{least_records, outside, trusted_total};
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "bought_tests.rs"]
mod tests;

/// Which shares of the budget buy the ball: of `mu^2`, which adds up over the steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SharesDocument", into = "SharesDocument")]
pub struct BallShares {
    center: Option<Share>,
    radius: Option<Share>,
    if_enough: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharesDocument {
    center: Option<f64>,
    radius: Option<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    if_enough: bool,
}

/// A share of the budget that buys too much.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "a share of the budget that buys a centre or a radius must be above 0 and below 0.5, and at least 0.000001, got {value:?}"
)]
pub struct BallShareError {
    /// The share given.
    pub value: f64,
}

/// A smaller share buys nothing but noise.
const LEAST_SHARE: f64 = 1e-6;

/// The share that buys the radius where nothing else is asked for.
const RADIUS_SHARE: f64 = 0.05;

impl BallShares {
    /// Both are stated, and nothing is bought.
    pub const NONE: Self = Self { center: None, radius: None, if_enough: false };

    /// A share for the centre and one for the radius; `None` keeps what is stated.
    ///
    /// # Errors
    /// [`BallShareError`] unless each is at least a millionth and below one half.
    pub fn new(center: Option<f64>, radius: Option<f64>) -> Result<Self, BallShareError> {
        let share = |value: f64| {
            let share = Share::new(value).ok().filter(|share| (LEAST_SHARE..0.5).contains(&share.value()));
            share.ok_or(BallShareError { value })
        };
        let (center, radius) = (center.map(share).transpose()?, radius.map(share).transpose()?);
        Ok(Self { center, radius, if_enough: false })
    }

    /// The same shares, as a default: where the number of records is public and too small to buy a radius, the stated one is kept, and
    /// nothing is spent on it. A share that was asked for is refused then.
    #[must_use]
    pub fn if_enough(self) -> Self {
        Self { if_enough: self.radius.is_some(), ..self }
    }

    /// Whether the stated radius is kept where too few records would buy another.
    pub fn is_if_enough(&self) -> bool {
        self.if_enough
    }

    /// What is bought of so many records: **the one place that decides it**. `least` is the fewest that a radius is bought from, where their
    /// number is public; where it is private, that number decides nothing.
    ///
    /// # Errors
    /// [`ReleaseError::TooFewForRadius`] for a share that was asked for.
    pub(crate) fn of_records(self, least: Option<u64>, found: u64) -> Result<Self, ReleaseError> {
        match least {
            Some(least) if found < least && !self.if_enough => Err(ReleaseError::TooFewForRadius { least, found }),
            Some(least) if found < least => Ok(self.without_radius()),
            _ => Ok(self),
        }
    }

    /// The same without a radius.
    pub(crate) fn without_radius(self) -> Self {
        Self { radius: None, if_enough: false, ..self }
    }

    /// The same shares as if they had been asked for: nothing about them is open.
    pub(crate) fn asked_for(self) -> Self {
        Self { if_enough: false, ..self }
    }

    /// The share for the centre.
    pub fn center(&self) -> Option<Share> {
        self.center
    }

    /// The share for the radius.
    pub fn radius(&self) -> Option<Share> {
        self.radius
    }

    /// Whether anything is bought.
    pub fn buys(&self) -> bool {
        self.center.is_some() || self.radius.is_some()
    }

    /// What is left for the release itself: each share is below one half, so something is.
    pub fn rest(&self) -> Share {
        Share::rest_of([self.center, self.radius].into_iter().flatten())
            .unwrap_or_else(|_| unreachable!("two numbers below one half sum to less than 1"))
    }
}

impl Default for BallShares {
    fn default() -> Self {
        Self { center: None, radius: Share::new(RADIUS_SHARE).ok(), if_enough: true }
    }
}

impl TryFrom<SharesDocument> for BallShares {
    type Error = BallShareError;

    fn try_from(document: SharesDocument) -> Result<Self, BallShareError> {
        let shares = Self::new(document.center, document.radius)?;
        Ok(if document.if_enough { shares.if_enough() } else { shares })
    }
}

impl From<BallShares> for SharesDocument {
    fn from(shares: BallShares) -> Self {
        let BallShares { center, radius, if_enough } = shares;
        Self { center: center.map(Share::value), radius: radius.map(Share::value), if_enough }
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
#[serde(deny_unknown_fields, bound = "")]
pub struct Bought<S: InBall = Mean> {
    /// The ball that was stated.
    ball: Ball,
    /// The noisy mean that the centre follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<Box<Release<Mean>>>,
    /// The noisy counts that the radius follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<Box<Release<Norms<S>>>>,
}

impl<S: InBall> Bought<S> {
    /// Nothing bought yet.
    pub(crate) fn stated(ball: Ball) -> Self {
        Self { ball, center: None, radius: None }
    }

    pub(crate) fn with_center(mut self, center: Release<Mean>) -> Self {
        self.center = Some(Box::new(center));
        self
    }

    pub(crate) fn with_radius(mut self, radius: Release<Norms<S>>) -> Self {
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
    pub fn radius(&self) -> Option<&Release<Norms<S>>> {
        self.radius.as_deref()
    }

    /// The ball that follows: post-processing.
    pub fn ball(&self) -> Ball {
        let centered = self.center().and_then(|center| self.moved_to(center)).unwrap_or_else(|| self.ball.clone());
        let narrowed = self.radius().and_then(|counts| {
            let (whole, share) = (whole(counts)?, share(counts)?);
            Bought::narrowed_ball(&centered, counts.coordinates(), counts.public_records(), whole, share)
        });
        narrowed.unwrap_or(centered)
    }

    /// The stated ball about a bought centre.
    fn moved_to(&self, center: &Release<Mean>) -> Option<Ball> {
        let statistic = center.statistic();
        let (noisy, sd) = statistic.whitened(center);
        Bought::centered_ball(&self.ball, statistic.grid(), &noisy.to_vec(), sd)
    }

    /// The largest share of the records that the rule lets lie outside a bought radius, a public number; `None` for a stated one.
    pub fn outside(&self) -> Option<f64> {
        let counts = self.radius()?;
        let noisy = Norms::counts(counts.coordinates());
        let whole = whole(counts)?;
        let records = counts.public_records().map(|records| records as f64);
        Some(outside(trusted_total(&noisy, records, whole.share(share(counts)?).mu()), whole.mu()))
    }

    /// What the answers cost, each with the privacy that its noise has.
    pub(crate) fn spent(&self) -> impl Iterator<Item = GaussianPrivacy> {
        self.center().and_then(privacy).into_iter().chain(self.radius().and_then(privacy))
    }

    /// The shares that were spent.
    pub fn shares(&self) -> BallShares {
        BallShares { center: self.center().and_then(share), radius: self.radius().and_then(share), if_enough: false }
    }

    /// Whether the answers are of the same statistic, people, guarantee and secrecy as the release of the mean, about the balls
    /// that they must be of, and leave it its share.
    pub(crate) fn belongs_to(&self, release: &Release<S>) -> bool {
        let statistic = release.statistic();
        let rest = self.shares().rest();
        let centered = Self { radius: None, ..self.clone() }.ball();
        let same = |guarantee: &Guarantee, records: Option<u64>, private: bool, software: &str| {
            guarantee == release.guarantee()
                && records == release.public_records()
                && private == release.is_private()
                && software == release.software()
        };
        let center_fits = self.center().is_none_or(|center| {
            same(center.guarantee(), center.public_records(), center.is_private(), center.software())
                && statistic.of_center(self.ball.clone()).is_ok_and(|of| *center.statistic() == of)
        });
        let radius_fits = self.radius().is_none_or(|radius| {
            same(radius.guarantee(), radius.public_records(), radius.is_private(), radius.software())
                && statistic.plain_on(centered).is_ok_and(|of| radius.statistic().mean().is_close_to(&of))
        });
        let (law, calibration) = (release.mechanism().law(), self.calibration());
        let law_fits =
            matches!(law, Law::Gaussian { calibration: c, share } if Some(*c) == calibration && *share == rest);
        center_fits && radius_fits && law_fits && self.shares().buys()
    }

    /// What a release and the answers that bought its ball cost together; `None` for noise that is not normal.
    pub(crate) fn privacy_of(release: &Release<S>) -> Option<GaussianPrivacy> {
        let last = privacy(release)?;
        let Some(bought) = release.statistic().bought() else { return Some(last) };
        Some(GaussianPrivacy::compose(bought.spent().chain([last])).unwrap_or(last))
    }

    /// The same as a spend.
    pub(crate) fn spend_of(release: &Release<S>) -> Spend {
        Self::privacy_of(release).map_or_else(|| Spend::of_budget(&release.budget()), Spend::of_gaussian)
    }

    /// The digest of the plan that was asked for: in the stated ball, where the ball was bought.
    pub(crate) fn plan_of(release: &Release<S>) -> Digest {
        let (statistic, mechanism) = (release.statistic(), release.mechanism());
        let Some(bought) = statistic.bought() else { return mechanism.digest() };
        let stated = statistic.in_ball(bought.stated_ball().clone(), None);
        let stated = stated.unwrap_or_else(|_| unreachable!("the stated ball was checked with the bought one"));
        let asked = Mechanism::new(stated, *release.guarantee(), mechanism.law().clone());
        asked.map_or_else(|_| mechanism.digest(), |asked| plan_of_buying(&asked, bought.shares()))
    }

    /// What a release is, in words: where its ball was bought, the whole costs more than its own noise.
    pub(crate) fn facts_of(release: &Release<S>) -> Vec<Fact> {
        let mut facts = release.facts();
        if release.statistic().bought().is_some() {
            let mu =
                |privacy: Option<GaussianPrivacy>| privacy.map_or_else(String::new, |privacy| rounded(privacy.mu()));
            let (last, whole) = (mu(privacy(release)), mu(Self::privacy_of(release)));
            if let Some(privacy) = facts.iter_mut().find(|fact| fact.name == "privacy") {
                privacy.text =
                    privacy.text.replace(&format!("mu\u{a0}=\u{a0}{last}"), &format!("mu\u{a0}=\u{a0}{whole}"));
                if let Some(words) = privacy.caption.iter_mut().find(|words| words.starts_with("mu = ")) {
                    *words = format!("mu = {whole}");
                }
            }
        }
        facts
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
        let stated = short(self.ball.radius());
        let center = self.center().map(|center| format!("{}% of mu squared bought the centre", percent(share(center))));
        let radius = self.radius().map(|radius| {
            let to = rounded(ball.radius());
            format!("{}% of mu squared bought the radius: {to}, of at most {stated}", percent(share(radius)))
        });
        let parts: Vec<String> = center.into_iter().chain(radius).collect();
        format!("{}. How many curves lie outside the bought ball is not told", parts.join("; "))
    }
}

pub(crate) fn privacy<S: Statistic>(release: &Release<S>) -> Option<GaussianPrivacy> {
    release.noise().privacy(release.mechanism().body(), release.neighbours())
}

fn share<S: Statistic>(release: &Release<S>) -> Option<Share> {
    match release.mechanism().law() {
        Law::Gaussian { share, .. } => Some(*share),
        _ => None,
    }
}

/// The fewest records that the usual share buys a radius from, of a release of fewer in a stated ball; `None` for others, and where the
/// number of records is private.
pub(crate) fn least_for_usual_radius<S: InBall>(release: &Release<S>) -> Option<u64> {
    let (usual, records) = (BallShares::default().radius()?, release.public_records()?);
    let is_bought = release.statistic().bought().is_some();
    let least = least_records(whole(release)?, usual);
    (!is_bought && records < least).then_some(least)
}

/// The privacy of the whole budget.
fn whole<S: Statistic>(release: &Release<S>) -> Option<GaussianPrivacy> {
    match release.mechanism().law() {
        Law::Gaussian { calibration, .. } => GaussianPrivacy::calibrated(*calibration, &release.budget()).ok(),
        _ => None,
    }
}

/// The mechanisms that buy a ball and release a mean in it.
#[derive(Debug, Clone)]
pub struct Steps<S: InBall = Mean> {
    pub(crate) center: Option<Mechanism<Mean>>,
    pub(crate) radius: Option<Mechanism<Norms<S>>>,
    /// In the stated ball.
    pub(crate) mean: Mechanism<S>,
    pub(crate) shares: BallShares,
}

impl<S: InBall> Steps<S> {
    /// The three steps of a mean, its guarantee and calibration. Whatever can be refused is refused here: the noise of a step
    /// depends on no ball.
    pub(crate) fn new(
        mean: &S,
        guarantee: Guarantee,
        calibration: Calibration,
        shares: BallShares,
    ) -> Result<Self, ReleaseError> {
        let law = |share| Law::Gaussian { calibration, share };
        let stated = || mean.ball().clone();
        let plain = mean.plain_on(stated())?;
        let center = shares.center.map(|share| -> Result<_, ReleaseError> {
            Ok(Mechanism::new(mean.of_center(stated())?, guarantee, law(share))?)
        });
        let center = center.transpose()?;
        let radius = shares.radius.map(|share| Mechanism::new(Norms::new(plain), guarantee, law(share))).transpose()?;
        let mean = Mechanism::new(mean.clone(), guarantee, law(shares.rest()))?;
        Ok(Self { center, radius, mean, shares: shares.asked_for() })
    }

    /// The release in the stated ball, with the whole budget: the same statistic, of which nothing is bought.
    pub(crate) fn stated(&self) -> Mechanism<S> {
        let law = match self.mean.law() {
            Law::Gaussian { calibration, .. } => Law::gaussian(*calibration),
            law => law.clone(),
        };
        let stated = Mechanism::new(self.mean.statistic().clone(), *self.mean.guarantee(), law);
        stated.unwrap_or_else(|_| unreachable!("a larger share of the budget has less noise in the same body"))
    }
}
