//! What a posterior costs, and what averaging a large grid in bins changes.

use std::error::Error;
use std::time::Duration;

use dpfda::analysis::{Band, Ladder, Observation, Posterior, SamplingCovariance};
use dpfda::kernels::{Exponential, Grid, Kernel, Matern, Spectrum};
use ndarray::{Array1, ArrayView1};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

use crate::seconds;

const RADIUS: f64 = 0.25;

pub fn print() -> Result<(), Box<dyn Error>> {
    println!(
        "time of one posterior with the default ladder, of one eigenproblem of the same grid, and of a population band"
    );
    for n in [93, 256, 1000, 5000] {
        let observation = observation(&Grid::uniform(0.0, 1.0, n)?, 0.006)?;
        let posterior = || Posterior::new(observation.clone(), &Ladder::default());
        let (time, solved) = (fastest(if n < 500 { 7 } else { 3 }, posterior), posterior()?);
        let band = fastest(3, || Band::Population.around(&solved, &SamplingCovariance::Body, 0.95));
        // a dense eigenproblem of 5000 points takes a minute
        let eigen = (n <= 1000).then(|| {
            let grid = Grid::uniform(0.0, 1.0, n);
            fastest(3, || {
                grid.clone().map(|grid| Matern::new(1.5, 0.2).map(|kernel| Spectrum::new(kernel, grid, 1e-12)))
            })
        });
        let ratio =
            eigen.map_or_else(|| "-".to_owned(), |eigen| format!("{:.1}", time.as_secs_f64() / eigen.as_secs_f64()));
        println!("n = {n}: posterior {time:.1?}, times one eigenproblem: {ratio}, band {band:.1?}");
    }
    println!(
        "\nlargest error of 256 bins against the dense answer, as a share of the posterior sd (values) and relative (sd, width)"
    );
    for (n, name, ladder) in [(1000, "default ladder", Ladder::default()), (1000, "one exponential rung", rough()?)] {
        for sigma in [0.02, 0.006, 0.0006, 0.00006] {
            let of = observation(&Grid::uniform(0.0, 1.0, n)?, sigma)?;
            let (dense, binned) = (Posterior::at_most(of.clone(), &ladder, n)?, Posterior::new(of, &ladder)?);
            let values = largest((&binned.values() - &dense.values()) / dense.sd());
            let sd = largest(&binned.sd() / &dense.sd() - 1.0);
            let noise = largest(&binned.noise_sd() / &dense.noise_sd() - 1.0);
            println!(
                "n = {n}, {name}, sigma / tau = {:.5}: values {values:.5}, sd {sd:.5}, noise sd {noise:.5}",
                sigma / RADIUS
            );
        }
    }
    Ok(())
}

fn rough() -> Result<Ladder, Box<dyn Error>> {
    Ok(Ladder::new(vec![vec![Kernel::from(Exponential::new(0.1)?)]], vec![0.1], -1.0, 0.7)?)
}

/// A wave with a bend, in white noise of this size.
fn observation(grid: &Grid, sigma: f64) -> Result<Observation, Box<dyn Error>> {
    let mut generator = ChaCha20Rng::seed_from_u64(7);
    let points = grid.points().to_owned();
    let y = points.iter().zip(grid.weights()).map(|(t, w)| {
        let noise: f64 = StandardNormal.sample(&mut generator);
        w.sqrt() * 0.08 * ((9.0 * t).sin() + (t - 0.4).abs()) + sigma * noise
    });
    Ok(Observation::isonormal(grid.clone(), Array1::from_elem(grid.len(), 0.5), RADIUS, y.collect(), sigma, 400.0)?)
}

fn fastest<T>(times: usize, job: impl Fn() -> T) -> Duration {
    Duration::from_secs_f64(seconds(times, job)[0])
}

fn largest(values: Array1<f64>) -> f64 {
    let size = |values: ArrayView1<'_, f64>| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    size(values.view())
}
