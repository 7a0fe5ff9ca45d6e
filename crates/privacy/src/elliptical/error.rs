//! Why elliptical noise was refused.

use thiserror::Error;

/// Why elliptical noise gives no pure privacy, or none that could be proved.
///
/// The radii belong to the density of the noise, which is public.
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
    /// The likelihood ratio has no bound in the tail.
    #[error(
        "no scale of this noise gives pure privacy: Theorem 3 of Reimherr and Awan needs the ratio f((c - D)^2) / f(c^2) to be bounded as c grows, and here, as for Gaussian noise (Example 5), it is not; use K-norm or t noise, or a delta above 0"
    )]
    Unbounded,
    /// The density has a pole at its centre.
    #[error(
        "no scale of this noise gives pure privacy: Theorem 3 of Reimherr and Awan needs f(0) < inf, and this density is not known to be finite and positive at its centre; the multivariate Laplace density has a pole there in 2 or more dimensions (Example 3); use K-norm noise, which generalises Laplace noise without a pole"
    )]
    Pole,
    /// The density is not a number.
    #[error("the density of the noise at radius {radius:e} is not a number; Theorem 3 needs f on [0, inf)")]
    NotANumber {
        /// The radius, in units of the scale.
        radius: f64,
    },
    /// The density is 0 at some radius. An output can then rule out a centre, so the mechanism has no finite epsilon.
    #[error(
        "the density of the noise is 0 at radius {radius:e}, and Theorem 3 needs f > 0; if it only underflows, compute its logarithm directly"
    )]
    NotPositive {
        /// The radius, in units of the scale.
        radius: f64,
    },
    /// The density increases somewhere.
    #[error("the density of the noise grows from radius {radius:e} to {further:e}, and Theorem 3 needs a decreasing f")]
    NotDecreasing {
        /// The smaller radius, in units of the scale.
        radius: f64,
        /// A larger radius at which the density is larger.
        further: f64,
    },
    /// The density has no finite mass.
    #[error(
        "the density of the noise falls no faster than radius^-d up to radius {radius:e}: it has no finite mass in d dimensions, and Theorem 3 needs a density"
    )]
    NotIntegrable {
        /// The largest radius that was tested, in units of the scale.
        radius: f64,
    },
    /// The tail is not declared.
    #[error(
        "the tail of the density is not declared: no number of evaluations shows that the ratio f((c - D)^2) / f(c^2) stays bounded, as Theorem 3 needs; declare -ln f(radius^2) concave or convex beyond some radius"
    )]
    TailUnknown,
    /// A number of the declaration is outside its range.
    #[error("a declared tail must have its radius and its slope from 0 to 1e100, got {value:e}")]
    TailParameter {
        /// The number given.
        value: f64,
    },
    /// The density contradicts the declared tail.
    #[error(
        "the declared tail is wrong: -ln f(radius^2) contradicts it near radius {radius:e}, so the ratio of Theorem 3 is not known to be bounded"
    )]
    TailContradicted {
        /// The radius, in units of the scale.
        radius: f64,
    },
    /// The supremum could not be bounded to the tolerance.
    #[error(
        "the supremum in Theorem 3 was not bounded to the tolerance within {evaluations} evaluations; a smaller sensitivity / scale needs more of them; declare a tail that begins at a smaller radius, if that is true, or ask for a larger epsilon"
    )]
    Evaluations {
        /// The number of evaluations allowed.
        evaluations: usize,
    },
}
