//! A mechanism: a statistic with a guarantee and calibrated noise.

use std::sync::{Arc, OnceLock};

use dpfda_privacy::{
    Body, ClippedBall, GaussianPrivacy, LatticeError, Law, MAX_RECORDS, NeighbouringRelation, Noise, NoiseError,
    OneHot, Share, Spend, Word,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::Digest;
use crate::error::MechanismError;
use crate::guarantee::Guarantee;
use crate::payable::SCALE_BYTES;
use crate::purchases::{Answers, BallShares, NoisyCenter, Purchase, Purchases, Step, units};
use crate::statistic::Statistic;
use crate::terms::Terms;

#[cfg(test)]
#[path = "mechanism_tests.rs"]
mod tests;

/// A statistic, its guarantee, its noise, and what is bought with a share of the budget first: everything public about a release,
/// before there are any data.
///
/// It is the plan of a release, and serialises as one: `{schema, kind, privacy, law, shares, statistic}`, with the statistic in the
/// stated ball; no shares, nothing bought. Noise is calibrated once, in the constructor; copies are cheap.
#[derive(Debug, Clone)]
pub struct Mechanism<S: Statistic>(Arc<Settled<S>>);

#[derive(Debug)]
struct Settled<S: Statistic> {
    statistic: S,
    terms: Terms,
    /// Of the whole budget, for normal noise.
    whole: Option<GaussianPrivacy>,
    center: Option<Step<ClippedBall>>,
    radius: Option<Step<OneHot>>,
    body: S::Body,
    noise: Noise,
    /// The number of records that decided what is bought, where it has.
    of: Option<u64>,
    digest: OnceLock<Digest>,
}

/// The most bytes that the sums for every radius may take: 32 million. Records that need more, such as surfaces on more than about 20,000
/// points, have the stated radius.
pub const MOST_BYTES_OF_SUMS: u64 = 32_000_000;

/// What is bought of records whose sums for every radius are in this body: **the one place that decides it by their size**. A default
/// buys no radius where they would fill the memory.
fn in_memory(body: &impl Body, shares: BallShares) -> Result<BallShares, MechanismError> {
    let (bytes, most) = (body.bytes_of_sums(), MOST_BYTES_OF_SUMS);
    if shares.radius().is_none() || bytes <= most {
        Ok(shares)
    } else if shares.is_if_enough() {
        Ok(shares.without_radius())
    } else {
        Err(MechanismError::TooWideForRadius { bytes, most })
    }
}

/// The version of plans and of documents of releases.
pub const SCHEMA: u32 = 3;

impl<S: Statistic> Mechanism<S> {
    /// The mechanism that adds the least noise of the law of these terms that meets their guarantee.
    ///
    /// Where they buy, a part of the stated ball is bought first. Each answer has its share of `mu^2`, and the last one has the rest:
    /// adaptive composition of Gaussian steps is exact (Dong, Roth and Su 2022, Corollary 3.3). See `docs/proofs/bought-ball.md`.
    ///
    /// # Errors
    /// [`MechanismError::Noise`] for a budget that the law does not meet, [`MechanismError::NotForSale`] for a statistic that does not
    /// sell what is bought, or noise that is not normal.
    pub fn new(statistic: S, terms: Terms) -> Result<Self, MechanismError> {
        Self::decided(statistic, terms, None)
    }

    fn decided(statistic: S, terms: Terms, of: Option<u64>) -> Result<Self, MechanismError> {
        let relation = terms.guarantee().neighbours();
        let (of_center, of_radius) = (statistic.center_body(), statistic.radius_body());
        let is_normal = matches!(terms.law(), Law::Gaussian { .. });
        let shares = match terms.shares() {
            // a default asks for nothing that is not for sale
            Some(shares) if shares.is_if_enough() && of_radius.is_none() => shares.without_radius(),
            shares => shares.unwrap_or(BallShares::NONE),
        };
        let for_sale = |what, is_asked: bool, has_body: bool| {
            let is_sold = is_normal && has_body;
            if is_sold || !is_asked { Ok(()) } else { Err(MechanismError::NotForSale { what, kind: S::KIND }) }
        };
        for_sale(Purchase::Center, shares.center().is_some(), of_center.is_some())?;
        for_sale(Purchase::Radius, shares.radius().is_some(), of_radius.is_some())?;
        let law = terms.law();
        let shares = in_memory(&statistic.body(law), shares)?;
        let body = if shares.radius().is_some() { statistic.body(law) } else { statistic.stated_body(law) };
        let (whole, noise) = if is_normal {
            let whole = terms.gaussian().map_err(NoiseError::from)?;
            (Some(whole), Noise::gaussian(whole.share(shares.rest()), &body, relation)?)
        } else {
            (None, Noise::calibrated(law, &terms.guarantee().budget(), &body, relation)?)
        };
        let center = shares.center().zip(of_center).zip(whole);
        let center = center.map(|((share, body), whole)| step(whole, share, body, relation)).transpose()?;
        let radius = shares.radius().zip(of_radius).zip(whole);
        let radius = radius.map(|((share, body), whole)| step(whole, share, body, relation)).transpose()?;
        let (terms, digest) = (terms.buying(shares), OnceLock::new());
        Ok(Self(Arc::new(Settled { statistic, terms, whole, center, radius, body, noise, of, digest })))
    }

    /// What is released of so many records: where their number is public, it may decide whether a default buys a radius. It decides once: what
    /// a default buys of too few records, because the ball needs it, is not refused as if it had been asked for.
    ///
    /// # Errors
    /// [`MechanismError::TooFewForRadius`] for a radius that was asked for, [`MechanismError::TooFewRecords`] and
    /// [`MechanismError::Lattice`] for a number that no release is made of.
    pub fn of_records(&self, found: u64) -> Result<Self, MechanismError> {
        // whoever has no records at all is told that, and not how many buy a radius
        self.check_records(found)?;
        if self.0.of == Some(found) {
            return Ok(self.clone());
        }
        let shares = self.0.terms.bought_from(self.radius().map(Step::body), found, self.0.statistic.needs_radius())?;
        if shares == self.shares() {
            return Ok(self.clone());
        }
        Self::decided(self.0.statistic.clone(), self.0.terms.clone().buying(shares), Some(found))
    }

    /// The fewest records that a radius is bought from, where one is bought and their number is public.
    ///
    /// # Errors
    /// None in practice: the noise of the counts was found in the constructor.
    pub fn least_for_radius(&self) -> Result<Option<u64>, MechanismError> {
        let bought = self.radius().zip(self.shares().radius());
        let least = bought.map(|(step, share)| self.0.terms.least_for_radius(step.body(), share));
        Ok(least.transpose()?.flatten())
    }

    /// What is released: in the stated ball, where a part of it is bought.
    pub fn statistic(&self) -> &S {
        &self.0.statistic
    }

    /// What is promised, by which noise, and what is bought.
    pub fn terms(&self) -> &Terms {
        &self.0.terms
    }

    /// The guarantee.
    pub fn guarantee(&self) -> &Guarantee {
        self.0.terms.guarantee()
    }

    /// The law of the noise that was asked for.
    pub fn law(&self) -> &Law {
        self.0.terms.law()
    }

    /// What is bought with which share of the budget.
    pub fn shares(&self) -> BallShares {
        self.0.terms.shares().unwrap_or(BallShares::NONE)
    }

    /// The answer that buys a centre, where one is bought.
    pub fn center(&self) -> Option<&Step<ClippedBall>> {
        self.0.center.as_ref()
    }

    /// The answer that buys a radius, where one is bought.
    pub fn radius(&self) -> Option<&Step<OneHot>> {
        self.0.radius.as_ref()
    }

    /// Where the last sums live.
    pub fn body(&self) -> &S::Body {
        &self.0.body
    }

    /// The noise of the last sums, as it was calibrated: a random scale is not drawn yet.
    pub fn noise(&self) -> &Noise {
        &self.0.noise
    }

    /// The privacy of all answers together; `None` for noise that is not normal.
    pub fn privacy(&self) -> Option<GaussianPrivacy> {
        self.privacy_with(&self.0.noise)
    }

    pub(crate) fn privacy_with(&self, last: &Noise) -> Option<GaussianPrivacy> {
        let relation = self.guarantee().neighbours();
        let last = last.privacy(&self.0.body, relation)?;
        let center = self.center().and_then(|step| step.noise().privacy(step.body(), relation));
        let radius = self.radius().and_then(|step| step.noise().privacy(step.body(), relation));
        let before: Vec<_> = center.into_iter().chain(radius).collect();
        if before.is_empty() { Some(last) } else { GaussianPrivacy::compose(before.into_iter().chain([last])) }
    }

    /// What a release costs, with all its answers: a function of public numbers alone.
    pub fn spend(&self) -> Spend {
        self.privacy().map_or_else(|| Spend::of_budget(&self.guarantee().budget()), Spend::of_gaussian)
    }

    /// The exact length of a stored release, with all its answers.
    pub fn stored_len(&self) -> u64 {
        let (center, radius) = self.words_before();
        let before = center * <ClippedBall as Body>::Word::BYTES + radius * <OneHot as Body>::Word::BYTES;
        (before + SCALE_BYTES + self.words() * <S::Body as Body>::Word::BYTES) as u64
    }

    /// The exact length of the answer that buys a centre.
    pub(crate) fn first_len(&self) -> u64 {
        (self.words_before().0 * <ClippedBall as Body>::Word::BYTES) as u64
    }

    /// The numbers of integers that buy a centre and a radius.
    pub(crate) fn words_before(&self) -> (usize, usize) {
        let relation = self.guarantee().neighbours();
        let center = self.center().map_or(0, |step| step.body().noisy_dimension(relation));
        let radius = self.radius().map_or(0, |step| step.body().noisy_dimension(relation));
        (center, radius)
    }

    /// The statistic in the ball that these answers bought.
    pub(crate) fn under(&self, answers: &Answers, records: Option<u64>) -> S {
        let (Some(whole), true) = (self.0.whole, self.shares().buys()) else { return self.0.statistic.clone() };
        let center = self.center().zip(answers.center()).map(|(step, noisy)| NoisyCenter {
            coordinates: &noisy.coordinates,
            units: units(step.body(), noisy.count, records),
            sd: step.noise().sd(),
        });
        let radius = answers.radius().map(|noisy| noisy.coordinates.as_slice());
        self.0.statistic.under(&Purchases { shares: self.shares(), whole, records, center, radius })
    }

    /// The number of records where the guarantee makes it public.
    pub(crate) fn public_records(&self, records: u64) -> Option<u64> {
        self.terms().has_public_records().then_some(records)
    }

    /// The digest of the plan in its canonical bytes, which are those of its JSON without white space; computed once.
    pub fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| {
            let bytes = serde_json::to_vec(self).unwrap_or_else(|_| unreachable!("a plan holds numbers and names"));
            Digest::of(&bytes)
        })
    }

    /// Refuses a number of records that no release is made of.
    pub fn check_records(&self, found: u64) -> Result<(), MechanismError> {
        if found > MAX_RECORDS {
            return Err(LatticeError::TooManyRecords.into());
        }
        let is_public = self.terms().has_public_records();
        let least = S::LEAST_RECORDS;
        if is_public && found < least { Err(MechanismError::TooFewRecords { least, found }) } else { Ok(()) }
    }

    /// Decodes the plan that a part or a document states.
    fn try_from_plan<E: serde::de::Error>(plan: MechanismDocument<S>) -> Result<Self, E> {
        if plan.schema != SCHEMA {
            return Err(E::custom(format_args!(
                "plan schema {} is not known; this version reads {SCHEMA}",
                plan.schema
            )));
        }
        if plan.kind != S::KIND {
            return Err(E::custom(format_args!("this is no plan of the kind {}", S::KIND)));
        }
        let terms = Terms::of(plan.privacy, plan.law).buying(plan.shares);
        Self::new(plan.statistic, terms).map_err(E::custom)
    }

    /// Whether `number` records are allowed where their number is public.
    pub(crate) fn allows(&self, records: Option<u64>) -> bool {
        let is_public = self.terms().has_public_records();
        match records {
            Some(records) => is_public && (S::LEAST_RECORDS..=MAX_RECORDS).contains(&records),
            None => !is_public,
        }
    }

    /// The number of integers that are released.
    pub(crate) fn words(&self) -> usize {
        self.0.body.noisy_dimension(self.guarantee().neighbours())
    }
}

