#![allow(
    clippy::unwrap_used,
    clippy::excessive_precision,
    reason = "tests; reference values keep the digits they were computed with"
)]

use std::collections::BTreeMap;

use rand::Rng;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Exponent, RoundedNoise, RoundedNoiseError, refinement, sign_and_geometric};
use crate::audit::{LEVEL, refuted};
use crate::budget::PrivacyBudget;
use crate::incomplete_gamma::incomplete_gamma;
use crate::lazy_uniform::LazyUniform;
use crate::log_concave::LogConcavePrivacy;
use crate::noise_family::NoiseFamily;
use crate::randomness::SeededRandomness;
use crate::rounded_normal::{NoiseScaleError, RoundedNormal};

const DRAWS: u32 = 1_000_000;

const FAMILIES: [&str; 7] =
    ["laplace", "logistic", "subbotin:1", "subbotin:1.2", "subbotin:3", "subbotin:8", "subbotin:100"];

/// Words that have been written down; there must be no need for others.
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

fn noise(family: &str, scale: u64) -> RoundedNoise {
    RoundedNoise::new(family.parse().unwrap(), scale).unwrap()
}

fn draws(noise: &RoundedNoise, seed: u64) -> impl Iterator<Item = i128> {
    let mut randomness = SeededRandomness::from_seed(seed);
    (0..DRAWS).map(move |_| noise.sample(&mut randomness))
}

fn counts(noise: &RoundedNoise, seed: u64) -> BTreeMap<i128, u32> {
    let mut counts = BTreeMap::new();
    for k in draws(noise, seed) {
        *counts.entry(k).or_insert(0) += 1;
    }
    counts
}

/// `P(X > x)`.
fn tail(family: NoiseFamily, x: f64) -> f64 {
    let upper = match family {
        NoiseFamily::Laplace => 0.5 * (-x.abs()).exp(),
        NoiseFamily::Logistic => 1.0 / (1.0 + x.abs().exp()),
        NoiseFamily::Gaussian => 0.5 * incomplete_gamma(0.5, x * x / 2.0).1,
        NoiseFamily::Subbotin(subbotin) => {
            let r = subbotin.shape();
            0.5 * incomplete_gamma(1.0 / r, x.abs().powf(r) / r).1
        }
    };
    if x < 0.0 { 1.0 - upper } else { upper }
}

/// Whether the counts look like `round(scale * X)`, by a chi-squared test over cells expecting at least 20.
fn fits(counts: &BTreeMap<i128, u32>, family: NoiseFamily, scale: f64) -> bool {
    let total = f64::from(DRAWS);
    let (mut statistic, mut cells, mut seen_inside, mut expected_inside) = (0.0, 0.0, 0.0, 0.0);
    for k in -2_000..=2_000_i32 {
        let at = f64::from(k);
        let expected = total * (tail(family, (at - 0.5) / scale) - tail(family, (at + 0.5) / scale));
        if expected >= 20.0 {
            let seen = f64::from(counts.get(&i128::from(k)).copied().unwrap_or(0));
            statistic += (seen - expected).powi(2) / expected;
            cells += 1.0;
            seen_inside += seen;
            expected_inside += expected;
        }
    }
    // the rest is one cell; a large part of its variance is lost where it expects less than one
    let rest = (total - expected_inside).max(1.0);
    statistic += (expected_inside - seen_inside).powi(2) / rest;
    ChiSquared::new(cells).unwrap().sf(statistic) > LEVEL
}

#[test]
fn draws_have_the_law_of_rounded_noise_of_their_family() {
    for (seed, name) in (20..).zip(FAMILIES.iter().chain(&["gaussian"])) {
        for scale in [1, 6, 40] {
            let noise = noise(name, scale);
            assert!(fits(&counts(&noise, seed), noise.family(), scale as f64), "{name} of scale {scale}");
        }
    }
}

#[test]
fn the_law_test_sees_a_scale_two_percent_off_and_a_shape_five_percent_off() {
    for (seed, name) in (40..).zip(FAMILIES) {
        let noise = noise(name, 50);
        let counts = counts(&noise, seed);
        assert!(fits(&counts, noise.family(), 50.0), "{name}");
        assert!(!fits(&counts, noise.family(), 51.0), "{name}");
    }
    let counts = counts(&noise("subbotin:3", 50), 50);
    assert!(!fits(&counts, "subbotin:3.15".parse().unwrap(), 50.0));
}

#[test]
fn gaussian_noise_is_the_rounded_normal() {
    let normal = RoundedNormal::new(9).unwrap();
    let mut randomness = SeededRandomness::from_seed(3);
    assert!(draws(&noise("gaussian", 9), 3).take(1_000).all(|k| k == normal.sample(&mut randomness)));
}

