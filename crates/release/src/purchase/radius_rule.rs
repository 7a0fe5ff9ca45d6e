//! From noisy counts of distances to a radius: the public half of buying one.

use dpfda_mechanism::least_trusted;
use dpfda_privacy::NestedRadius;

use crate::purchase::tail::Tail;

#[cfg(test)]
#[path = "radius_rule_tests.rs"]
mod tests;

/// The number of cells that distances from the centre are counted in.
pub(crate) const CELLS: usize = 13;

const SMALLEST_RADIUS: u32 = 48;

/// How many records may lie outside the bought ball, in units of `1 / mu`: `8 sqrt(15)`. It guards against counts that are all noise.
const OUTSIDE: f64 = 30.983_866_769_659_336;

/// So many records may lie outside whatever a kind says, in units of `1 / mu`: the noise of a radius that holds them errs more than their pull.
const SPARED: f64 = 10.0;

/// Counts tell a limit cell by cell where it is at least so many of their standard deviations.
const TOLD: f64 = 2.0;

/// No more than this part of the records may lie outside.
const MOST_OUTSIDE: f64 = 0.4;

/// The number of smooth coordinates whose noise the pull of a ball is weighed against.
pub(crate) const SMOOTH_COORDINATES: f64 = 15.0;

/// How the noise of a mean is weighed against its pull, and what stands in for counts that say nothing: public numbers of a kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighing {
    /// `D f^2`: the noise of a sum with the whole budget, in squared radii, times `mu^2`: over the coordinates that matter together.
    pub noise: f64,
    /// How often the squared pull on a mean counts.
    pub pull: f64,
    /// The radius where the counts cannot be trusted.
    pub untrusted: NestedRadius,
    /// No more than this part of the records may lie outside, or `10 / mu` of them where that is more.
    pub outside: f64,
}

impl Weighing {
    /// The weighing of so much noise, whose stated radius is the largest one.
    pub fn of(noise: f64) -> Self {
        Self { noise, pull: 1.0, untrusted: NestedRadius::STATED, outside: MOST_OUTSIDE }
    }
}

/// What noisy counts tell of the records outside a radius, as parts of all records.
///
/// ```text
/// k = floor(j / 4),  r = j - 4 k:   estimated = sum_(i < k) n_i + r/4 n_k,    most = sum_(i <= k) n_i  where r > 0,  sum_(i < k) n_i  otherwise
/// ```
///
/// `j` is the number of the radius, and `n` are the numbers in the cells that it was read from, the farthest first. Where in its cell a record
/// lies is not counted: the estimate takes distances to be log-uniform, and all of the cell may lie outside. Both follow from the published
/// counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outside {
    /// The estimate.
    pub estimated: f64,
    /// What cells leave open.
    pub most: f64,
    /// The standard deviation that the noise of the counts has in `most`, at most.
    pub noise_sd: f64,
}

/// Noisy counts by distance, for one group of records or for several, with the numbers that they are read by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Distances {
    groups: Vec<Vec<f64>>,
    /// The numbers of records of the groups, where they are public.
    sizes: Vec<Option<f64>>,
    mu: f64,
    mu_of_counts: f64,
}

impl Distances {
    /// Counts of [`CELLS`] for each group; `mu` of the whole budget, and of the counts.
    pub(crate) fn new(counts: &[f64], sizes: Vec<Option<f64>>, mu: f64, mu_of_counts: f64) -> Self {
        let groups = counts.chunks(CELLS).map(<[f64]>::to_vec).collect();
        Self { groups, sizes, mu, mu_of_counts }
    }

    /// The privacy of the whole budget.
    pub(crate) fn mu(&self) -> f64 {
        self.mu
    }

    /// The number of records of a group that the rule works with: the public one, or the sum of its noisy counts and at least
    /// [`least_trusted`].
    fn size(&self, group: usize) -> f64 {
        let noisy = || self.groups[group].iter().sum::<f64>().max(least_trusted(self.mu_of_counts));
        self.sizes.get(group).copied().flatten().unwrap_or_else(noisy)
    }

    /// The number of all records, where it can be trusted: it is at least [`least_trusted`].
    fn total(&self) -> Option<f64> {
        let public = || self.sizes.iter().copied().sum::<Option<f64>>();
        let total = public().unwrap_or_else(|| self.groups.iter().flatten().sum());
        Some(total).filter(|total| *total >= least_trusted(self.mu_of_counts))
    }

    /// The radius that the counts call for: its number is that of eighths of an octave below the largest radius.
    ///
    /// ```text
    /// j_0    = the smallest radius with at most  min(8 sqrt(15) / mu, 0.4 N, max(o N, 10 / mu))  records outside
    /// o      = 0.4 unless a kind says otherwise
    /// j      = min(j_0, argmin_j  sum_g  D f^2 (tau_j / (N_g mu))^2 + c (Ehat_g(tau_j) / 2)^2),   the first minimum,  0 <= j <= 48
    /// ```
    ///
    /// The first part of the risk is noise, the second pull, of which a half is taken because pulls cancel in part. `Ehat_g` is the
    /// [excess](Tail::excess) of the tail of a group. Everything here is post-processing, of fixed order: every machine finds the same radius.
    pub(crate) fn radius(&self, weighing: &Weighing) -> NestedRadius {
        let Some(total) = self.total() else { return weighing.untrusted };
        let number = self.limit(total, weighing.outside).min(self.least_risk(weighing));
        NestedRadius::new(number).unwrap_or(NestedRadius::STATED)
    }

