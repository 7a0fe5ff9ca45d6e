//! A noisy covariance, and the law of its noise.

use dpfda_kernels::{EigenError, eigenpairs};
use dpfda_release::SecondMoments;
use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::tensor::TensorSmoother;
use crate::band::critical::quantile;
use crate::posterior::Posterior;
use crate::psd::outer;
use crate::sampling::decoded::DecodedMoments;

/// The seed of the draws of noise that set the rank: public, so that every reader finds the same rank.
const SEED: u64 = 16;

/// The number of draws of noise, and the share of them that an eigenvalue must exceed.
///
/// The smoother is chosen from the same noise, where this noise looks most like a component. With a share of 0.99, 7% of releases of
/// identical curves showed one; `docs/results/analysis.md` says how many do now.
const DRAWS: usize = 400;
const SHARE: f64 = 0.9975;

/// Directions that the smoother keeps less of than this part of the first are left out of draws of noise.
const KEPT: f64 = 1e-3;

/// A noisy covariance in public coordinates.
///
/// ```text
/// Y = C + L (G - u e' - e u' - (e e' - sigma^2 I)) L',    e ~ N(0, sigma^2 I)
/// ```
///
/// `G` is symmetric with independent normal entries, of standard deviation `s` on the diagonal and `s / sqrt(2)` off it: the noise
/// of the second moments. `e` is the noise of the mean, `u` the mean in released coordinates.
#[derive(Debug, Clone)]
pub(crate) struct NoisyCovariance {
    /// `Y`, `D x D`.
    pub(crate) matrix: Array2<f64>,
    /// `L`, `D x D`.
    pub(crate) root: Array2<f64>,
    /// `u`.
    pub(crate) mean: Array1<f64>,
    /// `s`.
    pub(crate) sd: f64,
    /// `sigma`.
    pub(crate) mean_sd: f64,
    /// The standard deviation of the number of records, as a fraction of the number.
    pub(crate) count_sd: f64,
}

impl NoisyCovariance {
    /// The covariance of a release in coordinates `V' B'`, where the columns of `rotation` are `V` and `B` is the basis of the
    /// moments.
    pub(crate) fn of(
        posterior: &Posterior,
        moments: &SecondMoments,
        decoded: &DecodedMoments,
        rotation: &Array2<f64>,
    ) -> Self {
        let observation = &posterior.observation;
        let factor = observation.records / (observation.records - 1.0);
        let root = moments.to_basis.as_ref().map_or_else(|| rotation.t().to_owned(), |map| rotation.t().dot(map));
        let deviation = posterior.deviation() * &observation.unit_grid.weights().mapv(f64::sqrt);
        let mean = match &observation.map {
            Some(map) => {
                map.slice_axis(Axis(1), Slice::from(..moments.matrix.nrows().min(map.ncols()))).t().dot(&deviation)
            }
            None => moments.basis.t().dot(&deviation),
        };
        Self {
            matrix: rotation.t().dot(&decoded.covariance).dot(rotation),
            root,
            mean: mean * factor.sqrt(),
            sd: moments.matrix_sd_diagonal * factor,
            mean_sd: observation.sigma * factor.sqrt(),
            count_sd: observation.relative_count_sd,
        }
    }

    /// `s^2/2 + sigma^4`: the variance of what does not depend on the mean, in one entry off the diagonal.
    fn white(&self) -> f64 {
        0.5 * self.sd.powi(2) + self.mean_sd.powi(4)
    }

    /// The variance of the noise of `x'Yy`, without that of the number of records.
    ///
    /// ```text
    /// (s^2/2 + sigma^4) (|f|^2 |g|^2 + (f'g)^2) + sigma^2 |(f'u) g + (g'u) f|^2,    f = L'x,  g = L'y
    /// ```
    pub(crate) fn variance(&self, x: ArrayView1<'_, f64>, y: ArrayView1<'_, f64>) -> f64 {
        let (f, g) = (self.root.t().dot(&x), self.root.t().dot(&y));
        let along = &g * f.dot(&self.mean) + &f * g.dot(&self.mean);
        self.white() * (f.dot(&f) * g.dot(&g) + f.dot(&g).powi(2)) + self.mean_sd.powi(2) * along.dot(&along)
    }

