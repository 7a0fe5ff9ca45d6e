//! How many cells to show, judged from the noisy counts alone.

use crate::cells::Cells;

#[cfg(test)]
#[path = "risk_tests.rs"]
mod tests;

/// The estimated risk of a histogram on merged cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MergedRisk {
    /// The number of cells along each axis.
    pub per_axis: usize,
    /// The estimate of the integrated squared error less `int p^2`, per data unit of volume; it may be negative.
    pub risk: f64,
}

/// What the estimate is made of besides the merged counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoisyTotal {
    /// The public number of records; `None` under add/remove-one.
    pub(super) records: Option<u64>,
    /// The sum of all noisy counts, in records.
    pub(super) total: f64,
    /// The variance of that sum: of one count, times the number of finest cells.
    pub(super) variance: f64,
}

impl NoisyTotal {
    /// The estimate for cells of this volume, from the sum of squares of their noisy counts `D_A`.
    ///
    /// With a public number `n` of records, for the estimate `D_A / (n V)` of the density `p`:
    ///
    /// ```text
    /// J = sum_A [ D_A^2 / n^2  -  2 (D_A^2 - s_A^2 - D_A) / (n (n - 1)) ] / V
    /// ```
    ///
    /// where `s_A^2` is the variance of the noise in `D_A`. It is unbiased: `E J = E int (D_A / (n V) - p)^2 - int p^2`, over
    /// independent records and over the noise. For the square expands into `sum_A D_A^2 / (n^2 V)`, which is the first
    /// term, and `-2 sum_A D_A P_A / (n V)`, whose mean is `-2 sum_A P_A^2 / V`; and given the exact counts
    /// `E(D_A^2 - s_A^2 - D_A) = C_A (C_A - 1)`, the number of ordered pairs of records in `A`, of mean `n (n - 1) P_A^2`.
    /// (`docs/proofs/histogram.md`.) The sums of `s_A^2` and of `D_A` are the same for all cells.
    ///
    /// With a private number it is the risk of `D_A / V` for the intensity of a Poisson number of records, with the same
    /// proof, divided by the square of the noisy total: a factor that all candidates share.
    pub(super) fn risk(&self, sum_of_squares: f64, volume: f64) -> f64 {
        let pairs = sum_of_squares - self.variance - self.total;
        match self.records {
            Some(records) => {
                let n = records as f64;
                (sum_of_squares / n - 2.0 * pairs / (n - 1.0)) / n / volume
            }
            None => (sum_of_squares - 2.0 * pairs) / self.total.max(1.0).powi(2) / volume,
        }
    }

    /// The risk of all merged cells whose number along each axis divides that of `cells`, from coarse to fine.
    pub(super) fn risks(&self, cells: &Cells, counts: &[f64]) -> Vec<MergedRisk> {
        let mut risks = Vec::new();
        self.descend(cells, counts, &prime_factors(cells.per_axis()), &mut risks);
        risks.sort_unstable_by_key(|candidate| candidate.per_axis);
        risks
    }

    /// Notes the risk of `cells`, and of all that arise by merging them by these primes, smaller primes first.
    ///
    /// So each divisor is reached once, and mostly from cells that are hardly finer than itself.
    fn descend(&self, cells: &Cells, counts: &[f64], primes: &[usize], risks: &mut Vec<MergedRisk>) {
        let sum_of_squares = counts.iter().map(|count| count * count).sum();
        risks.push(MergedRisk { per_axis: cells.per_axis(), risk: self.risk(sum_of_squares, cells.cell_volume()) });
        for (place, prime) in primes.iter().enumerate() {
            let per_axis = cells.per_axis() / prime;
            if per_axis * prime != cells.per_axis() {
                continue;
            }
            if let Some((merged, sums)) = merge(cells, counts, per_axis) {
                self.descend(&merged, &sums, &primes[place..], risks);
            }
        }
    }
}

/// The primes that divide a number, each once, in increasing order.
fn prime_factors(mut number: usize) -> Vec<usize> {
    let mut primes = Vec::new();
    let mut candidate = 2;
    while number > 1 {
        if number.is_multiple_of(candidate) {
            primes.push(candidate);
            while number.is_multiple_of(candidate) {
                number /= candidate;
            }
        }
        // what is left without a divisor up to its root is prime
        candidate = if candidate * candidate > number { number.max(candidate + 1) } else { candidate + 1 };
    }
    primes
}

/// Cells of which each holds several of `cells`, and the sums of their counts; `None` unless the numbers divide.
pub(super) fn merge(cells: &Cells, counts: &[f64], per_axis: usize) -> Option<(Cells, Vec<f64>)> {
    let merged = Cells::new(cells.bounds().clone(), per_axis).ok()?;
    if !cells.per_axis().is_multiple_of(per_axis) {
        return None;
    }
    let (factor, dimension) = (cells.per_axis() / per_axis, cells.bounds().dimension());
    let mut sums = vec![0.0; merged.count()];
    for (index, count) in counts.iter().enumerate() {
        let at = cells.position(index);
        sums[at[..dimension].iter().fold(0, |index, part| index * per_axis + part / factor)] += count;
    }
    Some((merged, sums))
}
