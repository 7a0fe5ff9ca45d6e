//! Pure differential privacy from elliptical noise in `d` dimensions.

mod custom;
mod error;
mod k_norm;
mod student_t;
mod supremum;
#[cfg(test)]
mod tests;

pub use custom::CustomGenerator;
pub use error::EllipticalError;
pub use k_norm::KNorm;
pub use student_t::StudentT;

/// A law of elliptical noise, given by its density generator `f`. It relates the noise scale to a pure epsilon.
///
/// A summary `T` in `R^d` is released as `T + sigma X`, whose density at `x` is proportional to
///
/// ```text
/// f((x - T)' Sigma^-1 (x - T) / sigma^2) = exp(-g(|Sigma^{-1/2} (x - T)| / sigma)),    g(c) = -ln f(c^2)
/// ```
///
/// With the sensitivity `Delta = sup |Sigma^{-1/2} (T - T')|` over neighbours and `D = Delta / sigma`,
///
/// ```text
/// epsilon = sup_{r >= 0} g(r + D) - g(r)
/// ```
///
/// where `r` is the distance of the released point from one centre, on the side that faces away from the other centre
/// (Reimherr and Awan, Theorem 3, with `c = r + D`; they print `sigma^-2 Delta` for `D`). If `g` is continuous, no
/// smaller epsilon holds. The proof is in `docs/proofs/elliptical.md`.
///
/// The guarantee holds for noise with the density that this trait states. An implementation must make sure that its
/// noise has this density.
pub trait DensityGenerator {
    /// `d`, the number of coordinates released.
    fn dimension(&self) -> usize;

    /// `g(radius) = -ln f(radius^2)`, up to a constant: finite and nondecreasing on `radius >= 0`.
    ///
    /// Its error must be at most `1e-14 (1 + |g|)`.
    fn neg_log_density(&self, radius: f64) -> f64;

    /// What is known about `g` at large radii, where it cannot be evaluated everywhere.
    fn tail(&self) -> Tail;

    /// The pure epsilon of noise with this scale, rounded up.
    ///
    /// Without a closed form it is an upper bound that is at most 1 part in 1000 too large (and `1e-13 (1 + |g|)` for
    /// rounding). It is found by branch and bound: `g` is nondecreasing, so `g(r + D) - g(r) <= g(b + D) - g(a)` for
    /// `a <= r <= b`.
    ///
    /// # Errors
    /// [`EllipticalError`] for a sensitivity or scale that is not positive and finite, for a ratio of the two outside
    /// `[1e-100, 1e100]`, and if a condition of Theorem 3 fails or is not known to hold.
    fn epsilon_of(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
        let distance = distance(sensitivity, scale)?;
        supremum::supremum(|radius| self.neg_log_density(radius), self.tail(), self.dimension(), distance)
    }

    /// The smallest scale with this pure epsilon, rounded up: its [`epsilon_of`](Self::epsilon_of) is at most
    /// `epsilon`.
    ///
    /// # Errors
    /// [`EllipticalError::Epsilon`] unless `epsilon` is positive and finite; otherwise as
    /// [`epsilon_of`](Self::epsilon_of).
    fn scale_for(&self, sensitivity: f64, epsilon: f64) -> Result<f64, EllipticalError> {
        if !(epsilon.is_finite() && epsilon > 0.0) {
            return Err(EllipticalError::Epsilon { value: epsilon });
        }
        smallest_scale(sensitivity, |scale| Ok(self.epsilon_of(sensitivity, scale)? <= epsilon))
    }
}

/// What is known about `g` beyond some radius, where no number of evaluations could prove a bound.
///
/// The declaration is a promise of the caller. It is tested at about 19 000 radii. The tests refuse a declaration that
/// is visibly wrong, but they cannot prove that a declaration is right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tail {
    /// `g` is concave on `[from, inf)`, as for noise with an exponential or a heavier tail: `g(r + D) - g(r)` does not
    /// increase there.
    Concave {
        /// The radius, in units of the scale; 0 if `g` is concave throughout.
        from: f64,
    },
    /// `g` is convex on `[from, inf)` and its slope stays at or below `slope`: `g(r + D) - g(r) <= D slope` there.
    Convex {
        /// The radius, in units of the scale.
        from: f64,
        /// The limit of the slope of `g`, or a bound on it.
        slope: f64,
    },
    /// `g(r + D) - g(r)` has no bound, as of Gaussian noise, where it is `r D + D^2/2` (Reimherr and Awan, Example 5): no
    /// pure privacy. For `delta > 0` see [`GaussianPrivacy`](crate::GaussianPrivacy).
    Unbounded,
    /// Nothing is known. Such noise is refused.
    Unknown,
}

impl Tail {
    /// Checks that the numbers of the declaration are in their ranges.
    fn check(self) -> Result<(), EllipticalError> {
        let numbers = match self {
            Self::Concave { from } => [from, 0.0],
            Self::Convex { from, slope } => [from, slope],
            Self::Unbounded | Self::Unknown => [0.0, 0.0],
        };
        match numbers.into_iter().find(|number| !(0.0..=1e100).contains(number)) {
            Some(value) => Err(EllipticalError::TailParameter { value }),
            None => Ok(()),
        }
    }
}

/// The ratios of sensitivity and scale for which no computation overflows or loses digits.
const DISTANCES: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// `D = sensitivity / scale`, rounded up.
fn distance(sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
    // relative rounding means nothing below the normal numbers
    if !(sensitivity.is_normal() && sensitivity > 0.0) {
        return Err(EllipticalError::Sensitivity { value: sensitivity });
    }
    if !(scale.is_normal() && scale > 0.0) {
        return Err(EllipticalError::Scale { value: scale });
    }
    let distance = (sensitivity / scale).next_up();
    if DISTANCES.contains(&distance) { Ok(distance) } else { Err(EllipticalError::Distance { value: distance }) }
}

/// Finds the smallest scale that is `enough`, by doubling and then by bisection down to neighbouring doubles.
///
/// The returned scale has itself been checked to be enough. If no scale or every scale is enough, there is an error at
/// the end of [`DISTANCES`].
fn smallest_scale(
    sensitivity: f64,
    enough: impl Fn(f64) -> Result<bool, EllipticalError>,
) -> Result<f64, EllipticalError> {
    let (mut inside, mut outside);
    if enough(sensitivity)? {
        (inside, outside) = (sensitivity, sensitivity / 2.0);
        while enough(outside)? {
            (inside, outside) = (outside, outside / 2.0);
        }
    } else {
        (inside, outside) = (sensitivity * 2.0, sensitivity);
        while !enough(inside)? {
            (inside, outside) = (inside * 2.0, inside);
        }
    }
    loop {
        let middle = outside + (inside - outside) / 2.0;
        if middle == inside || middle == outside {
            return Ok(inside);
        }
        if enough(middle)? {
            inside = middle;
        } else {
            outside = middle;
        }
    }
}

/// Rounds up a number that was computed with a relative error of a few roundings.
fn rounded_up(value: f64) -> f64 {
    value * (1.0 + 1e-14)
}
