//! The noise that is drawn: integer scales, calibrated to a body.

use rand::CryptoRng;

use crate::body::word::Word;
use crate::body::{Block, Body};
use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::budget::arithmetic::Arithmetic;
use crate::budget::neighbours::NeighbouringRelation;
use crate::calibrate::accountant::Spend;
use crate::calibrate::elliptical::{Cylinder, KNorm, StudentT};
use crate::calibrate::enclosure::raised;
use crate::calibrate::gaussian::GaussianPrivacy;
use crate::calibrate::mixing::{MixedGaussianPrivacy, MixingLaw};
use crate::draw::discrete_laplace::DiscreteLaplace;
use crate::draw::law::Law;
use crate::draw::noise_error::NoiseError;
use crate::draw::rounded_cylinder::RoundedCylinder;
use crate::draw::rounded_normal::{NoiseScaleError, RoundedNormal};
use crate::draw::spherical_noise::{SphericalLaw, SphericalNoise, drown};

#[cfg(test)]
mod cylinder_tests;
mod document;
#[cfg(test)]
mod tests;

/// Noise for all coordinates of a sum, in lattice steps: only the laws whose privacy is proved here.
#[derive(Debug, Clone, PartialEq)]
pub enum Noise {
    /// Exactly rounded normals, one scale for each block of coordinates.
    Gaussian(Vec<NormalBlock>),
    /// Independent discrete Laplace noise.
    DiscreteLaplace(DiscreteLaplace),
    /// A spherical law over all coordinates: exact K-norm noise, or t noise in floating point.
    Spherical(SphericalNoise),
    /// K-norm noise of a cylinder, over a sum and its count.
    Cylinder(RoundedCylinder),
    /// Normal noise of one random scale.
    RandomScale(RandomScale),
}

/// Normal noise for some coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalBlock {
    /// The number of coordinates.
    pub length: usize,
    /// How many lattice steps count as one of the joint norm; see [`Block`].
    pub unit: f64,
    /// The noise of each coordinate.
    pub normal: RoundedNormal,
}

/// `sigma V Z` with a random `V`.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomScale {
    law: MixingLaw,
    sigma: f64,
    drawn: Option<RoundedNormal>,
}

impl RandomScale {
    /// Noise whose scale is not drawn yet. The largest `V` must leave the noise within the integers: what is refused here is
    /// refused in no draw.
    fn new(law: MixingLaw, sigma: f64) -> Result<Self, NoiseScaleError> {
        if sigma <= 0.0 {
            return Err(NoiseScaleError::Zero);
        }
        RoundedNormal::at_least((sigma * law.largest()).next_up())?;
        Ok(Self { law, sigma, drawn: None })
    }

    /// The law of `V`.
    pub fn law(&self) -> &MixingLaw {
        &self.law
    }

    /// `sigma`, in lattice steps.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The normal noise of the `V` that was drawn, once it was.
    pub fn drawn(&self) -> Option<RoundedNormal> {
        self.drawn
    }

    fn realised<R: CryptoRng + ?Sized>(&self, randomness: &mut R) -> RoundedNormal {
        let scale = (self.sigma * self.law.draw(randomness)).next_up();
        RoundedNormal::at_least(scale).unwrap_or_else(|_| unreachable!("the constructor checked the largest V"))
    }
}

impl Noise {
    /// The least noise of this law that meets the budget for sums in this body.
    pub fn calibrated<B: Body>(
        law: &Law,
        budget: &PrivacyBudget,
        body: &B,
        relation: NeighbouringRelation,
    ) -> Result<Self, NoiseError> {
        if budget.delta() > 0.0 && !matches!(law, Law::Gaussian { .. } | Law::RandomScale { .. }) {
            return Err(NoiseError::DeltaUnused { delta: budget.delta() });
        }
        let dimension = body.noisy_dimension(relation);
        let spherical = |law| -> Result<Self, NoiseError> {
            let bound = plain_l2_bound(body, relation);
            Ok(Self::Spherical(SphericalNoise::calibrated(law, bound, budget.epsilon_within())?))
        };
        match law {
            Law::Gaussian { calibration } => {
                Self::gaussian(GaussianPrivacy::calibrated(*calibration, budget)?, body, relation)
            }
            Law::DiscreteLaplace {} => {
                let laplace = DiscreteLaplace::calibrated(body.l1_bound(relation), dimension, budget)?;
                Ok(Self::DiscreteLaplace(laplace))
            }
            Law::KNorm {} => spherical(SphericalLaw::KNorm(KNorm::new(dimension)?)),
            Law::KNormCylinder {} => {
                let bound = body.cylinder_bound(relation).ok_or(NoiseError::Cylinder)?;
                let law = Cylinder::new(body.dimension())?;
                Ok(Self::Cylinder(RoundedCylinder::calibrated(law, bound, budget.epsilon_within())?))
            }
            Law::StudentT { degrees_of_freedom } => {
                spherical(SphericalLaw::StudentT(StudentT::new(*degrees_of_freedom, dimension)?))
            }
            Law::RandomScale { mixing } => {
                let privacy = MixedGaussianPrivacy::calibrated(mixing.clone(), budget)?;
                let sigma = privacy.scale(plain_l2_bound(body, relation))?;
                Ok(Self::RandomScale(RandomScale::new(mixing.clone(), sigma)?))
            }
        }
    }