impl<S: Statistic> PartialEq for Mechanism<S> {
    fn eq(&self, other: &Self) -> bool {
        let (mine, theirs) = (&*self.0, &*other.0);
        mine.statistic == theirs.statistic && mine.terms == theirs.terms
    }
}

/// A mechanism as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MechanismDocument<S> {
    schema: u32,
    kind: String,
    privacy: Guarantee,
    law: Law,
    #[serde(default = "BallShares::none", skip_serializing_if = "BallShares::buy_nothing")]
    shares: BallShares,
    statistic: S,
}

/// The least normal noise with this share of the whole.
fn step<B: Body>(
    whole: GaussianPrivacy,
    share: Share,
    body: B,
    relation: NeighbouringRelation,
) -> Result<Step<B>, NoiseError> {
    let noise = Noise::gaussian(whole.share(share), &body, relation)?;
    Ok(Step::new(body, noise))
}

impl<S: Statistic> Serialize for Mechanism<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        MechanismDocument {
            schema: SCHEMA,
            kind: S::KIND.to_owned(),
            privacy: *self.guarantee(),
            law: self.law().clone(),
            shares: self.shares(),
            statistic: &self.0.statistic,
        }
        .serialize(serializer)
    }
}

impl<'de, S: Statistic> Deserialize<'de> for Mechanism<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from_plan(MechanismDocument::deserialize(deserializer)?)
    }
}
