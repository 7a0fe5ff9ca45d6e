//! Wasserman and Zhou's simulation: how far perturbed histograms are from a known density.

use dpfda::density::{Bounds, Cells, HistogramError, PerturbedHistogram, Points};
use dpfda::privacy::{PrivacyBudget, Randomness, SeededRandomness};

mod beta;
#[cfg(test)]
mod tests;

pub use beta::SymmetricBeta;

/// The published simulation: histograms of Beta(10, 10) points on `[0, 1]`, with noise and without, by number of cells.
///
/// ```text
/// MISE(m) = E int (p^(x) - p(x))^2 dx,    p^ the exact or the perturbed histogram (substitute one) of m cells
/// ```
///
/// Simulated points only, and a known seed: it touches nobody's data and protects nobody. Source: Wasserman and Zhou (2010),
/// Figure 1; the numbers of cells and of repetitions are not stated there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramSimulation {
    /// The numbers of cells.
    pub cells: Vec<usize>,
    /// How many data sets the perturbed histograms are averaged over, at least 2 for a standard error.
    pub repeats: u32,
    /// The seed of the points and of the noise.
    pub seed: u64,
}

/// The mean integrated squared error of histograms of so many records, for one budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedRisks {
    /// `n`.
    pub records: usize,
    /// `alpha`.
    pub epsilon: f64,
    /// The error of the uniform density, which is the histogram of one cell and looks at no data.
    pub uniform: f64,
    /// One for each number of cells, in the order given.
    pub risks: Vec<SimulatedRisk>,
}

/// The errors for one number of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedRisk {
    /// `m`.
    pub cells: usize,
    /// Of the exact histogram, in closed form.
    pub exact: f64,
    /// Of the perturbed histogram, the mean over the repetitions.
    pub perturbed: f64,
    /// The standard error of that mean.
    pub standard_error: f64,
}

impl HistogramSimulation {
    /// The records and epsilons of the four published panels: `n = 100` above, `n = 1000` below.
    pub const PANELS: [(usize, f64); 4] = [(100, 0.1), (100, 0.01), (1000, 0.1), (1000, 0.01)];

    /// The density that the points are drawn from.
    ///
    /// # Panics
    /// Never: 10 is a shape.
    pub fn density() -> SymmetricBeta {
        SymmetricBeta::new(10).unwrap_or_else(|| unreachable!("10 is a shape"))
    }

    /// The errors of one panel. All numbers of cells see the same data sets.
    pub fn panel(&self, records: usize, budget: PrivacyBudget) -> Result<SimulatedRisks, HistogramError> {
        let (density, bounds) = (Self::density(), unit_interval());
        let epsilon = budget.epsilon();
        let cells: Vec<Cells> = self.cells.iter().map(|m| Cells::new(bounds.clone(), *m)).collect::<Result<_, _>>()?;
        let mut sums = vec![(0.0, 0.0); cells.len()];
        // a stream of its own for each panel
        let seed = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ epsilon.to_bits().wrapping_add(records as u64);
        let mut randomness = SeededRandomness::from_seed(seed);
        for _ in 0..self.repeats {
            let points = Points::new(density.draw(records, 1, &mut randomness), bounds.clone())
                .unwrap_or_else(|_| unreachable!("one column for one axis"));
            for (cells, sum) in cells.iter().zip(&mut sums) {
                let error = perturbed_error(density, cells, budget, &points, &mut randomness)?;
                *sum = (sum.0 + error, sum.1 + error * error);
            }
        }
        let repeats = f64::from(self.repeats);
        let risk = |(cells, (sum, squares)): (&Cells, &(f64, f64))| {
            let mean = sum / repeats;
            let variance = (squares / repeats - mean * mean).max(0.0) / (repeats - 1.0);
            let exact = density.exact_histogram_risk(cells, records);
            SimulatedRisk { cells: cells.count(), exact, perturbed: mean, standard_error: variance.sqrt() }
        };
        let risks = cells.iter().zip(&sums).map(risk).collect();
        Ok(SimulatedRisks { records, epsilon, uniform: density.squared_norm() - 1.0, risks })
    }
}

impl SimulatedRisks {
    /// The number of cells at which the exact histogram is best; `None` for no numbers of cells.
    pub fn best_exact(&self) -> Option<SimulatedRisk> {
        self.risks.iter().copied().min_by(|a, b| a.exact.total_cmp(&b.exact))
    }

    /// The number of cells at which the perturbed histogram is best; `None` for no numbers of cells.
    pub fn best_perturbed(&self) -> Option<SimulatedRisk> {
        self.risks.iter().copied().min_by(|a, b| a.perturbed.total_cmp(&b.perturbed))
    }
}

fn perturbed_error<R: Randomness>(
    density: SymmetricBeta,
    cells: &Cells,
    budget: PrivacyBudget,
    points: &Points,
    randomness: &mut R,
) -> Result<f64, HistogramError> {
    let histogram = PerturbedHistogram::new(cells.clone(), budget);
    Ok(density.squared_error(histogram.release(points, randomness)?.density()))
}

fn unit_interval() -> Bounds {
    Bounds::new(vec![(0.0, 1.0)]).unwrap_or_else(|_| unreachable!("0 is below 1"))
}
