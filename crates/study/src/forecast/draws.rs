//! Random numbers for people who are made up: they protect nothing.

use ndarray::{Array1, Array2};
use rand::rngs::ChaCha20Rng;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use super::waves::Waves;

/// Random numbers for people who are made up.
pub struct Draws(ChaCha20Rng);

impl Draws {
    /// Those of a seed.
    pub fn of(seed: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(seed))
    }

    /// A number from 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        self.0.random_range(0.0..1.0)
    }

    /// One of so many.
    pub fn one_of(&mut self, number: usize) -> usize {
        self.0.random_range(0..number)
    }

    /// Standard normal numbers.
    pub fn normals(&mut self, shape: (usize, usize)) -> Array2<f64> {
        Array2::from_shape_simple_fn(shape, || StandardNormal.sample(&mut self.0))
    }

    /// A random function by its waves, with this root mean square.
    pub fn function(&mut self, waves: &Waves, size: f64) -> Array1<f64> {
        let drawn = self.normals((1, waves.sd.len())).row(0).to_owned() * &waves.sd;
        let norm = drawn.dot(&drawn).sqrt();
        drawn * (size / norm)
    }

    /// Leaves each person so many values, at random times.
    pub fn hide(&mut self, values: &mut Array2<f64>, seen: usize) {
        let times = values.ncols();
        for mut row in values.rows_mut() {
            let kept = sample(&mut self.0, times, seen.min(times)).into_vec();
            let all = row.to_owned();
            row.fill(f64::NAN);
            for time in kept {
                row[time] = all[time];
            }
        }
    }
}
