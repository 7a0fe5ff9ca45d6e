//! Errors of the long-grid methods beside the dense answers on a grid that both can solve.

use std::error::Error;
use std::fmt::Write;

use dpfda::analysis::{Ladder, Observation, Posterior};
use dpfda::kernels::{DEFAULT_TOLERANCE, Exponential, Gaussian, Grid, Kernel, Matern, Spectrum};
use ndarray::{Array1, ArrayView1};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

/// The shortest grid that is compressed.
const POINTS: usize = 2049;
const RADIUS: f64 = 0.25;
/// Noise of the mean as a fraction of the radius: about 250, 2500 and 25,000 records.
const NOISE: [f64; 3] = [0.01, 0.001, 0.0001];

pub fn report() -> Result<String, Box<dyn Error>> {
    let mut part = format!(
        "Errors at n = {POINTS} beside the dense answer, relative to the largest value of the estimate's deviation from the centre \
         (values) and of the sd (sd). The function is a wave with a bend in noise of sigma, the smoother has the default penalty.\n\n\
         | estimate | sigma / tau | values | sd |\n|---|---|---|---|\n"
    );
    let grid = Grid::uniform(0.0, 1.0, POINTS)?;
    let smoothers = [
        ("smoother, Matern 5/2, range .25 (default)", Kernel::from(Matern::new(2.5, 0.25)?)),
        ("smoother, Matern 3/2, range .2", Matern::new(1.5, 0.2)?.into()),
        ("smoother, Gaussian, length scale .1", Gaussian::new(0.02)?.into()),
        ("smoother, exponential, range .5: dense at this size", Exponential::new(0.5)?.into()),
    ];
    for (name, kernel) in smoothers {
        let fast = Spectrum::leading(kernel.clone(), grid.clone(), DEFAULT_TOLERANCE)?;
        let dense = Spectrum::new(kernel, grid.clone(), DEFAULT_TOLERANCE)?;
        for noise in NOISE {
            let (y, sigma) = observed(&grid, noise);
            let deviation = &y / &grid.weights().mapv(f64::sqrt);
            let penalty = (2.0 * noise).powi(2);
            let smooth = |spectrum: &Spectrum<Kernel>| {
                let shares = spectrum.eigenvalues().mapv(|lambda| lambda / (lambda + penalty));
                let variances = spectrum.variances(|rows| {
                    let factor = &rows * &(&shares * sigma).insert_axis(ndarray::Axis(0));
                    factor.dot(&factor.t())
                });
                let coefficients = spectrum.coefficients(deviation.view()) * &shares;
                (spectrum.values(coefficients.view()), variances.mapv(f64::sqrt))
            };
            let ((values, sd), (dense_values, dense_sd)) = (smooth(&fast), smooth(&dense));
            write_row(&mut part, name, noise, relative(&values, &dense_values), relative(&sd, &dense_sd))?;
        }
    }
    for noise in NOISE {
        let (y, sigma) = observed(&grid, noise);
        let centre = Array1::from_elem(POINTS, 0.5);
        let observation = Observation::isonormal(grid.clone(), centre.clone(), RADIUS, y, sigma, 400.0)?;
        let dense = Posterior::at_most(observation.clone(), &Ladder::default(), POINTS)?;
        let fast = Posterior::new(observation, &Ladder::default())?;
        let values = relative(&(&fast.values() - &centre), &(&dense.values() - &centre));
        let sd = relative(&fast.sd().to_owned(), &dense.sd().to_owned());
        write_row(&mut part, "posterior, default ladder", noise, values, sd)?;
    }
    Ok(part + "\n")
}

fn write_row(part: &mut String, name: &str, noise: f64, values: f64, sd: f64) -> Result<(), Box<dyn Error>> {
    Ok(writeln!(part, "| {name} | {noise} | {values:.1e} | {sd:.1e} |")?)
}

/// A wave with a bend in isonormal coordinates, with its noise, in data units.
fn observed(grid: &Grid, noise: f64) -> (Array1<f64>, f64) {
    let (sigma, mut generator) = (noise * RADIUS, ChaCha20Rng::seed_from_u64(7));
    let one = |(t, w): (&f64, &f64)| {
        let noise: f64 = StandardNormal.sample(&mut generator);
        w.sqrt() * 0.08 * ((9.0 * t).sin() + (t - 0.4).abs()) + sigma * noise
    };
    (grid.points().iter().zip(grid.weights()).map(one).collect(), sigma)
}

fn relative(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    let size = |values: ArrayView1<'_, f64>| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    size((a - b).view()) / size(b.view())
}
