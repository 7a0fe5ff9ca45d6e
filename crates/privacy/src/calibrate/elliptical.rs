//! Pure differential privacy from elliptical noise in `d` dimensions.

mod cylinder;
mod error;
mod k_norm;
mod student_t;
#[cfg(test)]
mod tests;

pub use cylinder::Cylinder;
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
    fn neg_log_density(&self, radius: f64) -> f64;

    /// The pure epsilon of noise with this scale, rounded up.
    ///
    /// # Errors
    /// [`EllipticalError`] for a sensitivity or scale that is not positive and finite, and for a ratio of the two outside
    /// `[1e-100, 1e100]`.
    fn epsilon_of(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError>;

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