/// Exponent, integer part, two digits of the fraction, the first digit of `2^(k-1) exp(-psi(x))` and what its second digit
/// lies strictly between, from 80-digit arithmetic, for every continuation of the fraction.
type Boundary = (Exponent, u64, [u64; 2], u64, [u64; 2]);

const BOUNDARIES: [Boundary; 8] = [
    (
        Exponent::Logistic,
        0,
        [0x4164_D839_9F76_7C45, 0x5BC8_FBBC_BDE5_C099],
        0x7DEF_36E4_684D_478B,
        [0xC201_CDC2_C83A_53E0, 0xC201_CDC2_C83A_53E2],
    ),
    (
        Exponent::Logistic,
        1,
        [0xB0C1_1FDE_CB91_CE37, 0xD76D_4330_F144_6BEA],
        0x869F_E1A3_9867_96AF,
        [0x600C_575C_66FB_0CBD, 0x600C_575C_66FB_0CBF],
    ),
    (
        Exponent::Power(1.0),
        1,
        [0xD721_0DFF_076C_E2EF, 0xC6A5_3877_7733_0BDB],
        0x28A4_A2D7_7945_6E55,
        [0xC229_17D5_711D_4AAC, 0xC229_17D5_711D_4AAE],
    ),
    (
        Exponent::Power(1.2),
        0,
        [0x3FC1_EA36_F17F_D374, 0x0D46_4138_A623_3255],
        0x6D62_3266_30C3_5B9A,
        [0xDCE3_5C41_768A_DF7B, 0xDCE3_5C41_768A_DF7D],
    ),
    (
        Exponent::Power(1.2),
        1,
        [0x2827_688D_E6A1_6A3B, 0x5F2D_D97F_1CFB_10F6],
        0x5EE1_AA2B_4560_3A1B,
        [0x2656_6C7B_7435_CCC0, 0x2656_6C7B_7435_CCC2],
    ),
    (
        Exponent::Power(3.0),
        1,
        [0x1A1A_FE87_8B33_E968, 0x3FD4_2359_92ED_CF45],
        0xA3E0_9137_D07D_D0CE,
        [0x5B05_FA04_8C94_B330, 0x5B05_FA04_8C94_B333],
    ),
    (
        Exponent::Power(8.0),
        0,
        [0xBB2E_DB20_035B_7399, 0x687C_966C_377B_9AA2],
        0x7EB3_113F_A152_DE85,
        [0x8E8E_8677_5EC8_3BFF, 0x8E8E_8677_5EC8_3C01],
    ),
    (
        Exponent::Power(100.0),
        0,
        [0xFB00_00C3_28DB_D25E, 0x126A_1E48_CC11_D357],
        0x7FD2_7233_F68E_B5AA,
        [0x47D1_D9C6_AA4B_A98D, 0x47D1_D9C6_AA4B_A98F],
    ),
];

/// The decision for these words, and how many of them were left.
fn decided(exponent: Exponent, whole: u64, fraction: u64, level: u64, more: &[u64]) -> (bool, usize) {
    let mut script = Scripted([&[fraction, level], more].concat());
    let (mut fraction, mut level) = (LazyUniform::new(&mut script), LazyUniform::new(&mut script));
    let kept = refinement::keeps(exponent, whole, &mut fraction, &mut level, &mut script);
    (kept, script.0.len())
}

#[test]
fn a_level_on_the_boundary_to_64_bits_is_decided_by_its_further_digits() {
    for (exponent, whole, [fraction, second], level, [below, above]) in BOUNDARIES {
        assert_eq!(exponent.keeps(whole, fraction, level), None, "{exponent:?}");
        for (digit, expected) in [(0, true), (below, true), (above, false), (u64::MAX, false)] {
            let found = decided(exponent, whole, fraction, level, &[second, digit]);
            assert_eq!(found, (expected, 0), "{exponent:?} at {whole}, second digit {digit:#x}");
        }
    }
}

#[test]
fn a_level_on_the_boundary_to_128_bits_asks_for_four_digits() {
    // e^-x of x = 1.84 is within one unit of these two digits; the next two of the level settle it
    let (exponent, whole, [fraction, second], level, [below, _]) = BOUNDARIES[2];
    let open = below + 1;
    let decide = |more: u64| decided(exponent, whole, fraction, level, &[second, open, 0, 0, more, more]);
    let (low, high) = (decide(0), decide(u64::MAX));
    assert_eq!((low.1, high.1), (0, 0));
    assert!(low.0 && !high.0);
}

