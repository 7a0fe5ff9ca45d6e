#![allow(clippy::unwrap_used, reason = "tests")]

use dashu_int::UBig;
use dashu_int::ops::SquareRoot;
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF, Gamma};
use statrs::function::gamma::gamma_ur;

use super::{Deviate, Radius, RoundedCylinder, round_count};
use crate::calibrate::elliptical::Cylinder;
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_normal::NoiseScaleError;

/// False-positive rate of every statistical test in this file.
const LEVEL: f64 = 1e-6;

fn noise(coordinates: usize, scale: u64) -> RoundedCylinder {
    RoundedCylinder::new(Cylinder::new(coordinates).unwrap(), scale).unwrap()
}

/// `round(scale / 2 |g| |h| u)` from `2^doublings` digits of all deviates at once, and whether they decide it.
fn at_once(lengths: &mut [Radius; 2], height: &mut Deviate, scale: u64, doublings: usize) -> (UBig, bool) {
    // digits that were not drawn yet are drawn from here
    let mut more = SeededRandomness::from_seed(99);
    let [mut low, mut high] = [UBig::from(scale) * UBig::from(scale), UBig::from(scale) * UBig::from(scale)];
    for length in lengths {
        let (least, most) = length.squares(doublings, &mut more);
        (low, high) = (low * least, high * most);
    }
    let (least, most) = height.squares(1 << doublings, &mut more);
    let [below, above] = [low * least, high * most].map(|square| {
        // twice the value in steps of 2^-64, and a half added
        let root = ((square << 128) >> (384 << doublings)).sqrt();
        (root + (UBig::ONE << 64)) >> 65
    });
    let is_decided = below == above;
    (below, is_decided)
}

#[test]
fn the_count_is_the_rounded_product_also_where_one_digit_leaves_it_open() {
    let mut randomness = SeededRandomness::from_seed(1);
    let mut refined = 0;
    for round in 0..4000 {
        // at the largest scale a digit of 64 bits leaves the product open by a part of a step
        let scale = [3, 1 << 40, (1 << 56) - round][usize::try_from(round % 3).unwrap()];
        let mut lengths = [6, 5].map(|normals| Radius::new(normals, &mut randomness));
        let mut height = Deviate::uniform(&mut randomness);
        let [length, other] = &mut lengths;
        let found = round_count(scale, length, other, &mut height, &mut randomness);
        refined += usize::from(!at_once(&mut lengths, &mut height, scale, 0).1);
        let (exact, is_decided) = at_once(&mut lengths, &mut height, scale, 3);
        assert!(is_decided && UBig::try_from(found).unwrap() == exact, "scale {scale}: {found} and {exact}");
    }
    assert!(refined > 10, "the test must reach refinement: {refined}");
}

/// `P(2 C > y)` for the count of a sum of `p` coordinates: `2 C` has the density `Gamma(p + 1, |y|) / (2 (p + 1)!)`.
fn survival(coordinates: f64, y: f64) -> f64 {
    0.5 * (gamma_ur(coordinates + 2.0, y) - y / (coordinates + 1.0) * gamma_ur(coordinates + 1.0, y))
}

/// Pearson's statistic of counts of values from -20 to 20, the ends for all beyond, for a symmetric law.
fn pearson(values: &[i128], survival: impl Fn(f64) -> f64) -> f64 {
    let mut counts = [0_u32; 41];
    for value in values {
        counts[usize::try_from(value.clamp(&-20, &20) + 20).unwrap()] += 1;
    }
    let each = counts.iter().enumerate().map(|(index, count)| {
        let k = (index as f64 - 20.0).abs();
        let tail = if k == 20.0 { 0.0 } else { survival(k + 0.5) };
        let mass = if k == 0.0 { 1.0 - 2.0 * survival(0.5) } else { survival(k - 0.5) - tail };
        let expected = values.len() as f64 * mass;
        (f64::from(*count) - expected).powi(2) / expected
    });
    each.sum()
}

#[test]
fn rounded_counts_and_coordinates_have_the_probabilities_of_the_law() {
    const DRAWS: usize = 300_000;
    let law = ChiSquared::new(40.0).unwrap();
    for (coordinates, scale) in [(1, 5_u64), (3, 4)] {
        let mut randomness = SeededRandomness::from_seed(coordinates as u64);
        let noise = noise(coordinates, scale);
        let draws: Vec<_> = (0..DRAWS).map(|_| noise.sample(&mut randomness)).collect();
        let (p, scale) = (coordinates as f64, scale as f64);
        let counts: Vec<_> = draws.iter().map(|draw| draw[coordinates]).collect();
        assert!(law.sf(pearson(&counts, |y| survival(p, 2.0 * y / scale))) > LEVEL, "{coordinates}");
        let off = pearson(&counts, |y| survival(p, 2.0 * y / (1.02 * scale)));
        assert!(law.sf(off) < LEVEL, "{coordinates}: a scale 2% off goes unseen");
        if coordinates == 1 {
            // a square: both axes have one law
            let sums: Vec<_> = draws.iter().map(|draw| draw[0]).collect();
            assert!(law.sf(pearson(&sums, |y| survival(1.0, y / scale))) > LEVEL);
        }
    }
}

