//! The second way: `int max(p - e^epsilon q, 0)` on the densities.

use crate::calibrate::elliptical::{DensityGenerator, KNorm, StudentT};

const STEP: f64 = 0.08;

/// [`excess_of`] for the density of a law.
fn excess(law: &dyn DensityGenerator, distance: f64, epsilon: f64) -> f64 {
    excess_of(law.dimension(), &|radius| law.neg_log_density(radius), distance, epsilon)
}

/// `int max(p - e^epsilon q, 0)` for `p` around 0 and `q` around `-D` on the first axis, up to radius 32, where `g = -ln f`.
///
/// In `d >= 2` dimensions over the first coordinate `a` and the distance `b` from its axis, with weight `b^{d-2}`. What
/// exceeds `e^epsilon q` by its rounding only does not count.
fn excess_of(dimension: usize, g: &dyn Fn(f64) -> f64, distance: f64, epsilon: f64) -> f64 {
    let dimension = i32::try_from(dimension).unwrap();
    let far = if dimension == 1 { 1 } else { 400 };
    let (mut total, mut excess) = (0.0, 0.0);
    for i in -400..400 {
        let a = (f64::from(i) + 0.5) * STEP;
        for j in 0..far {
            let b = if dimension == 1 { 0.0 } else { (f64::from(j) + 0.5) * STEP };
            let weight = if dimension == 1 { 1.0 } else { b.powi(dimension - 2) };
            let (near, other) = (g(a.hypot(b)), g((a + distance).hypot(b)));
            let p = weight * (g(1.0) - near).exp();
            total += p;
            if other - near > epsilon + 1e-12 {
                excess -= p * (epsilon - other + near).exp_m1();
            }
        }
    }
    excess / total
}

#[test]
fn no_mass_exceeds_the_stated_epsilon_and_some_exceeds_one_just_below() {
    for dimension in [1, 2, 5] {
        let laws: [&dyn DensityGenerator; 3] = [
            &KNorm::new(dimension).unwrap(),
            &StudentT::new(1.0, dimension).unwrap(),
            &StudentT::new(6.0, dimension).unwrap(),
        ];
        for law in laws {
            for epsilon in [0.5, 2.0, 5.0] {
                let scale = law.scale_for(1.0, epsilon).unwrap();
                assert_eq!(excess(law, 1.0 / scale, epsilon), 0.0, "d {dimension}, epsilon {epsilon}");
                assert!(excess(law, 1.0 / scale, 0.99 * epsilon) > 0.0, "d {dimension}, epsilon {epsilon}");
                assert!(excess(law, 1.0 / (0.9 * scale), epsilon) > 0.0, "d {dimension}, epsilon {epsilon}, 10% less");
            }
        }
    }
}

#[test]
fn the_integral_is_that_of_laplace_noise_where_it_is_known() {
    // delta = 1 - e^{(epsilon - D)/2} (Vinterbo, Theorem 3)
    for (distance, epsilon) in [(1.0, 0.5), (2.0, 0.0), (2.0, 1.9)] {
        let expected = -((epsilon - distance) / 2.0_f64).exp_m1();
        assert!((excess(&KNorm::new(1).unwrap(), distance, epsilon) - expected).abs() < 2e-3);
    }
}

#[test]
fn mass_of_normal_and_of_multivariate_laplace_noise_exceeds_every_epsilon_tried() {
    let gaussian = |radius: f64| radius * radius / 2.0;
    // f(y) = (y/2)^(v/2) K_v(sqrt(2y)), v = (2 - d)/2, which is elementary for d = 3
    let laplace = |radius: f64| {
        let x = std::f64::consts::SQRT_2 * radius;
        x + x.ln()
    };
    for epsilon in [1.0, 3.0] {
        assert!(excess_of(2, &gaussian, 1.0, epsilon) > 0.0, "far out");
        assert!(excess_of(3, &laplace, 1.0, epsilon) > 0.0, "at the pole");
    }
}

/// `int max(p - e^epsilon q, 0)` for K-norm noise at scale 1 of a cylinder around a sum of three coordinates that moves by `distance`, and
/// around twice its count, which moves by `count`.
fn excess_of_cylinder(distance: f64, count: f64, epsilon: f64) -> f64 {
    let middles = |cells: u32, from: f64, to: f64| {
        (0..cells).map(move |cell| from + (to - from) * (f64::from(cell) + 0.5) / f64::from(cells))
    };
    let (mut total, mut excess) = (0.0, 0.0);
    for length in middles(120, 0.0, 20.0) {
        for cosine in middles(60, -1.0, 1.0) {
            for height in middles(400, -20.0, 20.0) {
                let away = (length * length + distance * distance + 2.0 * length * distance * cosine).sqrt();
                let p = (-length.max(height.abs())).exp();
                let q = (-away.max((height + count).abs())).exp();
                total += length * length * p;
                excess += length * length * (p - epsilon.exp() * q).max(0.0);
            }
        }
    }
    excess / total
}

#[test]
fn the_loss_of_a_cylinder_is_the_larger_of_both_distances_and_is_attained_by_either() {
    for (distance, count) in [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (2.5, 2.5), (0.4, -1.0)] {
        let epsilon = f64::max(distance, f64::abs(count));
        assert!(excess_of_cylinder(distance, count, epsilon + 1e-9) == 0.0, "{distance} {count}");
        assert!(excess_of_cylinder(distance, count, 0.98 * epsilon) > 0.0, "{distance} {count}");
    }
    // along the count the loss is epsilon beyond an end: a share of about 1/8 of all draws
    assert!(excess_of_cylinder(0.0, 1.0, 0.5) > 0.02);
}
