//! The terms of a release: what is promised, by which noise, and what of the budget is spent first.

use std::sync::{Arc, OnceLock};

use dpfda_privacy::{
    Calibration, CalibrationError, GaussianPrivacy, Law, NeighbouringRelation, Noise, NoiseError, OneHot,
    PrivacyBudget, PrivacyUnit, Share,
};

use crate::error::MechanismError;
use crate::guarantee::Guarantee;
use crate::purchases::BallShares;
use crate::wanted::Wanted;

/// Everything public about a release that is not what is released: budget, relation and unit, the law of the noise, and what is bought.
///
/// The builder of each kind has one of these, and so has its [`Mechanism`](crate::Mechanism). The budget is calibrated once: copies
/// share what was found.
#[derive(Debug, Clone)]
pub struct Terms {
    guarantee: Guarantee,
    law: Law,
    shares: Option<BallShares>,
    wanted: Option<Wanted>,
    gaussian: Arc<OnceLock<Result<GaussianPrivacy, CalibrationError>>>,
}

/// The fewest records that a radius is bought from are as many as so many standard deviations of one of their noisy counts.
pub(crate) const TRUSTED: f64 = 5.0;

impl Terms {
    /// Tightly calibrated normal noise for this budget, for substitute-one, where each curve is a record; what is bought is left to the
    /// kind of release.
    pub fn new(budget: PrivacyBudget) -> Self {
        let guarantee = Guarantee::new(budget, NeighbouringRelation::default(), PrivacyUnit::Curve);
        Self::of(guarantee, Law::GAUSSIAN)
    }

    /// This guarantee by noise of this law.
    pub fn of(guarantee: Guarantee, law: Law) -> Self {
        Self { guarantee, law, shares: None, wanted: None, gaussian: Arc::default() }
    }

    /// Sets which data sets are neighbours (default: substitute one).
    #[must_use]
    pub fn neighbours(mut self, neighbours: NeighbouringRelation) -> Self {
        self.guarantee = Guarantee::new(self.guarantee.budget(), neighbours, self.guarantee.unit());
        self
    }

    /// Sets what a record is (default: a curve). The kinds that are released from a table set it by the table.
    #[must_use]
    pub fn unit(mut self, unit: PrivacyUnit) -> Self {
        self.guarantee = Guarantee::new(self.guarantee.budget(), self.guarantee.neighbours(), unit);
        self
    }

    /// Sets the law of the noise (default: tightly calibrated normal noise).
    #[must_use]
    pub fn noise(mut self, law: Law) -> Self {
        if law != self.law {
            (self.law, self.gaussian) = (law, Arc::default());
        }
        self
    }

    /// Normal noise of this calibration.
    #[must_use]
    pub fn calibration(self, calibration: Calibration) -> Self {
        self.noise(Law::gaussian(calibration))
    }

    /// Sets what is bought with which share of the budget (default: what the kind of release says).
    #[must_use]
    pub fn buying(mut self, shares: BallShares) -> Self {
        (self.shares, self.wanted) = (Some(shares), None);
        self
    }

    /// Leaves what is bought to a rule of public numbers, as far as it is not said.
    #[must_use]
    pub fn wanting(mut self, wanted: Wanted) -> Self {
        (self.shares, self.wanted) = (None, Some(wanted));
        self
    }

    /// What is wanted, where that was left to a rule.
    pub fn wanted(&self) -> Option<Wanted> {
        self.wanted
    }

    /// From which number of records on their number changes nothing of what is bought; `None` where it changes nothing at all, or is private.
    ///
    /// # Errors
    /// [`CalibrationError`] for a budget that no normal noise meets.
    pub fn asks_for_number(&self) -> Result<Option<u64>, CalibrationError> {
        match self.wanted {
            Some(wanted) if wanted.asks_for_number() && self.has_public_records() => {
                Ok(Some(Wanted::enough(self.gaussian()?.mu())))
            }
            _ => Ok(None),
        }
    }

    /// Whether rough functions get less noise where a radius is bought: what is bought was left to the rule, and not white noise asked for.
    pub fn charges_roughness(&self) -> bool {
        self.wanted.is_some_and(|wanted| !wanted.is_plain)
    }

    /// What is bought of so many records, where their number is public and known, in a ball that bounds alone state or another. `None` where
    /// that was left to the kind of release.
    ///
    /// # Errors
    /// [`CalibrationError`] for a budget that no normal noise meets.
    pub fn shares_of(&self, records: Option<u64>, has_bounds: bool) -> Result<Option<BallShares>, CalibrationError> {
        let Some(wanted) = self.wanted else { return Ok(self.shares) };
        let records = records.filter(|_| self.has_public_records());
        Ok(Some(wanted.shares(self.gaussian()?.mu(), records, has_bounds)))
    }

    /// The guarantee.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// The law of the noise.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// What is bought; `None` where that was left to the kind of release.
    pub fn shares(&self) -> Option<BallShares> {
        self.shares
    }

    /// Whether the number of records is public: under substitute-one.
    pub fn has_public_records(&self) -> bool {
        self.guarantee.neighbours() == NeighbouringRelation::SubstituteOne
    }

    /// The privacy of normal noise that has all of the budget: found once.
    pub fn gaussian(&self) -> Result<GaussianPrivacy, CalibrationError> {
        *self.gaussian.get_or_init(|| {
            let calibration = match self.law {
                Law::Gaussian { calibration } => calibration,
                _ => Calibration::default(),
            };
            GaussianPrivacy::calibrated(calibration, &self.guarantee.budget())
        })
    }

    /// The fewest records that a share buys a radius from, with noisy counts in this body: as many as five standard deviations of the
    /// noise of a count. `None` where their number is private, which decides nothing.
    pub fn least_for_radius(&self, counts: &OneHot, share: Share) -> Result<Option<u64>, NoiseError> {
        if !self.has_public_records() {
            return Ok(None);
        }
        let noise = Noise::gaussian(self.gaussian()?.share(share), counts, self.guarantee.neighbours())?;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive; what is too large saturates"
        )]
        let least = (TRUSTED * noise.sd() / counts.steps() as f64).ceil() as u64;
        Ok(Some(least))
    }

    /// What so many records buy, with noisy counts in this body: **the one place that decides it**, for every kind of release.
    ///
    /// A default buys no radius from too few records, where their number is public. A share that was asked for is refused then.
    /// Where the ball is wider than the stated one unless its radius is bought, it is bought all the same, and counts that say nothing leave the
    /// stated radius.
    pub(crate) fn bought_from(
        &self,
        counts: Option<&OneHot>,
        found: u64,
        needs_radius: bool,
    ) -> Result<BallShares, MechanismError> {
        let shares = self.shares.unwrap_or(BallShares::NONE);
        let least =
            counts.zip(shares.radius()).map(|(counts, share)| self.least_for_radius(counts, share)).transpose()?;
        match least.flatten() {
            Some(_) if needs_radius && shares.is_if_enough() => Ok(shares.asked_for()),
            Some(least) if found < least && shares.is_if_enough() => Ok(shares.without_radius()),
            Some(least) if found < least => Err(MechanismError::TooFewForRadius { least, found }),
            _ => Ok(shares.asked_for()),
        }
    }
}

impl PartialEq for Terms {
    fn eq(&self, other: &Self) -> bool {
        self.guarantee == other.guarantee
            && self.law == other.law
            && self.shares == other.shares
            && self.wanted == other.wanted
    }
}

impl From<PrivacyBudget> for Terms {
    fn from(budget: PrivacyBudget) -> Self {
        Self::new(budget)
    }
}
