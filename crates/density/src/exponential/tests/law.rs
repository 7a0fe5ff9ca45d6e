//! Draws against the enumerated law, by chi-squared tests with a false-positive rate of 1e-6.

use super::{
    BTreeMap, ChiSquared, ContinuousCDF, Sampler, SeededRandomness, Staircase, compositions, counts_of, law, orders,
    score,
};
use crate::draws::DrawsCells;

const DRAWS: u32 = 10_000;

/// Whether counts have these probabilities; cells that expect less than 10 are taken together.
fn fits(seen: &[f64], probabilities: &[f64]) -> bool {
    let total: f64 = seen.iter().sum();
    let (mut statistic, mut cells) = (0.0, -1.0);
    let (mut few_seen, mut few_expected) = (0.0, 0.0);
    for (seen, p) in seen.iter().zip(probabilities) {
        let expected = total * p;
        if expected < 10.0 {
            few_seen += seen;
            few_expected += expected;
        } else {
            statistic += (seen - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    if few_expected >= 10.0 {
        statistic += (few_seen - few_expected).powi(2) / few_expected;
        cells += 1.0;
    } else if few_seen > 40.0 {
        // expecting less than 10: probability below 1e-12
        return false;
    }
    cells <= 0.0 || ChiSquared::new(cells).unwrap().sf(statistic) > 1e-6
}

fn draws(x: &[u64], k: usize, epsilon: f64, seed: u64) -> Vec<Vec<u64>> {
    let sampler = Sampler::new(Staircase::new(x, k), epsilon);
    let mut randomness = SeededRandomness::from_seed(seed);
    (0..DRAWS).map(|_| counts_of(&sampler.draw(&mut randomness), x.len())).collect()
}

/// Whether draws at one epsilon look like the enumerated law at another.
fn draws_fit(x: &[u64], k: u64, drawn: f64, enumerated: f64, seed: u64) -> bool {
    let mut seen = BTreeMap::new();
    for z in draws(x, usize::try_from(k).unwrap(), drawn, seed) {
        *seen.entry(z).or_insert(0.0) += 1.0;
    }
    let law = law(x, k, enumerated, 0.5);
    let seen: Vec<f64> = law.iter().map(|(z, _)| seen.get(z).copied().unwrap_or(0.0)).collect();
    fits(&seen, &law.iter().map(|(_, p)| *p).collect::<Vec<_>>())
}

#[test]
fn draws_have_the_enumerated_law_of_the_exponential_mechanism() {
    let cases: [(&[u64], u64, f64); 8] = [
        (&[1, 0, 2, 2], 3, 1.0),
        (&[1, 0, 2, 2], 3, 8.0),
        (&[10, 0, 0, 0, 3], 4, 0.5),
        (&[0, 0, 40, 0, 1, 9], 4, 0.3),
        (&[7, 7, 7], 6, 0.01),
        (&[0, 0, 0, 0], 3, 1.0),
        (&[300, 1, 0, 500, 12], 2, 0.05),
        (&[5, 1], 9, 30.0),
    ];
    for (seed, (x, k, epsilon)) in (1..).zip(cases) {
        assert!(draws_fit(x, k, epsilon, epsilon, seed), "{x:?} {k} {epsilon}");
    }
}

#[test]
fn the_test_of_the_law_catches_an_epsilon_ten_percent_too_large() {
    assert!(!draws_fit(&[1, 0, 2, 2], 3, 4.4, 4.0, 11));
    assert!(draws_fit(&[1, 0, 2, 2], 3, 4.0, 4.0, 11));
}

#[test]
fn a_single_cell_or_a_single_draw_is_no_exception() {
    assert!(draws_fit(&[9], 4, 1.0, 1.0, 21));
    assert!(draws_fit(&[2, 0, 5, 1], 1, 1.0, 1.0, 22));
}

/// More paths than tables have entries elsewhere: only their distance is compared, with the counts of paths by enumeration.
#[test]
fn distances_of_longer_paths_have_their_law() {
    let x = [2, 0, 9, 30, 14, 3, 0, 2];
    let (k, epsilon) = (9_u64, 0.4);
    let mut probabilities = BTreeMap::new();
    for z in compositions(k, x.len()) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer below 1000")]
        let distance = (k as f64 * score(&x, &z)).round() as u64;
        *probabilities.entry(distance).or_insert(0.0) += orders(&z) * (-epsilon * score(&x, &z) / 2.0).exp();
    }
    let total: f64 = probabilities.values().sum();
    let mut seen: BTreeMap<u64, f64> = probabilities.keys().map(|distance| (*distance, 0.0)).collect();
    let sampler = Sampler::new(Staircase::new(&x, 9), epsilon);
    let mut randomness = SeededRandomness::from_seed(31);
    for _ in 0..DRAWS {
        *seen.get_mut(&sampler.staircase().distance(&sampler.draw(&mut randomness))).unwrap() += 1.0;
    }
    let expected: Vec<f64> = probabilities.values().map(|weight| weight / total).collect();
    assert!(fits(&seen.values().copied().collect::<Vec<_>>(), &expected));
}
