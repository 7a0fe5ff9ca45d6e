//! What estimates of one mean curve have in common, whatever was released.

use std::ops::Range;

use dpfda_mechanism::{Fact, Labels};

use crate::band::ConfidenceBand;
use crate::error::AnalysisError;
use crate::estimate::Estimate;
use crate::estimated_mean::{EstimatedMean, PointEstimate};
use crate::estimated_occupancy::EstimatedOccupancy;
use crate::population_mean::PopulationMean;

/// An estimate of one mean curve with a band, from a release of curves or of rows.
pub trait EstimatedCurve {
    /// The posterior of the mean, and the sampling of people.
    fn population(&self) -> &PopulationMean;

    /// The band.
    fn band(&self) -> &ConfidenceBand;

    /// The estimate at the grid's points.
    fn estimate(&self) -> &Estimate;

    /// The estimate at any points of the domain.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside the domain or not a number.
    fn at(&self, points: &[f64]) -> Result<Vec<PointEstimate>, AnalysisError>;

    /// The parts of the domain that too few people were measured in to tell from the noise; none for a release of whole curves.
    fn unsupported(&self) -> Vec<Range<f64>> {
        Vec::new()
    }

    /// What the release is and what the estimate promises, in words.
    fn facts(&self) -> Vec<Fact>;

    /// The public names of the axes.
    fn labels(&self) -> &Labels;

    /// Whether the noise was secret.
    fn is_private(&self) -> bool;

    /// Name and version of the software that made the release.
    fn software(&self) -> &str;
}

macro_rules! estimated_curve {
    ($estimated:ty $(, $unsupported:ident)?) => {
        impl EstimatedCurve for $estimated {
            fn population(&self) -> &PopulationMean {
                self.population()
            }

            fn band(&self) -> &ConfidenceBand {
                self.band()
            }

            fn estimate(&self) -> &Estimate {
                self.estimate()
            }

            fn at(&self, points: &[f64]) -> Result<Vec<PointEstimate>, AnalysisError> {
                self.at(points)
            }

            $(fn $unsupported(&self) -> Vec<Range<f64>> {
                self.$unsupported()
            })?

            fn facts(&self) -> Vec<Fact> {
                self.facts()
            }

            fn labels(&self) -> &Labels {
                self.release().labels()
            }

            fn is_private(&self) -> bool {
                self.release().is_private()
            }

            fn software(&self) -> &str {
                self.release().software()
            }
        }
    };
}

estimated_curve!(EstimatedMean);
estimated_curve!(EstimatedOccupancy, unsupported);
