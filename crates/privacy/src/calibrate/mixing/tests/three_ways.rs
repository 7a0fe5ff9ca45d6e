//! A calibration checked by two other ways: the joint density of `(V, X)`, and draws of what is released.

use crate::budget::PrivacyBudget;
use crate::calibrate::audit::refuted;
use crate::calibrate::mills::density;
use crate::calibrate::mixing::{MixedGaussianPrivacy, MixingLaw};
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_normal::RoundedNormal;

const EPSILON: f64 = 1.0;
const DELTA: f64 = 0.1;

fn calibrated(law: MixingLaw) -> MixedGaussianPrivacy {
    MixedGaussianPrivacy::calibrated(law, &PrivacyBudget::new(EPSILON, DELTA).unwrap()).unwrap()
}

/// The density of `log V` for the t process with 5 degrees of freedom, `2 x^a e^-x / Gamma(a)` at `x = a/v^2`, `a = 5/2`.
fn t_5(w: f64) -> f64 {
    let x = 2.5 * (-2.0 * w).exp();
    2.0 * x.powf(2.5) * (-x).exp() / (0.75 * std::f64::consts::PI.sqrt())
}

/// The density of `log V` for the Laplace process, `2 x e^-x` at `x = v^2`.
fn laplace(w: f64) -> f64 {
    let x = (2.0 * w).exp();
    2.0 * x * (-x).exp()
}

/// The density of `log V` for the log-normal law of spread 1/2.
fn log_normal_half(w: f64) -> f64 {
    2.0 * density(2.0 * w)
}

/// The integral of `max(p - e^epsilon q, 0)` given `V = v`: `X = distance + z v` is normal around `distance` and 0.
fn given(v: f64, distance: f64) -> f64 {
    const STEP: f64 = 0.005;
    let zs = (-2000..2000).map(|i| (f64::from(i) + 0.5) * STEP);
    zs.map(|z| (density(z) - EPSILON.exp() * density(z + distance / v)).max(0.0)).sum::<f64>() * STEP
}

/// The integral of `max(p - e^epsilon q, 0)` over `(log V, X)`.
fn from_densities(distance: f64, log_density: impl Fn(f64) -> f64) -> f64 {
    (-900..900).map(|i| (f64::from(i) + 0.5) * 0.01).map(|w| log_density(w) * given(w.exp(), distance) * 0.01).sum()
}

#[test]
fn the_joint_density_of_v_and_the_release_gives_the_delta_that_was_calibrated() {
    let t = calibrated(MixingLaw::student_t(5.0).unwrap());
    let delta = from_densities(t.distance(), t_5);
    assert!((delta / DELTA - 1.0).abs() < 1e-4, "{delta}");
    let laplace_process = calibrated(MixingLaw::gamma_root(1.0).unwrap());
    let delta = from_densities(laplace_process.distance(), laplace);
    assert!((delta / DELTA - 1.0).abs() < 1e-4, "{delta}");
    let log_normal = calibrated(MixingLaw::log_normal(0.5).unwrap());
    let delta = from_densities(log_normal.distance(), log_normal_half);
    assert!((delta / DELTA - 1.0).abs() < 1e-4, "{delta}");
    for atoms in [vec![(3.0, 1.0)], vec![(0.5, 0.25), (1.0, 0.5), (4.0, 0.25)]] {
        let finite = calibrated(MixingLaw::finite(&atoms).unwrap());
        let delta: f64 = atoms.iter().map(|(v, p)| p * given(*v, finite.distance())).sum();
        assert!((delta / DELTA - 1.0).abs() < 1e-4, "{delta}");
    }
    // and not what the scale ten percent too small has
    assert!(from_densities(t.distance() / 0.9, t_5) > 1.2 * DELTA);
}

/// How often, of so many draws, the event of too large a likelihood ratio given `V` happens at this centre, for the
/// right scale and for one ten percent too small: integers, as they would be released.
fn events(privacy: &MixedGaussianPrivacy, draws: u64, center: i32, sensitivity: i32, seed: u64) -> [u64; 2] {
    let mut randomness = SeededRandomness::from_seed(seed);
    let sigma = privacy.scale(f64::from(sensitivity)).unwrap();
    let mut counts = [0; 2];
    for _ in 0..draws {
        let v = privacy.law().draw(&mut randomness);
        for (count, part) in counts.iter_mut().zip([1.0, 0.9]) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [1, 2^56]")]
            let scale = (part * sigma * v).next_up().ceil().max(1.0) as u64;
            let released = i128::from(center) + RoundedNormal::new(scale).unwrap().sample(&mut randomness);
            // the log-likelihood ratio of a normal at `sensitivity` to one at 0
            let ratio =
                f64::from(sensitivity) * (released as f64 - f64::from(sensitivity) / 2.0) / (scale as f64).powi(2);
            *count += u64::from(ratio > EPSILON);
        }
    }
    counts
}

#[test]
#[ignore = "a million draws a side: by night"]
fn a_million_draws_do_not_refute_the_calibration_and_refute_a_scale_ten_percent_too_small() {
    const DRAWS: u64 = 1_000_000;
    const SENSITIVITY: i32 = 10_000;
    let laws = [
        MixingLaw::student_t(5.0),
        MixingLaw::log_normal(0.5),
        MixingLaw::gamma_root(2.0),
        MixingLaw::constant(3.0),
        MixingLaw::finite(&[(0.5, 0.25), (1.0, 0.5), (4.0, 0.25)]),
        MixingLaw::from_quantile(|p| 0.5 + p),
    ];
    for (seed, law) in (41..).step_by(2).zip(laws) {
        let privacy = calibrated(law.unwrap());
        let here = events(&privacy, DRAWS, SENSITIVITY, SENSITIVITY, seed);
        let neighbour = events(&privacy, DRAWS, 0, SENSITIVITY, seed + 1);
        assert!(!refuted(here[0], neighbour[0], DRAWS, EPSILON, DELTA), "{here:?} {neighbour:?}");
        assert!(refuted(here[1], neighbour[1], DRAWS, EPSILON, DELTA), "{here:?} {neighbour:?}");
    }
}
