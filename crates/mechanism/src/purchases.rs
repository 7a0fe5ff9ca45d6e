//! What a plan buys before its last answer: the centre of a ball, its radius.

use std::fmt;

use dpfda_privacy::{Body, GaussianPrivacy, Noise, NoisySum, Share, Word};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which shares of the budget buy the ball: of `mu^2`, which adds up over the answers.
///
/// Answers that make a ball smaller before the mean is released in it: the idea of `CoinPress` (Biswas, Dong, Kamath and Ullman 2020).
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

/// The share that buys the radius where nothing else is asked for, and the number of records is not known.
pub const RADIUS_SHARE: f64 = 0.05;

/// A share that buys something, and not too much.
pub(crate) fn share(value: f64) -> Result<Share, BallShareError> {
    let share = Share::new(value).ok().filter(|share| (LEAST_SHARE..0.5).contains(&share.value()));
    share.ok_or(BallShareError { value })
}

impl BallShares {
    /// Both are stated, and nothing is bought.
    pub const NONE: Self = Self { center: None, radius: None, if_enough: false };

    /// A share for the centre and one for the radius; `None` keeps what is stated.
    pub fn new(center: Option<f64>, radius: Option<f64>) -> Result<Self, BallShareError> {
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

    /// The same shares as if they had been asked for: nothing about them is open.
    #[must_use]
    pub fn asked_for(self) -> Self {
        Self { if_enough: false, ..self }
    }

    /// The same without a radius.
    #[must_use]
    pub fn without_radius(self) -> Self {
        Self { radius: None, if_enough: false, ..self }
    }

    /// The same without a centre.
    #[must_use]
    pub fn without_center(self) -> Self {
        Self { center: None, ..self }
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

    /// What is left for the last answer: each share is below one half, so something is.
    pub fn rest(&self) -> Share {
        Share::rest_of([self.center, self.radius].into_iter().flatten())
            .unwrap_or_else(|_| unreachable!("two numbers below one half sum to less than 1"))
    }

    pub(crate) fn none() -> Self {
        Self::NONE
    }

    pub(crate) fn buy_nothing(&self) -> bool {
        !self.buys()
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

/// What can be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purchase {
    /// The centre of a ball, with a noisy mean in the stated one.
    Center,
    /// The radius of a ball, with noisy numbers of records by their distance from its centre.
    Radius,
}

impl fmt::Display for Purchase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Center => "centre",
            Self::Radius => "radius",
        })
    }
}

/// An answer before the last, as it is planned: where its sums live, and its noise.
#[derive(Debug, Clone)]
pub struct Step<B: Body> {
    body: B,
    noise: Noise,
}

impl<B: Body> Step<B> {
    pub(crate) fn new(body: B, noise: Noise) -> Self {
        Self { body, noise }
    }

    /// Where the sums live.
    pub fn body(&self) -> &B {
        &self.body
    }

    /// The noise.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }
}

/// What was drawn before the last sums: the noisy integers that bought a part of the ball. All of it is public.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    pub(crate) center: Option<NoisySum<i128>>,
    pub(crate) radius: Option<NoisySum<i64>>,
}

impl Answers {
    /// The noisy mean that the centre follows from, where it was bought.
    pub fn center(&self) -> Option<&NoisySum<i128>> {
        self.center.as_ref()
    }

    /// The noisy counts that the radius follows from, where it was bought.
    pub fn radius(&self) -> Option<&NoisySum<i64>> {
        self.radius.as_ref()
    }

    /// Appends the noisy integers at fixed width, in the order in which they were drawn.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        self.center.iter().flat_map(NoisySum::words).for_each(|word| word.write(bytes));
        self.radius.iter().flat_map(NoisySum::words).for_each(|word| word.write(bytes));
    }
}

/// Answers with the public numbers to read them by.
#[derive(Debug, Clone, Copy)]
pub struct Purchases<'a> {
    /// What each answer could spend.
    pub shares: BallShares,
    /// The privacy of the whole budget.
    pub whole: GaussianPrivacy,
    /// The number of records, where it is public.
    pub records: Option<u64>,
    /// The noisy mean that the centre follows from, where it was bought.
    pub center: Option<NoisyCenter<'a>>,
    /// The noisy counts that the radius follows from, where it was bought.
    pub radius: Option<&'a [i64]>,
}

/// A noisy sum of records with the number of them.
#[derive(Debug, Clone, Copy)]
pub struct NoisyCenter<'a> {
    /// The noisy sum, in lattice steps.
    pub coordinates: &'a [i128],
    /// The number of records: public, or what the noisy count says, at least 1.
    pub units: f64,
    /// The standard deviation of the noise of each coordinate, in lattice steps.
    pub sd: f64,
}

/// The number of records of a noisy sum: exact where it is public, else what the noisy count says, at least 1; 1 where the body has
/// no count of its own.
pub(crate) fn units<B: Body>(body: &B, count: Option<B::Word>, records: Option<u64>) -> f64 {
    let noisy = || match (count, body.count_weight()) {
        (Some(count), Some(weight)) => (count.to_f64() / weight as f64).max(1.0),
        _ => 1.0,
    };
    records.map_or_else(noisy, |records| records as f64)
}
