#![allow(clippy::unwrap_used, reason = "tests")]

use super::density::Density;
use super::{Enclosure, of_law, of_law_on};
use crate::budget::amount::Amount;
use crate::calibrate::enclosure::continuous::Continuous;

/// Law, distance, epsilon and `E delta_Gauss(epsilon; distance / min(V, L))`, by Gauss-Legendre quadrature in panels over `log V`
/// in 60-digit arithmetic.
fn reference() -> impl Iterator<Item = (Continuous, f64, f64, Amount)> {
    include_str!("../../../../golden/random_scale.csv").lines().skip(1).map(|line| {
        let [name, parameter, distance, epsilon, delta] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("five columns")
        };
        let parameter = parameter.parse().unwrap();
        let law = match name {
            "student-t" => Continuous::StudentT { nu: parameter },
            "gamma-root" => Continuous::GammaRoot { shape: parameter },
            _ => Continuous::LogNormal { sigma: parameter },
        };
        (law, distance.parse().unwrap(), epsilon.parse().unwrap(), delta.parse().unwrap())
    })
}

#[test]
fn at_random_laws_the_bound_is_sixty_digit_arithmetic_to_one_part_in_a_billion() {
    let mut rows = 0;
    for (law, distance, epsilon, expected) in reference() {
        let epsilon = Amount::exact(epsilon).unwrap();
        let bound = of_law(law, &epsilon, distance, expected.to_f64()).unwrap();
        let (found, row) = (bound.to_f64_up(), format!("{law:?} {distance:e} {epsilon} {expected}"));
        assert!(found >= expected.to_f64_up(), "{row}: {found:e}");
        assert!(found <= expected.to_f64() * (1.0 + 1e-9), "{row}: above by {:e}", found / expected.to_f64() - 1.0);
        rows += 1;
    }
    assert!(rows >= 200, "{rows}");
}

/// On a coarse grid the sum may be too small, and only the remainder makes it a bound.
#[test]
fn every_step_of_the_grid_gives_a_bound() {
    let mut bounds = 0;
    for (law, distance, epsilon, expected) in reference().step_by(5) {
        let epsilon = Amount::exact(epsilon).unwrap();
        for goal in [2.0, 5.0, 10.0, 20.0] {
            // there is none if the second node is farther from 0 than the first
            let Some(bound) = of_law_on(law, &epsilon, distance, goal, 160) else { continue };
            let found = bound.to_f64_up();
            assert!(found >= expected.to_f64_up(), "{law:?} {distance:e} {epsilon} {goal}: {found:e}");
            bounds += 1;
        }
    }
    assert!(bounds > 200, "{bounds}");
}

#[test]
fn the_masses_of_the_densities_are_enclosed() {
    // Gamma(a) e^a / a^a in 60-digit arithmetic, at the double next to a
    for (shape, known) in [
        (0.05, "23.77574194131094770072613182873243179658"),
        (0.5, "4.132731354122492938469391884299852649446"),
        (1.0, "2.718281828459045235360287471352662497757"),
        (1.5, "2.16197055589113331790571423235077356171"),
        (16.0, "0.6299289951902351766747522024325188339145"),
        (5e3, "0.03544966784098334488623049570833768838102"),
        (1e4, "0.02506649163286984743585553988619650502853"),
    ] {
        for law in [Continuous::StudentT { nu: 2.0 * shape }, Continuous::GammaRoot { shape }] {
            let found = Density::new(law, 120).mass().unwrap();
            let known = Enclosure::amount(&known.parse().unwrap(), 120);
            assert!(found.low <= known.low && known.high <= found.high, "{law:?}: {found:?} {known:?}");
            assert!((&found.high - &found.low) << 38 <= found.high, "{shape}");
        }
    }
}
