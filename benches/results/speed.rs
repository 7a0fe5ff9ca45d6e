//! Speed, as ratios against NumPy doing the same in the same run, one thread each.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use dpfda::prelude::*;
use dpfda::privacy::RoundedNormal;
use ndarray::Array2;
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};

use crate::selection;
use crate::timing::{NOT_MEASURED, numpy, ratio_row, time};

pub fn report() -> Result<String, Box<dyn Error>> {
    let mut page = String::from(
        "## Speed\n\nMedians of several runs, alternating with NumPy on the same machine, one thread each; the ratio is ours over \
         NumPy's, median over rounds. Machines differ: read the ratios.\n\n| task | ours | NumPy | ratio | target |\n|---|---|---|---|---|\n",
    );
    for (n, target) in [(100, 0.7), (1000, 0.5)] {
        for kernel in ["gaussian", "matern32"] {
            eprintln!("speed: spectrum {n} {kernel}");
            let ours = || time(if n > 500 { 5 } else { 200 }, || spectrum(n, kernel));
            let numpy = || numpy("spectrum.py", &[&n.to_string(), kernel]);
            ratio_row(&mut page, &format!("spectrum, uniform grid, n = {n}, {kernel}"), ours, numpy, target)?;
        }
    }
    eprintln!("speed: a million curves");
    let curves = million_curves()?;
    let ball = Ball::new(Center::Constant(0.0), 0.289)?;
    let private_mean =
        PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?).buying(dpfda::release::BallShares::NONE);
    let without = private_mean.clone().moments(MomentsChoice::None);
    let mut randomness = SystemRandomness::new()?;
    let ours = || {
        time(5, || {
            let release = without.release(&curves, &mut randomness);
            Ok(release?.function().integral())
        })
    };
    let numpy = || numpy("clip_mean.py", &["1000000", "93"]);
    ratio_row(
        &mut page,
        "release of 10^6 curves of 93 points in memory, without second moments (NumPy: clip and mean only)",
        ours,
        numpy,
        0.5,
    )?;
    selection::rows(&mut page)?;
    page += "\n";
    page += &moments(&curves, [&without, &private_mean])?;
    page += &own_numbers()?;
    selection::own_numbers(&mut page)?;
    Ok(page)
}

/// What second moments take.
fn moments(curves: &CurveSet, [without, with]: [&PrivateMean; 2]) -> Result<String, Box<dyn Error>> {
    let encoded = |mean: &PrivateMean| time(5, || Ok(mean.prepare(curves)?.mechanism().noise().scale()));
    let (without, with) = (encoded(without)?, encoded(with)?);
    Ok(format!(
        "- Encoding and summing 10^6 curves of 93 points: {without:.2} s; with second moments of 40 coordinates {with:.2} s, {:.1} \
         times as long.\n",
        with / without
    ))
}

/// What NumPy has no equal to: the sampler, and the command from file to figure.
fn own_numbers() -> Result<String, Box<dyn Error>> {
    let mut page = String::new();
    let (noise, mut randomness) = (RoundedNormal::new(31_294_000)?, SystemRandomness::new()?);
    let draws = 1_000_000;
    let seconds = time(5, || Ok((0..draws).map(|_| black_box(noise.sample(&mut randomness)) as f64).sum::<f64>()))?;
    writeln!(page, "- Exactly rounded normal: {:.1} million draws a second.", f64::from(draws) / seconds / 1e6)?;

    let command = Path::new("target/release/dpfda");
    let folder = tempfile::tempdir()?;
    let mut run = 0;
    let seconds = time(5, || {
        run += 1;
        let arguments = ["release", "data/dti_like.csv", "--values", "cca_*", "--subject", "ID", "--center", "0.5"];
        let more = ["--radius", "0.25", "--epsilon", "1", "--delta", "1e-5", "--out"];
        let out = folder.path().join(run.to_string());
        let status = Command::new(command).args(arguments).args(more).arg(out).output()?.status;
        if status.success() { Ok(0.0) } else { Err("the command failed".into()) }
    });
    match seconds {
        Ok(seconds) => writeln!(
            page,
            "- The main job from the command line on `data/dti_like.csv`, file to figures: {seconds:.2} s (target: under 1 s)."
        )?,
        Err(reason) => writeln!(
            page,
            "- The main job from the command line: {NOT_MEASURED} ({reason}); run `cargo build --release` first."
        )?,
    }
    Ok(page)
}

fn spectrum(n: usize, kernel: &str) -> Result<f64, Box<dyn Error>> {
    let kernel: Kernel = if kernel == "gaussian" { Gaussian::new(0.05)?.into() } else { Matern::new(1.5, 0.2)?.into() };
    Ok(Spectrum::new(kernel, Grid::uniform(0.0, 1.0, n)?, DEFAULT_TOLERANCE)?.eigenvalues()[0])
}

fn million_curves() -> Result<CurveSet, Box<dyn Error>> {
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let values = Array2::from_shape_simple_fn((1_000_000, 93), || generator.random_range(-0.5..0.5));
    Ok(CurveSet::new(Grid::uniform(0.0, 1.0, 93)?, values)?)
}
