//! What an audit needs no draws for, and the support of releases.

use dpfda_audit::{AuditPlan, AuditedMechanism, Setting, power, suite};
use dpfda_density::{Bounds, Cells, PerturbedHistogram, Points};
use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::PrivateMean;
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array2, array};
use rand::RngExt;

fn few() -> AuditPlan {
    AuditPlan { draws: 100, ..AuditPlan::default() }
}

#[test]
fn audits_repeat_from_a_seed() {
    let setting = suite().unwrap()[0];
    let attack = setting.attack().unwrap();
    assert_eq!(attack.run(&few()).unwrap(), attack.run(&few()).unwrap());
}

#[test]
fn what_a_mechanism_is_not_made_for_is_refused() {
    let pure = PrivacyBudget::new(1.0, 0.0).unwrap();
    let approximate = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let refused =
        |mechanism, budget, neighbours| Setting { mechanism, budget, neighbours }.attack().unwrap_err().to_string();
    let substitute = NeighbouringRelation::SubstituteOne;
    assert!(refused(AuditedMechanism::Isonormal, pure, substitute).contains("delta above 0"));
    assert!(refused(AuditedMechanism::Functionals, approximate, substitute).contains("delta is 0"));
    assert!(refused(AuditedMechanism::Smoothed, pure, NeighbouringRelation::AddRemoveOne).contains("substitute"));
    let none = AuditPlan { draws: 0, ..AuditPlan::default() };
    assert!(suite().unwrap()[0].attack().unwrap().run(&none).is_err());
    for mechanism in AuditedMechanism::all() {
        assert_eq!(mechanism.name().parse::<AuditedMechanism>(), Ok(mechanism));
    }
    assert!("other".parse::<AuditedMechanism>().is_err());
}

#[test]
fn power_is_a_lower_bound_that_simulations_reach() {
    let (p, q, n, level) = (0.056, 0.01, 5_000, 1e-3);
    let stated = power(p, q, n, 1.0_f64.ln_1p(), 0.0, level);
    assert!(stated > 0.001 && stated < 0.999, "{stated}");
    let mut randomness = SeededRandomness::from_seed(3);
    let trials = 2_000_u32;
    let mut count = |p: f64| (0..n).filter(|_| randomness.random::<f64>() < p).count() as u64;
    let refuted = (0..trials)
        .filter(|_| dpfda_privacy::refuted(count(p), count(q), n, 1.0_f64.ln_1p(), 0.0, 2.0 * level))
        .count();
    // five standard errors of a proportion
    assert!(
        refuted as f64 / f64::from(trials) > stated - 5.0 * 0.5 / f64::from(trials).sqrt(),
        "{refuted} for {stated}"
    );
    assert_eq!(power(0.5, 0.5, n, 0.0, 0.0, level), 0.0);
    assert_eq!(power(1.0, 0.9, n, 1.0, 0.0, level), 0.0);
    assert!(power(0.5, 0.1, n, 0.0, 0.0, level) > 0.999);
}

/// Noisy values of a mean on two points, in data units, as anybody decodes them.
fn released_means(curve: [f64; 2], releases: u64) -> (Vec<f64>, f64) {
    let ball = Ball::new(Center::Constant(0.0), 1.0).unwrap();
    let settings =
        PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap()).buying(dpfda_release::BallShares::NONE);
    let grid = Grid::uniform(0.0, 1.0, 2).unwrap();
    let values = Array2::from_shape_vec((2, 2), vec![curve[0], curve[1], f64::NAN, 0.25]).unwrap();
    let curves = CurveSet::new(grid, values).unwrap();
    let mut randomness = SeededRandomness::from_seed(curve[0].to_bits() ^ curve[1].to_bits());
    let mut step = 0.0;
    let mut all = Vec::new();
    for _ in 0..releases {
        let release = settings.release(&curves, &mut randomness).unwrap();
        step = release.lattice_step();
        all.extend(release.coordinates().iter().map(|k| *k as f64 * step));
    }
    (all, step)
}

#[test]
fn means_of_neighbours_lie_on_one_lattice_that_has_nothing_to_do_with_the_data() {
    let worst = [[0.3, 0.7], [-1.0, 1.0], [1e300, 5e-324], [f64::MAX, f64::MIN], [f64::NAN, 1.0 / 3.0], [5e-324, -0.0]];
    let (base, step) = released_means(worst[0], 300);
    for curve in worst {
        let (values, other_step) = released_means(curve, 300);
        assert_eq!(step.to_bits(), other_step.to_bits(), "the step is public");
        let seen = support_attack(&base, &values, 0.0, step);
        assert!(seen.is_harmless(), "{curve:?}: {seen:?}");
    }
}