    /// The least normal noise that makes sums in this body `mu`-private: the whole of a budget, or a share of it.
    pub fn gaussian<B: Body>(
        privacy: GaussianPrivacy,
        body: &B,
        relation: NeighbouringRelation,
    ) -> Result<Self, NoiseError> {
        let bound = body.l2_bound(relation);
        let block = |Block { length, unit }: Block| -> Result<NormalBlock, NoiseScaleError> {
            let joint = in_steps(bound, unit);
            let normal = RoundedNormal::at_least((joint / privacy.mu()).next_up())?;
            // The quotient is rounded up when it is reported: it must not be reported above what was allowed.
            let is_within = mu(joint, normal) <= privacy.mu();
            let normal = if is_within { normal } else { RoundedNormal::new(normal.scale() + 1)? };
            Ok(NormalBlock { length, unit, normal })
        };
        let blocks: Result<Vec<_>, _> = body.blocks(relation).into_iter().map(block).collect();
        Ok(Self::Gaussian(blocks?))
    }

    /// Draws the random scale, where there is one that was not drawn yet: the first thing that is drawn of a release.
    #[must_use]
    pub fn realised<R: CryptoRng + ?Sized>(&self, randomness: &mut R) -> Self {
        match self {
            Self::RandomScale(noise @ RandomScale { drawn: None, .. }) => {
                Self::RandomScale(RandomScale { drawn: Some(noise.realised(randomness)), ..noise.clone() })
            }
            other => other.clone(),
        }
    }

    /// The same noise with the scale that was drawn before; `None` for a law without a random scale.
    pub fn with_drawn(&self, normal: RoundedNormal) -> Option<Self> {
        match self {
            Self::RandomScale(noise) => Some(Self::RandomScale(RandomScale { drawn: Some(normal), ..noise.clone() })),
            _ => None,
        }
    }

    /// The normal noise of the random scale that was drawn, where there is one.
    pub fn drawn(&self) -> Option<RoundedNormal> {
        match self {
            Self::RandomScale(noise) => noise.drawn,
            _ => None,
        }
    }

    /// Whether the noise lacks no random scale, as that of a release does not.
    pub fn is_settled(&self) -> bool {
        !matches!(self, Self::RandomScale(RandomScale { drawn: None, .. }))
    }

    /// Adds one draw of the noise to integers: **this crosses the privacy boundary** where the integers are an exact sum, which
    /// only [`ExactSum::perturb`](crate::ExactSum::perturb) gives away.
    ///
    /// What does not fit in a word is clamped: a fixed function of the noisy value, and so post-processing. Noise that was
    /// calibrated for another number of coordinates drowns everything rather than protect too little.
    pub fn add_to<W: Word, R: CryptoRng + ?Sized>(&self, exact: &mut [W], randomness: &mut R) {
        match self {
            Self::Gaussian(blocks) if blocks.iter().map(|block| block.length).sum::<usize>() == exact.len() => {
                let mut rest = exact;
                for block in blocks {
                    let (mine, others) = rest.split_at_mut(block.length);
                    add_each(mine, || block.normal.sample(randomness));
                    rest = others;
                }
            }
            Self::DiscreteLaplace(noise) => add_each(exact, || noise.sample(randomness)),
            Self::Spherical(noise) => noise.add_to(exact, randomness),
            Self::Cylinder(noise) if noise.law().dimension() == exact.len() => {
                exact
                    .iter_mut()
                    .zip(noise.sample(randomness))
                    .for_each(|(value, drawn)| *value = value.with_noise(drawn));
            }
            Self::Gaussian(_) | Self::Cylinder(_) => drown(exact),
            Self::RandomScale(noise) => {
                let normal = noise.drawn.unwrap_or_else(|| noise.realised(randomness));
                add_each(exact, || normal.sample(randomness));
            }
        }
    }

