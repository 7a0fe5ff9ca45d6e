#![allow(clippy::unwrap_used, reason = "tests")]

use dashu_int::UBig;
use dashu_int::ops::SquareRoot;
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF};

use super::{Deviate, Radius, RoundedKNorm};
use crate::body::EuclideanBall;
use crate::budget::PrivacyBudget;
use crate::budget::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use crate::calibrate::elliptical::KNorm;
use crate::draw::law::Law;
use crate::draw::noise::Noise;
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_normal::NoiseScaleError;

/// False-positive rate of every statistical test in this file.
const LEVEL: f64 = 1e-6;

fn noise(dimension: usize, scale: u64) -> RoundedKNorm {
    RoundedKNorm::new(KNorm::new(dimension).unwrap(), scale).unwrap()
}

/// `round(scale |g| h)` from so many digits of all normals at once, and whether they decide it.
fn at_once(radius: &mut Radius, deviate: &mut Deviate, scale: u64, digits: usize) -> (UBig, bool) {
    // digits that were not drawn yet are drawn from here
    let mut more = SeededRandomness::from_seed(99);
    let (least, most) = deviate.squares(digits, &mut more);
    let squares: Vec<_> = radius.deviates.iter_mut().map(|deviate| deviate.squares(digits, &mut more)).collect();
    let ends = [
        squares.iter().map(|square| &square.0).sum::<UBig>() * least,
        squares.iter().map(|square| &square.1).sum::<UBig>() * most,
    ];
    let [below, above] = ends.map(|square| {
        // 2^(256 digits) (scale |g| h)^2, compared with squares of odd halves by its root in steps of 2^-64
        let root = ((square * UBig::from(scale) * UBig::from(scale)) << 128) >> (256 * digits);
        (root.sqrt() + (UBig::ONE << 63)) >> 64
    });
    (below.clone(), below == above)
}

#[test]
fn each_coordinate_is_the_rounded_product_also_where_one_digit_leaves_it_open() {
    let mut randomness = SeededRandomness::from_seed(1);
    let (mut in_doubles, mut refined) = (0, 0);
    for round in 0..4000 {
        // at the largest scale a digit of 64 bits leaves the product open by a twentieth of a step
        let scale = [3, 1 << 24, 1 << 40, (1 << 56) - round][usize::try_from(round % 4).unwrap()];
        let mut radius = Radius::new(13, &mut randomness);
        let mut deviate = Deviate::new(&mut randomness);
        in_doubles += usize::from(radius.clearly_rounded(scale, &deviate).is_some());
        let found = radius.round_product(scale, &mut deviate, &mut randomness);
        refined += usize::from(radius.squares.len() > 1);
        let (exact, is_decided) = at_once(&mut radius, &mut deviate, scale, 6);
        assert!(is_decided && UBig::try_from(found).unwrap() == exact, "scale {scale}: {found} and {exact}");
    }
    assert!(
        in_doubles > 1900 && in_doubles < 3000,
        "{in_doubles}: small scales are decided in doubles, the largest never"
    );
    assert!(refined > 10, "the test must reach refinement: {refined}");
}

#[test]
fn one_coordinate_has_the_probabilities_of_rounded_laplace_noise() {
    const DRAWS: u32 = 400_000;
    let scale = 3_u64;
    let mut randomness = SeededRandomness::from_seed(2);
    let mut counts = [0_u32; 41];
    let noise = noise(1, scale);
    for _ in 0..DRAWS {
        let value = noise.sample(&mut randomness)[0].clamp(-20, 20);
        counts[usize::try_from(value + 20).unwrap()] += 1;
    }
    let survival = |x: f64| 0.5 * (-x / scale as f64).exp();
    let statistic = |survival: &dyn Fn(f64) -> f64| -> f64 {
        let each = counts.iter().enumerate().map(|(index, count)| {
            let k = (index as f64 - 20.0).abs();
            let tail = if k == 20.0 { 0.0 } else { survival(k + 0.5) };
            let mass = if k == 0.0 { 1.0 - 2.0 * survival(0.5) } else { survival(k - 0.5) - tail };
            (f64::from(*count) - f64::from(DRAWS) * mass).powi(2) / (f64::from(DRAWS) * mass)
        });
        each.sum()
    };
    let law = ChiSquared::new(40.0).unwrap();
    assert!(law.sf(statistic(&survival)) > LEVEL);
    assert!(law.sf(statistic(&|x| 0.5 * (-x / 3.06).exp())) < LEVEL, "a scale 2% off goes unseen");
}

