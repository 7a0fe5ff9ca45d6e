//! Subjects who are seen at times of their own: draws of the Gaussian process with the moments of real curves.

use std::error::Error;
use std::path::Path;

use dpfda::kernels::eigenpairs;
use dpfda::prelude::*;
use ndarray::{Array1, Array2, Axis};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

/// The standard deviation of a measurement.
const NOISE: f64 = 0.03;

/// The rows of one subject: times and values.
pub type Subject = Vec<(f64, f64)>;

pub struct Subjects {
    grid: Grid,
    mean: Array1<f64>,
    people: CurveSet,
    /// The mean plus this times standard normals is a draw of the process.
    root: Array2<f64>,
}

impl Subjects {
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let curves = CurveSet::read_csv(path, &CurveLayout::new("cca_*")?)?.complete();
        let mean = curves.raw_mean().into_revealed();
        let deviations = &curves.values() - &mean;
        let pairs = eigenpairs(&(deviations.t().dot(&deviations) / (curves.len() as f64 - 1.0)))?;
        let root = pairs.vectors * pairs.values.mapv(|value| value.max(0.0).sqrt());
        Ok(Self { grid: curves.unit_grid().clone(), mean, root, people: curves })
    }

    /// The curves of real people.
    pub fn people(&self) -> &CurveSet {
        &self.people
    }

    /// So many subjects, each seen at every point of the grid, without measurement noise.
    pub fn complete(&self, records: usize, seed: u64) -> Result<CurveSet, Box<dyn Error>> {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let normal = || -> f64 { StandardNormal.sample(&mut generator) };
        let coefficients = Array2::from_shape_simple_fn((records, self.root.ncols()), normal);
        Ok(CurveSet::new(self.grid.clone(), coefficients.dot(&self.root.t()) + &self.mean)?)
    }

    /// A curve of the grid at a time, linear between the points.
    fn at(&self, curve: &Array1<f64>, time: f64) -> f64 {
        let cells = self.mean.len() - 1;
        let place = time.clamp(0.0, 1.0) * cells as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the number of cells")]
        let left = (place as usize).min(cells - 1);
        curve[left] + (place - left as f64) * (curve[left + 1] - curve[left])
    }

    /// The true mean at a time.
    pub fn mean_at(&self, time: f64) -> f64 {
        self.at(&self.mean, time)
    }

    /// So many subjects, each seen so many times.
    pub fn drawn(&self, records: usize, points: usize, seed: u64) -> Vec<Subject> {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let mut normal = || -> f64 { StandardNormal.sample(&mut generator) };
        let coefficients = Array2::from_shape_simple_fn((records, self.root.ncols()), &mut normal);
        let curves = coefficients.dot(&self.root.t()) + &self.mean;
        let mut times = ChaCha20Rng::seed_from_u64(!seed);
        let subject = |curve: Array1<f64>| {
            let mut row = || {
                let time = times.random_range(0.0..1.0);
                let noise: f64 = StandardNormal.sample(&mut times);
                (time, self.at(&curve, time) + NOISE * noise)
            };
            (0..points).map(|_| row()).collect()
        };
        curves.axis_iter(Axis(0)).map(|curve| curve.to_owned()).map(subject).collect()
    }

    /// The same on the grid: each value at the nearest point, all others missing.
    pub fn as_curves(&self, people: &[Subject]) -> Result<CurveSet, Box<dyn Error>> {
        let last = self.mean.len() - 1;
        let mut values = Array2::from_elem((people.len(), last + 1), f64::NAN);
        for (subject, mut row) in people.iter().zip(values.rows_mut()) {
            for (time, value) in subject {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last point")]
                let place = (time * last as f64).round() as usize;
                row[place.min(last)] = *value;
            }
        }
        Ok(CurveSet::new(self.grid.clone(), values)?)
    }

    /// The root-mean-square distance of an estimate from the mean.
    pub fn error(&self, grid: &Grid, values: &Array1<f64>) -> f64 {
        let squares: Array1<f64> =
            grid.points().iter().zip(values).map(|(time, value)| (value - self.mean_at(*time)).powi(2)).collect();
        (grid.integrate(squares.view()) / grid.length()).sqrt()
    }

    /// The distance of the mean from the centre.
    pub fn error_of_centre(&self) -> f64 {
        self.error(&self.grid, &Array1::from_elem(self.mean.len(), 0.5))
    }
}