    /// What a release with this noise costs: normal noise through its `mu`, everything else its budget.
    pub fn spend<B: Body>(&self, budget: &PrivacyBudget, body: &B, relation: NeighbouringRelation) -> Spend {
        self.privacy(body, relation).map_or_else(|| Spend::of_budget(budget), Spend::of_gaussian)
    }

    /// The privacy of normal noise, `mu` rounded up; `None` for other laws.
    pub fn privacy<B: Body>(&self, body: &B, relation: NeighbouringRelation) -> Option<GaussianPrivacy> {
        let Self::Gaussian(blocks) = self else { return None };
        let bound = body.l2_bound(relation);
        let of_block = |block: &NormalBlock| mu(in_steps(bound, block.unit), block.normal);
        let most = blocks.iter().map(of_block).fold(0.0, f64::max);
        GaussianPrivacy::new(most).ok()
    }

    /// Whether this noise has a law that the budget calls for, and meets it.
    pub fn meets<B: Body>(&self, budget: &PrivacyBudget, body: &B, relation: NeighbouringRelation) -> bool {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        match self {
            Self::Gaussian(blocks) => {
                let stated = blocks.iter().map(|block| Block { length: block.length, unit: block.unit });
                stated.eq(body.blocks(relation))
                    && self.privacy(body, relation).is_some_and(|privacy| privacy.delta(epsilon) <= delta)
            }
            Self::DiscreteLaplace(noise) => delta == 0.0 && noise.epsilon(body.l1_bound(relation)) <= epsilon,
            Self::Spherical(noise) => {
                let bound = plain_l2_bound(body, relation);
                let needed = SphericalNoise::calibrated(noise.law(), bound, budget.epsilon_within());
                delta == 0.0
                    && noise.dimension() == body.noisy_dimension(relation)
                    && needed.is_ok_and(|needed| noise.scale() >= needed.scale())
            }
            Self::Cylinder(noise) => {
                let needed = body
                    .cylinder_bound(relation)
                    .and_then(|bound| RoundedCylinder::calibrated(noise.law(), bound, budget.epsilon_within()).ok());
                delta == 0.0
                    && noise.law().dimension() == body.noisy_dimension(relation)
                    && needed.is_some_and(|needed| noise.scale() >= needed.scale())
            }
            Self::RandomScale(noise) => {
                let distance = (plain_l2_bound(body, relation) / noise.sigma).next_up();
                let privacy = MixedGaussianPrivacy::new(noise.law.clone(), distance);
                // up to the bisection of the calibration
                privacy.is_ok_and(|privacy| privacy.delta_bounds(epsilon).0 <= delta)
            }
        }
    }

    /// Whether two noises are the same, up to what another machine's rounding may change in a scale.
    pub fn agrees(&self, other: &Self) -> bool {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1.0;
        match (self, other) {
            (Self::Gaussian(mine), Self::Gaussian(theirs)) => {
                let same = |(a, b): (&NormalBlock, &NormalBlock)| {
                    a.length == b.length && close(a.normal.scale() as f64, b.normal.scale() as f64)
                };
                mine.len() == theirs.len() && mine.iter().zip(theirs).all(same)
            }
            // one step of the grid of scales
            (Self::DiscreteLaplace(mine), Self::DiscreteLaplace(theirs)) => {
                let ratio = |noise: &DiscreteLaplace| noise.scale().0 as f64 / noise.scale().1 as f64;
                (ratio(mine) / ratio(theirs) - 1.0).abs() <= 1.0 / f64::from(1 << 19)
            }
            (Self::Spherical(mine), Self::Spherical(theirs)) => {
                // an exact scale is whole
                let step = if mine.arithmetic() == Arithmetic::Exact { 1.0 } else { 0.0 };
                mine.law() == theirs.law() && (mine.scale() - theirs.scale()).abs() <= 1e-9 * theirs.scale() + step
            }
            (Self::Cylinder(mine), Self::Cylinder(theirs)) => {
                mine.law() == theirs.law() && close(mine.scale() as f64, theirs.scale() as f64)
            }
            (Self::RandomScale(mine), Self::RandomScale(theirs)) => {
                mine.law == theirs.law && (mine.sigma / theirs.sigma - 1.0).abs() <= 1e-5
            }
            _ => false,
        }
    }

