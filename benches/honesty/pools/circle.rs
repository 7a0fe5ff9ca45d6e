//! Pools of curves on a circle.

use std::f64::consts::PI;

use dpfda::prelude::*;
use ndarray::{Array1, Array2};

use super::process::{Draws, PEOPLE, bump, exponential, matern, of_distances, outer, scaled};
use super::{POINTS, Pool};
use crate::Fault;

pub const NAMES: [&str; 9] = ["smooth", "cluster", "step", "peak", "rough", "t3", "periodic", "constant", "fold"];

const SD: f64 = 0.06;
const UNIT: (f64, f64) = (0.0, 1.0);

pub fn grid() -> Result<Grid, Fault> {
    Ok(Grid::circle(0.0, 1.0, POINTS - 1)?)
}

pub fn pool(name: &str) -> Result<Pool, Fault> {
    let t = grid()?.points().to_owned();
    let mut draws = Draws::new(&format!("circle {name}"), PEOPLE);
    let people = draws.process(&covariance(&t, &matern(2.5, 0.2)?));
    let mean = t.mapv(|t| 0.5 + 0.1 * (2.0 * PI * (t - 0.1)).sin() + 0.04 * (6.0 * PI * t).cos());
    Ok(match name {
        "smooth" => Pool::about(UNIT, &mean, people),
        "cluster" => {
            let place = t.mapv(|t| -0.3 + 0.1 * (2.0 * PI * t).cos());
            Pool::about(UNIT, &mean, people + outer(&draws.chosen(0.2), &place))
        }
        "step" => Pool::about(UNIT, &t.mapv(|t| if (0.25..0.75).contains(&t) { 0.65 } else { 0.4 }), people),
        // over the seam
        "peak" => {
            let peak = bump(t.view(), 0.0, 0.025) + bump(t.view(), 1.0, 0.025);
            Pool::about(UNIT, &(peak * 0.3 + 0.45), people)
        }
        "rough" => {
            let covariance = covariance(&t, &exponential(0.3)?);
            let path = Draws::new("a rough mean of a circle", 1).process(&covariance).row(0).to_owned();
            Pool::about(UNIT, &(path * 1.5 + 0.45), draws.process(&covariance))
        }
        "t3" => Pool::about(UNIT, &mean, scaled(people, &draws.heavy())),
        "periodic" => {
            let wave = |of: fn(f64) -> f64| t.mapv(|t| 0.08 * of(2.0 * PI * t));
            let (sine, cosine) = (wave(f64::sin), wave(f64::cos));
            Pool::about(UNIT, &mean, outer(&draws.normal(), &sine) + outer(&draws.normal(), &cosine))
        }
        "constant" => Pool::about(UNIT, &t.mapv(|_| 0.45), people),
        // a line that was taken for a circle: it jumps at the seam
        "fold" => Pool::about(UNIT, &t.mapv(|t| 0.4 + 0.2 * t), people),
        _ => return Err(format!("no pool on a circle is called {name}").into()),
    })
}

/// The covariance of a kernel of chords.
fn covariance(t: &Array1<f64>, kernel: &Kernel) -> Array2<f64> {
    of_distances(t.len(), kernel, SD, |i, j| (PI * (t[i] - t[j])).sin().abs() / PI)
}
