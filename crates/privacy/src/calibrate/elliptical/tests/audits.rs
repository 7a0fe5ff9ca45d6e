//! The third way: draws, with a claim that must stand and a scale 10% too small that must fall.

use statrs::distribution::{ContinuousCDF, Gamma, StudentsT};

use crate::calibrate::audit::refuted;
use crate::calibrate::elliptical::{Cylinder, DensityGenerator, KNorm, StudentT};
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_cylinder::RoundedCylinder;
use crate::draw::rounded_k_norm::RoundedKNorm;

fn distance(point: &[f64], first: f64) -> f64 {
    ((point[0] - first).powi(2) + point[1..].iter().map(|x| x * x).sum::<f64>()).sqrt()
}

/// How often the outputs around 0 and around -1 on the first axis fall into the event.
fn counts(mut draw: impl FnMut() -> Vec<f64>, scale: f64, draws: u64, event: impl Fn(&[f64]) -> bool) -> (u64, u64) {
    let mut count = |centre: f64| {
        let mut inside = 0;
        for _ in 0..draws {
            let mut output = draw();
            for x in &mut output {
                *x *= scale;
            }
            output[0] += centre;
            inside += u64::from(event(&output));
        }
        inside
    };
    (count(0.0), count(-1.0))
}

/// The claim for the calibrated scale stands, and the same test refutes it for a scale 10% too small.
///
/// The event is where the likelihood ratio of the smaller scale exceeds `e^{threshold epsilon}`; epsilon and threshold were
/// chosen for the power of the test.
fn audit(law: &dyn DensityGenerator, mut draw: impl FnMut() -> Vec<f64>, (epsilon, threshold): (f64, f64), draws: u64) {
    let scale = law.scale_for(1.0, epsilon).unwrap();
    let small = 0.9 * scale;
    let event = |output: &[f64]| {
        let ratio =
            law.neg_log_density(distance(output, -1.0) / small) - law.neg_log_density(distance(output, 0.0) / small);
        ratio > threshold * epsilon
    };
    let (count, neighbour) = counts(&mut draw, scale, draws, event);
    assert!(count > draws / 1000, "the event is a rare one: {count}");
    assert!(!refuted(count, neighbour, draws, epsilon, 0.0), "{count} and {neighbour}");
    let (count, neighbour) = counts(&mut draw, small, draws, event);
    assert!(refuted(count, neighbour, draws, epsilon, 0.0), "10% less noise went unseen: {count} and {neighbour}");
}

fn audit_k_norm(dimension: usize, at: (f64, f64), draws: u64) {
    let law = KNorm::new(dimension).unwrap();
    let mut randomness = SeededRandomness::from_seed(4 + dimension as u64);
    audit(&law, || exactly(law, &mut randomness), at, draws);
}

/// K-norm noise at scale 1, up to a rounding of `2^-30`.
fn exactly(law: KNorm, randomness: &mut SeededRandomness) -> Vec<f64> {
    let steps = 2_f64.powi(30);
    let noise = RoundedKNorm::at_least(law, steps).unwrap();
    noise.sample(randomness).into_iter().map(|x| x as f64 / steps).collect()
}

/// The same for a cylinder, about 0 and about a point at distance 1 in its norm, in the sum and in the count at once.
fn audit_cylinder(coordinates: usize, (epsilon, threshold): (f64, f64), draws: u64) {
    let law = Cylinder::new(coordinates).unwrap();
    let steps = 1 << 30;
    let noise = RoundedCylinder::new(law, steps).unwrap();
    let mut randomness = SeededRandomness::from_seed(60 + coordinates as u64);
    let mut away = vec![0.0; coordinates + 1];
    (away[0], away[coordinates]) = (1.0, 0.5);
    let scale = law.scale_for(1.0, epsilon).unwrap();
    let small = 0.9 * scale;
    let mut seen = |scale: f64| {
        let event = |output: &[f64]| {
            let other: Vec<f64> = output.iter().zip(&away).map(|(x, d)| x + d).collect();
            (Cylinder::norm(&other) - Cylinder::norm(output)) / small > threshold * epsilon
        };
        let mut count = |sign: f64| {
            let draw = |_| {
                let drawn = noise.sample(&mut randomness).into_iter().zip(&away);
                let output: Vec<f64> = drawn.map(|(x, d)| scale * x as f64 / steps as f64 + sign * d).collect();
                u64::from(event(&output))
            };
            (0..draws).map(draw).sum::<u64>()
        };
        (count(0.0), count(-1.0))
    };
    let (count, neighbour) = seen(scale);
    assert!(count > draws / 1000 && !refuted(count, neighbour, draws, epsilon, 0.0), "{count} and {neighbour}");
    let (count, neighbour) = seen(small);
    assert!(refuted(count, neighbour, draws, epsilon, 0.0), "10% less noise went unseen: {count} and {neighbour}");
}

