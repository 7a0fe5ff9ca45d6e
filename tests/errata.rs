//! The arguments of `docs/papers/errata.md` that need more than one crate, or none, as computations.

mod densities;
mod elliptical;
mod gaussian;
mod log_concave;
mod records;

use dpfda::privacy::GaussianPrivacy;

/// What the classical scale, `sigma / Delta = sqrt(2 log(2/delta)) / epsilon`, really gives.
fn classical(epsilon: f64, delta: f64) -> GaussianPrivacy {
    GaussianPrivacy::new(epsilon / (2.0 * (2.0 / delta).ln()).sqrt()).unwrap()
}

/// Midpoint rule.
fn integral(from: f64, to: f64, cells: u32, f: impl Fn(f64) -> f64) -> f64 {
    let width = (to - from) / f64::from(cells);
    (0..cells).map(|i| f(from + width * (f64::from(i) + 0.5))).sum::<f64>() * width
}

#[track_caller]
fn assert_close(found: f64, stated: f64, within: f64) {
    assert!((found - stated).abs() <= within, "{found}, but {stated} is stated");
}
