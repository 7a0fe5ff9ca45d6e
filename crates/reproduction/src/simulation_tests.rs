#![allow(clippy::unwrap_used, reason = "tests")]

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::*;

fn published() -> RandomCurve {
    RandomCurve::new(MeanFunction::HalfWave, 4.0, 0.001).unwrap()
}

fn norm(model: &RandomCurve, curve: ArrayView1<'_, f64>) -> f64 {
    model.grid().integrate((&curve * &curve).view()).sqrt()
}

#[test]
fn mean_and_variance_are_those_of_the_law() {
    const CURVES: usize = 20_000;
    let model = RandomCurve::new(MeanFunction::Waves, 2.0, 0.001).unwrap();
    let curves = model.draw(CURVES, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let deviations = curves.values().to_owned() - model.mean();
    let variance = model.variance();
    // five standard errors at each of 100 points; the kurtosis of a sum of uniforms is below 3
    let allowed = 5.0 / (CURVES as f64).sqrt();
    for (column, variance) in deviations.columns().into_iter().zip(&variance) {
        let (mean, square) = (column.sum() / CURVES as f64, column.dot(&column) / CURVES as f64);
        assert!(mean.abs() < allowed * variance.sqrt(), "{mean}");
        assert!((square / variance - 1.0).abs() < allowed * 2.0_f64.sqrt(), "{square} {variance}");
    }
}

#[test]
fn the_integrated_variance_is_the_sum_of_that_of_the_scores() {
    // the eigenfunctions have norm 1: zeta(4) = pi^4 / 90, but for the terms beyond 100
    let model = published();
    let integrated = model.grid().integrate(model.variance().view());
    approx::assert_relative_eq!(integrated, 0.16 / 3.0 * PI.powi(4) / 90.0, max_relative = 1e-6);
    assert_eq!(model.loadings.ncols(), 100);
}

#[test]
fn the_public_bound_holds_for_every_curve() {
    for decay in [1.1, 4.0] {
        let model = RandomCurve::new(MeanFunction::Rise, decay, 0.001).unwrap();
        let curves = model.draw(2000, &mut ChaCha8Rng::seed_from_u64(2)).unwrap();
        let radius = model.ball().unwrap().radius();
        assert!(curves.values().rows().into_iter().all(|curve| norm(&model, curve) <= radius));
    }
}

#[test]
fn the_public_bound_is_nearly_attained_by_extreme_scores() {
    let model = published();
    let weighted = &model.mean * &model.grid().weights();
    let scores = model.loadings.t().dot(&weighted).mapv(|x| LARGEST_SCORE.copysign(x));
    let extreme = model.loadings.dot(&scores) + model.mean();
    let ratio = norm(&model, extreme.view()) / model.ball().unwrap().radius();
    assert!(ratio > 0.98 && ratio <= 1.0, "{ratio}");
}

#[test]
fn fewer_curves_are_the_first_of_more() {
    let model = published();
    let draw = |records| model.draw(records, &mut ChaCha8Rng::seed_from_u64(3)).unwrap().values().to_owned();
    let (few, many) = (draw(5), draw(25));
    let difference = few - many.select(Axis(0), &[0, 1, 2, 3, 4]);
    assert!(difference.iter().all(|x| x.abs() < 1e-15));
}

#[test]
fn a_decay_that_is_not_square_integrable_is_refused() {
    for value in [1.0, 0.0, -2.0, f64::INFINITY] {
        let refused = RandomCurve::new(MeanFunction::HalfWave, value, 0.001);
        assert_eq!(refused, Err(ReproductionError::Decay { value }));
    }
    assert!(matches!(
        RandomCurve::new(MeanFunction::HalfWave, f64::NAN, 0.001),
        Err(ReproductionError::Decay { value }) if value.is_nan()
    ));
    assert!(matches!(RandomCurve::new(MeanFunction::HalfWave, 4.0, 0.0), Err(ReproductionError::Kernel(_))));
}
