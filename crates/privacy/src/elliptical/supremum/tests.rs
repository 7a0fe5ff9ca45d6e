#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use proptest::prelude::*;

use super::{MOST_EVALUATIONS, TOLERANCE};
use crate::elliptical::{CustomGenerator, DensityGenerator, EllipticalError, KNorm, StudentT, Tail};

const FAR: Tail = Tail::Concave { from: 0.0 };

/// The epsilon of a generator in one dimension, at this `D`.
fn epsilon(g: impl Fn(f64) -> f64, tail: Tail, distance: f64) -> Result<f64, EllipticalError> {
    CustomGenerator::new(1, g, tail)?.epsilon_of(distance, 1.0)
}

fn t(nu: f64, dimension: usize) -> impl Fn(f64) -> f64 {
    move |c: f64| 0.5 * (nu + dimension as f64) * (c * c / nu).ln_1p()
}

#[test]
fn custom_generators_reproduce_k_norm_within_the_tolerance_and_never_below() {
    for distance in [1e-3, 0.1, 1.0, 7.3, 1e3] {
        let by_concavity = epsilon(|c| c, FAR, distance).unwrap();
        assert!(by_concavity >= distance && by_concavity <= distance * (1.0 + 1e-9), "{distance}: {by_concavity}");
        for tail in [Tail::Concave { from: distance }, Tail::Convex { from: distance, slope: 1.0 }] {
            let found = epsilon(|c| c, tail, distance).unwrap();
            assert!(found >= distance && found <= distance * (1.0 + 2.0 * TOLERANCE), "{distance}: {found}");
        }
    }
}

#[test]
fn custom_generators_reproduce_t_within_the_tolerance_and_never_below() {
    for (nu, dimension) in [(0.5, 1), (1.0, 2), (3.0, 5), (20.0, 1), (4.0, 64), (200.0, 8)] {
        let custom = CustomGenerator::new(dimension, t(nu, dimension), Tail::Concave { from: nu.sqrt() }).unwrap();
        let exact = StudentT::new(nu, dimension).unwrap();
        for distance in [0.01, 0.3, 1.0, 5.0, 100.0] {
            let (found, expected) =
                (custom.epsilon_of(distance, 1.0).unwrap(), exact.epsilon_of(distance, 1.0).unwrap());
            assert!(found >= expected * (1.0 - 1e-13), "nu {nu}, d {dimension}, D {distance}: {found} < {expected}");
            assert!(found <= expected * (1.0 + 2.0 * TOLERANCE), "nu {nu}, d {dimension}, D {distance}: {found}");
        }
        for wanted in [0.1, 1.0, 8.0] {
            let (found, expected) = (custom.scale_for(2.0, wanted).unwrap(), exact.scale_for(2.0, wanted).unwrap());
            assert!(found >= expected * (1.0 - 1e-13) && found <= expected * 1.01, "{found} for {expected}");
        }
    }
}

#[test]
fn additive_constants_of_the_generator_do_not_matter() {
    for constant in [-700.0, 1e4] {
        let found = epsilon(|c| t(3.0, 1)(c) + constant, Tail::Concave { from: 2.0 }, 1.0).unwrap();
        let expected = StudentT::new(3.0, 1).unwrap().epsilon_of(1.0, 1.0).unwrap();
        assert!(found >= expected && found <= expected * (1.0 + 2.0 * TOLERANCE), "{found}");
    }
}

#[test]
fn a_convex_tail_is_bounded_by_its_slope() {
    let hyperbolic = |c: f64| 3.0 * (1.0 + c * c).sqrt();
    let found = epsilon(hyperbolic, Tail::Convex { from: 0.0, slope: 3.0 }, 0.5).unwrap();
    assert!((1.5..1.5 + 1e-12).contains(&found), "{found}");
    let kinked = |c: f64| if c < 2.0 { 2.0 * c } else { 4.0 + (c - 2.0) };
    let found = epsilon(kinked, Tail::Convex { from: 2.0, slope: 1.0 }, 0.5).unwrap();
    assert!((1.0..=1.0 + 2.0 * TOLERANCE).contains(&found), "the steep part lies before the tail: {found}");
}

