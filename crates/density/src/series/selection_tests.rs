#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::SubstituteOne;
use dpfda_privacy::{CosineBasis, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use rand::RngExt;

use crate::bounds::Bounds;
use crate::points::Points;
use crate::series::{SeriesDensity, SeriesMechanism, SeriesRelease, SeriesSelection, SeriesTerms};

const RECORDS: usize = 60;
const REPETITIONS: usize = 4_000;

/// Releases of samples from the density with these coefficients, which must be positive.
fn releases(truth: &SeriesDensity, most: usize, epsilon: f64) -> Vec<SeriesRelease> {
    let mut randomness = SeededRandomness::from_seed(11);
    let budget = PrivacyBudget::new(epsilon, 0.0).unwrap();
    let mechanism = SeriesMechanism::new(SeriesTerms::ChosenUpTo(most), budget, SubstituteOne).unwrap();
    let dimension = truth.bounds().dimension();
    (0..REPETITIONS)
        .map(|_| {
            // by rejection from the uniform density, exactly; the density is at most 3
            let mut values = Array2::zeros((RECORDS, dimension));
            for mut row in values.rows_mut() {
                loop {
                    row.iter_mut().for_each(|x| *x = randomness.random::<f64>());
                    if 3.0 * randomness.random::<f64>() < truth.at(row.as_slice().unwrap()) {
                        break;
                    }
                }
            }
            mechanism.release(&Points::new(values, truth.bounds().clone()).unwrap(), &mut randomness).unwrap()
        })
        .collect()
}

/// Mean and standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The true error of the series of a release with so many terms less that of the uniform density.
fn error(release: &SeriesRelease, theta: &[f64], terms: usize) -> f64 {
    let pairs = release.coefficients().into_iter().zip(theta).take(terms);
    pairs.map(|(b, theta)| (b - theta).powi(2) - theta * theta).sum()
}

fn assert_unbiased(dimension: usize, theta: &[f64], numbers: &[usize], too_large: &[usize]) {
    let bounds = Bounds::new(vec![(0.0, 1.0); dimension]).unwrap();
    let truth = SeriesDensity::new(bounds, theta.to_vec()).unwrap();
    assert!((truth.integral() - 1.0).abs() < 1e-9, "a density without negative parts");
    let releases = releases(&truth, theta.len(), 8.0);
    let difference = |terms: usize| {
        let each = releases.iter().map(|release| release.selection().scores[terms] - error(release, theta, terms));
        mean(&each.collect::<Vec<_>>())
    };
    for &terms in numbers {
        let (bias, standard_error) = difference(terms);
        assert!(bias.abs() <= 4.9 * standard_error, "{terms} terms: {bias} +- {standard_error}");
    }
    for &terms in too_large {
        let (bias, standard_error) = difference(terms);
        let largest = 2.0 * 2.0_f64.powi(i32::try_from(dimension).unwrap()) / (RECORDS as f64 - 1.0);
        assert!(bias >= -4.9 * standard_error, "{terms} terms: {bias} +- {standard_error}");
        assert!(bias <= terms as f64 * largest + 4.9 * standard_error, "{terms} terms: {bias}");
    }
}

#[test]
fn scores_are_unbiased_where_the_doubled_frequencies_were_released_and_else_too_large() {
    assert_unbiased(1, &[0.4, -0.3, 0.1, 0.1, 0.0, 0.05], &[1, 2, 3], &[4, 5, 6]);
}

#[test]
fn scores_are_unbiased_in_two_dimensions() {
    // of (1,0), (0,1) the doubled frequencies are among the nine; of (1,1) the frequency (2,2) is not
    assert_unbiased(2, &[0.3, -0.2, 0.1, 0.1, 0.0, 0.05, 0.0, 0.0, 0.0], &[1, 2], &[5, 9]);
}

#[test]
fn with_little_noise_the_choice_is_nearly_the_best_and_with_much_it_is_far_better_than_all_terms() {
    let theta = [0.5, -0.2, 0.15, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let truth = SeriesDensity::new(Bounds::new(vec![(0.0, 1.0)]).unwrap(), theta.to_vec()).unwrap();
    // the error of the uniform density is 0 here
    for (epsilon, most_of_the_best, better_than_all) in [(20.0, 0.8, 0.05), (2.0, 0.0, 0.25)] {
        let releases = releases(&truth, 10, epsilon);
        let risk = |terms: &dyn Fn(&SeriesRelease) -> usize| {
            mean(&releases.iter().map(|release| error(release, &theta, terms(release))).collect::<Vec<_>>()).0
        };
        let fixed: Vec<f64> = (0..=10).map(|terms| risk(&|_| terms)).collect();
        let best = fixed.iter().copied().fold(f64::INFINITY, f64::min);
        let chosen = risk(&|release| release.terms());
        assert!(chosen < most_of_the_best * best, "epsilon {epsilon}: {chosen} of {best}");
        assert!(chosen < fixed[10] - better_than_all, "epsilon {epsilon}: {chosen} of {fixed:?}");
    }
}

#[test]
fn in_noise_alone_the_uniform_density_is_mostly_chosen() {
    let truth = SeriesDensity::new(Bounds::new(vec![(0.0, 1.0)]).unwrap(), Vec::new()).unwrap();
    let releases = releases(&truth, 10, 0.1);
    let uniform = releases.iter().filter(|release| release.terms() == 0).count();
    assert!(uniform > REPETITIONS / 2, "{uniform}");
}

#[test]
fn the_score_of_one_strong_coefficient_is_that_of_the_formula() {
    let basis = CosineBasis::new(1, 2).unwrap();
    let selection = SeriesSelection::of(&basis, &[0.8, 0.1], 0.01, 101.0);
    // q_1 = 1 + 0.1 / sqrt(2) from the second coefficient, q_2 = 2 by the bound
    let first = 2.0 * (0.01 + (1.0 + 0.1 * 0.5_f64.sqrt() - 0.64 + 0.01) / 100.0) - 0.64;
    let second = first + 2.0 * (0.01 + (2.0 - 0.01 + 0.01) / 100.0) - 0.01;
    assert_eq!(selection.scores[0], 0.0);
    assert!((selection.scores[1] - first).abs() < 1e-14 && (selection.scores[2] - second).abs() < 1e-14);
    assert_eq!(selection.chosen, 1);
}