    /// `j_0`, between two cells by the logarithm of the radius. The projection keeps the noise of empty cells far outside from adding up. It
    /// cannot tell a limit of less than two standard deviations of a count, `2 sqrt(2) / mu_c`: there the cells are those of the [tail](Tail).
    fn limit(&self, total: f64, outside: f64) -> u32 {
        let (limit, cells) = self.cells(total, outside);
        let mut outside = 0.0;
        for (k, inside) in cells.into_iter().enumerate().take(CELLS - 1) {
            if outside + inside > limit {
                let fraction = (limit - outside) / inside;
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number from 0 to 48")]
                return (4.0 * (k as f64 + fraction)) as u32;
            }
            outside += inside;
        }
        SMALLEST_RADIUS
    }

    /// How many records may lie outside, and the cells that this limit is read from.
    fn cells(&self, total: f64, outside: f64) -> (f64, Vec<f64>) {
        let limit = (self.most_outside(total) * total).min((outside * total).max(SPARED / self.mu));
        let summed: Vec<f64> = (0..CELLS).map(|k| self.groups.iter().map(|counts| counts[k]).sum()).collect();
        let is_told = limit >= TOLD * self.sd_of_count();
        (limit, if is_told { on_simplex(&summed, total) } else { Tail::of(&summed, total).cells.to_vec() })
    }

    /// The standard deviation of the noise of a count, at most.
    fn sd_of_count(&self) -> f64 {
        std::f64::consts::SQRT_2 / self.mu_of_counts
    }

    /// What the counts tell of the records outside a radius; `None` where they say nothing.
    pub(crate) fn outside(&self, radius: NestedRadius, weighing: &Weighing) -> Option<Outside> {
        let total = self.total()?;
        let (_, cells) = self.cells(total, weighing.outside);
        let (cell, part) = (radius.number() as usize / 4, f64::from(radius.number() % 4) / 4.0);
        let farther: f64 = cells.iter().take(cell).sum();
        let same = if part > 0.0 { cells.get(cell).copied().unwrap_or_default() } else { 0.0 };
        let counted = cell as f64 + part.ceil();
        Some(Outside {
            estimated: (farther + part * same) / total,
            most: (farther + same) / total,
            noise_sd: counted.sqrt() * self.sd_of_count() / total,
        })
    }

    fn least_risk(&self, weighing: &Weighing) -> u32 {
        let groups: Vec<(Tail, f64)> = (0..self.groups.len())
            .map(|group| (Tail::of(&self.groups[group], self.size(group)), self.size(group)))
            .collect();
        let risk = |number: u32| -> f64 {
            let tau = libm::exp2(-f64::from(number) / 8.0);
            let of_group = |(tail, size): &(Tail, f64)| {
                let (noise, pull) = (tau / (size * self.mu), 0.5 * tail.excess(tau));
                weighing.noise * noise * noise + weighing.pull * pull * pull
            };
            groups.iter().map(of_group).sum()
        };
        let risks: Vec<f64> = (0..=SMALLEST_RADIUS).map(risk).collect();
        (0..=SMALLEST_RADIUS).rev().fold(SMALLEST_RADIUS, |best, number| {
            if risks[number as usize] <= risks[best as usize] { number } else { best }
        })
    }

    /// The largest share of so many records that may lie outside: `min(8 sqrt(15) / (mu N), 0.4)`.
    pub(crate) fn most_outside(&self, records: f64) -> f64 {
        most_outside(records, self.mu, 1.0)
    }

    /// Whether groups are counted apart.
    pub(crate) fn are_apart(&self) -> bool {
        self.groups.len() > 1
    }

    /// The tail of a group of so many records.
    pub(crate) fn tail(&self, group: usize, records: f64) -> Option<Tail> {
        let counts = self.groups.get(group)?;
        (records > 0.0).then(|| Tail::of(counts, records))
    }
}

/// `min(8 sqrt(15 c) / (mu N), 0.4)`: the largest share of so many records that may lie outside a bought ball, with noise of `c` times the
/// usual energy.
pub fn most_outside(records: f64, mu: f64, noise: f64) -> f64 {
    (OUTSIDE * noise.sqrt() / mu / records).min(MOST_OUTSIDE)
}

/// The point of `{p >= 0, sum p = total}` nearest to `counts`: `p_i = max(counts_i - theta, 0)`.
pub(crate) fn on_simplex(counts: &[f64], total: f64) -> Vec<f64> {
    let mut sorted = counts.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut theta = 0.0;
    for (number, count) in sorted.iter().enumerate() {
        sum += count;
        let candidate = (sum - total) / (number + 1) as f64;
        if *count > candidate {
            theta = candidate;
        }
    }
    counts.iter().map(|count| (count - theta).max(0.0)).collect()
}

/// Which cell the squared norm of a record is in, of a ball whose squared radius is `whole`.
///
/// ```text
/// cell i:  whole / 2^(i+1) < squared <= whole / 2^i,      the last: squared <= whole / 2^12
/// ```
pub(crate) fn cell(squared: u64, whole: u64) -> usize {
    let inside = |i: &usize| u128::from(squared) << *i <= u128::from(whole);
    (1..CELLS).take_while(inside).count()
}