    /// The variance of the noise in one coordinate of a block, the count of a cylinder left out, in squared lattice steps; given the scale, where it was drawn.
    /// Infinite for t noise with at most 2 degrees of freedom, and where a random scale has no second moment.
    pub fn variance(&self, block: usize) -> f64 {
        match self {
            Self::Gaussian(blocks) => blocks.get(block).map_or(0.0, |block| rounded_variance(block.normal)),
            Self::DiscreteLaplace(noise) => noise.variance(),
            Self::Spherical(noise) => noise.variance(),
            Self::Cylinder(noise) => noise.variance(),
            Self::RandomScale(noise) => {
                noise.drawn.map_or_else(|| noise.sigma * noise.sigma * noise.law.second_moment(), rounded_variance)
            }
        }
    }

    /// The scale of the first block in lattice steps: the standard deviation before rounding of normal noise, else the law's
    /// own parameter.
    pub fn scale(&self) -> f64 {
        match self {
            Self::Gaussian(blocks) => blocks.first().map_or(0.0, |block| block.normal.scale() as f64),
            Self::DiscreteLaplace(noise) => noise.scale().0 as f64 / noise.scale().1 as f64,
            Self::Spherical(noise) => noise.scale(),
            Self::Cylinder(noise) => noise.scale() as f64,
            Self::RandomScale(noise) => noise.drawn.map_or(noise.sigma, |normal| normal.scale() as f64),
        }
    }

    /// The standard deviation of the noise in the first block, in lattice steps; of normal noise before rounding.
    pub fn sd(&self) -> f64 {
        match self {
            Self::Gaussian(_) | Self::RandomScale(_) => self.scale(),
            other => other.variance(0).sqrt(),
        }
    }

    /// The scale of normal noise and the standard deviation of other noise, in lattice steps, in the last block: that of the
    /// count, where the count is private.
    pub fn scale_of_count(&self) -> f64 {
        match self {
            Self::Gaussian(blocks) => blocks.last().map_or(0.0, |block| block.normal.scale() as f64),
            Self::RandomScale(_) => self.scale(),
            Self::Cylinder(noise) => noise.count_variance().sqrt(),
            other => other.variance(0).sqrt(),
        }
    }

    /// Whether the guarantee holds to the last bit.
    pub fn arithmetic(&self) -> Arithmetic {
        match self {
            Self::Spherical(noise) => noise.arithmetic(),
            _ => Arithmetic::Exact,
        }
    }
}

/// A joint bound in the lattice steps of a block with this unit, rounded up.
fn in_steps(bound: f64, unit: f64) -> f64 {
    if unit == 1.0 { bound } else { (bound * unit).next_up() }
}

/// How far apart the sums of neighbours can be in the plain Euclidean norm, for laws with one scale for all blocks: the joint
/// bound in the steps of the block that has the most.
fn plain_l2_bound<B: Body>(body: &B, relation: NeighbouringRelation) -> f64 {
    let most = body.blocks(relation).iter().map(|block| block.unit).fold(1.0, f64::max);
    in_steps(body.l2_bound(relation), most)
}

/// `bound / scale`, rounded up: `mu` times the integer scale is not below the bound, which is decided in fractions.
fn mu(bound: f64, normal: RoundedNormal) -> f64 {
    let covers =
        |mu: f64| match (Amount::exact(mu), Amount::fraction(u128::from(normal.scale()), 1), Amount::exact(bound)) {
            (Ok(mu), Some(scale), Ok(bound)) => &mu * &scale >= bound,
            _ => false,
        };
    raised((bound / normal.scale() as f64).next_up(), covers)
}

/// Rounding adds the variance of a uniform deviate, up to `exp(-2 pi^2 scale^2)`.
fn rounded_variance(normal: RoundedNormal) -> f64 {
    (normal.scale() as f64).powi(2) + 1.0 / 12.0
}

fn add_each<W: Word>(exact: &mut [W], mut draw: impl FnMut() -> i128) {
    for value in exact {
        *value = value.with_noise(draw());
    }
}
