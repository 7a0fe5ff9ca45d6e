//! What a cross-validation needs of the curves: the means inside and outside each fold.

use dpfda_kernels::{Kernel, Spectrum};
use dpfda_release::NoiseLaw;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayView3, Axis};

use crate::folds::Folds;
use crate::score_surface::each;

/// What estimates are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// Each left-out record (the mean of a subject's curves).
    #[default]
    Records,
    /// The mean of the left-out records.
    FoldMean,
}

/// The means and sizes of the folds. The scores need nothing else, for any number of records.
pub(crate) struct FoldMeans {
    /// The means without each fold, `folds x n`, whitened.
    pub(crate) kept: Array2<f64>,
    /// The means of each fold, `folds x n`, whitened.
    left_out: Array2<f64>,
    /// The mean over folds of the mean squared distance of the left-out records from their mean; 0 if their mean is the
    /// target.
    spread: f64,
    /// The number of records outside each fold.
    pub(crate) kept_records: Vec<f64>,
}

impl FoldMeans {
    pub(crate) fn new(
        folds: &Folds,
        averaged: ArrayView2<'_, f64>,
        aimed: ArrayView2<'_, f64>,
        target: Target,
    ) -> Self {
        let n = averaged.ncols();
        let mut kept = Array2::zeros((folds.count(), n));
        let mut left_out = Array2::zeros((folds.count(), n));
        let mut kept_records = Vec::with_capacity(folds.count());
        let mut spread = 0.0;
        let total = averaged.sum_axis(Axis(0));
        for (fold, members) in folds.members().enumerate() {
            let (inside, outside) = (members.len() as f64, (folds.records() - members.len()) as f64);
            let sum = |of: ArrayView2<'_, f64>| {
                members.iter().fold(Array1::<f64>::zeros(n), |sum, &record| sum + of.row(record))
            };
            kept.row_mut(fold).assign(&((&total - &sum(averaged)) / outside));
            let mean = sum(aimed) / inside;
            if target == Target::Records {
                let squares = members.iter().map(|&record| (&aimed.row(record) - &mean).mapv(|d| d * d).sum());
                spread += squares.sum::<f64>() / inside;
            }
            left_out.row_mut(fold).assign(&mean);
            kept_records.push(outside);
        }
        Self { kept, left_out, spread: spread / folds.count() as f64, kept_records }
    }

    /// The expected squared scores, `penalties x powers`.
    ///
    /// ```text
    /// ||S a - b||^2 = sum_j q_j^2 a_j^2 - 2 q_j a_j (a_j - b_j) + (a_j - b_j)^2  + what is outside the basis,   q = 1 - s
    /// ```
    pub(crate) fn squared_scores(
        &self,
        spectrum: &Spectrum<Kernel>,
        roots: ArrayView1<'_, f64>,
        shrinkages: ArrayView3<'_, f64>,
        noise: Option<&NoiseLaw>,
    ) -> Array2<f64> {
        let folds = self.kept_records.len() as f64;
        let basis = whitened_basis(spectrum, roots);
        let (a, b) = (self.kept.dot(&basis), self.left_out.dot(&basis));
        let difference = &a - &b;
        let outside = ((&self.left_out * &self.left_out).sum() - (&b * &b).sum()).max(0.0);
        let constant = self.spread + ((&difference * &difference).sum() + outside) / folds;
        let squares = (&a * &a).sum_axis(Axis(0)) / folds;
        let products = (&a * &difference).sum_axis(Axis(0)) / folds;
        let noise = noise.map(|law| {
            let variance =
                self.kept_records.iter().map(|&records| law.whitened_sd(records).powi(2)).sum::<f64>() / folds;
            (law, variance)
        });
        each(shrinkages, |shrinkage| {
            let terms = shrinkage.iter().zip(&squares).zip(&products);
            let bias: f64 = terms.map(|((s, square), product)| (1.0 - s) * ((1.0 - s) * square - 2.0 * product)).sum();
            let energy = noise.map_or(0.0, |(law, variance)| {
                variance * law.coefficient_sd(shrinkage, spectrum.eigenvalues()).mapv(|sd| sd * sd).sum()
            });
            constant + bias + energy
        })
    }
}

/// The eigenfunctions as orthonormal columns of whitened coordinates.
pub(crate) fn whitened_basis(spectrum: &Spectrum<Kernel>, roots: ArrayView1<'_, f64>) -> Array2<f64> {
    let mut basis = spectrum.eigenfunctions().to_owned();
    for mut column in basis.columns_mut() {
        column *= &roots;
    }
    basis
}
