//! A statistic of records in a public ball, of which a part can be bought.

use dpfda_mechanism::{Mechanism, NoisyCenter, ReadError, Statistic, demand};
use dpfda_privacy::Law;
use dpfda_smoothing::{Ball, BallError};

use crate::purchase::bought::Bought;

/// A statistic that can be moved to another ball.
///
/// Its body is the same in every ball, in units of the radius: so is its noise, and a radius that is bought after the payment can be
/// refused by nothing.
pub trait InBall: Statistic {
    /// The public ball of the records.
    fn ball(&self) -> &Ball;

    /// How the ball was bought; `None` for a ball that was stated.
    fn bought(&self) -> Option<&Bought>;

    /// The same in another ball, and how that was bought.
    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError>;

    /// The number of records that are counted by their distance, where it is public: that of all records, if that is.
    fn counted(&self, records: Option<u64>) -> Option<u64> {
        records
    }

    /// The part of these records that the smallest of the groups has that are clipped at one radius, as far as it is public; 1 without
    /// groups.
    fn smallest(&self) -> f64 {
        1.0
    }

    /// What encodes records that come in parts or from a stream to buy a centre: its sums are in [`Statistic::center_body`]. `None` where
    /// no centre is bought from such records.
    fn to_center(&self) -> Option<Self> {
        None
    }

    /// The stated ball about the centre that a noisy mean calls for; `None` where no centre is bought.
    fn centered(&self, _center: &NoisyCenter<'_>) -> Option<Ball> {
        None
    }

    /// Refuses a mechanism, in a plan or in a release, that no builder of this kind makes.
    fn check_mechanism(mechanism: &Mechanism<Self>) -> Result<(), ReadError> {
        demand("noise.law", matches!(mechanism.law(), Law::Gaussian { .. }))?;
        demand("statistic.ball.bounds", mechanism.statistic().ball().is_of_its_bounds())
    }
}
