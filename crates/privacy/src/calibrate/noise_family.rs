//! The named families of symmetric log-concave noise.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "noise_family_tests.rs"]
mod tests;

/// The Subbotin (exponential power) density of shape `r >= 1`, which is proportional to `exp(-|x|^r / r)`.
///
/// `r = 1` is the Laplace density of scale 1, `r = 2` the standard normal density; between them the tails become
/// lighter as `r` grows.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Subbotin {
    shape: f64,
}

/// A family of symmetric log-concave noise. Its scale is chosen separately.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum NoiseFamily {
    /// Density `exp(-|x|) / 2`.
    Laplace,
    /// Density `e^-x / (1 + e^-x)^2`.
    Logistic,
    /// Density `exp(-x^2/2) / sqrt(2 pi)`.
    Gaussian,
    /// Density proportional to `exp(-|x|^r / r)`.
    Subbotin(Subbotin),
}

/// Why a family of noise was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoiseFamilyError {
    #[error("the shape r of Subbotin noise must be from 1 to {LARGEST_SHAPE}, got {value:?}: {}", shape_reason(*value))]
    Shape { value: f64 },
    #[error(
        "unknown family of noise; known are laplace, logistic, gaussian and subbotin:R with R from 1 to {LARGEST_SHAPE}"
    )]
    Unknown,
}

/// The largest shape. For larger shapes the tail, from which privacy comes, is lost in doubles.
const LARGEST_SHAPE: f64 = 100.0;

/// Says what is wrong with a shape outside the range.
fn shape_reason(shape: f64) -> &'static str {
    if shape < 1.0 {
        "below 1 the density is not log-concave and Lemma 1 of Vinterbo does not apply"
    } else if shape > LARGEST_SHAPE {
        "above this range the density is so close to a uniform one that its tail is lost in doubles, and privacy comes from the tail; take a smaller shape"
    } else {
        "it is not a number, and Lemma 1 of Vinterbo needs a density"
    }
}

impl Subbotin {
    /// Makes the density of shape `r`.
    pub fn new(shape: f64) -> Result<Self, NoiseFamilyError> {
        if (1.0..=LARGEST_SHAPE).contains(&shape) {
            Ok(Self { shape })
        } else {
            Err(NoiseFamilyError::Shape { value: shape })
        }
    }

    /// The shape `r`.
    pub fn shape(&self) -> f64 {
        self.shape
    }
}

impl TryFrom<f64> for Subbotin {
    type Error = NoiseFamilyError;

    fn try_from(shape: f64) -> Result<Self, NoiseFamilyError> {
        Self::new(shape)
    }
}

impl From<Subbotin> for f64 {
    fn from(subbotin: Subbotin) -> Self {
        subbotin.shape
    }
}

impl fmt::Display for NoiseFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Laplace => f.write_str("laplace"),
            Self::Logistic => f.write_str("logistic"),
            Self::Gaussian => f.write_str("gaussian"),
            Self::Subbotin(subbotin) => write!(f, "subbotin:{}", subbotin.shape),
        }
    }
}

impl FromStr for NoiseFamily {
    type Err = NoiseFamilyError;

    fn from_str(name: &str) -> Result<Self, NoiseFamilyError> {
        match name {
            "laplace" => Ok(Self::Laplace),
            "logistic" => Ok(Self::Logistic),
            "gaussian" => Ok(Self::Gaussian),
            _ => {
                let shape = name.strip_prefix("subbotin:").ok_or(NoiseFamilyError::Unknown)?;
                Ok(Self::Subbotin(Subbotin::new(shape.parse().map_err(|_| NoiseFamilyError::Unknown)?)?))
            }
        }
    }
}

crate::written_as_text!(NoiseFamily);