    /// The standard deviation of the noise of `x'Yx` for each row `x`, as [`NoisyCovariance::variance`], with that of the number of records.
    pub(crate) fn sds(&self, rows: &Array2<f64>) -> Array1<f64> {
        let seen = rows.dot(&self.root);
        let along = seen.dot(&self.mean);
        let lengths = (&seen * &seen).sum_axis(Axis(1));
        let values = (&rows.dot(&self.matrix) * rows).sum_axis(Axis(1));
        ndarray::Zip::from(&lengths).and(&along).and(&values).map_collect(|length, along, value| {
            let square = 2.0 * self.white() * length * length + 4.0 * self.mean_sd.powi(2) * along * along * length;
            square.sqrt().hypot(self.count_sd * (value - along * along))
        })
    }

    /// What noise adds to the Rayleigh quotient of a smoothed eigenvector, times the eigenvalue: the variances across it that the
    /// smoother lets pass, less what lies along the vector itself.
    pub(crate) fn inflation(&self, vector: ArrayView1<'_, f64>, passed: &Array1<f64>) -> f64 {
        let own = self.root.t().dot(&vector);
        let (length, slope) = (own.dot(&own), own.dot(&self.mean).powi(2));
        let (white, mean) = (self.white(), self.mean_sd.powi(2));
        let across = |row: ArrayView1<'_, f64>| {
            let size = row.dot(&row);
            white * size * length + mean * (row.dot(&self.mean).powi(2) * length + size * slope)
        };
        let all: f64 = self.root.rows().into_iter().zip(passed).map(|(row, share)| share * across(row)).sum();
        all - (white * length * length + 2.0 * mean * slope * length)
    }

    /// The expected `tr(Q E Q E)` of the noise `E` and a smoother `Q = diag(q)`.
    ///
    /// ```text
    /// (s^2/2 + sigma^4) (tr H^2 + (tr H)^2) + 2 sigma^2 (|Hu|^2 + u'Hu tr H),    H = L'QL
    /// ```
    pub(crate) fn passed_energy(&self, factors: &Array1<f64>) -> f64 {
        let smoothed = self.root.t().dot(&(&self.root * &factors.view().insert_axis(Axis(1))));
        let trace = smoothed.diag().sum();
        let squares: f64 = smoothed.iter().map(|entry| entry * entry).sum();
        let mean = smoothed.dot(&self.mean);
        let slope = mean.dot(&mean) + self.mean.dot(&mean) * trace;
        self.white() * (squares + trace * trace) + 2.0 * self.mean_sd.powi(2) * slope
    }

    /// What the largest eigenvalue of smoothed noise alone exceeds in one of 400 draws.
    pub(crate) fn threshold(&self, smoother: &TensorSmoother) -> Result<f64, EigenError> {
        let factors = smoother.factors();
        let least = KEPT * factors.iter().fold(0.0_f64, |most, factor| most.max(*factor));
        let kept: Vec<usize> = (0..factors.len()).filter(|&j| factors[j] > least).collect();
        let column = factors.view().insert_axis(Axis(1));
        let root = (&self.root * &column).select(Axis(0), &kept);
        let mut generator = ChaCha20Rng::seed_from_u64(SEED);
        let mut largest = Vec::with_capacity(DRAWS);
        for _ in 0..DRAWS {
            let noise = root.dot(&self.noise(&mut generator)).dot(&root.t());
            largest.push(eigenpairs(&noise)?.values.last().copied().unwrap_or(0.0));
        }
        Ok(quantile(&mut largest, SHARE))
    }

    /// A draw of the noise in released coordinates.
    pub(super) fn noise(&self, generator: &mut ChaCha20Rng) -> Array2<f64> {
        let mut normal = || -> f64 { StandardNormal.sample(generator) };
        let size = self.mean.len();
        let mut noise = Array2::zeros((size, size));
        for i in 0..size {
            noise[[i, i]] = self.sd * normal() + self.mean_sd.powi(2);
            for j in 0..i {
                let entry = self.sd * std::f64::consts::FRAC_1_SQRT_2 * normal();
                noise[[i, j]] = entry;
                noise[[j, i]] = entry;
            }
        }
        let noisy: Array1<f64> = self.mean.mapv(|mean| mean + self.mean_sd * normal());
        noise - outer(&noisy) + outer(&self.mean)
    }
}
