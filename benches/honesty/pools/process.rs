//! People as draws of processes, and what makes some of them different.

use dpfda::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp1, StandardNormal};

use crate::Fault;
use crate::cell::hash;
use crate::cholesky::cholesky;

/// The curves of a pool.
pub const PEOPLE: usize = 20_000;

/// What the curves of a pool are made of: its numbers follow from its name.
pub struct Draws {
    generator: ChaCha20Rng,
    people: usize,
}

impl Draws {
    pub fn new(name: &str, people: usize) -> Self {
        Self { generator: ChaCha20Rng::seed_from_u64(hash(name)), people }
    }

    pub fn normals(&mut self, columns: usize) -> Array2<f64> {
        Array2::from_shape_simple_fn((self.people, columns), || StandardNormal.sample(&mut self.generator))
    }

    /// Draws of a Gaussian process with this covariance, a row each.
    pub fn process(&mut self, covariance: &Array2<f64>) -> Array2<f64> {
        self.normals(covariance.nrows()).dot(&cholesky(covariance).t())
    }

    /// For each person 1 with this probability, else 0.
    pub fn chosen(&mut self, share: f64) -> Array1<f64> {
        let is_chosen = || f64::from(u8::from(self.generator.random_range(0.0..1.0) < share));
        Array1::from_shape_simple_fn(self.people, is_chosen)
    }

    /// Rows of a table, each person's any of them.
    pub fn rows_of(&mut self, table: &Array2<f64>) -> Array2<f64> {
        let rows: Vec<usize> = (0..self.people).map(|_| self.generator.random_range(0..table.nrows())).collect();
        table.select(Axis(0), &rows)
    }

    pub fn normal(&mut self) -> Array1<f64> {
        Array1::from_shape_simple_fn(self.people, || StandardNormal.sample(&mut self.generator))
    }

    pub fn exponential(&mut self) -> Array1<f64> {
        Array1::from_shape_simple_fn(self.people, || Exp1.sample(&mut self.generator))
    }

    /// Factors that make normal numbers those of Student's law with 3 degrees of freedom, scaled to the same variance.
    pub fn heavy(&mut self) -> Array1<f64> {
        let squares = |_| -> f64 {
            let normals: [f64; 3] = std::array::from_fn(|_| StandardNormal.sample(&mut self.generator));
            normals.iter().map(|x| x * x).sum()
        };
        (0..self.people).map(squares).map(|chi| 1.0 / chi.sqrt()).collect()
    }
}

/// A row for each person: a size times a shape.
pub fn outer(sizes: &Array1<f64>, shape: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((sizes.len(), shape.len()), |(person, point)| sizes[person] * shape[point])
}

/// Each row times the size of its person.
pub fn scaled(mut rows: Array2<f64>, sizes: &Array1<f64>) -> Array2<f64> {
    for (mut row, size) in rows.rows_mut().into_iter().zip(sizes) {
        row *= *size;
    }
    rows
}

/// A bump of height 1.
pub fn bump(t: ArrayView1<'_, f64>, middle: f64, width: f64) -> Array1<f64> {
    t.mapv(|t| (-0.5 * ((t - middle) / width).powi(2)).exp())
}

/// The covariance of a kernel between points that are so far apart.
pub fn of_distances(points: usize, kernel: &Kernel, sd: f64, distance: impl Fn(usize, usize) -> f64) -> Array2<f64> {
    Array2::from_shape_fn((points, points), |(i, j)| sd * sd * kernel.covariance(0.0, distance(i, j)))
}

pub fn matern(smoothness: f64, range: f64) -> Result<Kernel, Fault> {
    Ok(Matern::new(smoothness, range)?.into())
}

pub fn exponential(range: f64) -> Result<Kernel, Fault> {
    Ok(Exponential::new(range)?.into())
}