#[test]
fn the_direction_is_uniform() {
    const DRAWS: usize = 100_000;
    let dimension = 12;
    let mut randomness = SeededRandomness::from_seed(3);
    let noise = noise(dimension, 1 << 30);
    let mut shares: Vec<[f64; 2]> = (0..DRAWS)
        .map(|_| {
            let draw: Vec<f64> = noise.sample(&mut randomness).into_iter().map(|x| x as f64).collect();
            let total = draw.iter().map(|x| x * x).sum::<f64>();
            // a coordinate, and a direction that mixes two
            [draw[11].powi(2) / total, (draw[0] - draw[5]).powi(2) / (2.0 * total)]
        })
        .collect();
    // the squared share of one direction in d is Beta(1/2, (d - 1)/2); Dvoretzky, Kiefer and Wolfowitz
    let law = Beta::new(0.5, 5.5).unwrap();
    let most = ((2.0 / LEVEL).ln() / (2.0 * DRAWS as f64)).sqrt() + 1.0 / DRAWS as f64;
    for place in [0, 1] {
        shares.sort_by(|a, b| a[place].total_cmp(&b[place]));
        let gaps = shares.iter().enumerate().map(|(i, share)| (law.cdf(share[place]) - i as f64 / DRAWS as f64).abs());
        let found = gaps.fold(0.0, f64::max);
        assert!(found < most, "{place}: {found}");
    }
}

#[test]
fn the_energy_is_that_of_an_independent_program() {
    // by another program: D_energies_unit: d (d + 1)
    for (dimension, energy) in [(5, 30.0), (12, 156.0), (15, 240.0), (20, 420.0)] {
        let noise = noise(dimension, 1 << 30);
        let stated = dimension as f64 * noise.variance() / 2_f64.powi(60);
        assert!((stated / energy - 1.0).abs() < 1e-12, "d {dimension}: {stated}");
    }
    let (noise, mut randomness) = (noise(12, 1 << 30), SeededRandomness::from_seed(4));
    let draws = 100_000;
    let square =
        |_| noise.sample(&mut randomness).into_iter().map(|x| (x as f64 / 2_f64.powi(30)).powi(2)).sum::<f64>();
    let mean = (0..draws).map(square).sum::<f64>() / f64::from(draws);
    // r^2 of Gamma(12, 1) has the variance 15 * 14 * 13 * 12 - 156^2 = 8424
    assert!((mean - 156.0).abs() < 5.0 * (8424.0 / f64::from(draws)).sqrt(), "{mean}");
}

#[test]
fn the_dimension_in_which_a_delta_buys_nothing_is_that_of_an_independent_program() {
    // by another program: D_d_breakeven
    for (epsilon, delta, free) in [(1.0, 1e-5, 12), (0.5, 1e-6, 15), (1.0, 1e-9, 29), (2.0, 1e-5, 14), (1.0, 0.1, 0)] {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        assert_eq!(KNorm::largest_free_dimension(&budget, SubstituteOne), Ok(free), "{epsilon} {delta}");
    }
    let without = PrivacyBudget::new(1.0, 0.0).unwrap();
    assert!(KNorm::largest_free_dimension(&without, SubstituteOne).is_err());
}

#[test]
fn under_add_remove_a_delta_buys_nothing_up_to_the_dimension_where_the_variances_meet() {
    for (epsilon, delta, free) in [
        (1.0, 1e-5, 14),
        (0.5, 1e-6, 17),
        (1.0, 1e-9, 34),
        (1.0, 1e-3, 5),
        (1.0, 3e-3, 3),
        (1.0, 5e-3, 2),
        (1.0, 1e-2, 1),
        (1.0, 0.1, 0),
    ] {
        let (budget, pure) = (PrivacyBudget::new(epsilon, delta).unwrap(), PrivacyBudget::new(epsilon, 0.0).unwrap());
        let found = KNorm::largest_free_dimension(&budget, AddRemoveOne).unwrap();
        assert_eq!(found, free, "{epsilon} {delta}");
        for coordinates in 1..=free + 2 {
            let body = EuclideanBall::new(coordinates).unwrap();
            let variance = |law: &Law, budget| Noise::calibrated(law, budget, &body, AddRemoveOne).unwrap().variance(0);
            let without = variance(&Law::k_norm(coordinates, AddRemoveOne), &pure);
            assert_eq!(without <= variance(&Law::GAUSSIAN, &budget), coordinates <= free, "{epsilon} {delta}");
        }
    }
}

#[test]
fn scales_outside_the_integers_are_refused_and_others_rounded_up() {
    let law = KNorm::new(2).unwrap();
    assert_eq!(RoundedKNorm::new(law, 0), Err(NoiseScaleError::Zero));
    assert_eq!(RoundedKNorm::new(law, (1 << 56) + 1), Err(NoiseScaleError::TooLarge));
    for beyond in [2_f64.powi(56).next_up(), f64::INFINITY, f64::NAN] {
        assert_eq!(RoundedKNorm::at_least(law, beyond), Err(NoiseScaleError::TooLarge));
    }
    for (asked, given) in [(0.25, 1), (1.0_f64.next_up(), 2), (7.2, 8)] {
        assert_eq!(RoundedKNorm::at_least(law, asked).unwrap().scale(), given);
    }
}
