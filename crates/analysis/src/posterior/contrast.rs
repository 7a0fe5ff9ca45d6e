//! Numbers with a standard deviation, and differences of independent ones.

use ndarray::Array1;

use crate::error::AnalysisError;
use crate::posterior::Posterior;

/// A number and its posterior standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uncertain {
    /// The posterior mean.
    pub value: f64,
    /// The posterior standard deviation.
    pub sd: f64,
}

impl Uncertain {
    /// The difference to a number from an independent release: variances add.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { value: self.value - other.value, sd: self.sd.hypot(other.sd) }
    }
}

/// The difference of two means at some points.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// The posterior mean of the difference.
    pub values: Array1<f64>,
    /// Its posterior standard deviation.
    pub sd: Array1<f64>,
}

impl Posterior {
    /// This mean minus the mean of an independent release, at any points of the domain that both share.
    ///
    /// Releases of disjoint groups of people are independent. Two releases of the same people are not: their noise is
    /// independent, but the people are the same, and the difference is then about the noise alone.
    ///
    /// # Errors
    /// [`AnalysisError::DomainsDiffer`] for a mean on another interval, [`AnalysisError::OutsideDomain`] for a point outside.
    pub fn contrast(&self, other: &Self, points: &[f64]) -> Result<Contrast, AnalysisError> {
        let (mine, theirs) = (self.grid(), other.grid());
        if mine.lower() != theirs.lower() || mine.upper() != theirs.upper() {
            return Err(AnalysisError::DomainsDiffer {
                lower: mine.lower(),
                upper: mine.upper(),
                other_lower: theirs.lower(),
                other_upper: theirs.upper(),
            });
        }
        let values = self.evaluate(points)? - other.evaluate(points)?;
        let (a, b) = (self.sd_at(points)?, other.sd_at(points)?);
        Ok(Contrast { values, sd: a.iter().zip(&b).map(|(a, b)| f64::hypot(*a, *b)).collect() })
    }
}
