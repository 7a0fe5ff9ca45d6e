//! The log-likelihood ratios of K-norm noise of a cylinder, with their probabilities.

use crate::added_noise::doubles;

/// Cells of an integral over the norm of the noise, and over each of what lies on its level.
const NORMS: u32 = 300;
const PLACES: u32 = 60;

/// The log-likelihood ratios of own to other side, with their probabilities, of two centres whose sums and counts differ by this.
///
/// The norm `r` of the noise has a density proportional to `x^p e^-x` at `x = r / scale` for a sum of `p` coordinates. With probability `p / (p + 1)`
/// it lies on the side, `|z| = r` and `2 c` uniform in `[-r, r]`; otherwise at an end, `2 |c| = r` and `z` uniform in the ball of radius `r`.
/// The direction of `z` is uniform.
pub(crate) fn in_cylinder(difference: &[i64], scale: f64, ratio: f64) -> Vec<(f64, f64)> {
    let moved = doubles(difference);
    let (count, sum) = moved.split_last().map_or((0.0, &[][..]), |(count, sum)| (2.0 * count / scale, sum));
    let dimension = sum.len() as f64;
    let distance = sum.iter().map(|d| d * d).sum::<f64>().sqrt() / scale;
    let loss = |length: f64, cosine: f64, height: f64, norm: f64| {
        let squared = length * length + distance * distance + 2.0 * length * distance * cosine;
        squared.max(0.0).sqrt().max((height + count).abs()) - norm
    };
    let mut values = Vec::new();
    let mut total = 0.0;
    for u in middles(NORMS) {
        let x = 3.0 * u / (1.0 - u);
        let (norm, weight) = (ratio * x, x.powf(dimension) * (-x).exp() / (1.0 - u).powi(2));
        for cosine in middles(PLACES).map(|v| 2.0 * v - 1.0) {
            // of a uniform direction in as many dimensions
            let weight = weight * (1.0 - cosine * cosine).powf(0.5 * (dimension - 3.0));
            for place in middles(PLACES) {
                let length = norm * place.powf(1.0 / dimension);
                let side = loss(norm, cosine, norm * (2.0 * place - 1.0), norm);
                values.push((side, weight * dimension));
                // the ends, by symmetry of the place each half the time
                values.extend([norm, -norm].map(|height| (loss(length, cosine, height, norm), 0.5 * weight)));
                total += weight * (dimension + 1.0);
            }
        }
    }
    for (_, p) in &mut values {
        *p /= total;
    }
    values
}

/// The middles of so many cells of the unit interval.
fn middles(cells: u32) -> impl Iterator<Item = f64> {
    (0..cells).map(move |cell| (f64::from(cell) + 0.5) / f64::from(cells))
}
