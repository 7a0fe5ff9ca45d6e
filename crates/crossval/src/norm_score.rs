//! The score without a closed form: the expected distance itself.

use dpfda_kernels::{Kernel, Spectrum};
use dpfda_release::NoiseLaw;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayView3, Axis, Slice};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use crate::fold_means::{FoldMeans, Target, whitened_basis};
use crate::folds::Folds;
use crate::score_surface::each;

#[cfg(test)]
#[path = "norm_score_tests.rs"]
mod tests;

/// The targets, and the draws that all candidates share.
pub(crate) struct NormScore {
    /// For each fold, `targets x n`, whitened.
    targets: Vec<Array2<f64>>,
    noise: Option<FoldNoise>,
}

/// The noise of a release without each fold.
pub(crate) struct FoldNoise {
    pub(crate) law: NoiseLaw,
    draws: usize,
    /// One for each fold. The draws of a fold are made again for each spectrum and not kept, because keeping them would
    /// need gigabytes for leave-one-out.
    seeds: Vec<u64>,
}

/// The effect of the noise on distances in one fold:
/// `||e + D xi||^2 = ||e||^2 + 2 sum_j e_j d_j xi_j + sum_j d_j^2 xi_j^2`.
struct Draws {
    sigma: f64,
    /// `xi`, `draws x rank`.
    normals: Array2<f64>,
    squares: Array2<f64>,
}

impl NormScore {
    pub(crate) fn new(folds: &Folds, aimed: ArrayView2<'_, f64>, target: Target, noise: Option<FoldNoise>) -> Self {
        let targets = folds.members().map(|members| {
            let rows = aimed.select(Axis(0), members);
            match target {
                Target::Records => rows,
                Target::FoldMean => rows.sum_axis(Axis(0)).insert_axis(Axis(0)) / members.len() as f64,
            }
        });
        Self { targets: targets.collect(), noise }
    }

    /// The scores, `penalties x powers`.
    pub(crate) fn scores(
        &self,
        means: &FoldMeans,
        spectrum: &Spectrum<Kernel>,
        roots: ArrayView1<'_, f64>,
        shrinkages: ArrayView3<'_, f64>,
    ) -> Array2<f64> {
        let basis = whitened_basis(spectrum, roots);
        let (penalties, powers, _) = shrinkages.dim();
        let mut scores = Array2::zeros((penalties, powers));
        for (fold, targets) in self.targets.iter().enumerate() {
            let kept = means.kept.row(fold).dot(&basis);
            let aims = targets.dot(&basis);
            let outside: Array1<f64> = targets
                .rows()
                .into_iter()
                .zip(aims.rows())
                .map(|(target, aim)| (target.dot(&target) - aim.dot(&aim)).max(0.0))
                .collect();
            let draws = self.noise.as_ref().map(|noise| noise.draw(fold, means.kept_records[fold], spectrum));
            scores += &each(shrinkages, |shrinkage| {
                let fit = &kept * &shrinkage;
                let noise = draws
                    .as_ref()
                    .zip(self.noise.as_ref())
                    .map(|(draws, noise)| draws.of(noise.law.coefficient_sd(shrinkage, spectrum.eigenvalues())));
                let distances = aims.rows().into_iter().zip(&outside).map(|(aim, outside)| {
                    let error = &fit - &aim;
                    let squared = error.dot(&error) + outside;
                    noise.as_ref().map_or_else(|| squared.sqrt(), |noise| noise.mean_distance(error.view(), squared))
                });
                distances.sum::<f64>() / aims.nrows() as f64
            });
        }
        scores / self.targets.len() as f64
    }
}

impl FoldNoise {
    pub(crate) fn new<R: Rng + ?Sized>(law: NoiseLaw, draws: usize, folds: usize, rng: &mut R) -> Self {
        Self { law, draws, seeds: (0..folds).map(|_| rng.next_u64()).collect() }
    }

    fn draw(&self, fold: usize, records: f64, spectrum: &Spectrum<Kernel>) -> Draws {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seeds[fold]);
        // as many as there are points, whatever the rank: spectra of other ranks share them
        let shape = (self.draws, spectrum.grid().len());
        let mut normals = Array2::from_shape_simple_fn(shape, || StandardNormal.sample(&mut rng));
        normals.slice_axis_inplace(Axis(1), Slice::from(..spectrum.rank()));
        let squares = &normals * &normals;
        Draws { sigma: self.law.whitened_sd(records), normals, squares }
    }
}

impl Draws {
    /// The draws of one candidate. Its coefficients have these standard deviations for a noise of 1.
    fn of(&self, coefficient_sd: Array1<f64>) -> ScaledDraws<'_> {
        let sd = coefficient_sd * self.sigma;
        let energies = self.squares.dot(&sd.mapv(|d| d * d));
        ScaledDraws { normals: &self.normals, sd, energies }
    }
}

struct ScaledDraws<'a> {
    normals: &'a Array2<f64>,
    sd: Array1<f64>,
    energies: Array1<f64>,
}

impl ScaledDraws<'_> {
    /// The mean over the draws of `||e + D xi||`, given `e` and its squared norm.
    fn mean_distance(&self, error: ArrayView1<'_, f64>, squared: f64) -> f64 {
        let products = self.normals.dot(&(&error * &self.sd));
        // ||e + x||^2 from ||e||^2, the product <e, x> and the energy ||x||^2
        let squares = products.iter().zip(&self.energies).map(|(product, energy)| squared + 2.0 * product + energy);
        squares.map(|square| square.max(0.0).sqrt()).sum::<f64>() / products.len() as f64
    }
}