#[test]
fn a_draw_refined_by_enclosures_is_rounded_from_the_same_digits() {
    for (exponent, whole, [fraction, second], level, [below, _]) in BOUNDARIES {
        let family = match exponent {
            Exponent::Logistic => "logistic".to_owned(),
            Exponent::Power(shape) => format!("subbotin:{shape}"),
        };
        // negative, then as many tails as the integer part says, then a head
        let first = 1 << 63 | 1 << (62 - whole);
        let mut script = Scripted(vec![first, fraction, level, second, below]);
        let drawn = noise(&family, 1 << 56).sample(&mut script);
        let expected = (i128::from(whole) << 56) + ((i128::from(fraction) + 128) >> 8);
        assert_eq!((drawn, script.0.len()), (-expected, 0), "{family}");
    }
}

#[test]
fn doubles_and_enclosures_decide_alike() {
    let mut randomness = SeededRandomness::from_seed(8);
    for exponent in BOUNDARIES.map(|row| row.0) {
        for _ in 0..300 {
            let (_, whole) = sign_and_geometric(&mut randomness);
            let (mut fraction, mut level) = (LazyUniform::new(&mut randomness), LazyUniform::new(&mut randomness));
            let quick = exponent.keeps(whole, fraction.first, level.first);
            let slow = refinement::keeps(exponent, whole, &mut fraction, &mut level, &mut randomness);
            assert_eq!(quick, Some(slow), "{exponent:?}");
        }
    }
}

/// The claim of the fast path: it is right about a level whose distance from the boundary is the margin that it allows.
#[test]
fn doubles_agree_with_eighty_digits_a_thousand_times_closer_than_is_charged() {
    for (exponent, whole, [fraction, _], level, _) in BOUNDARIES {
        let x = whole as f64 + super::unit(fraction);
        let computed = ((whole as f64 - 1.0) * std::f64::consts::LN_2 - exponent.at(x)).exp();
        assert!((computed / super::unit(level) - 1.0).abs() < super::RELATIVE_ERROR / 1e3, "{exponent:?}");
    }
}

#[test]
fn doubles_leave_fewer_than_one_decision_in_a_million_open() {
    let mut randomness = SeededRandomness::from_seed(9);
    for exponent in BOUNDARIES.map(|row| row.0) {
        let open = (0..DRAWS).filter(|_| {
            let (_, whole) = sign_and_geometric(&mut randomness);
            exponent.keeps(whole, randomness.next_u64(), randomness.next_u64()).is_none()
        });
        // expected are 2e-3
        assert!(open.count() <= 1, "{exponent:?}");
    }
}

#[test]
fn edges_of_the_digits_are_decided() {
    // x from 0: the probability is 1/2; x up to 1, and an integer part beyond the reach of doubles
    assert_eq!(decided(Exponent::Power(2.5), 0, 0, u64::MAX >> 1, &[0, 0]), (true, 0));
    assert_eq!(decided(Exponent::Logistic, 0, 0, 1 << 63, &[0, 0]), (false, 0));
    assert_eq!(decided(Exponent::Power(2.5), 0, u64::MAX, 0, &[u64::MAX, 0]), (true, 0));
    assert_eq!(decided(Exponent::Power(1.5), 1, 0, 0, &[0, 0]), (true, 0));
    for (exponent, whole) in [(Exponent::Logistic, 300), (Exponent::Power(1.0), 300), (Exponent::Power(100.0), 5_000)] {
        assert_eq!(exponent.keeps(whole, 0, 1), None);
        assert!(!decided(exponent, whole, 0, 1, &[0, 0]).0, "{exponent:?}");
    }
    // 2^299 e^-300 = 2^-133.8 is met only by a level that begins with two digits of zero
    assert!(decided(Exponent::Power(1.0), 300, 0, 0, &[0, 0, 0, 0, 1 << 56, 0]).0);
    assert!(!decided(Exponent::Power(1.0), 300, 0, 0, &[0, 0, 0, 0, 1 << 60, 0]).0);
}

#[test]
fn integer_parts_are_geometric_and_signs_fair() {
    let mut script = Scripted(vec![0, 0, 1 << 60]);
    assert_eq!(sign_and_geometric(&mut script), (false, 63 + 64 + 3));
    let mut script = Scripted(vec![1 << 63 | 1]);
    assert_eq!(sign_and_geometric(&mut script), (true, 62));
    let mut script = Scripted(vec![1 << 63, u64::MAX]);
    assert_eq!(sign_and_geometric(&mut script), (true, 63));
}

