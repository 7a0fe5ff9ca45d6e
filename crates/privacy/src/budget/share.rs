//! A share of a budget of normal noise.

use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "share_tests.rs"]
mod tests;

/// The share of `mu^2` that one of several Gaussian steps may spend: above 0, at most 1.
///
/// Squares of `mu` add up over steps, also where a later step depends on what an earlier one gave (Dong, Roth and Su 2022,
/// Corollary 3.3), so steps whose shares sum to at most 1 together spend at most the whole.
///
/// ```
/// use dpfda_privacy::Share;
///
/// let radius = Share::new(0.05)?;
/// assert_eq!(Share::rest_of([radius])?.value(), 0.95);
/// # Ok::<(), dpfda_privacy::ShareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(f64);

/// Why a number is no share.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ShareError {
    #[error("a share of the budget must be above 0 and at most 1, got {value:?}")]
    Range { value: f64 },
    #[error("the shares of the budget that are spent first must leave a part of it, and they sum to {sum}")]
    NothingLeft { sum: f64 },
}

impl Share {
    /// All of it.
    pub const WHOLE: Self = Self(1.0);

    /// This share.
    pub fn new(value: f64) -> Result<Self, ShareError> {
        if value > 0.0 && value <= 1.0 { Ok(Self(value)) } else { Err(ShareError::Range { value }) }
    }

    /// What other shares leave of the whole; [`GaussianPrivacy::share`](crate::GaussianPrivacy::share) covers the rounding.
    pub fn rest_of(shares: impl IntoIterator<Item = Self>) -> Result<Self, ShareError> {
        let sum: f64 = shares.into_iter().map(|share| share.0).sum();
        Self::new(1.0 - sum).map_err(|_| ShareError::NothingLeft { sum })
    }

    /// The share as a number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Whether it is all of it.
    pub fn is_whole(&self) -> bool {
        self.0 == 1.0
    }
}

impl Default for Share {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl TryFrom<f64> for Share {
    type Error = ShareError;

    fn try_from(value: f64) -> Result<Self, ShareError> {
        Self::new(value)
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        share.0
    }
}
