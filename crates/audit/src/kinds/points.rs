//! Attacks on the mechanisms for densities.

use dpfda_density::{
    Bounds, CellCounts, Cells, CosineBasis, KsExponential, PerturbedHistogram, Points, SeriesExponential,
    SeriesMechanism, SeriesSensitivity, SeriesTerms, SmoothedHistogram,
};
use dpfda_privacy::NeighbouringRelation;
use ndarray::Array2;

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::distribution::{CellMechanism, Distribution};
use crate::error::AuditError;
use crate::kinds::pairs::{self, Pair};
use crate::sums::{distributions, words};
use crate::target::Target;

/// Coefficients that are released, if nothing else is said.
pub(crate) const TERMS: usize = 2;

/// Draws of the smoothed histogram.
const DRAWS: usize = 2;

const RECORDS: usize = 4;

fn unit_interval() -> Result<Bounds, AuditError> {
    Ok(Bounds::new(vec![(0.0, 1.0)])?)
}

fn points(records: &[f64], bounds: &Bounds) -> Result<Points, AuditError> {
    let (lower, upper) = bounds.axis(0);
    let values = records.iter().map(|u| if (0.0..=1.0).contains(u) { lower + u * (upper - lower) } else { *u });
    let values: Vec<f64> = values.collect();
    Ok(Points::new(Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row]), bounds.clone())?)
}

/// The perturbed histogram, on two cells.
pub(crate) fn perturbed(target: &Target) -> Result<Attack, AuditError> {
    let bounds = unit_interval()?;
    let cells = Cells::new(bounds.clone(), 2)?;
    let histogram = PerturbedHistogram::new(cells, target.budget).neighbours(target.neighbours);
    let pairs = pairs::of_points(target.neighbours, &[0.0; 2], &[1.0; 2]);
    target.attack_sums(AddedNoise::plain(&histogram.noise()?), pairs, |records, randomness| {
        Ok(words(&*histogram.release(&points(records, &bounds)?, randomness)?))
    })
}

/// Coefficients of a series.
pub(crate) fn series(target: &Target, is_exponential: bool, terms: usize) -> Result<Attack, AuditError> {
    let bounds = unit_interval()?;
    let mechanism = SeriesMechanism::new(SeriesTerms::Given(terms), target.budget, target.neighbours)?;
    let mechanism = if is_exponential { mechanism.exponential() } else { mechanism };
    let noise = AddedNoise::plain(mechanism.prepare(&points(&[0.5], &bounds)?)?.mechanism().noise());
    let basis = CosineBasis::new(1, terms)?;
    let mut pairs = pairs::of_points(target.neighbours, &[0.0; 2], &[1.0; 2]);
    if target.neighbours == NeighbouringRelation::SubstituteOne {
        for (name, sensitivity) in [
            ("as far apart as records of this basis can be", SeriesSensitivity::l1(&basis)),
            ("as far apart in the Euclidean norm", SeriesSensitivity::l2(&basis)),
        ] {
            let worst = sensitivity.record.first().copied().unwrap_or(1.0);
            pairs.push(Pair { name, left: vec![0.0, 1.0], right: vec![worst, 1.0] });
        }
    }
    target.attack_sums(noise, pairs, |records, randomness| {
        Ok(words(&*mechanism.release(&points(records, &bounds)?, randomness)?))
    })
}

/// An attack on a mechanism that draws cells.
fn of_cells(
    target: &Target,
    cells: &Cells,
    pairs: Vec<Pair<f64>>,
    mechanism: &CellMechanism,
    log_weights: impl Fn(&Points) -> Vec<f64>,
) -> Result<Attack, AuditError> {
    let law_of = |_, records: &[f64]| {
        let points = points(records, cells.bounds())?;
        let log_probabilities = normalised(log_weights(&points));
        Ok(Distribution::Cells {
            mechanism: mechanism.clone(),
            points: Box::new(points),
            cells: cells.count(),
            log_probabilities,
        })
    };
    Ok(target.attack(None, distributions(pairs, law_of, same_draws)?))
}

/// Draws of one seed that two data sets of the same law must share.
const SHARED: u64 = 200;

/// Whether two data sets have the same claimed law, and the same draws from the same random bits.
fn same_draws(left: &Distribution, right: &Distribution) -> bool {
    let claimed = |law: &Distribution| match law {
        Distribution::Cells { log_probabilities, .. } => Some(log_probabilities.clone()),
        Distribution::Sums(_) | Distribution::Steps(_) => None,
    };
    let drawn = |law: &Distribution| {
        let mut outcomes = Vec::new();
        law.draw_cells(SHARED, 0, &mut |outcome| outcomes.extend_from_slice(outcome)).map(|()| outcomes)
    };
    claimed(left) == claimed(right) && matches!((drawn(left), drawn(right)), (Ok(a), Ok(b)) if a == b)
}

/// The smoothed histogram: two draws of two cells.
pub(crate) fn smoothed(target: &Target) -> Result<Attack, AuditError> {
    let (budget, neighbours) = (target.budget, target.neighbours);
    let cells = Cells::new(unit_interval()?, 2)?;
    let mechanism = SmoothedHistogram::with_smallest_mixture(budget, neighbours, RECORDS as u64, cells.clone(), DRAWS)?;
    let mixture = mechanism.mixture();
    let log_weights = |points: &Points| {
        let counts = CellCounts::of(points, &cells);
        let share = |count: &u64| (1.0 - mixture) * *count as f64 / RECORDS as f64 + mixture / cells.count() as f64;
        let one: Vec<f64> = counts.reveal().iter().map(share).collect();
        all_draws(cells.count(), DRAWS).map(|draws| draws.iter().map(|cell| one[*cell].ln()).sum()).collect()
    };
    let pairs = pairs::of_points(neighbours, &[0.0; RECORDS - 1], &[1.0; RECORDS - 1]);
    of_cells(target, &cells, pairs, &CellMechanism::Smoothed(mechanism.clone()), log_weights)
}

