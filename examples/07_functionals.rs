//! Some numbers about the mean curve with delta = 0, and which noise they need.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::plotting::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::prelude::*;
use dpfda::privacy::{DensityGenerator, KNorm, StudentT};

fn main() -> Result<(), Box<dyn Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.25)?, 1e-2, 1.0)?;
    let settings = PrivateFunctionals::new(ball, 2.0, smoother)?;
    let asked = [
        LinearFunctional::Evaluation { t: 0.5 },
        LinearFunctional::Derivative { t: 0.5 },
        LinearFunctional::Integral { weight: vec![1.0; curves.grid().len()] },
    ];

    // Each of these spends its own epsilon of 2. Laplace and K-norm noise are exact; t noise must be asked for.
    let laws = [Law::DiscreteLaplace {}, Law::KNorm {}, Law::StudentT { degrees_of_freedom: 7.0 }];
    for noise in laws {
        let settings = settings.clone().noise(noise.clone()).idealised_arithmetic();
        let release = settings.release(&curves, &asked, &mut SystemRandomness::new()?)?;
        println!(
            "{noise:?}, {:?} arithmetic: {:.3} +- {:.3}",
            release.arithmetic(),
            Functionals::values(&release),
            Functionals::noise_sd(&release)
        );
    }
    match settings.noise(Law::StudentT { degrees_of_freedom: 7.0 }).release(
        &curves,
        &asked,
        &mut SystemRandomness::new()?,
    ) {
        Err(refused) => println!("refused unless accepted: {refused}"),
        Ok(_) => return Err("noise in floating point must be asked for".into()),
    }

    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    let figure = LineFigure::new(vec![relative_variances(1.0)?, relative_variances(16.0)?])?
        .title("Variance of one coordinate at equal epsilon, relative to K-norm noise")
        .axes("number of functionals", "relative variance");
    fs::write(folder.join("functionals.svg"), figure.to_svg()?)?;
    fs::write(folder.join("functionals.png"), figure.to_png()?)?;
    println!("wrote {}", folder.display());
    Ok(())
}

/// Independent Laplace and multivariate t noise against K-norm noise, for Euclidean sensitivity 1.
fn relative_variances(epsilon: f64) -> Result<LinePanel, Box<dyn Error>> {
    let dimensions: Vec<usize> = (1..=32).collect();
    let x: Vec<f64> = dimensions.iter().map(|d| *d as f64).collect();
    let (mut laplace, mut student_t) = (Vec::new(), Vec::new());
    for &d in &dimensions {
        let k_norm = KNorm::new(d)?;
        let base = k_norm.scale_for(1.0, epsilon)?.powi(2) * k_norm.coordinate_variance();
        // the l1 sensitivity is sqrt(d), the variance of Laplace noise 2 t^2
        laplace.push(2.0 * d as f64 / (epsilon * epsilon) / base);
        let mut least = f64::INFINITY;
        for step in 1..=400 {
            let law = StudentT::new(2.0 + 0.25 * f64::from(step), d)?;
            least = least.min(law.scale_for(1.0, epsilon)?.powi(2) * law.coordinate_variance());
        }
        student_t.push(least / base);
    }
    let series = |label: &str, y| Series { label: label.to_owned(), x: x.clone(), y, style: SeriesStyle::Line };
    let lines =
        vec![series("independent Laplace", laplace), series("multivariate t, best degrees of freedom", student_t)];
    let panel = LinePanel::new(&format!("epsilon = {epsilon}"), AxisScale::Linear, AxisScale::Log10, lines)?;
    Ok(panel.reference(1.0, "K-norm")?)
}