#[test]
fn draws_bear_out_noise_of_a_cylinder_and_refute_a_tenth_less_of_it() {
    audit_cylinder(3, (2.0, 1.03), 400_000);
    audit_cylinder(12, (2.0, 1.03), 400_000);
}

fn audit_t(nu: f64, dimension: usize, at: (f64, f64), draws: u64) {
    let law = StudentT::new(nu, dimension).unwrap();
    let mut randomness = SeededRandomness::from_seed(40 + dimension as u64);
    audit(&law, || law.draw_spherical(&mut randomness), at, draws);
}

#[test]
#[ignore = "a million draws a side: by night"]
fn a_million_draws_bear_out_k_norm_noise_and_refute_a_tenth_less_of_it() {
    audit_k_norm(1, (3.0, 1.03), 1_000_000);
    audit_k_norm(2, (3.0, 1.03), 1_000_000);
}

#[test]
#[ignore = "a million draws a side: by night"]
fn a_million_draws_bear_out_t_noise_and_refute_a_tenth_less_of_it() {
    audit_t(3.0, 1, (3.0, 1.03), 1_000_000);
    audit_t(3.0, 2, (3.0, 1.03), 1_000_000);
}

// in five dimensions little of the noise lies near the worst direction: it takes more draws to see a tenth
#[test]
#[ignore = "a million draws a side: by night"]
fn ten_million_draws_bear_out_k_norm_noise_in_five_dimensions_and_refute_a_tenth_less_of_it() {
    audit_k_norm(5, (4.0, 1.03), 10_000_000);
}

#[test]
#[ignore = "a million draws a side: by night"]
fn twenty_million_draws_bear_out_t_noise_in_five_dimensions_and_refute_a_tenth_less_of_it() {
    audit_t(7.0, 5, (4.0, 1.02), 20_000_000);
}

/// The largest distance of the empirical distribution function from `law`, and the most to expect of it at 1e-6.
fn kolmogorov(mut values: Vec<f64>, law: impl Fn(f64) -> f64) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let distances = values.iter().enumerate().map(|(i, x)| (law(*x) - i as f64 / n).abs() + 1.0 / n);
    // Dvoretzky, Kiefer and Wolfowitz, with Massart's constant
    (distances.fold(0.0, f64::max), ((2.0 / 1e-6_f64).ln() / (2.0 * n)).sqrt() + 1.0 / n)
}

#[test]
fn radii_of_k_norm_noise_are_gamma_and_coordinates_of_t_noise_are_t() {
    for dimension in [1, 2, 5, 12] {
        let mut randomness = SeededRandomness::from_seed(dimension as u64);
        let law = KNorm::new(dimension).unwrap();
        let draws: Vec<Vec<f64>> = (0..200_000).map(|_| exactly(law, &mut randomness)).collect();
        let gamma = Gamma::new(dimension as f64, 1.0).unwrap();
        let radii = draws.iter().map(|draw| distance(draw, 0.0)).collect();
        let (found, most) = kolmogorov(radii, |r| gamma.cdf(r));
        assert!(found < most, "d {dimension}: {found}");
        let shrunk = kolmogorov(draws.iter().map(|draw| 0.98 * distance(draw, 0.0)).collect(), |r| gamma.cdf(r)).0;
        assert!(shrunk > most, "d {dimension}: a scale 2% too small goes unseen");
        for i in 0..dimension {
            let variance = draws.iter().map(|draw| draw[i] * draw[i]).sum::<f64>() / 200_000.0;
            assert!((variance / law.coordinate_variance() - 1.0).abs() < 0.03, "d {dimension}: {variance}");
        }
        let law = StudentT::new(3.0, dimension).unwrap();
        let draws: Vec<Vec<f64>> = (0..200_000).map(|_| law.draw_spherical(&mut randomness)).collect();
        let student = StudentsT::new(0.0, 1.0, 3.0).unwrap();
        for i in 0..dimension {
            let (found, most) = kolmogorov(draws.iter().map(|draw| draw[i]).collect(), |x| student.cdf(x));
            assert!(found < most, "d {dimension}, coordinate {i}: {found}");
            let normal = kolmogorov(draws.iter().map(|draw| 0.9 * draw[i]).collect(), |x| student.cdf(x)).0;
            assert!(normal > most, "a scale 10% too small goes unseen");
        }
    }
}
