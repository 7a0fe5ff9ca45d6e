//! Figures of densities.

use dpfda_density::{Bounds, Cells, HistogramRelease, PerturbedHistogram, Points};
use dpfda_plotting::{DensityFigure, captions};
use dpfda_privacy::SeededRandomness;
use ndarray::Array2;

use super::people::{budget, noise};
use super::{Picture, picture};

const NAMES: [&str; 3] = ["age", "weight", "height"];

pub fn all() -> Vec<Picture> {
    vec![
        of_one_axis("density", false),
        of_one_axis("density-distribution", true),
        picture("density-without-band", |frame| {
            let release = released(1, 40);
            DensityFigure::new(release.density()).axes(&NAMES[..1]).unwrap().without_noise().framed(frame)
        }),
        of_axes("density-two-axes", 2, 16),
        of_axes("density-three-axes", 3, 8),
    ]
}

/// Sums of three numbers that look random, on axes from 0 to 100.
fn released(axes: usize, cells: usize) -> HistogramRelease {
    let bounds = Bounds::new(vec![(0.0, 100.0); axes]).unwrap();
    let value = |(i, j): (usize, usize)| 45.0 + 10.0 * (noise(i, 1) + noise(i, j + 2) + noise(i, j + 9));
    let points = Points::new(Array2::from_shape_fn((5000, axes), value), bounds.clone()).unwrap();
    let histogram = PerturbedHistogram::new(Cells::new(bounds, cells).unwrap(), budget(1.0));
    histogram.release(&points, &mut SeededRandomness::from_seed(9)).unwrap()
}

fn figure(release: &HistogramRelease, axes: usize) -> DensityFigure {
    let facts: Vec<String> = captions(&release.facts()).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let figure = DensityFigure::new(release.density()).axes(&NAMES[..axes]).unwrap().caption(&facts);
    figure.with_noise(release.probability_sd())
}

fn of_one_axis(name: &'static str, has_distribution: bool) -> Picture {
    let release = released(1, 40);
    picture(name, move |frame| {
        let figure = figure(&release, 1);
        if !has_distribution {
            return figure.framed(frame);
        }
        let merged = release.merged(10).unwrap();
        let figure = figure.with_density("with merged cells", merged.density()).unwrap();
        figure.with_distribution().unwrap().noise_from_a_seed().framed(frame)
    })
}

fn of_axes(name: &'static str, axes: usize, cells: usize) -> Picture {
    let release = released(axes, cells);
    picture(name, move |frame| figure(&release, axes).framed(frame))
}
