//! What the settings of a release say before there are data: functions of public numbers alone.

use dpfda_mechanism::MechanismError;
use dpfda_privacy::{Body, ClippedBall, Noise};

use super::{BallShares, MechanismName, PrivateMean, ReleaseError, Shape, plain_body};
use crate::mean::noise_law::{NoiseLaw, in_radii};
use crate::purchase::norms::Norms;

impl PrivateMean {
    /// The fewest records whose noisy counts can be trusted to choose a radius, where their number is public: as many as five
    /// standard deviations of a count. `None` where no radius is bought, or the number is private.
    pub fn least_records_for_radius(&self) -> Result<Option<u64>, ReleaseError> {
        let share = self.bought_shares(None)?.radius();
        let least = share.map(|share| self.terms.least_for_radius(&Norms::body(1), share)).transpose()?;
        Ok(least.flatten())
    }

    /// The law of the noise that a release with these settings has on any grid: a function of public numbers alone. With delta 0 and no
    /// stated number of [coordinates](PrivateMean::coordinates) it is that on 12 points or more of an interval.
    pub fn noise_law(&self) -> Result<NoiseLaw, ReleaseError> {
        self.noise_law_on(usize::MAX)
    }

    /// The same on a grid of so many points: with delta 0 a release has as many coordinates as points, where those are fewer than 12 and no
    /// number was stated.
    pub fn noise_law_on(&self, points: usize) -> Result<NoiseLaw, ReleaseError> {
        if matches!(self.shape, Shape::Rough(_)) {
            return Err(ReleaseError::NotWhite);
        }
        let shares = self.bought_shares(None)?;
        let (noise, body) = self.noise(points, shares)?;
        let count_sd = match body.count_weight() {
            Some(weight) if !self.terms.has_public_records() => noise.scale_of_count() / weight as f64,
            _ => 0.0,
        };
        let radius = self.ball.radius();
        Ok(NoiseLaw {
            isonormal: self.mechanism == MechanismName::Isonormal,
            coordinates: self.pure_coordinates(points, false)?,
            radius,
            sum_sd: in_radii(&noise, 1.0) * radius,
            count_sd,
        })
    }

    /// `sigma / tau`, the noise of the whitened mean of so many records in units of the radius.
    pub(super) fn relative_noise(&self, records: f64) -> Result<f64, ReleaseError> {
        Ok(in_radii(&self.noise(usize::MAX, self.bought_shares(None)?)?.0, records))
    }

    /// The noise of the mean with its share of the budget, on two points: the bound of the ball is the same on all grids.
    fn noise(&self, points: usize, shares: BallShares) -> Result<(Noise, ClippedBall), ReleaseError> {
        let guarantee = self.terms.guarantee();
        if let Some(number) = self.pure_coordinates(points, false)? {
            let body = plain_body(number, None).map_err(MechanismError::from)?;
            let law = self.law(Some(number));
            return Ok((Noise::calibrated(&law, &guarantee.budget(), &body, guarantee.neighbours())?, body));
        }
        let privacy = self.terms.gaussian()?.share(shares.rest());
        let body = plain_body(2, self.moments_of(2, 2)?).map_err(MechanismError::from)?;
        Ok((Noise::gaussian(privacy, &body, guarantee.neighbours())?, body))
    }
}
