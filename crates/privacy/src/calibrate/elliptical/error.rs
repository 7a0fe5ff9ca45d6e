//! Why elliptical noise was refused.

use thiserror::Error;

/// Why elliptical noise was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EllipticalError {
    #[error(
        "the dimension of elliptical noise must be at least 1, got 0: Theorem 3 of Reimherr and Awan is about a summary in R^d with d >= 1"
    )]
    Dimension,
    #[error(
        "the degrees of freedom nu of t noise must be positive and finite, got {value:?}: otherwise it has no density"
    )]
    DegreesOfFreedom { value: f64 },
    #[error("sensitivity must be a positive, finite number, got {value:e}: Theorem 3 needs Delta < inf")]
    Sensitivity { value: f64 },
    #[error("the scale of the noise must be a positive, finite number, got {value:e}")]
    Scale { value: f64 },
    #[error("epsilon must be positive and finite, got {value:?}: epsilon = 0 would need noise of infinite scale")]
    Epsilon { value: f64 },
    #[error(
        "sensitivity / scale must be from 1e-100 to 1e100, got {value:e}; if no scale was given, no scale in this range has this epsilon"
    )]
    Distance { value: f64 },
}
