//! Symmetric Beta densities, for which every error of a histogram is an exact integral.

use dpfda::density::{Cells, PiecewiseDensity};
use ndarray::Array2;
use rand::{Rng, RngExt};

/// The density of `r` independent Beta(a, a) coordinates, `a` an integer.
///
/// ```text
/// p(x) = prod_i x_i^(a-1) (1 - x_i)^(a-1) / B(a, a),    x in [0, 1]^r
/// ```
///
/// A coordinate is the median of `2a - 1` uniform numbers, so its distribution function is a binomial tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetricBeta {
    shape: i32,
}

/// The largest shape: a draw takes `2a - 1` uniform numbers.
const MOST_SHAPE: u8 = 50;

impl SymmetricBeta {
    /// Beta(a, a) for `1 <= a <= 50`, nothing otherwise; 1 is the uniform density.
    pub fn new(shape: u8) -> Option<Self> {
        (1..=MOST_SHAPE).contains(&shape).then_some(Self { shape: i32::from(shape) })
    }

    /// The density of one coordinate: 0 outside `[0, 1]`.
    pub fn density(&self, x: f64) -> f64 {
        if (0.0..=1.0).contains(&x) { inverse_beta(self.shape) * (x * (1.0 - x)).powi(self.shape - 1) } else { 0.0 }
    }

    /// The distribution function of one coordinate.
    ///
    /// ```text
    /// F(x) = P(Binomial(2a - 1, x) >= a)
    /// ```
    pub fn cumulative(&self, x: f64) -> f64 {
        let x = x.clamp(0.0, 1.0);
        if x > 0.5 {
            return 1.0 - self.cumulative(1.0 - x);
        }
        let trials = 2 * self.shape - 1;
        let mut choose = 1.0;
        let mut sum = 0.0;
        for successes in 1..=trials {
            choose *= f64::from(trials + 1 - successes) / f64::from(successes);
            if successes >= self.shape {
                sum += choose * x.powi(successes) * (1.0 - x).powi(trials - successes);
            }
        }
        sum
    }

    /// `int p^2` of one coordinate.
    pub fn squared_norm(&self) -> f64 {
        inverse_beta(self.shape).powi(2) / inverse_beta(2 * self.shape - 1)
    }

    /// `n` independent points with `r` coordinates each (`n x r`).
    pub fn draw<R: Rng + ?Sized>(&self, n: usize, r: usize, randomness: &mut R) -> Array2<f64> {
        let middle = usize::try_from(self.shape - 1).unwrap_or(0);
        let mut uniform = vec![0.0; 2 * middle + 1];
        Array2::from_shape_simple_fn((n, r), || {
            uniform.fill_with(|| randomness.random::<f64>());
            *uniform.select_nth_unstable_by(middle, f64::total_cmp).1
        })
    }

    /// The probabilities of cells of the unit cube, in their order.
    pub fn probabilities(&self, cells: &Cells) -> Vec<f64> {
        let per_axis = cells.per_axis();
        let ends: Vec<f64> = (0..=per_axis).map(|i| self.cumulative(i as f64 / per_axis as f64)).collect();
        let along: Vec<f64> = ends.windows(2).map(|ends| ends[1] - ends[0]).collect();
        let further = 1..cells.bounds().dimension();
        // the last axis is the fastest
        further.fold(along.clone(), |slower, _| slower.iter().flat_map(|p| along.iter().map(move |q| p * q)).collect())
    }

    /// The integrated squared error of a histogram on the unit cube.
    ///
    /// ```text
    /// int (p^ - p)^2 = sum_j (q_j^2 - 2 q_j P_j) / V + int p^2
    /// ```
    pub fn squared_error(&self, histogram: &PiecewiseDensity) -> f64 {
        let cells = histogram.cells();
        let pairs = histogram.probabilities().iter().zip(self.probabilities(cells));
        let sum: f64 = pairs.map(|(q, p)| q * (q - 2.0 * p)).sum();
        sum * cells.count() as f64 + self.squared_norm().powi(dimension(cells))
    }

    /// The mean integrated squared error of the histogram of `n` independent points, without noise, on the unit cube.
    ///
    /// ```text
    /// E int (p^ - p)^2 = int p^2 + (1 - (n + 1) sum_j P_j^2) / (n V)
    /// ```
    pub fn exact_histogram_risk(&self, cells: &Cells, records: usize) -> f64 {
        let n = records as f64;
        let squares: f64 = self.probabilities(cells).iter().map(|p| p * p).sum();
        self.squared_norm().powi(dimension(cells)) + (1.0 - (n + 1.0) * squares) * cells.count() as f64 / n
    }
}

fn dimension(cells: &Cells) -> i32 {
    i32::try_from(cells.bounds().dimension()).unwrap_or(1)
}

/// `1 / B(a, a) = (2a - 1)! / ((a - 1)!)^2 = a binom(2a - 1, a)`.
fn inverse_beta(shape: i32) -> f64 {
    (1..=shape).map(|i| f64::from(shape - 1 + i) / f64::from(i)).product::<f64>() * f64::from(shape)
}
