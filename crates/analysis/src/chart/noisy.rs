//! What a release of an indicator surface says: noisy distribution functions at the points of a grid.

use ndarray::{Array1, Array2, ArrayView1};

use crate::error::AnalysisError;

/// No noisy value is larger in size.
const LARGEST: f64 = 1e100;

/// Noisy distribution functions at the points of a grid.
///
/// ```text
/// Z_ij = F(t_i, y_j) + sigma W_ij,    W_ij independent standard normal
/// ```
///
/// `t` is the domain mapped to `[0, 1]`, `y` the range of the values mapped to `[0, 1]`. Where shares are [divided by noisy
/// weights](NoisyDistribution::weighed), the noise is larger at some points than at others, and partly common to all levels of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyDistribution {
    pub(super) points: Array1<f64>,
    pub(super) is_periodic: bool,
    pub(super) levels: Array1<f64>,
    pub(super) values: Array2<f64>,
    /// At each point.
    pub(super) noise_sd: Array1<f64>,
    /// How many records the shares at each point are as good as the shares of.
    pub(super) records: Array1<f64>,
    weights: Option<Weights>,
    /// What all levels of a point have in common: the inverse of the covariance of a row of noise is `(1 - u u') / sigma^2` with a row `u` of these.
    pub(super) common: Option<Array2<f64>>,
}

/// What shares were divided by.
#[derive(Debug, Clone, PartialEq)]
struct Weights {
    /// The sd of the noise of each as a part of it.
    relative_sd: Array1<f64>,
    /// The shares of the centre.
    of_center: Array2<f64>,
}

impl NoisyDistribution {
    /// Noisy values, `n x m`, at `n` increasing points in `[0, 1]` and `m` increasing levels within (0, 1).
    ///
    /// `noise_sd` is the standard deviation of the noise of each value. `records` is the number of people, noisy where it is private. The
    /// points of a circle are below 1.
    ///
    /// # Errors
    /// [`AnalysisError::Length`] for values that do not fit, [`AnalysisError::Number`] for numbers that are not as said.
    pub fn new(
        points: Array1<f64>,
        is_periodic: bool,
        levels: Array1<f64>,
        values: Array2<f64>,
        noise_sd: f64,
        records: f64,
    ) -> Result<Self, AnalysisError> {
        length("the list of points of a chart", 1, points.len().min(1))?;
        length("the list of levels of a chart", 1, levels.len().min(1))?;
        length("the noisy values of a chart at all points", points.len(), values.nrows())?;
        length("the noisy values of a chart at one point", levels.len(), values.ncols())?;
        let end = if is_periodic { 1.0_f64.next_down() } else { 1.0 };
        increasing("a point of a chart", "in [0, 1], increasing, and below 1 on a circle", &points, 0.0, end)?;
        let (low, high) = (0.0_f64.next_up(), 1.0_f64.next_down());
        increasing("a level of a chart", "above 0, below 1 and increasing", &levels, low, high)?;
        let size = "at most 1e100 in size";
        let values_fit =
            values.iter().map(|&value| number("a noisy value of a chart", size, value, value.abs() <= LARGEST));
        values_fit.collect::<Result<(), _>>()?;
        let is_positive = noise_sd > 0.0 && noise_sd <= LARGEST;
        number("the sd of the noise of a chart", "positive and finite", noise_sd, is_positive)?;
        number("the number of records", "at least 1 and finite", records, (1.0..=LARGEST).contains(&records))?;
        let [noise_sd, records] = [noise_sd, records].map(|one| Array1::from_elem(points.len(), one));
        Ok(Self { points, is_periodic, levels, values, noise_sd, records, weights: None, common: None })
    }

    /// The same where shares less those of a centre were divided by noisy weights.
    ///
    /// ```text
    /// Z_ij = F_ij + sigma_i W_ij - e_i V_i (F_ij - C_ij),      V_i standard normal
    /// ```
    ///
    /// `noise_sd` is `sigma_i`, `relative_sd` is `e_i`, `of_center` is `C`; `parts` is the part of all records at each point.
    ///
    /// # Errors
    /// As [`NoisyDistribution::new`].
    pub fn weighed(
        self,
        noise_sd: Array1<f64>,
        relative_sd: Array1<f64>,
        of_center: Array2<f64>,
        parts: &Array1<f64>,
    ) -> Result<Self, AnalysisError> {
        let points = self.points.len();
        for found in [noise_sd.len(), relative_sd.len(), of_center.nrows(), parts.len()] {
            length("what is known of the weights of a chart", points, found)?;
        }
        length("the shares of the centre of a chart at one point", self.levels.len(), of_center.ncols())?;
        for &sd in noise_sd.iter().chain(&relative_sd) {
            number("the sd of the noise of a chart", "positive and finite", sd, sd > 0.0 && sd <= LARGEST)?;
        }
        let records = (&self.records * parts).mapv(|records| records.max(1.0));
        Ok(Self { noise_sd, records, weights: Some(Weights { relative_sd, of_center }), ..self })
    }

