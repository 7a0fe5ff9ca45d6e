//! Pools of surfaces on a rectangle.

use std::f64::consts::PI;

use dpfda::prelude::*;
use ndarray::{Array1, Array2};

use super::Pool;
use super::process::{Draws, exponential, matern, outer, scaled};
use crate::Fault;

pub const NAMES: [&str; 6] = ["smooth", "bump", "step", "rough", "cluster", "t3"];

const SHAPE: (usize, usize) = (16, 12);
const PEOPLE: usize = 5000;
const SD: f64 = 0.06;
const UNIT: (f64, f64) = (0.0, 1.0);

pub fn grid() -> Result<SurfaceGrid, Fault> {
    Ok(SurfaceGrid::new(Grid::uniform(0.0, 1.0, SHAPE.0)?, Grid::uniform(0.0, 1.0, SHAPE.1)?)?)
}

pub fn pool(name: &str) -> Result<Pool, Fault> {
    let grid = grid()?;
    let [s, t] = grid.axes();
    let places: Vec<(f64, f64)> =
        s.points().into_iter().flat_map(|s| t.points().into_iter().map(move |t| (*s, *t))).collect();
    let mut draws = Draws::new(&format!("surface {name}"), PEOPLE);
    let at = |of: fn(f64, f64) -> f64| places.iter().map(|(s, t)| of(*s, *t)).collect::<Array1<f64>>();
    let mean = at(|s, t| 0.5 + 0.1 * (2.0 * PI * s).sin() * (PI * t).cos() + 0.05 * t);
    let kernel = if name == "rough" { exponential(0.4)? } else { matern(2.5, 0.3)? };
    let people = draws.process(&covariance(&places, &kernel));
    Ok(match name {
        "smooth" => Pool::about(UNIT, &mean, people),
        "bump" => {
            let bump = at(|s, t| 0.3 * (-((s - 0.6).powi(2) + (t - 0.4).powi(2)) / (2.0 * 0.07 * 0.07)).exp());
            Pool::about(UNIT, &(bump + 0.45), people)
        }
        "step" => Pool::about(UNIT, &at(|s, t| if s + 0.5 * t < 0.75 { 0.4 } else { 0.65 }), people),
        "rough" => {
            let path = Draws::new("a rough surface", 1).process(&covariance(&places, &kernel)).row(0).to_owned();
            Pool::about(UNIT, &(path * 1.5 + 0.45), people)
        }
        "cluster" => {
            let place = at(|s, t| -0.3 + 0.1 * (2.0 * PI * s).cos() * t);
            Pool::about(UNIT, &mean, people + outer(&draws.chosen(0.2), &place))
        }
        "t3" => Pool::about(UNIT, &mean, scaled(people, &draws.heavy())),
        _ => return Err(format!("no pool of surfaces is called {name}").into()),
    })
}

/// The product of a kernel along both axes.
fn covariance(places: &[(f64, f64)], kernel: &Kernel) -> Array2<f64> {
    Array2::from_shape_fn((places.len(), places.len()), |(i, j)| {
        let ((s, t), (u, v)) = (places[i], places[j]);
        SD * SD * kernel.covariance(s, u) * kernel.covariance(t, v)
    })
}
