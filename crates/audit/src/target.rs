//! What an attack is built from: a claim and public settings.

use dpfda_kernels::{Grid, KernelName};
use dpfda_privacy::{NeighbouringRelation, Noise, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::Array2;

use crate::added_noise::AddedNoise;
use crate::attack::{Attack, DistributionPair};
use crate::claim::Claim;
use crate::distribution::Distribution;
use crate::error::AuditError;
use crate::kinds::pairs::{self, Pair, Record};
use crate::sums::{distributions, exact_sums, same_sums};

/// A mechanism's claim, and the public settings of an audit. Curves are seen at two points, the ends of `[0, 1]`.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) budget: PrivacyBudget,
    pub(crate) claim: Claim,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) ball: Ball,
    pub(crate) smoother: PenalizedMean,
}

impl Target {
    /// With the unit ball about zero, and a smoother.
    pub(crate) fn new(
        name: &'static str,
        budget: PrivacyBudget,
        claim: Claim,
        neighbours: NeighbouringRelation,
    ) -> Result<Self, AuditError> {
        let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.2)?, 0.01, 1.0)?;
        Ok(Self { name, budget, claim, neighbours, ball: Ball::new(Center::Constant(0.0), 1.0)?, smoother })
    }

    /// Why there is no such attack.
    pub(crate) fn not_made(&self, reason: &'static str) -> AuditError {
        AuditError::NotMadeFor { mechanism: self.name, reason }
    }

    /// Two curves, for what is the same for all data.
    pub(crate) fn some(&self) -> Result<CurveSet, AuditError> {
        self.curves(&[&[[0.0, 0.0]], &[[0.0, 0.0]]])
    }

    /// The records on the grid, in the units of the ball.
    pub(crate) fn curves(&self, records: &[Record]) -> Result<CurveSet, AuditError> {
        let grid = Grid::uniform(0.0, 1.0, 2)?;
        let (center, radius) = (self.ball.center_at(&grid)?, self.ball.radius());
        let owned =
            records.iter().enumerate().flat_map(|(owner, curves)| curves.iter().map(move |curve| (owner, curve)));
        let (owners, rows): (Vec<usize>, Vec<&[f64; 2]>) = owned.unzip();
        let value = |(row, column): (usize, usize)| {
            let value: f64 = center[column] + radius * rows[row][column];
            // an infinite value is refused before anything else
            if value.is_nan() { value } else { value.clamp(f64::MIN, f64::MAX) }
        };
        let curves = CurveSet::new(grid, Array2::from_shape_fn((rows.len(), 2), value))?;
        // one curve each is a data set of curves, more one of subjects
        if records.iter().all(|record| record.len() == 1) { Ok(curves) } else { Ok(curves.with_subjects(&owners)?) }
    }

    /// The attack on these laws.
    pub(crate) fn attack(
        &self,
        noise: Option<AddedNoise>,
        (distributions, pairs): (Vec<Distribution>, Vec<DistributionPair>),
    ) -> Attack {
        Attack { name: self.name, neighbours: self.neighbours, claim: self.claim.clone(), noise, distributions, pairs }
    }

    /// An attack on exact sums with noise, through pairs of data sets.
    pub(crate) fn attack_sums<T: Clone>(
        &self,
        noise: AddedNoise,
        pairs: Vec<Pair<T>>,
        release: impl Fn(&[T], &mut SeededRandomness) -> Result<Vec<i64>, AuditError>,
    ) -> Result<Attack, AuditError> {
        let law_of = |number: usize, records: &[T]| {
            exact_sums(self.name, number, &noise, |randomness| release(records, randomness)).map(Distribution::Sums)
        };
        let distributions = distributions(pairs, law_of, same_sums)?;
        Ok(self.attack(Some(noise), distributions))
    }

    /// The same through the pairs of curves, of a mechanism that draws nothing but its noise.
    pub(crate) fn attack_curves(
        &self,
        noise: &Noise,
        release: impl Fn(&CurveSet, &mut SeededRandomness) -> Result<Vec<i64>, AuditError>,
    ) -> Result<Attack, AuditError> {
        self.attack_sums(AddedNoise::plain(noise), pairs::of_curves(self.neighbours), |records, randomness| {
            release(&self.curves(records)?, randomness)
        })
    }
}
