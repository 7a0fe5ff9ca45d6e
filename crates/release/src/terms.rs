//! The setters that the builders of all kinds have.

/// Gives builders with a field `terms` the setters that are named.
macro_rules! on_terms {
    ($kind:ident$(<$of:ident>)?: $($setter:ident)*) => {
        impl$(<$of>)? $kind$(<$of>)? {
            $($crate::terms::on_terms!(@ $setter);)*
        }
    };
    (@ neighbours) => {
        /// Sets which data sets are neighbours (default: substitute one).
        #[must_use]
        pub fn neighbours(mut self, neighbours: ::dpfda_privacy::NeighbouringRelation) -> Self {
            self.terms = self.terms.neighbours(neighbours);
            self
        }
    };
    (@ calibration) => {
        /// Sets how the noise is calibrated (default: tight).
        #[must_use]
        pub fn calibration(mut self, calibration: ::dpfda_privacy::Calibration) -> Self {
            self.terms = self.terms.calibration(calibration);
            self
        }
    };
    (@ wanting) => {
        /// Leaves what is bought to a rule of public numbers, as far as it is not said ([`Wanted`](::dpfda_mechanism::Wanted)); where a radius
        /// is bought, rough functions get less noise.
        #[must_use]
        pub fn wanting(mut self, wanted: ::dpfda_mechanism::Wanted) -> Self {
            self.terms = self.terms.wanting(wanted);
            self
        }
    };
    (@ buying) => {
        /// Sets which part of the ball is bought, and with which shares of the budget (default: what [`Self`] says).
        #[must_use]
        pub fn buying(mut self, shares: ::dpfda_mechanism::BallShares) -> Self {
            self.terms = self.terms.buying(shares);
            self
        }
    };
}

pub(crate) use on_terms;