#[test]
fn a_jump_of_the_density_is_paid_for_in_full() {
    let jumping = |c: f64| if c > 1.0 { c + 0.5 } else { c };
    let found = epsilon(jumping, Tail::Concave { from: 1.0 }, 0.25).unwrap();
    assert!((0.75..0.75 * (1.0 + 2.0 * TOLERANCE)).contains(&found), "{found}");
    let jump_hidden_between_all_dyadic_points = |c: f64| if c > 1.0 / 3.0 { c + 0.5 } else { c };
    let found = epsilon(jump_hidden_between_all_dyadic_points, Tail::Concave { from: 8.0 }, 0.01).unwrap();
    assert!((0.51..0.51 * (1.0 + 2.0 * TOLERANCE)).contains(&found), "{found}");
}

proptest! {
    #[test]
    fn the_bound_is_never_below_what_a_fine_grid_finds(
        amplitude in 0.0..1.0_f64, waves in 1..4_i32, distance in 0.05..5.0_f64,
    ) {
        let waves = f64::from(waves);
        let end = 2.0 * PI;
        // nondecreasing, wavy up to the end and linear from there
        let g = |c: f64| c + amplitude / waves * (waves * c.min(end)).sin();
        let grid = (0..=200_000).map(|i| end * f64::from(i) / 200_000.0);
        let largest = grid.map(|r| g(r + distance) - g(r)).fold(distance, f64::max);
        let found = epsilon(g, Tail::Concave { from: end * (1.0 + 1e-12) }, distance).unwrap();
        prop_assert!(found >= largest, "{found} < {largest}");
        prop_assert!(found <= largest * (1.0 + 2.0 * TOLERANCE), "{found} > {largest}");
    }
}

#[test]
fn an_undeclared_or_unbounded_tail_is_refused() {
    assert_eq!(epsilon(|c| c, Tail::Unknown, 1.0), Err(EllipticalError::TailUnknown));
    assert_eq!(epsilon(|c| c * c / 2.0, Tail::Unbounded, 1.0), Err(EllipticalError::Unbounded));
}

#[test]
fn a_declared_tail_that_probing_contradicts_is_refused() {
    let contradicted = |found| matches!(found, Err(EllipticalError::TailContradicted { .. }));
    let gaussian = |c: f64| c * c / 2.0;
    assert!(contradicted(epsilon(gaussian, FAR, 1.0)));
    assert!(contradicted(epsilon(gaussian, Tail::Concave { from: 50.0 }, 1.0)));
    assert!(contradicted(epsilon(gaussian, Tail::Convex { from: 0.0, slope: 1e6 }, 1.0)));
    assert!(contradicted(epsilon(|c| c, Tail::Convex { from: 0.0, slope: 0.99 }, 1.0)));
    assert!(contradicted(epsilon(t(9.0, 1), FAR, 1.0)), "g is convex up to sqrt(nu)");
    assert!(contradicted(epsilon(t(9.0, 1), Tail::Convex { from: 0.0, slope: 10.0 }, 1.0)), "and concave beyond");
}

#[test]
fn malformed_tails_are_refused() {
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        for tail in [Tail::Concave { from: value }, Tail::Convex { from: 0.0, slope: value }] {
            assert!(matches!(epsilon(|c| c, tail, 1.0), Err(EllipticalError::TailParameter { .. })), "{tail:?}");
        }
    }
    let careless = Careless;
    assert!(matches!(careless.epsilon_of(1.0, 1.0), Err(EllipticalError::TailParameter { .. })));
}

/// A law of somebody else's that declares nonsense.
struct Careless;

impl DensityGenerator for Careless {
    fn dimension(&self) -> usize {
        1
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        radius
    }

