//! The curves, and the Gaussian process with their mean and covariance.

use std::error::Error;
use std::path::Path;

use dpfda::kernels::eigenpairs;
use dpfda::prelude::*;
use ndarray::{Array1, Array2, Axis};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::regression::Population;

/// The complete curves, with the moments that releases are compared with.
pub struct Corpus {
    pub curves: CurveSet,
    pub truth: Truth,
    /// The mean of the scans of cases minus that of controls.
    pub difference: Array1<f64>,
    /// Curves that are linear in covariates.
    pub population: Population,
    mean: Array1<f64>,
    /// The mean plus this times standard normals is a draw of the process.
    root: Array2<f64>,
}

/// A covariance in whitened coordinates, `W^{1/2} C W^{1/2}`, with its first eigenpair.
pub struct Truth {
    pub covariance: Array2<f64>,
    pub eigenvalue: f64,
    pub vector: Array1<f64>,
    pub total: f64,
}

impl Truth {
    pub fn of(curves: &CurveSet) -> Result<Self, Box<dyn Error>> {
        let values = curves.values().to_owned();
        let mean = values.mean_axis(Axis(0)).ok_or("curves")?;
        let roots = curves.grid().to_unit()?.weights().mapv(f64::sqrt);
        let deviations = (&values - &mean) * &roots;
        let covariance = deviations.t().dot(&deviations) / (curves.len() as f64 - 1.0);
        let pairs = eigenpairs(&covariance)?;
        let last = pairs.values.len() - 1;
        Ok(Self {
            eigenvalue: pairs.values[last],
            vector: pairs.vectors.column(last).to_owned(),
            total: covariance.diag().sum(),
            covariance,
        })
    }

    /// The explained share of the first component.
    pub fn share(&self) -> f64 {
        self.eigenvalue / self.total
    }
}

/// The mean of the complete curves with this label.
fn mean_of(curves: &CurveSet, labels: &TextColumn, label: &str) -> Result<Array1<f64>, Box<dyn Error>> {
    let values = curves.values();
    let rows = values.rows().into_iter().zip(labels.cells()).enumerate();
    let kept = rows.filter(|(_, (row, cell))| *cell == Some(label) && row.iter().all(|x| x.is_finite()));
    let kept: Vec<usize> = kept.map(|(row, _)| row).collect();
    Ok(curves.values().select(Axis(0), &kept).mean_axis(Axis(0)).ok_or("curves with the label")?)
}

impl Corpus {
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let all = CurveSet::read_csv(path, &CurveLayout::new("cca_*")?)?;
        let labels = TableFiles::find(path)?.text_columns(&CurveLayout::new("cca_*")?, &["case", "visit"])?;
        let difference = mean_of(&all, &labels[0], "1")? - mean_of(&all, &labels[0], "0")?;
        let curves = all.complete();
        let truth = Truth::of(&curves)?;
        let pairs = eigenpairs(&truth.covariance)?;
        let inverse = curves.grid().to_unit()?.weights().mapv(|weight| 1.0 / weight.sqrt());
        let root = pairs.vectors * pairs.values.mapv(|value| value.max(0.0).sqrt());
        Ok(Self {
            mean: curves.raw_mean().into_revealed(),
            root: root * &inverse.insert_axis(Axis(1)),
            truth,
            difference,
            population: Population::of(&all, &labels)?,
            curves,
        })
    }

    /// Draws of the Gaussian process.
    pub fn simulated(&self, records: usize, seed: u64) -> Result<CurveSet, Box<dyn Error>> {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let mut normals = Array2::zeros((records, self.root.ncols()));
        normals.iter_mut().for_each(|x| *x = StandardNormal.sample(&mut generator));
        Ok(CurveSet::new(self.curves.grid().clone(), normals.dot(&self.root.t()) + &self.mean)?)
    }

    /// The mean curve, as many times as there are records.
    pub fn identical(&self, records: usize) -> Result<CurveSet, Box<dyn Error>> {
        let values = Array2::from_shape_fn((records, self.mean.len()), |(_, point)| self.mean[point]);
        Ok(CurveSet::new(self.curves.grid().clone(), values)?)
    }
}