/// Draws of the exponential mechanism under add/remove-one.
const MANY_DRAWS: u32 = 64;

/// Its records in the lower and in the upper cell.
const MANY_RECORDS: (usize, usize) = (4, 596);

/// The sizes at which the smoothed histogram is audited.
pub(crate) fn sizes_of_smoothed() -> String {
    format!("{DRAWS} draws of 2 cells, from {RECORDS} synthetic records,")
}

/// The sizes at which an exponential mechanism is audited.
pub(crate) fn sizes_of_exponential(neighbours: NeighbouringRelation) -> String {
    match neighbours {
        NeighbouringRelation::SubstituteOne => "1 draw of 2 cells, from 4 synthetic records,".to_owned(),
        NeighbouringRelation::AddRemoveOne => {
            let most = MANY_RECORDS.0 + MANY_RECORDS.1 + 1;
            format!("{MANY_DRAWS} draws of 2 cells, from at most {most} synthetic records,")
        }
    }
}

/// The exponential mechanism with the Kolmogorov-Smirnov distance, on two cells: under substitute-one one draw.
///
/// With `k` draws no pair of add/remove neighbours loses more than `(1 - 1 / (2 k)) epsilon`: one more record raises no score
/// by more than 1, and lowers none by more than `1 - 1/k` (`1/k` is the smallest share of draws that is not 0). So few draws
/// would hide a fault: there are 64. The pair that shows it best, found by enumeration of the laws of pairs on two cells:
/// four records of 600 in the lower cell, and one more there.
pub(crate) fn exponential(target: &Target) -> Result<Attack, AuditError> {
    let (budget, neighbours) = (target.budget, target.neighbours);
    let (number, pairs) = match neighbours {
        NeighbouringRelation::SubstituteOne => (1, pairs::of_points(neighbours, &[0.0; 3], &[1.0; 3])),
        NeighbouringRelation::AddRemoveOne => {
            let many = [vec![0.0; MANY_RECORDS.0], vec![1.0; MANY_RECORDS.1]].concat();
            // a draw takes long: as few different data sets as there can be
            (MANY_DRAWS, pairs::of_points(neighbours, &[], &many))
        }
    };
    let cells = Cells::new(unit_interval()?, 2)?;
    let mechanism = KsExponential::new(budget, neighbours, cells.clone(), number as usize)?;
    let log_weights = |points: &Points| {
        let lower = CellCounts::of(points, &cells).reveal().first().map_or(0.0, |count| *count as f64);
        let n = points.records() as f64;
        let log_weight = |upper: u32| {
            let share = f64::from(number - upper) / f64::from(number);
            log_binomial(number, upper) - 0.5 * budget.epsilon() * (lower - n * share).abs()
        };
        (0..=number).map(log_weight).collect()
    };
    let mechanism = CellMechanism::KsExponential(mechanism.clone());
    of_cells(target, &cells, pairs, &mechanism, log_weights)
}

/// `log C(n, k)`.
fn log_binomial(n: u32, k: u32) -> f64 {
    (1..=k).map(|i| (f64::from(n - k + i) / f64::from(i)).ln()).sum()
}

/// The exponential mechanism on series: one draw of two cells, one term.
pub(crate) fn series_exponential(target: &Target) -> Result<Attack, AuditError> {
    const OTHERS: usize = 4;
    /// Records there and one at the upper corner have a sum that the upper cell hits exactly: the score of that cell falls by
    /// as much as that of the other rises when the record moves to the lower corner.
    const BALANCED: f64 = 0.718_5;
    let bounds = unit_interval()?;
    let cells = Cells::new(bounds.clone(), 2)?;
    let budget = target.budget;
    let mechanism = SeriesExponential::new(1, 2, 1, budget)?;
    let basis = CosineBasis::new(1, 1)?;
    let bound = SeriesSensitivity::l2(&basis).bound;
    let value = |u: f64| {
        let mut values = Vec::new();
        basis.values_into(&[u], &mut values);
        values.first().copied().unwrap_or(0.0)
    };
    let log_weights = |points: &Points| {
        let mut unit = [0.0];
        let mut total = 0.0;
        for row in 0..points.records() {
            points.unit_row(row, &mut unit);
            total += value(unit[0]);
        }
        let n = points.records() as f64;
        let log_weight = |middle: f64| -budget.epsilon() * (total - n * value(middle)).abs() / (2.0 * bound);
        vec![log_weight(0.25), log_weight(0.75)]
    };
    let pairs = pairs::of_points(target.neighbours, &[1.0 - BALANCED; OTHERS], &[BALANCED; OTHERS]);
    let mechanism = CellMechanism::SeriesExponential(mechanism);
    of_cells(target, &cells, pairs, &mechanism, log_weights)
}

/// The logarithms of probabilities that are proportional to these weights.
fn normalised(log_weights: Vec<f64>) -> Vec<f64> {
    let most = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total = most + log_weights.iter().map(|weight| (weight - most).exp()).sum::<f64>().ln();
    log_weights.into_iter().map(|weight| weight - total).collect()
}

/// All lists of so many cells, in the order of their codes.
fn all_draws(cells: usize, draws: usize) -> impl Iterator<Item = Vec<usize>> {
    let number = (0..draws).fold(1_usize, |number, _| number * cells);
    (0..number).map(move |code| {
        let mut rest = code;
        let mut digits: Vec<usize> = (0..draws)
            .map(|_| {
                let digit = rest % cells;
                rest /= cells;
                digit
            })
            .collect();
        digits.reverse();
        digits
    })
}
