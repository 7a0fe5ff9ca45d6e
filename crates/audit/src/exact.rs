//! The exact probabilities of the events that an attack looks at, when the noise that is drawn is known.

use dpfda_privacy::{MixingLaw, Noise, SphericalLaw};
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::checked_beta_reg;

use crate::added_noise::{doubles, euclidean, generator};
use crate::attack::Attack;
use crate::claim::Inequality;
use crate::cylinder::in_cylinder;
use crate::distribution::Distribution;
use crate::error::AuditError;
use crate::likelihood_ratio::LikelihoodRatio;

/// Cells of an integral.
const CELLS: u32 = 4_000;

/// Steps in which the values of one coordinate of Laplace noise are taken together, at most.
const BLOCKS: u64 = 400;

/// The probability of an event on the side where it is likely and on the other, and what is claimed of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct EventProbabilities {
    pub(crate) pair: usize,
    pub(crate) inequality: Inequality,
    pub(crate) likely: f64,
    pub(crate) other: f64,
}

impl Attack {
    /// The probabilities of events when `drawn` is what really releases: of all events where cells are drawn, and of those of
    /// one worst pair where noise is added to sums.
    ///
    /// Cells have tables. Noise is taken for continuous (its lattice is far finer than its scale) but Laplace noise, which is
    /// not always; `r` is the scale that is drawn over that which is claimed.
    pub(crate) fn probabilities(&self, drawn: &Self) -> Result<Vec<EventProbabilities>, AuditError> {
        let (Some(claimed), Some(used)) = (&self.noise, &drawn.noise) else {
            return Ok(self.of_tables(drawn));
        };
        let mut worst = (0, 0.0);
        for (index, pair) in self.pairs.iter().enumerate() {
            // where it depends on earlier answers, what it is at least
            let loss = self.pair_losses(pair)?.map_or(0.0, |(least, _)| least);
            if loss > worst.1 {
                worst = (index, loss);
            }
        }
        let (pair, loss) = worst;
        let ratio = used.scale() / claimed.scale();
        let difference = self.difference(pair);
        let values = match &claimed.noise {
            Noise::DiscreteLaplace(_) => laplace(&difference, claimed.scale(), ratio),
            Noise::Cylinder(_) => in_cylinder(&difference, claimed.scale(), ratio),
            _ => Vec::new(),
        };
        let part = if self.is_pure() { loss } else { 1.0 };
        let of = |inequality: Inequality| {
            let threshold = inequality.threshold * part;
            let (likely, other) = match &claimed.noise {
                Noise::Gaussian(_) => normal(loss, ratio, threshold),
                Noise::RandomScale(noise) => mixed(noise.law(), loss, ratio, threshold),
                Noise::DiscreteLaplace(_) | Noise::Cylinder(_) => beyond(&values, threshold),
                Noise::Spherical(noise) => {
                    let distance = euclidean(&doubles(&difference)) / claimed.scale();
                    spherical(&noise.law(), difference.len(), distance, ratio, threshold)
                }
            };
            EventProbabilities { pair, inequality, likely, other }
        };
        Ok(self.claim.inequalities().into_iter().map(of).collect())
    }

    fn difference(&self, pair: usize) -> Vec<i64> {
        let sums = |place: usize| self.distributions[place].sums();
        self.pairs.get(pair).map_or_else(Vec::new, |pair| {
            sums(pair.left).iter().zip(sums(pair.right)).map(|(left, right)| left - right).collect()
        })
    }

    fn of_tables(&self, drawn: &Self) -> Vec<EventProbabilities> {
        let inequalities = self.claim.inequalities();
        let table = |place: usize| match &drawn.distributions[place] {
            Distribution::Cells { log_probabilities, .. } => log_probabilities.as_slice(),
            Distribution::Sums(_) | Distribution::Steps(_) => &[],
        };
        let mut events = Vec::new();
        for (pair, distributions) in self.pairs.iter().enumerate() {
            let statistic = LikelihoodRatio::of(
                &self.distributions[distributions.left],
                &self.distributions[distributions.right],
                None,
            );
            let Some(LikelihoodRatio::Table(ratios)) = &statistic else { continue };
            let (left, right) = (table(distributions.left), table(distributions.right));
            for (likely, other, sign) in [(left, right, 1.0), (right, left, -1.0)] {
                let largest = ratios.iter().map(|ratio| sign * ratio).fold(0.0, f64::max);
                for inequality in inequalities.iter().copied() {
                    let happens = |ratio: f64| sign * ratio > inequality.threshold * largest;
                    let sum = |table: &[f64]| -> f64 {
                        table.iter().zip(ratios).filter(|(_, ratio)| happens(**ratio)).map(|(log, _)| log.exp()).sum()
                    };
                    events.push(EventProbabilities { pair, inequality, likely: sum(likely), other: sum(other) });
                }
            }
        }
        events
    }
}

/// Normal noise:
///
/// ```text
/// P = Phi((mu^2 / 2 - e) / (mu r)),    Q = Phi((-mu^2 / 2 - e) / (mu r))
/// ```
fn normal(mu: f64, ratio: f64, threshold: f64) -> (f64, f64) {
    let at = |side: f64| Normal::standard().cdf((side * 0.5 * mu * mu - threshold) / (mu * ratio));
    (at(1.0), at(-1.0))
}

/// Normal noise of a random scale that is seen: the mean of the above with `mu / V`, over the levels of `V`, closer together
/// towards 0, where `V` is small.
fn mixed(law: &MixingLaw, mu: f64, ratio: f64, threshold: f64) -> (f64, f64) {
    let step = 1.0 / f64::from(CELLS);
    let (mut likely, mut other) = (0.0, 0.0);
    for cell in 0..CELLS {
        let t = (f64::from(cell) + 0.5) * step;
        let weight = 4.0 * t.powi(3) * step;
        let (p, q) = normal(mu / law.quantile(t.powi(4)), ratio, threshold);
        likely += weight * p;
        other += weight * q;
    }
    (likely, other)
}

