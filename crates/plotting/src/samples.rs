//! Layers for tests.

use crate::layer::{Layer, PrivateLayer};

/// A wave of `n` points with noise of this standard deviation.
pub(crate) fn wave(label: &str, n: usize, noise_sd: f64) -> Layer {
    let t: Vec<f64> = (0..n).map(|i| i as f64 / (n - 1) as f64).collect();
    let value = t.iter().map(|t| 0.5 + 0.1 * (7.0 * t).cos()).collect();
    with_values(label, t, value, vec![noise_sd; n])
}

/// A layer of these values.
pub(crate) fn with_values(label: &str, t: Vec<f64>, value: Vec<f64>, noise_sd: Vec<f64>) -> Layer {
    let facts = ["(ε, δ) = (1, 10⁻⁵)", "N = 142", "smoother Matérn 5/2 kernel, range 0.05, penalty 0.001, power 1"];
    Layer { label: label.to_owned(), t, value, noise_sd, facts: facts.map(str::to_owned).to_vec(), is_private: true }
}

/// Raw curves around the wave, the first one with a gap and a lone point.
pub(crate) fn raw(n: usize) -> PrivateLayer {
    let wave = wave("", 93, 0.0);
    let shifted = |k: usize| wave.value.iter().map(|v| v + 0.02 * (k as f64).sin()).collect::<Vec<f64>>();
    let mut curves: Vec<Vec<f64>> = (0..n).map(shifted).collect();
    if let Some(first) = curves.first_mut() {
        first[10] = f64::NAN;
        first[12] = f64::NAN;
    }
    PrivateLayer { t: wave.t, total: n, mean: wave.value, curves }
}
