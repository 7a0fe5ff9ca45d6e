//! How private covariates become vectors of norm at most 1.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::regression::Regression;
use crate::regression::covariate::Covariate;

#[cfg(test)]
#[path = "coding_tests.rs"]
mod tests;

/// The weight of an outcome beside 1 for the intercept: `alpha^2 = 1/4` alone.
const OF_OUTCOME: f64 = 3.0;

/// How far from 1 the parts of a coding may add up to.
const ROUNDING: f64 = 1e-12;

/// The map `T` from standardised covariates `a = (1, a_1, ..)` to vectors `x = T a` of norm at most 1, as it stands in a plan: the part of
/// the squared norm that belongs to the intercept, and the part of each covariate. They add to 1.
///
/// ```text
/// intercept:             sqrt(part)
/// a number:              sqrt(part) a_k
/// a category, k levels:  sqrt(part k / (k - 1)) (I + s J) (d - 1/k),    s = (sqrt(k) - 1) / (k - 1)
/// ```
///
/// `d` are the indicators of the levels but the reference and `J` is all ones, so two levels are as far apart as any two. A number at an end
/// of its range has its whole part, and so has every level. The best parts are as `1`, `sqrt(3)` and `k - 1`: the proof is in
/// `docs/proofs/regression.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Coding {
    parts: Vec<f64>,
}

impl Coding {
    /// The coding of the least noise for people whose covariates are uniform: every level as likely, numbers anywhere in their range.
    pub(crate) fn best(covariates: &[Covariate]) -> Self {
        Self::of_weights(covariates.iter().map(weight))
    }

    /// The coding for an outcome: its weight is three times that of the intercept, and the others have the weights that are best for themselves.
    pub(crate) fn of_outcome(covariates: &[Covariate], outcome: &str) -> Self {
        Self::of_weights(covariates.iter().map(|one| if one.name() == outcome { OF_OUTCOME } else { weight(one) }))
    }

    /// Weights of covariates beside 1 for the intercept.
    fn of_weights(covariates: impl Iterator<Item = f64>) -> Self {
        let parts: Vec<f64> = std::iter::once(1.0).chain(covariates).collect();
        let total: f64 = parts.iter().sum();
        Self { parts: parts.into_iter().map(|part| part / total).collect() }
    }

    /// Whether it codes these covariates: parts that are positive and add to 1.
    pub(crate) fn fits(&self, covariates: &[Covariate]) -> bool {
        let total: f64 = self.parts.iter().sum();
        let fits = self.parts.len() == covariates.len() + 1 && (total - 1.0).abs() <= ROUNDING;
        fits && self.parts.iter().all(|part| *part > 0.0)
    }

    /// `T`.
    pub(crate) fn matrix(&self, covariates: &[Covariate]) -> Array2<f64> {
        let size = 1 + covariates.iter().map(Covariate::width).sum::<usize>();
        let mut matrix = Array2::zeros((size, size));
        matrix[[0, 0]] = self.parts[0].sqrt();
        let mut first = 1;
        for (part, covariate) in self.parts[1..].iter().zip(covariates) {
            let width = covariate.width();
            match covariate {
                Covariate::Number { .. } => matrix[[first, first]] = part.sqrt(),
                Covariate::Category { .. } => {
                    let levels = (width + 1) as f64;
                    let scale = (part * levels / width as f64).sqrt();
                    let shared = (levels.sqrt() - 1.0) / width as f64;
                    for i in first..first + width {
                        // d = (1 + a) / 2, and each row of I + s J adds to sqrt(k)
                        matrix[[i, 0]] = scale * (0.5 - 1.0 / levels) * levels.sqrt();
                        for j in first..first + width {
                            matrix[[i, j]] = scale * 0.5 * (shared + f64::from(u8::from(i == j)));
                        }
                    }
                }
            }
            first += width;
        }
        matrix
    }

    /// `tr((T M T')^-1)`, with `M` the second moments of uniform covariates.
    fn trace(&self, covariates: &[Covariate]) -> f64 {
        let of_covariates = self.parts[1..].iter().zip(covariates).map(|(part, one)| weight(one).powi(2) / part);
        1.0 / self.parts[0] + of_covariates.sum::<f64>()
    }
}

/// The root of `tr(V^-1) l`, with `V` the second moments of a uniform covariate in coordinates in which its largest squared norm is `l`.
fn weight(covariate: &Covariate) -> f64 {
    match covariate {
        Covariate::Number { .. } => 3.0_f64.sqrt(),
        Covariate::Category { .. } => covariate.width() as f64,
    }
}

/// The same trace for standardised covariates divided by the root of their number, as they were coded before there were codings.
fn trace_of_standardised(covariates: &[Covariate]) -> f64 {
    let inverse = |covariate: &Covariate| match covariate {
        Covariate::Number { .. } => 3.0,
        // the inverse of the covariance is k (I + J) / 4, and the mean is 2/k - 1
        Covariate::Category { .. } => {
            let (width, levels) = (covariate.width() as f64, covariate.width() as f64 + 1.0);
            levels * width / 2.0 + (levels - 2.0).powi(2) * width / 4.0
        }
    };
    let size = 1.0 + covariates.iter().map(|one| one.width() as f64).sum::<f64>();
    size * (1.0 + covariates.iter().map(inverse).sum::<f64>())
}

impl Regression {
    /// The number of coefficients, that of the intercept among them.
    pub fn coefficients(&self) -> usize {
        self.columns().len() + 1
    }

    /// `t`: the noise of the mean curve of a person drawn at random, along one coordinate, in units of that of an entry of the products
    /// with curves over the number of records.
    ///
    /// ```text
    /// E |noise of beta'a|^2 = (s / N)^2 t,    private covariates: t = tr((T M T')^-1), M = E a a' for uniform covariates
    ///                                         a public design:    t = N tr(R R X'X)
    /// ```
    ///
    /// A public number. It is 9 for a category of 3 levels and 7.46 for a number.
    pub fn noise_trace(&self) -> f64 {
        match (self.public_design(), self.coding()) {
            (Some(design), _) => {
                let shape = design.root().dot(design.root());
                design.records() as f64 * shape.dot(design.gram()).diag().sum()
            }
            (None, Some(coding)) => coding.trace(self.covariates()),
            (None, None) => trace_of_standardised(self.covariates()),
        }
    }
}
