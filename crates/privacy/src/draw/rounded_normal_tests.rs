#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use rand::Rng;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use super::{LARGEST_SCALE, NoiseScaleError, RoundedNormal, fraction_trial, inverse_root_e, standard_half_normal};
use crate::draw::lazy_uniform::{LazyUniform, round_scaled, uniform_below};
use crate::draw::randomness::SeededRandomness;

/// False-positive rate of every statistical test in this file.
const LEVEL: f64 = 1e-6;

/// Whether counts of draws look like `round(claimed * X)`, by a chi-squared test over cells expecting at least 20.
fn fits(counts: &BTreeMap<i128, u64>, claimed: f64, total: u64) -> bool {
    let normal = Normal::new(0.0, claimed).unwrap();
    let (mut statistic, mut cells) = (0.0, 0.0);
    let (mut pooled_seen, mut pooled_expected) = (0.0, 0.0);
    let reach = counts.keys().map(|k| k.abs()).max().unwrap();
    let mut inside = 0.0;
    for k in -reach..=reach {
        let expected = total as f64 * (normal.cdf(k as f64 + 0.5) - normal.cdf(k as f64 - 0.5));
        let seen = counts.get(&k).copied().unwrap_or(0) as f64;
        inside += seen;
        if expected < 20.0 {
            pooled_seen += seen;
            pooled_expected += expected;
        } else {
            statistic += (seen - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    pooled_seen += total as f64 - inside;
    statistic += (pooled_seen - pooled_expected).powi(2) / pooled_expected.max(1e-9);
    ChiSquared::new(cells).unwrap().sf(statistic) > LEVEL
}

fn draws(scale: u64, total: u64) -> BTreeMap<i128, u64> {
    let (noise, mut randomness) = (RoundedNormal::new(scale).unwrap(), SeededRandomness::from_seed(7));
    let mut counts = BTreeMap::new();
    for _ in 0..total {
        *counts.entry(noise.sample(&mut randomness)).or_insert(0) += 1;
    }
    counts
}

#[test]
fn draws_have_the_law_of_a_rounded_normal() {
    for scale in [1, 2, 5, 40] {
        assert!(fits(&draws(scale, 1_000_000), scale as f64, 1_000_000), "scale {scale}");
    }
}

#[test]
fn the_law_test_sees_a_scale_two_percent_off_and_a_discrete_gaussian() {
    let counts = draws(5, 1_000_000);
    assert!(!fits(&counts, 5.1, 1_000_000));
    // The discrete Gaussian of scale 1 has other probabilities than the rounded normal of scale 1.
    let mut randomness = SeededRandomness::from_seed(11);
    let weights: Vec<f64> = (-8..=8).map(|k: i32| (-0.5 * f64::from(k * k)).exp()).collect();
    let mass: f64 = weights.iter().sum();
    let mut discrete = BTreeMap::new();
    for _ in 0..1_000_000 {
        let mut left = (randomness.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * mass;
        let index = weights.iter().position(|w| {
            left -= w;
            left < 0.0
        });
        *discrete.entry(index.unwrap() as i128 - 8).or_insert(0) += 1;
    }
    assert!(!fits(&discrete, 1.0, 1_000_000));
}

#[test]
fn integer_part_and_fraction_have_the_law_of_a_normal() {
    // Kolmogorov-Smirnov on the top 53 bits
    let mut randomness = SeededRandomness::from_seed(3);
    let total = 400_000_u32;
    let mut sample: Vec<f64> = (0..total)
        .map(|_| {
            let (whole, fraction) = standard_half_normal(&mut randomness);
            whole as f64 + (fraction.first >> 11) as f64 / (1_u64 << 53) as f64
        })
        .collect();
    sample.sort_by(f64::total_cmp);
    let normal = Normal::new(0.0, 1.0).unwrap();
    let distance = sample.iter().enumerate().map(|(i, x)| {
        let expected = 2.0 * normal.cdf(*x) - 1.0;
        (expected - i as f64 / f64::from(total)).abs().max((expected - (i + 1) as f64 / f64::from(total)).abs())
    });
    // P(sqrt(n) D > 2.7) = 2 exp(-2 * 2.7^2) = 9e-7
    let largest = distance.fold(0.0, f64::max) * f64::from(total).sqrt();
    assert!(largest < 2.7, "{largest}");
}

#[test]
fn coin_of_inverse_root_e_and_uniform_integers_are_fair() {
    let mut randomness = SeededRandomness::from_seed(5);
    let total = 1_000_000_u32;
    let heads = (0..total).filter(|_| inverse_root_e(&mut randomness)).count() as f64;
    let p = (-0.5_f64).exp();
    let z = (heads - f64::from(total) * p) / (f64::from(total) * p * (1.0 - p)).sqrt();
    assert!(z.abs() < 4.9, "{z}");
    let mut counts = [0_u32; 6];
    for _ in 0..600_000 {
        counts[usize::try_from(uniform_below(6, &mut randomness)).unwrap()] += 1;
    }
    let statistic: f64 = counts.iter().map(|c| (f64::from(*c) - 1e5).powi(2) / 1e5).sum();
    assert!(ChiSquared::new(5.0).unwrap().sf(statistic) > LEVEL);
}

/// Words in their order, and no more.
struct Scripted(Vec<u64>);
impl rand::TryRng for Scripted {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("digits are drawn as 64 bits")
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.remove(0))
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        unreachable!("digits are drawn as 64 bits")
    }
}

#[test]
fn a_run_goes_on_by_later_digits_where_first_digits_are_equal() {
    let (a, above) = (1 << 62, 1 << 63);
    for (digits, expected) in [
        // the second of the deviate that came last is asked for first
        (vec![a, a, 9, 5], false),
        (vec![a, a, 5, 9, above], true),
        // what was asked for is kept
        (vec![a, a, 5, 9, a, 3, above], false),
        (vec![a, a, 5, 9, a, 7], true),
        (vec![a, a, 5, 5, 1, 2, above], true),
    ] {
        let mut script = Scripted(digits.clone());
        assert_eq!(inverse_root_e(&mut script), expected, "{digits:?}");
        assert!(script.0.is_empty(), "{digits:?}");
    }
}

/// A trial as its definition says it, every deviate with all its digits.
fn defined_trial(k: u64, x: &mut LazyUniform, words: &mut Scripted) -> bool {
    let (mut run, mut even): (Option<LazyUniform>, bool) = (None, true);
    loop {
        let mut next = LazyUniform::new(words);
        let is_below = match &mut run {
            None => next.is_below(x, words),
            Some(previous) => next.is_below(previous, words),
        };
        let is_kept = is_below && {
            let choice = uniform_below(2 * k + 2, words);
            choice < 2 * k || (choice == 2 * k && LazyUniform::new(words).is_below(x, words))
        };
        if !is_kept {
            return even;
        }
        (run, even) = (Some(next), !even);
    }
}

#[test]
fn a_trial_of_a_fraction_is_its_definition_whatever_digits_are_equal() {
    let mut randomness = SeededRandomness::from_seed(3);
    for _ in 0..20_000 {
        // few different digits, so that most runs have equal ones
        let words: Vec<u64> = (0..400).map(|_| uniform_below(5, &mut randomness)).collect();
        let (k, first) = (uniform_below(3, &mut randomness), uniform_below(5, &mut randomness));
        let [mut mine, mut defined] = [Scripted(words.clone()), Scripted(words)];
        let [mut x, mut same] = [LazyUniform::beginning(first), LazyUniform::beginning(first)];
        // the digits of x that one trial asked for are those of the next
        for _ in 0..3 {
            assert_eq!(fraction_trial(k, &mut x, &mut mine), defined_trial(k, &mut same, &mut defined));
            assert_eq!(mine.0.len(), defined.0.len());
        }
    }
}

#[test]
fn rounding_is_decided_exactly_where_the_first_word_leaves_it_open() {
    // A fraction whose first word straddles the boundary 1/2 of scale 3: 3 (w + f) / 2^64 against 1/2 or 3/2.
    // 1/6 = 0.0010101...b in every word 0x2AAA...: the boundary of round(3 x) between 0 and 1 is x = 1/6.
    let sixth = u64::MAX / 6;
    for (second, expected) in [(sixth * 4, 0), (sixth * 4 + 3, 1), (0, 0), (u64::MAX, 1)] {
        let mut script = Scripted(vec![sixth, second]);
        let mut fraction = LazyUniform::new(&mut script);
        let rounded = round_scaled(3, 0, &mut fraction, &mut script);
        assert_eq!(rounded, expected, "second word {second:#x}");
        assert!(script.0.is_empty(), "the second word must have been asked for");
    }
}

#[test]
fn scales_outside_the_integers_are_refused() {
    assert_eq!(RoundedNormal::new(0), Err(NoiseScaleError::Zero));
    assert_eq!(RoundedNormal::new(LARGEST_SCALE + 1), Err(NoiseScaleError::TooLarge));
}

#[test]
fn a_scale_is_rounded_up_to_an_integer_and_never_below_1() {
    for (asked, given) in [(-3.0, 1), (0.0, 1), (1e-300, 1), (1.0, 1), (1.0_f64.next_up(), 2), (7.2, 8)] {
        assert_eq!(RoundedNormal::at_least(asked).unwrap().scale(), given);
    }
    assert_eq!(RoundedNormal::at_least(LARGEST_SCALE as f64).unwrap().scale(), LARGEST_SCALE);
    for beyond in [(LARGEST_SCALE as f64).next_up(), f64::INFINITY, f64::NAN] {
        assert_eq!(RoundedNormal::at_least(beyond), Err(NoiseScaleError::TooLarge));
    }
}

#[test]
fn the_largest_scale_draws_without_overflow() {
    let noise = RoundedNormal::new(LARGEST_SCALE).unwrap();
    let mut randomness = SeededRandomness::from_seed(1);
    let total = 20_000;
    let squares = (0..total).map(|_| (noise.sample(&mut randomness) as f64 / LARGEST_SCALE as f64).powi(2));
    let variance = squares.sum::<f64>() / f64::from(total);
    // sd of the mean of chi-squared(1) draws is sqrt(2 / total) = 0.01
    assert!((variance - 1.0).abs() < 0.05, "{variance}");
}
