//! Why elliptical noise was refused.

use thiserror::Error;

/// Why elliptical noise was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum EllipticalError {
    /// The dimension is 0.
    #[error(
        "the dimension of elliptical noise must be at least 1, got 0: Theorem 3 of Reimherr and Awan is about a summary in R^d with d >= 1"
    )]
    Dimension,
    /// The degrees of freedom are not positive and finite.
    #[error(
        "the degrees of freedom nu of t noise must be positive and finite, got {value:?}: otherwise it has no density"
    )]
    DegreesOfFreedom {
        /// The degrees of freedom given.
        value: f64,
    },
    /// The sensitivity is not a positive number.
    #[error("sensitivity must be a positive, finite number, got {value:e}: Theorem 3 needs Delta < inf")]
    Sensitivity {
        /// The sensitivity given.
        value: f64,
    },
    /// The scale is not a positive number.
    #[error("the scale of the noise must be a positive, finite number, got {value:e}")]
    Scale {
        /// The scale given.
        value: f64,
    },
    /// Epsilon is not positive and finite.
    #[error("epsilon must be positive and finite, got {value:?}: epsilon = 0 would need noise of infinite scale")]
    Epsilon {
        /// The epsilon given.
        value: f64,
    },
    /// Sensitivity and scale are too many orders of magnitude apart.
    #[error(
        "sensitivity / scale must be from 1e-100 to 1e100, got {value:e}; if no scale was given, no scale in this range has this epsilon"
    )]
    Distance {
        /// The ratio.
        value: f64,
    },
}