    fn tail(&self) -> Tail {
        Tail::Concave { from: f64::NAN }
    }
}

#[test]
fn a_density_that_grows_anywhere_it_was_looked_at_is_refused() {
    let refused = |found| matches!(found, Err(EllipticalError::NotDecreasing { .. }));
    let dip = |c: f64| if (2.0..3.0).contains(&c) { c - 1.5 } else { c };
    assert!(refused(epsilon(dip, Tail::Concave { from: 8.0 }, 1.0)));
    assert!(refused(epsilon(|c| 2.0 - (1.0 - c).abs() + 2.0 * (c - 2.0).max(0.0), Tail::Concave { from: 4.0 }, 0.5)));
}

#[test]
fn poles_holes_and_what_is_no_number_are_refused() {
    for centre in [f64::NEG_INFINITY, f64::INFINITY, f64::NAN] {
        let found = epsilon(|c| if c == 0.0 { centre } else { c }, FAR, 1.0);
        assert_eq!(found, Err(EllipticalError::Pole), "{centre}");
    }
    assert_eq!(epsilon(|c: f64| c + c.ln(), FAR, 1.0), Err(EllipticalError::Pole));
    let with = |wrong: f64| move |c: f64| if (5.0..6.0).contains(&c) { wrong } else { c };
    let tail = Tail::Concave { from: 10.0 };
    assert!(matches!(epsilon(with(f64::NAN), tail, 1.0), Err(EllipticalError::NotANumber { .. })));
    assert!(matches!(epsilon(with(f64::INFINITY), tail, 1.0), Err(EllipticalError::NotPositive { .. })));
    assert_eq!(epsilon(with(f64::NEG_INFINITY), tail, 1.0), Err(EllipticalError::Pole));
    let underflowing = epsilon(|c: f64| -(-c).exp().ln(), FAR, 1.0);
    assert!(
        matches!(underflowing, Err(EllipticalError::NotPositive { .. } | EllipticalError::TailContradicted { .. })),
        "f underflows, and before that loses its digits"
    );
}

#[test]
fn a_generator_without_finite_mass_in_so_many_dimensions_is_refused() {
    let refused = |found| matches!(found, Err(EllipticalError::NotIntegrable { .. }));
    assert!(refused(epsilon(|_| 0.0, FAR, 1.0)), "it would have epsilon 0");
    assert!(refused(epsilon(f64::ln_1p, FAR, 1.0)));
    let plane = CustomGenerator::new(3, t(2.0, 1), Tail::Concave { from: 2.0_f64.sqrt() }).unwrap();
    assert!(refused(plane.epsilon_of(1.0, 1.0)), "the tail of one dimension in three");
}

#[test]
fn running_out_of_evaluations_is_an_error_and_not_a_number() {
    let found = epsilon(|c| c, Tail::Concave { from: 1e6 }, 1e-3);
    assert_eq!(found, Err(EllipticalError::Evaluations { evaluations: MOST_EVALUATIONS }));
}

#[test]
fn a_trait_object_is_calibrated_like_the_law_itself() {
    let laws: [Box<dyn DensityGenerator>; 2] =
        [Box::new(KNorm::new(2).unwrap()), Box::new(CustomGenerator::new(2, |c| c, FAR).unwrap())];
    for law in laws {
        assert!((law.scale_for(1.0, 0.5).unwrap() - 2.0).abs() < 1e-9);
    }
}

/// What a wrong promise must come to: a refusal by the name of the condition.
fn is_refused(found: &Result<f64, EllipticalError>) -> bool {
    matches!(found, Err(EllipticalError::TailContradicted { .. } | EllipticalError::NotDecreasing { .. }))
}

#[test]
fn a_bump_in_a_tail_declared_concave_is_refused() {
    // 0.01 by the promise, 0.91 in truth
    for (start, end) in [(1.05, 1.1), (0.003, 0.0031), (77.7, 80.0), (5e4, 5.2e4)] {
        let bump = |c: f64| if c > start && c < end { c + 0.9 } else { c };
        assert!(is_refused(&epsilon(bump, FAR, 0.01)), "from {start}");
        assert!(is_refused(&epsilon(bump, Tail::Convex { from: 0.0, slope: 1.0 }, 0.01)), "from {start}");
    }
}

