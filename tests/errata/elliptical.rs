//! Entries 10 and 11: Theorems 3 and 5 of Reimherr and Awan.

use dpfda::privacy::{DensityGenerator, GaussianPrivacy, KNorm, MixedGaussianPrivacy, MixingLaw};

use super::assert_close;

/// The generator of Laplace noise, `f(y) = exp(-sqrt y)`.
fn generator(y: f64) -> f64 {
    (-y.sqrt()).exp()
}

/// `log sup_{c >= D} f((c - shift)^2) / f(c^2)`, on a grid.
fn theorem_3(distance: f64, shift: f64) -> f64 {
    let points = (0..=20_000).map(|i| distance + f64::from(i) * 1e-3);
    points.map(|c| (generator((c - shift).powi(2)) / generator(c * c)).ln()).fold(0.0, f64::max)
}

/// The largest log-ratio of the densities of `T + sigma X` for two `T` at this distance.
fn true_epsilon(sensitivity: f64, sigma: f64) -> f64 {
    let density = |x: f64, center: f64| generator(((x - center) / sigma).powi(2)) / (2.0 * sigma);
    let points = (-20_000..=20_000).map(|i| f64::from(i) * 1e-3);
    points.map(|x| (density(x, 0.0) / density(x, sensitivity)).ln()).fold(0.0, f64::max)
}

#[test]
fn the_printed_epsilon_of_theorem_3_is_too_small_and_depends_on_the_unit_of_measurement() {
    let (sensitivity, sigma) = (2.0, 2.0);
    let distance = sensitivity / sigma;
    let printed = theorem_3(distance, sensitivity / (sigma * sigma));
    assert_close(printed, 0.5, 1e-9);
    assert_close(true_epsilon(sensitivity, sigma), 1.0, 1e-9);
    assert_close(theorem_3(distance, distance), 1.0, 1e-9);
    assert_close(KNorm::new(1).unwrap().epsilon_of(sensitivity, sigma).unwrap(), 1.0, 1e-9);

    // the event "below T" has probability 1/2 and exp(-Delta/sigma)/2
    let ratio = 0.5 / (0.5 * (-sensitivity / sigma).exp());
    assert!(ratio > printed.exp() * 1.6);

    // in a unit ten times smaller, both sensitivity and sigma are ten times larger and nothing has changed
    let (sensitivity, sigma) = (10.0 * sensitivity, 10.0 * sigma);
    assert_close(true_epsilon(sensitivity, sigma), 1.0, 1e-9);
    assert_close(theorem_3(distance, sensitivity / (sigma * sigma)), 0.05, 1e-9);
}

/// A mixing coefficient with finitely many values, each with its probability.
type Mixing<'a> = &'a [(f64, f64)];

/// `2 E exp(V^power log(delta'/2))`: with power 1 the delta of Theorem 5, with power 2 the sound bound.
fn theorem_5(mixing: Mixing<'_>, delta_prime: f64, power: i32) -> f64 {
    mixing.iter().map(|(v, p)| 2.0 * p * (v.powi(power) * (delta_prime / 2.0).ln()).exp()).sum()
}

/// The exact delta at epsilon of the noise that Theorem 5 prescribes: given `V = v` it is Gaussian of scale `sigma v`.
fn true_delta(mixing: Mixing<'_>, delta_prime: f64, epsilon: f64) -> f64 {
    let sigma = (2.0 * (2.0 / delta_prime).ln()).sqrt() / epsilon;
    mixing.iter().map(|(v, p)| p * GaussianPrivacy::new(1.0 / (sigma * v)).unwrap().delta(epsilon)).sum()
}

#[test]
fn theorem_5_states_a_delta_of_0_118_where_it_is_0_252() {
    let mixing = [(0.1, 1.0)];
    assert_close(theorem_5(&mixing, 1e-12, 1), 0.118, 5e-4);
    assert_close(true_delta(&mixing, 1e-12, 1.0), 0.252, 5e-4);
    // the distance of Theorem 5: Delta / sigma, with sigma^2 = 2 log(2/delta') Delta^2 / epsilon^2
    let distance = 1.0 / (2.0 * (2.0 / 1e-12_f64).ln()).sqrt();
    let exact = MixedGaussianPrivacy::new(MixingLaw::constant(0.1).unwrap(), distance).unwrap();
    assert_close(exact.delta(1.0), 0.252, 5e-4);
}

#[test]
fn with_the_square_of_the_mixing_coefficient_theorem_5_covers_the_true_delta() {
    for (v, stated, truth, sound) in [(0.1, 0.118, 0.252, 1.507), (0.3, 4.08e-4, 2.96e-3, 0.156)] {
        let mixing = [(v, 1.0)];
        assert_close(theorem_5(&mixing, 1e-12, 1) / stated, 1.0, 5e-3);
        assert_close(true_delta(&mixing, 1e-12, 1.0) / truth, 1.0, 5e-3);
        assert_close(theorem_5(&mixing, 1e-12, 2) / sound, 1.0, 5e-3);
    }
    for delta_prime in [1e-12, 1e-6, 0.1] {
        for epsilon in [0.1, 0.5, 1.0] {
            for v in [0.05, 0.1, 0.3, 0.9, 1.0, 1.5, 3.0] {
                let mixing = [(v, 0.25), (1.0, 0.75)];
                assert!(true_delta(&mixing, delta_prime, epsilon) <= theorem_5(&mixing, delta_prime, 2));
            }
        }
    }
}

#[test]
fn theorem_5_claims_every_epsilon_but_even_for_gaussian_noise_fails_at_8() {
    let gaussian = [(1.0, 1.0)];
    assert_close(theorem_5(&gaussian, 0.1, 1), 0.1, 1e-12);
    assert!(true_delta(&gaussian, 0.1, 8.0) > 0.1);
}
