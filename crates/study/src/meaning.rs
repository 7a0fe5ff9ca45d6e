//! What settings mean in the types of the library, where nothing was said too.

use dpfda::privacy::{Calibration, NeighbouringRelation};
use dpfda::release::MomentsChoice;

use crate::choices::{GapsName, MechanismName, MomentsName};
use crate::sections::{Bound, Privacy, Table};

impl Privacy {
    /// Which data sets are neighbours.
    pub fn relation(&self) -> NeighbouringRelation {
        self.neighbours.map_or_else(NeighbouringRelation::default, Into::into)
    }

    /// The theorem that sets the noise.
    pub fn calibration(&self) -> Calibration {
        if self.is_classical() { Calibration::Classical } else { Calibration::Tight }
    }

    /// Whether the classical scale was asked for.
    pub fn is_classical(&self) -> bool {
        self.classical == Some(true)
    }

    /// Whether the noise of a mean is white.
    pub fn is_isonormal(&self) -> bool {
        self.mechanism.is_none_or(|mechanism| mechanism == MechanismName::Isonormal)
    }

    /// Whether the noise of a mean is that of a delta of 0.
    pub fn is_pure(&self) -> bool {
        self.delta == Some(0.0) && !self.is_classical() && self.is_isonormal()
    }

    /// Which second moments are released.
    pub fn second_moments(&self) -> MomentsChoice {
        self.moments.unwrap_or(MomentsName::Auto).into()
    }

    /// Whether a mean is released with second moments.
    pub fn has_moments(&self) -> bool {
        let is_free = self.moments != Some(MomentsName::None) && self.relation() == NeighbouringRelation::SubstituteOne;
        self.is_isonormal() && !self.is_pure() && (is_free || self.asks_for_moments())
    }

    /// Whether second moments were asked for that cost something.
    pub fn asks_for_moments(&self) -> bool {
        matches!(self.moments, Some(MomentsName::Mean | MomentsName::Covariance))
    }

    /// Why the guarantee is not a usual one.
    pub fn reason(&self) -> Option<&str> {
        self.because.as_ref().map(|reason| reason.0.as_str())
    }
}

impl Bound {
    /// Whether the body of a mean is another than the ball.
    pub fn charges_roughness(&self) -> bool {
        self.slope.is_some() || self.roughness.is_some_and(|length| length != 0.0)
    }
}

impl Table {
    /// Whether the domain closes up.
    pub fn is_periodic(&self) -> bool {
        self.periodic == Some(true)
    }

    /// Whether curves are filled from a process: they are read whole for it.
    pub fn is_process(&self) -> bool {
        self.gaps == Some(GapsName::GaussianProcess)
    }
}