/// The largest distance of the empirical distribution function from a law, over the most to expect of it (Dvoretzky, Kiefer and
/// Wolfowitz): at most 1.
fn distance(mut values: Vec<f64>, law: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gaps = values.iter().enumerate().map(|(i, value)| (law(*value) - i as f64 / n).abs());
    gaps.fold(0.0, f64::max) / (((2.0 / LEVEL).ln() / (2.0 * n)).sqrt() + 1.0 / n)
}

/// A draw at scale 1: the norm, where on its level surface it lies, from 0 to 1, and the square of a coordinate's share of the direction.
struct Seen {
    norm: f64,
    is_side: bool,
    place: f64,
    share: f64,
}

fn seen(noise: &RoundedCylinder, randomness: &mut SeededRandomness) -> Seen {
    let scale = noise.scale() as f64;
    let draw: Vec<f64> = noise.sample(randomness).into_iter().map(|x| x as f64 / scale).collect();
    let p = noise.law().coordinates();
    let length = draw[..p].iter().map(|x| x * x).sum::<f64>().sqrt();
    let (height, norm) = (2.0 * draw[p], Cylinder::norm(&draw));
    let is_side = length >= height.abs();
    let place = if is_side { 0.5 * (1.0 + height / norm) } else { (length / norm).powi(i32::try_from(p).unwrap()) };
    Seen { norm, is_side, place, share: (draw[p - 1] / length).powi(2) }
}

#[test]
fn norms_are_gamma_and_places_on_the_cylinder_are_uniform() {
    const DRAWS: u32 = 100_000;
    for p in [2_u32, 3, 12] {
        let mut randomness = SeededRandomness::from_seed(10 + u64::from(p));
        let noise = noise(p as usize, 1 << 40);
        let draws: Vec<_> = (0..DRAWS).map(|_| seen(&noise, &mut randomness)).collect();
        let (sides, ends): (Vec<&Seen>, Vec<&Seen>) = draws.iter().partition(|draw| draw.is_side);
        // of the surface, weighted by the distance from the centre, p of p + 1 parts are its side
        let share = f64::from(p) / f64::from(p + 1);
        let (n, found) = (f64::from(DRAWS), sides.len() as f64);
        assert!((found - n * share).abs() < 5.0 * (n * share * (1.0 - share)).sqrt(), "{p}: {found}");
        let norms = Gamma::new(f64::from(p + 1), 1.0).unwrap();
        let shares = Beta::new(0.5, 0.5 * f64::from(p - 1)).unwrap();
        // the norm, the place and the direction do not depend on where the draw lies
        for part in [sides, ends] {
            let of = |value: fn(&Seen) -> f64| part.iter().map(|draw| value(draw)).collect::<Vec<_>>();
            let farthest = [
                distance(of(|draw| draw.norm), |x| norms.cdf(x)),
                distance(of(|draw| draw.place), |x| x.clamp(0.0, 1.0)),
                distance(of(|draw| draw.share), |x| shares.cdf(x)),
            ];
            assert!(farthest.iter().all(|gap| *gap < 1.0), "{p}: {farthest:?}");
        }
        let other = Gamma::new(f64::from(p + 1), 0.97).unwrap();
        assert!(distance(draws.iter().map(|draw| draw.norm).collect(), |x| other.cdf(x)) > 1.0);
    }
}

#[test]
fn variances_are_those_that_are_stated() {
    const DRAWS: u32 = 200_000;
    for coordinates in [1_usize, 3, 12] {
        let mut randomness = SeededRandomness::from_seed(20 + coordinates as u64);
        let noise = noise(coordinates, 1 << 30);
        let (mut sums, mut counts) = (0.0, 0.0);
        for _ in 0..DRAWS {
            let draw = noise.sample(&mut randomness);
            sums += draw[..coordinates].iter().map(|x| (*x as f64).powi(2)).sum::<f64>() / coordinates as f64;
            counts += (draw[coordinates] as f64).powi(2);
        }
        let (sums, counts) =
            (sums / f64::from(DRAWS) / noise.variance(), counts / f64::from(DRAWS) / noise.count_variance());
        // a squared coordinate has a kurtosis below 9
        let most = 5.0 * (8.0 / f64::from(DRAWS)).sqrt();
        assert!((sums - 1.0).abs() < most && (counts - 1.0).abs() < most, "{coordinates}: {sums} {counts}");
    }
}

#[test]
fn scales_outside_the_integers_are_refused_and_others_rounded_up() {
    let law = Cylinder::new(3).unwrap();
    assert_eq!(RoundedCylinder::new(law, 0), Err(NoiseScaleError::Zero));
    assert_eq!(RoundedCylinder::new(law, (1 << 56) + 1), Err(NoiseScaleError::TooLarge));
    assert_eq!(RoundedCylinder::calibrated(law, 4.0, 1.0).unwrap().scale(), 5, "the quotient is rounded up");
    assert_eq!(RoundedCylinder::calibrated(law, 4.1, 1.0).unwrap().scale(), 5);
    for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-17] {
        assert!(RoundedCylinder::calibrated(law, 4.0, epsilon).is_err(), "{epsilon}");
    }
    assert!(Cylinder::new(0).is_err());
}
