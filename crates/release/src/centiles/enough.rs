//! How many records a chart needs.

use crate::centiles::Centiles;
use crate::centiles::centiles_error::CentilesError;

/// The noise of the whole surface is at most this part of a radius: `sqrt(2) / (mu N) <= 0.04`, and of rows `sqrt(2.5) / (mu N) <= 0.04`. With more, the
/// fit may follow the noise, and a band that holds is as wide as the noise.
const MOST_NOISE: f64 = 0.04;

/// As many records lie beyond a centile at least.
const BEYOND: f64 = 10.0;

impl Centiles {
    /// The fewest records that noise of this `mu` leaves a chart of; of rows, where everybody is seen at every point.
    pub fn least_records(mu: f64, is_of_rows: bool) -> u64 {
        let noise = if is_of_rows { 2.5_f64.sqrt() } else { 2.0_f64.sqrt() };
        whole(noise / (MOST_NOISE * mu))
    }

    /// The fewest records of which 10 lie beyond a centile, in percent.
    pub fn least_beyond(centile: f64) -> u64 {
        whole(100.0 * BEYOND / centile.min(100.0 - centile))
    }

    /// The fewest records of which a chart shows these centiles, in percent, with noise of this `mu`.
    pub fn least_for(shown: &[f64], mu: f64, is_of_rows: bool) -> u64 {
        let beyond = shown.iter().map(|centile| Self::least_beyond(*centile)).max().unwrap_or_default();
        beyond.max(Self::least_records(mu, is_of_rows))
    }

    /// Refuses centiles, in percent, that fewer than 10 of so many records lie beyond.
    ///
    /// # Errors
    /// [`CentilesError::TooFewBeyond`] with the first of them.
    pub fn check_beyond(shown: &[f64], found: u64) -> Result<(), CentilesError> {
        match shown.iter().find(|centile| found < Self::least_beyond(**centile)) {
            Some(&centile) => Err(CentilesError::TooFewBeyond { centile, least: Self::least_beyond(centile), found }),
            None => Ok(()),
        }
    }
}

fn whole(least: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; what is too large saturates")]
    let least = least.ceil() as u64;
    least
}
