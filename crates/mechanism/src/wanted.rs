//! What is bought where nothing is said: a rule of public numbers.

use dpfda_privacy::Share;

use crate::purchases::{BallShareError, BallShares, RADIUS_SHARE, share};
use crate::terms::TRUSTED;

#[cfg(test)]
#[path = "wanted_tests.rs"]
mod tests;

/// Whether a part of a ball is bought.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Want {
    /// By the rule of [`Wanted`].
    #[default]
    Usual,
    /// It is kept as it is stated.
    Nothing,
    /// With this share of `mu^2`.
    With(Share),
}

impl Want {
    /// To buy with a share of the budget.
    ///
    /// # Errors
    /// [`BallShareError`] for a share that buys too much, or nothing but noise.
    pub fn with(value: f64) -> Result<Self, BallShareError> {
        share(value).map(Self::With)
    }
}

/// What of a ball is bought, said or by a rule of public numbers.
///
/// ```text
/// s = min(max(20 / (mu N), 0.02), 0.1)                    share of mu^2;  0.05 where N is not known before records are encoded
/// radius:  with s, from  N >= 5 sqrt(2) / (mu sqrt(s))    records on: fewer than five standard deviations of a count say nothing
/// centre:  with s, where only bounds are stated, a radius is bought, and  mu N >= 50
/// ```
///
/// `N` is the number that was [expected](Self::expected), or else that of the records, where it is public and known. Measured, not proved:
/// `docs/results/bands.md`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wanted {
    /// The centre.
    pub center: Want,
    /// The radius.
    pub radius: Want,
    /// The number of records that is expected: public, and stated before the data are seen.
    pub expected: Option<u64>,
    /// Whether noise is to be white on the mean itself: nothing of roughness is charged, whatever is bought.
    pub is_plain: bool,
    /// Whether the ball is one that a radius must be bought of, however few the records.
    pub needs_radius: bool,
}

/// The least and the largest share, and what it is times `mu N` between.
const SHARES: (f64, f64) = (0.02, 0.1);
const TIMES_NUMBER: f64 = 20.0;

/// The least `mu N` that a centre is bought from.
const OF_CENTER: f64 = 50.0;

impl Wanted {
    /// The shares of a budget of this `mu`, of so many records where their number is public and known, in a ball that bounds alone state
    /// or another.
    pub fn shares(&self, mu: f64, records: Option<u64>, has_bounds: bool) -> BallShares {
        let number = self.number(records);
        let usual = usual_share(mu, number);
        let is_enough = self.needs_radius || number.is_none_or(|number| number >= least(mu, usual));
        let radius = match self.radius {
            Want::Usual => Some(usual).filter(|_| is_enough),
            Want::Nothing => None,
            Want::With(share) => Some(share.value()),
        };
        let is_sure = has_bounds && radius.is_some() && self.tells_center(mu, records);
        let center = match self.center {
            Want::Usual => Some(usual).filter(|_| is_sure),
            Want::Nothing => None,
            Want::With(share) => Some(share.value()),
        };
        let shares = BallShares::new(center, radius).unwrap_or_else(|_| unreachable!("all shares are below 0.5"));
        if self.radius == Want::Usual && !self.needs_radius { shares.if_enough() } else { shares }
    }

    /// Whether so many records, or those that are expected, tell a centre of curves: `mu N >= 50`.
    pub fn tells_center(&self, mu: f64, records: Option<u64>) -> bool {
        self.number(records).is_some_and(|number| mu * number >= OF_CENTER)
    }

    /// `N`.
    fn number(&self, records: Option<u64>) -> Option<f64> {
        self.expected.or(records).map(|number| number as f64)
    }

    /// Whether a share was said, for the centre or for the radius.
    pub fn says_share(&self) -> bool {
        [self.center, self.radius].iter().any(|want| matches!(want, Want::With(_)))
    }

    /// The fewest records that a radius is bought from by the rule, where their number is public.
    pub fn least_for_radius(mu: f64) -> u64 {
        let (_, most) = SHARES;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive; what is too large saturates"
        )]
        let least = least(mu, most).ceil() as u64;
        least
    }

    /// The number of records from which on their number changes nothing of the shares.
    pub fn enough(mu: f64) -> u64 {
        let (least, _) = SHARES;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive; what is too large saturates"
        )]
        let enough = (TIMES_NUMBER / least / mu).ceil() as u64;
        enough
    }

    /// Whether the number of records changes anything of the shares.
    pub fn asks_for_number(&self) -> bool {
        self.expected.is_none() && (self.radius == Want::Usual || self.center == Want::Usual)
    }
}

/// `s`.
fn usual_share(mu: f64, records: Option<f64>) -> f64 {
    let (least, most) = SHARES;
    records.map_or(RADIUS_SHARE, |records| (TIMES_NUMBER / (mu * records)).max(least).min(most))
}

/// The fewest records that a share buys a radius from.
fn least(mu: f64, share: f64) -> f64 {
    least_trusted(mu * share.sqrt())
}

/// `5 sqrt(2) / mu`: the fewest records whose noisy counts of this `mu` can be trusted to choose a radius, as many as five standard deviations
/// of the difference of two counts.
pub fn least_trusted(mu_of_counts: f64) -> f64 {
    TRUSTED * std::f64::consts::SQRT_2 / mu_of_counts
}