#[test]
fn a_staircase_whose_treads_grow_in_proportion_to_the_radius_is_refused() {
    // steps of 1, so many per octave, each at this part of the way between powers of 2^(1/n)
    for per_octave in [1.0, 3.0, 4.0, 7.0, 16.0, 64.0, 128.0] {
        for part in [0.5, 0.1, 0.618, 0.9] {
            let stairs = move |c: f64| {
                let whole = (per_octave * c.max(1.0).log2()).floor();
                let (low, high) = ((whole / per_octave).exp2(), ((whole + 1.0) / per_octave).exp2());
                let step = if c > low + part * (high - low) { 1.0 } else { 0.0 };
                1.5 * per_octave * c.min(1.0) + whole + step
            };
            // in truth 1 at the least
            let found = epsilon(stairs, FAR, 0.01);
            assert!(is_refused(&found), "{per_octave} per octave, {part}: {found:?}");
        }
    }
}

#[test]
fn a_single_jump_in_a_concave_tail_is_refused_wherever_it_is() {
    for exponent in -120..200 {
        let at = (f64::from(exponent) / 10.0).exp2() * 1.003;
        let size = 0.05 * at.max(0.05);
        let found = epsilon(move |c: f64| if c > at { c + size } else { c }, FAR, 0.01);
        assert!(is_refused(&found), "at {at}: {found:?}");
    }
}

#[test]
fn honest_tails_are_accepted_whatever_the_distance_and_where_they_begin() {
    let logistic = |c: f64| c + 2.0 * (-c).exp().ln_1p();
    let root = |c: f64| (2.0 * c).sqrt();
    for distance in [1e-6, 1e-3, 0.01, 0.37, 1.0, 30.0, 1e4] {
        let accepted = |name: &str, found: Result<f64, EllipticalError>| {
            assert!(found.is_ok(), "{name}, D = {distance}: {found:?}");
        };
        for constant in [0.0, -1e4, 1e4] {
            let k_norm = |c: f64| constant + c;
            accepted("K-norm", epsilon(k_norm, FAR, distance));
            accepted("K-norm, convex", epsilon(k_norm, Tail::Convex { from: 0.0, slope: 1.0 }, distance));
        }
        accepted("Laplace", epsilon(|c| 2.0_f64.sqrt() * c, FAR, distance));
        accepted("logistic", epsilon(logistic, Tail::Convex { from: 0.0, slope: 1.0 }, distance));
        accepted("hyperbolic", epsilon(|c: f64| 3.0 * c.hypot(1.0), Tail::Convex { from: 0.0, slope: 3.0 }, distance));
        accepted("root", epsilon(root, FAR, distance));
        for nu in [0.1, 1.0, 7.3_f64] {
            // late enough for the many evaluations before the tail at a small D
            for from in [nu.sqrt(), 3.0 * nu.sqrt()] {
                if distance >= 0.01 {
                    accepted("t", epsilon(t(nu, 1), Tail::Concave { from }, distance));
                }
            }
        }
        let late = |c: f64| if c < 40.0 { c * c / 80.0 } else { 20.0 + (c - 40.0) };
        if distance >= 0.01 {
            accepted("late and concave", epsilon(late, Tail::Concave { from: 40.0 }, distance));
        }
    }
}

#[test]
fn a_look_at_a_tail_takes_fewer_than_20_000_evaluations() {
    let evaluations = std::cell::Cell::new(0);
    let counting = |c: f64| {
        evaluations.set(evaluations.get() + 1);
        c
    };
    epsilon(counting, FAR, 0.01).unwrap();
    assert!((10_000..20_000).contains(&evaluations.get()), "{}", evaluations.get());
}