    /// The number of records at a point, on average.
    pub(super) fn mean_records(&self) -> f64 {
        self.records.sum() / self.records.len() as f64
    }

    /// The standard deviation of the noise that is left in the mean of the values at a point, `int 1 - F(y) dy`, over a window of so long a part of the
    /// domain: on average over the points.
    ///
    /// ```text
    /// sigma sqrt(m) / (m + 1) / sqrt(max(n window, 1))
    /// ```
    pub(super) fn location_sd(&self, window: f64) -> f64 {
        let (points, levels) = self.values.dim();
        let at_point = self.noise_sd.sum() / points as f64 * (levels as f64).sqrt() / (levels + 1) as f64;
        at_point / (points as f64 * window).max(1.0).sqrt()
    }

    /// With what the noise of the weights does to shares that are about these; `None` where there are none.
    ///
    /// ```text
    /// Cov = sigma^2 (I + a g g' / |g|^2),    a = e^2 |g|^2 / sigma^2,    g = F - C;     u = sqrt(a / (1 + a)) g / |g|
    /// ```
    pub(super) fn with_common(&self, shares: &Array2<f64>) -> Option<Self> {
        let Weights { relative_sd, of_center } = self.weights.as_ref()?;
        let mut common = shares - of_center;
        for ((mut row, relative), sd) in common.rows_mut().into_iter().zip(relative_sd).zip(&self.noise_sd) {
            let squared = row.dot(&row);
            let ratio = relative * relative * squared / (sd * sd);
            // nothing is in common where the shares are those of the centre
            let factor = (ratio / (1.0 + ratio) / squared.max(f64::MIN_POSITIVE)).sqrt();
            row *= factor;
        }
        Some(Self { common: Some(common), ..self.clone() })
    }

    /// The row of `u` at a point.
    pub(super) fn common_at(&self, point: usize) -> Option<ArrayView1<'_, f64>> {
        self.common.as_ref().map(|common| common.row(point))
    }
}

fn length(what: &'static str, expected: usize, found: usize) -> Result<(), AnalysisError> {
    if found == expected { Ok(()) } else { Err(AnalysisError::Length { what, expected, found }) }
}

fn number(what: &'static str, allowed: &'static str, value: f64, is_allowed: bool) -> Result<(), AnalysisError> {
    if is_allowed { Ok(()) } else { Err(AnalysisError::Number { what, allowed, value }) }
}

/// Refuses numbers that do not increase from `low` to `high`.
fn increasing(
    what: &'static str,
    allowed: &'static str,
    numbers: &Array1<f64>,
    low: f64,
    high: f64,
) -> Result<(), AnalysisError> {
    let mut previous = f64::NEG_INFINITY;
    for &value in numbers {
        number(what, allowed, value, value > previous && (low..=high).contains(&value))?;
        previous = value;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use ndarray::{Array2, array};

    use super::*;

    #[test]
    fn what_levels_have_in_common_inverts_the_covariance_of_divided_shares() {
        let (sds, relative) = (array![0.05, 0.2], array![0.3, 0.02]);
        let shares = array![[0.1, 0.5, 0.8], [0.2, 0.4, 0.9]];
        let of_center = array![[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]];
        let observed =
            NoisyDistribution::new(array![0.0, 1.0], false, array![0.2, 0.5, 0.8], shares.clone(), 0.1, 100.0);
        let observed = observed.unwrap().weighed(sds.clone(), relative.clone(), of_center.clone(), &array![1.0, 0.001]);
        let observed = observed.unwrap();
        assert_eq!(observed.records, array![100.0, 1.0]);
        assert!(observed.common_at(0).is_none());
        let common = observed.with_common(&shares).unwrap();
        for point in 0..2 {
            let g = (&shares.row(point) - &of_center.row(point)).insert_axis(ndarray::Axis(1));
            let u = common.common_at(point).unwrap().insert_axis(ndarray::Axis(1));
            let covariance = Array2::<f64>::eye(3) * sds[point].powi(2) + g.dot(&g.t()) * relative[point].powi(2);
            let inverse = (Array2::<f64>::eye(3) - u.dot(&u.t())) / sds[point].powi(2);
            let product = covariance.dot(&inverse) - Array2::<f64>::eye(3);
            assert!(product.iter().all(|entry| entry.abs() < 1e-12), "{product}");
        }
    }
}