/// Spherical noise in `d` dimensions, by the radius `x` of the noise, whose density is proportional to
/// `x^(d-1) e^(-g(x))`, and its uniform direction.
///
/// ```text
/// left:   g(|y - D|) - g(|y|) > t  <=>  |y - D| > g^-1(g(r x) + t),    |y| = r x
/// right:  the same of |y|, with |y - D| = r x                          <=>  |y| < g^-1(g(r x) - t)
/// ```
fn spherical(law: &SphericalLaw, dimension: usize, distance: f64, ratio: f64, threshold: f64) -> (f64, f64) {
    let generator = generator(law);
    let power = i32::try_from(dimension).unwrap_or(i32::MAX) - 1;
    let (mut total, mut likely, mut other) = (0.0, 0.0, 0.0);
    for cell in 0..CELLS {
        let u = (f64::from(cell) + 0.5) / f64::from(CELLS);
        let x = 3.0 * u / (1.0 - u);
        let weight = x.powi(power) * (-generator.neg_log_density(x)).exp() / (1.0 - u).powi(2);
        let from_own = ratio * x;
        let g = generator.neg_log_density(from_own);
        // the share of directions in which the other centre is further away than this
        let further = |radius: f64| {
            below(dimension, (from_own.powi(2) + distance.powi(2) - radius.powi(2)) / (2.0 * from_own * distance))
        };
        let inverse =
            |value: f64| inverse(|radius| generator.neg_log_density(radius), value, from_own + 2.0 * distance);
        total += weight;
        likely += weight * further(inverse(g + threshold));
        if g - threshold > generator.neg_log_density(0.0) {
            other += weight * (1.0 - further(inverse(g - threshold)));
        }
    }
    (likely / total, other / total)
}

/// The radius in `[0, most]` at which a nondecreasing function reaches a value.
fn inverse(of: impl Fn(f64) -> f64, value: f64, most: f64) -> f64 {
    let (mut low, mut high) = (0.0, most);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if of(middle) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The probability that the cosine between a uniform direction and an axis is below `c`: `(1 + cos) / 2` has a symmetric beta
/// law of parameter `(d - 1) / 2`.
fn below(dimension: usize, c: f64) -> f64 {
    let c = c.clamp(-1.0, 1.0);
    if dimension == 1 {
        return if c >= 1.0 { 1.0 } else { 0.5 };
    }
    let parameter = 0.5 * (dimension as f64 - 1.0);
    checked_beta_reg(parameter, parameter, f64::midpoint(1.0, c)).unwrap_or(0.0)
}

/// One coordinate of discrete Laplace noise `X`, `P(X = k)` proportional to `q^|k|`, of two centres at a distance `d`:
/// `(|X - d| - |X|) / s` is the log-likelihood ratio of its own to the other.
#[derive(Debug, Clone, Copy)]
struct LaplaceCoordinate {
    distance: u64,
    claimed_scale: f64,
    log_q: f64,
}

impl LaplaceCoordinate {
    /// `P(X >= k)` for `k >= 0`.
    fn at_least(self, k: u64) -> f64 {
        (self.log_q * k as f64).exp() / (1.0 + self.log_q.exp())
    }

    fn loss(self, k: f64) -> f64 {
        (self.distance as f64 - 2.0 * k) / self.claimed_scale
    }

    /// The values of the log-likelihood ratio, some taken together where there are very many, with their probabilities.
    fn values(self) -> Vec<(f64, f64)> {
        let d = self.distance;
        let mut values = vec![(self.loss(0.0), 1.0 - self.at_least(1)), (self.loss(d as f64), self.at_least(d))];
        let block = d.div_ceil(BLOCKS).max(1);
        let mut from = 1;
        while from < d {
            let to = (from + block).min(d);
            let middle = 0.5 * (from as f64 + (to - 1) as f64);
            values.push((self.loss(middle), self.at_least(from) - self.at_least(to)));
            from = to;
        }
        values
    }
}

/// The log-likelihood ratios of own to other side under independent Laplace noise on every coordinate, with their probabilities.
fn laplace(difference: &[i64], scale: f64, ratio: f64) -> Vec<(f64, f64)> {
    let coordinate =
        |d: &i64| LaplaceCoordinate { distance: d.unsigned_abs(), claimed_scale: scale, log_q: -1.0 / (scale * ratio) };
    let moved = difference.iter().filter(|d| **d != 0);
    let mut sums = vec![(0.0, 1.0)];
    for values in moved.map(|d| coordinate(d).values()) {
        let with = |(sum, p): &(f64, f64)| values.iter().map(|(value, q)| (sum + value, p * q)).collect::<Vec<_>>();
        sums = merged(sums.iter().flat_map(with).collect());
    }
    sums
}

/// The probability of a ratio above a threshold on the own side; on the other, its own ratio is below minus the threshold.
fn beyond(values: &[(f64, f64)], threshold: f64) -> (f64, f64) {
    let sum = |sign: f64| values.iter().filter(|(value, _)| sign * value > threshold).map(|(_, p)| p).sum();
    (sum(1.0), sum(-1.0))
}

/// The same values with those that are equal, or nearly so where there are very many, taken together.
fn merged(mut values: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let range = values.last().map_or(0.0, |last| last.0) - values.first().map_or(0.0, |first| first.0);
    let near = range * 1e-3;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (value, p) in values {
        match kept.last_mut() {
            Some((last, sum)) if value - *last <= near => *sum += p,
            _ => kept.push((value, p)),
        }
    }
    kept
}