#[test]
fn counts_of_neighbours_lie_on_one_lattice_that_has_nothing_to_do_with_the_data() {
    let bounds = Bounds::new(vec![(0.0, 1.0)]).unwrap();
    for (budget, step) in [((0.05, 0.0), 1.0), ((1.0, 1e-5), 1.0 / f64::from(1 << 20))] {
        let histogram = PerturbedHistogram::new(
            Cells::new(bounds.clone(), 2).unwrap(),
            PrivacyBudget::new(budget.0, budget.1).unwrap(),
        );
        let released = |x: f64, seed| -> Vec<f64> {
            let points = Points::new(array![[x], [0.2]], bounds.clone()).unwrap();
            let mut randomness = SeededRandomness::from_seed(seed);
            (0..300).flat_map(|_| histogram.release(&points, &mut randomness).unwrap().noisy_counts()).collect()
        };
        for x in [0.9, f64::NAN, f64::INFINITY, -1e300, 5e-324] {
            let seen = support_attack(&released(0.1, 1), &released(x, 2), 0.0, step);
            assert!(seen.is_harmless(), "{x}: {seen:?}");
        }
    }
}

#[test]
fn a_gaussian_in_floating_point_fails_the_same_test() {
    let (mean_step, sigma) = (1.0 / f64::from(1 << 22), 1.0);
    let mut randomness = SeededRandomness::from_seed(7);
    let mut naive = |x: f64| -> Vec<f64> {
        let mut normal = || -> f64 {
            let (u, v): (f64, f64) = (randomness.random(), randomness.random());
            (-2.0 * (1.0 - u).ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
        };
        (0..1_000).map(|_| x + sigma * normal()).collect()
    };
    let (zero, third) = (naive(0.0), naive(1.0 / 3.0));
    assert!(!support_attack(&zero, &third, 0.0, mean_step).is_harmless());
    // On the lattice of doubles near the large sum the low-order digits give the data set away: x = 0 has values with digits
    // below that of an ulp of 1/3, and x = 1/3 has none.
    let ulp = 2.0_f64.powi(-54);
    let finer = |values: &[f64]| values.iter().filter(|y| y.abs() < 0.08 && (*y / ulp).fract() != 0.0).count();
    assert!(finer(&zero) > 10, "{}", finer(&zero));
    assert_eq!(finer(&third), 0, "every value near 0 is a difference of numbers on a coarser grid");
}

/// Values that come from one data set and can never come from its neighbour (Mironov 2012).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SupportAttack {
    /// Values looked at.
    values: u64,
    /// Of those, values that are no whole number of steps of the public lattice.
    off_lattice: u64,
    /// Residues of the whole numbers of steps that were seen from one side alone, of [`RESIDUES`].
    one_sided_residues: u64,
}

/// Low-order digits that are compared: the lattice point modulo this.
const RESIDUES: u8 = 16;

/// Compares the supports of two neighbours' releases on the lattice `offset + k step`.
///
/// ```text
/// value = (k as f64) * step + offset, to the bit, for some integer k that fits
/// ```
///
/// A mechanism on a public lattice has no value off it, whatever the data are, and with noise of many steps all residues of
/// `k` are seen from both sides. Noise in floating point, `x + sigma z` rounded to a double, has a support of its own for each
/// `x`, on no common lattice: one value can then tell two data sets apart for certain.
fn support_attack(left: &[f64], right: &[f64], offset: f64, step: f64) -> SupportAttack {
    let mut off_lattice = 0;
    let mut residues = |values: &[f64]| {
        let mut seen = [false; RESIDUES as usize];
        for value in values {
            match lattice_point(*value, offset, step) {
                Some(k) => seen[usize::try_from(k.rem_euclid(i64::from(RESIDUES))).unwrap_or(0)] = true,
                None => off_lattice += 1,
            }
        }
        seen
    };
    let (left_seen, right_seen) = (residues(left), residues(right));
    let one_sided = left_seen.iter().zip(&right_seen).filter(|(a, b)| a != b).count() as u64;
    SupportAttack { values: (left.len() + right.len()) as u64, off_lattice, one_sided_residues: one_sided }
}

impl SupportAttack {
    /// Whether nothing was seen that depends on the data.
    fn is_harmless(&self) -> bool {
        self.off_lattice == 0 && self.one_sided_residues == 0
    }
}

/// The integer that decodes to exactly this value.
fn lattice_point(value: f64, offset: f64, step: f64) -> Option<i64> {
    let nearest = ((value - offset) / step).round();
    if nearest.is_nan() || nearest.abs() > 9e15 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "below 2^53")]
    let k = nearest as i64;
    (k - 1..=k + 1).find(|k| (*k as f64 * step + offset).to_bits() == value.to_bits())
}
