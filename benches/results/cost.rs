//! What the default estimate costs: time beside NumPy's eigensolver and beside the release, and memory.

use std::error::Error;
use std::fmt::Write;
use std::process::Command;

use dpfda::analysis::{AnalysisError, Observation};
use dpfda::prelude::*;
use ndarray::{Array1, Array2};
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

use crate::timing::{NOT_MEASURED, numpy, time};

/// The word by which this program asks itself for one posterior in a process of its own.
pub const ALONE: &str = "posterior-alone";
const LARGE: usize = 5000;
const SMALL: usize = 93;
/// Points of the eigenproblem that the posterior of a large grid is compared with: a larger one takes NumPy minutes.
const EIGENPROBLEM: usize = 1000;
const RADIUS: f64 = 0.25;

pub fn report() -> Result<String, Box<dyn Error>> {
    let mut page = String::from(
        "## Cost of the estimate\n\nThe time is the median of several runs of the posterior with the default ladder, on one thread, without \
         the release. It is compared with one eigenproblem (Matern 3/2) in NumPy in the same run, and with our release of 1000 curves \
         on the same grid. Machines differ: read the ratios. The memory is the largest that a process with nothing but one \
         posterior had.\n\n| points | posterior | over one eigenproblem in NumPy | over the release | memory |\n|---|---|---|---|---|\n",
    );
    for (points, runs, eigenproblem) in [(SMALL, 25, SMALL), (LARGE, 5, EIGENPROBLEM)] {
        eprintln!("cost of the estimate: {points} points");
        let observation = observation(points)?;
        let posterior = time(runs, || solved(&observation))?;
        let release = time(runs, releases(points)?)?;
        let against = numpy("spectrum.py", &[&eigenproblem.to_string(), "matern32"]).map_or_else(
            || NOT_MEASURED.to_owned(),
            |numpy| format!("{:.2} ({eigenproblem} points)", posterior / numpy),
        );
        writeln!(
            page,
            "| {points} | {:.1} ms | {against} | {:.2} | {} |",
            posterior * 1e3,
            posterior / release,
            memory(points).unwrap_or_else(|| "-".to_owned())
        )?;
    }
    Ok(page + "\n")
}

/// One posterior, and the largest memory of this process in MB.
pub fn alone(points: usize) -> Result<(), Box<dyn Error>> {
    solved(&observation(points)?)?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    println!("{}", kilobytes.ok_or("no VmHWM")?.trim().parse::<u64>()? / 1000);
    Ok(())
}

/// What [`alone`] says in a process of its own; nothing where the system does not tell.
fn memory(points: usize) -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program).args([ALONE, &points.to_string()]).output().ok()?;
    let megabytes: u64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(format!("{megabytes} MB"))
}

fn solved(observation: &Observation) -> Result<f64, Box<dyn Error>> {
    let posterior = |observation| -> Result<f64, AnalysisError> {
        Ok(Posterior::new(observation, &Ladder::default())?.values()[0])
    };
    Ok(posterior(observation.clone())?)
}

/// A wave with a bend in white noise, as a release of 400 curves would show it.
fn observation(points: usize) -> Result<Observation, Box<dyn Error>> {
    let (grid, sigma) = (Grid::uniform(0.0, 1.0, points)?, 0.006);
    let mut generator = ChaCha20Rng::seed_from_u64(7);
    let y: Array1<f64> = grid
        .points()
        .iter()
        .zip(grid.weights())
        .map(|(t, w)| {
            let noise: f64 = StandardNormal.sample(&mut generator);
            w.sqrt() * 0.08 * ((9.0 * t).sin() + (t - 0.4).abs()) + sigma * noise
        })
        .collect();
    Ok(Observation::isonormal(grid, Array1::from_elem(points, 0.5), RADIUS, y, sigma, 400.0)?)
}

/// Work to be timed.
type Job = Box<dyn FnMut() -> Result<f64, Box<dyn Error>>>;

/// The default release of 1000 curves: encoding, second moments, a bought radius, noise.
fn releases(points: usize) -> Result<Job, Box<dyn Error>> {
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let values = Array2::from_shape_simple_fn((1000, points), || generator.random_range(0.3..0.7));
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, points)?, values)?;
    let ball = Ball::new(Center::Constant(0.5), RADIUS)?;
    let settings = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?);
    let mut randomness = SystemRandomness::new()?;
    Ok(Box::new(move || Ok(settings.prepare(&curves)?.draw_unrecorded(&mut randomness).coordinates().len() as f64)))
}
