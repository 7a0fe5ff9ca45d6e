//! What an estimate says of a quantity beside the truth. A new quantity is one more [`Quantity`] in the list of a kind.

use dpfda::analysis::Feature;
use ndarray::{Array1, Array2};

use crate::Fault;
use crate::line::Measure;

/// A quantity: its name, and a function from an estimate and the truth to a claim. `F` is the function: what it takes for an
/// estimate is the choice of the kind.
#[derive(Clone, Copy)]
pub struct Quantity<F> {
    pub name: &'static str,
    pub of: F,
}

/// What one estimate says: the numbers, the ends of their bands or intervals, and what they should be. A band with an end that is
/// not finite holds where its other end does.
pub struct Claim {
    pub values: Array1<f64>,
    pub lower: Array1<f64>,
    pub upper: Array1<f64>,
    pub truth: Array1<f64>,
    pub unit: Unit,
}

/// What the same numbers would be worth without privacy: the mean half-width of the 95% band, and the root-mean-square error.
#[derive(Clone, Copy)]
pub struct Unit {
    pub half_width: f64,
    pub error: f64,
}

impl Unit {
    /// That of numbers whose average over people has these variances, each number with a band of so many standard deviations.
    pub fn of_variances(variances: &Array1<f64>, critical: f64) -> Self {
        let count = variances.len() as f64;
        let half_width = critical * variances.mapv(|variance| variance.max(0.0).sqrt()).sum() / count;
        Self { half_width, error: (variances.sum() / count).max(0.0).sqrt() }
    }
}

impl Claim {
    /// An interval for one number.
    pub fn number((value, lower, upper): (f64, f64, f64), truth: f64, unit: Unit) -> Self {
        let [values, lower, upper, truth] = [value, lower, upper, truth].map(|number| Array1::from_elem(1, number));
        Self { values, lower, upper, truth, unit }
    }

    /// Intervals for several numbers, held to be right where all are.
    pub fn numbers(features: &[Feature], truth: Array1<f64>, unit: Unit) -> Self {
        let of = |part: fn(&Feature) -> f64| features.iter().map(part).collect();
        Self { values: of(|f| f.value), lower: of(|f| f.lower), upper: of(|f| f.upper), truth, unit }
    }

    pub fn outcome(&self, quantity: impl Into<String>) -> Outcome {
        let ends = self.lower.iter().zip(&self.upper);
        let is_so = self.truth.iter().zip(ends).all(|(truth, (lower, upper))| lower <= truth && truth <= upper);
        let count = self.truth.len() as f64;
        let half_width = (&self.upper - &self.lower).sum() / (2.0 * count);
        let squared_error = (&self.values - &self.truth).mapv(|d| d * d).sum() / count;
        let seen = Seen {
            share: Some(f64::from(u8::from(is_so))),
            width: half_width / self.unit.half_width,
            squared_error: squared_error / self.unit.error.powi(2),
        };
        Outcome { quantity: quantity.into(), measure: Measure::Coverage, seen: Some(seen) }
    }
}

/// What one release says of one quantity.
pub struct Outcome {
    pub quantity: String,
    pub measure: Measure,
    /// Nothing where the release says nothing.
    pub seen: Option<Seen>,
}

pub struct Seen {
    /// How far what is measured was so: 0 or 1, or the part of those it was asked of.
    pub share: Option<f64>,
    /// In units, as the error; not a number where there is none.
    pub width: f64,
    pub squared_error: f64,
}

impl Outcome {
    /// A release that says nothing of a quantity.
    pub fn unknown(quantity: impl Into<String>) -> Self {
        Self { quantity: quantity.into(), measure: Measure::Coverage, seen: None }
    }

    /// What a test says of equal means, or of others.
    pub fn test(p_value: f64, is_equal: bool) -> Self {
        let measure = if is_equal { Measure::Size } else { Measure::Power };
        let seen = Seen { share: Some(f64::from(u8::from(p_value <= 0.05))), width: f64::NAN, squared_error: f64::NAN };
        Self { quantity: "equality".to_owned(), measure, seen: Some(seen) }
    }
}

/// `L C L'`.
pub fn tilted(map: &Array2<f64>, covariance: &Array2<f64>) -> Array2<f64> {
    map.dot(covariance).dot(&map.t())
}

/// What a list of quantities says; one that cannot be known of this release says nothing.
pub fn outcomes<F>(
    quantities: &[Quantity<F>],
    claim: impl Fn(&F) -> Result<Option<Claim>, Fault>,
) -> Result<Vec<Outcome>, Fault> {
    let one = |quantity: &Quantity<F>| {
        let claim = claim(&quantity.of)?;
        Ok(claim.map_or_else(|| Outcome::unknown(quantity.name), |claim| claim.outcome(quantity.name)))
    };
    quantities.iter().map(one).collect()
}