/// Draws above a threshold, of noise and of noise around a neighbour `shift` below.
fn audited(noise: &RoundedNoise, shift: i128, threshold: i128, epsilon: f64, delta: f64) -> bool {
    let here = draws(noise, 60).filter(|k| *k > threshold).count() as u64;
    let there = draws(noise, 61).filter(|k| *k - shift > threshold).count() as u64;
    refuted(here, there, u64::from(DRAWS), epsilon, delta)
}

#[test]
fn audits_accept_the_guarantee_and_refute_it_for_a_scale_ten_percent_too_small() {
    // sensitivity 1000; the threshold is where the likelihood ratio of scale 1000 (500 for the last) is e^epsilon, and delta
    // is P(X > x) - e^epsilon P(X > x + d) there, from 30-digit arithmetic
    for (family, scale, threshold, epsilon, delta) in [
        ("laplace", 1_000, 0, 1.0, 0.0),
        ("laplace", 1_000, -250, 0.5, 0.221_199_216_929),
        ("subbotin:1", 1_000, 0, 1.0, 0.0),
        ("logistic", 1_000, 2_500, 1.0, 0.0),
        ("logistic", 1_000, 619, 0.5, 0.077_404_686_316),
        ("subbotin:1.2", 1_000, -210, 0.5, 0.220_896_691_736),
        ("subbotin:3", 1_000, 145, 0.5, 0.272_286_390_160),
    ] {
        assert!(!audited(&noise(family, scale), 1_000, threshold, epsilon, delta), "{family}, delta {delta}");
        let less = noise(family, scale / 10 * 9);
        assert!(audited(&less, 1_000, threshold, epsilon, delta), "{family}, delta {delta}: a false claim stands");
    }
}

#[test]
fn neighbouring_integers_have_the_same_support_down_to_the_last_bit() {
    for (seed, family) in (70..).zip(FAMILIES) {
        // every integer in reach occurs, and so does every one of its neighbours
        let reach = if family == "subbotin:100" { 5 } else { 8 };
        let seen = counts(&noise(family, 5), seed);
        assert!((-reach..=reach).all(|k| seen.contains_key(&k)), "{family}");
        // no gaps at the scales where doubles would have them
        let mut residues = [0_u32; 8];
        for k in draws(&noise(family, 1 << 56), seed) {
            residues[usize::try_from(k.rem_euclid(8)).unwrap()] += 1;
        }
        let expected = f64::from(DRAWS) / 8.0;
        let statistic: f64 = residues.iter().map(|seen| (f64::from(*seen) - expected).powi(2) / expected).sum();
        assert!(ChiSquared::new(7.0).unwrap().sf(statistic) > LEVEL, "{family}: {residues:?}");
    }
}

#[test]
fn scales_outside_the_integers_are_refused() {
    assert_eq!(RoundedNoise::new(NoiseFamily::Laplace, 0), Err(NoiseScaleError::Zero));
    assert_eq!(RoundedNoise::new(NoiseFamily::Logistic, (1 << 56) + 1), Err(NoiseScaleError::TooLarge));
}

#[test]
fn a_calibrated_scale_is_within_the_budget_and_two_steps_less_are_not() {
    for (family, epsilon, delta) in
        [("laplace", 1.0, 0.0), ("logistic", 0.5, 1e-6), ("gaussian", 1.0, 1e-5), ("subbotin:1.5", 0.3, 1e-3)]
    {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let family: NoiseFamily = family.parse().unwrap();
        for sensitivity in [1_u64, 1_000, 1 << 22] {
            let noise = RoundedNoise::calibrated(family, sensitivity, &budget).unwrap();
            let spent = |scale: u64| {
                let distance = sensitivity as f64 / scale as f64;
                LogConcavePrivacy::new(family, distance).unwrap().delta(epsilon)
            };
            assert!(spent(noise.scale()) <= delta, "{family}");
            if noise.scale() > 2 {
                assert!(spent(noise.scale() - 2) > delta, "{family}");
            }
        }
    }
    let pure = PrivacyBudget::new(1.0, 0.0).unwrap();
    for (family, sensitivity) in [(NoiseFamily::Gaussian, 1), (NoiseFamily::Laplace, 0)] {
        let refused = RoundedNoise::calibrated(family, sensitivity, &pure);
        assert!(matches!(refused, Err(RoundedNoiseError::LogConcave(_))));
    }
    let beyond = RoundedNoise::calibrated(NoiseFamily::Laplace, u64::MAX, &pure);
    assert_eq!(beyond, Err(RoundedNoiseError::Scale(NoiseScaleError::TooLarge)));
}
