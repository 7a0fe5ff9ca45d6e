//! The largest of a process: critical values of bands that a whole curve of one person stays in.

use ndarray::{Array1, Array2};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{ChiSquared, Distribution, StandardNormal};

use crate::band::critical::{quantile, sidak, tube};
use crate::band::process::{SHORTEST_PATH, SMOOTHING};
use crate::error::AnalysisError;
use crate::psd::square_root;

/// The seed of the draws: public, so that every reader finds the same band.
const SEED: u64 = 17;

/// The number of draws at once, and the number beyond the level that is kept above it.
const DRAWS: usize = 2000;
const BEYOND: f64 = 20.0;

/// What the standard deviations of a process are multiplied with, and those standard deviations.
///
/// ```text
/// c = 1.06 max( min(tube(32), Sidak_n), q )
/// ```
///
/// `q` is the quantile of `max |G| / sd`, times `sqrt(nu / chi2_nu)` where there are degrees of freedom.
pub(super) fn critical_value(
    covariance: &Array2<f64>,
    freedom: Option<f64>,
    level: f64,
) -> Result<(f64, Array1<f64>), AnalysisError> {
    let sd = covariance.diag().mapv(|variance| variance.max(0.0).sqrt());
    let root = standardised(square_root(covariance)?, &sd);
    let of_scale = freedom.map(|freedom| {
        let law = ChiSquared::new(freedom);
        (law.unwrap_or_else(|_| unreachable!("there are at least 5 degrees of freedom")), freedom)
    });
    let mut generator = ChaCha20Rng::seed_from_u64(SEED);
    let mut largest: Vec<f64> = Vec::with_capacity(DRAWS);
    while largest.is_empty() || (1.0 - level) * (largest.len() as f64) < BEYOND {
        let normals = Array2::from_shape_simple_fn((DRAWS, sd.len()), || StandardNormal.sample(&mut generator));
        for draw in normals.dot(&root).rows() {
            let most = draw.iter().fold(0.0_f64, |most, x: &f64| most.max(x.abs()));
            let scale = of_scale.map_or(1.0, |(law, freedom)| (freedom / law.sample(&mut generator)).sqrt());
            largest.push(most * scale);
        }
    }
    let alpha = 1.0 - level;
    let least = tube(SHORTEST_PATH, alpha).min(sidak(sd.len(), alpha));
    Ok((SMOOTHING * quantile(&mut largest, level).max(least), sd))
}

/// The root with columns of length 1; a value that does not vary stays where it is.
fn standardised(mut root: Array2<f64>, sd: &Array1<f64>) -> Array2<f64> {
    for (mut column, sd) in root.columns_mut().into_iter().zip(sd) {
        column *= if *sd > 0.0 { 1.0 / sd } else { 0.0 };
    }
    root
}
