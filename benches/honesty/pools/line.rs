//! Pools of curves on an interval.

use std::f64::consts::PI;

use dpfda::prelude::*;
use ndarray::{Array1, Array2};

use super::process::{Draws, PEOPLE, bump, exponential, matern, of_distances, outer, scaled};
use super::{POINTS, Pool, real};
use crate::Fault;

pub const NAMES: [&str; 24] = [
    "smooth",
    "long",
    "uneven",
    "cluster",
    "step",
    "peak",
    "rough",
    "t3",
    "skewed",
    "constant",
    "level",
    "wave",
    "noisy",
    "periodic",
    "wide",
    "edge",
    "low",
    "widening",
    "halves",
    "lognormal",
    "dip",
    "few",
    "far",
    "cca",
];

const LONG: usize = 200;
/// How much people of most pools vary.
const SD: f64 = 0.06;
const UNIT: (f64, f64) = (0.0, 1.0);

/// The grid of a pool.
pub fn grid(name: &str) -> Result<Grid, Fault> {
    Ok(match name {
        _ if real::is_real(name) => real::grid()?,
        // more points than the half norm tells waves apart
        "long" => Grid::uniform(0.0, 1.0, LONG)?,
        "uneven" => Grid::new((0..POINTS).map(|i| (i as f64 / (POINTS - 1) as f64).powf(1.5)).collect())?,
        _ => Grid::uniform(0.0, 1.0, POINTS)?,
    })
}

/// The pool of a name, on its grid.
pub fn pool(name: &str) -> Result<Pool, Fault> {
    if real::is_real(name) {
        return real::pool(name);
    }
    let t = grid(name)?.points().to_owned();
    let mut line = Line { draws: Draws::new(name, PEOPLE), t };
    let people = line.smooth(SD)?;
    let mean = line.spline();
    Ok(match name {
        "smooth" | "long" | "uneven" => Pool::about(UNIT, &mean, people),
        "cluster" | "far" => {
            let (far, depth) = (line.draws.chosen(0.2), if name == "far" { 0.3 } else { 0.2 });
            let place = line.t.mapv(|t| -depth + 0.1 * (2.0 * PI * t).cos());
            Pool::about(UNIT, &((mean - 0.5) * 0.5 + 0.5), people * 0.7 + outer(&far, &place))
        }
        "step" => Pool::about(UNIT, &line.t.mapv(|t| if t < 0.5 { 0.4 } else { 0.65 }), people),
        "peak" => Pool::about(UNIT, &(bump(line.t.view(), 0.6, 0.02) * 0.4 + 0.4), people),
        "rough" => {
            let covariance = line.covariance(&exponential(0.3)?, SD);
            // one draw is the mean, scaled to where the smooth one is
            let path = Draws::new("a rough mean", 1).process(&covariance).row(0).to_owned();
            Pool::about(UNIT, &(path * 2.0 + 0.45), line.draws.process(&covariance))
        }
        "t3" => {
            let sizes = line.draws.heavy();
            Pool::about(UNIT, &mean, scaled(people, &sizes))
        }
        "skewed" => {
            let sizes = line.draws.exponential() - 1.0;
            let shape = line.t.mapv(|t| 0.08 * (1.0 + 0.5 * (2.0 * PI * t).sin()));
            Pool::about(UNIT, &mean, people * 0.5 + outer(&sizes, &shape))
        }
        "constant" => Pool::about(UNIT, &line.t.mapv(|_| 0.45), people),
        "level" => {
            let levels = line.draws.normal();
            Pool::about(UNIT, &mean, outer(&levels, &line.t.mapv(|_| 0.08)))
        }
        "wave" => Pool::about(UNIT, &line.t.mapv(|t| 0.5 + 0.1 * (16.0 * PI * t).sin()), people),
        "noisy" => {
            let noise = line.draws.normals(POINTS) * 0.08;
            Pool::about(UNIT, &mean, people + noise)
        }
        "periodic" => {
            let wave = |of: fn(f64) -> f64| line.t.mapv(|t| 0.08 * of(2.0 * PI * t));
            let (sine, cosine) = (wave(f64::sin), wave(f64::cos));
            let people = outer(&line.draws.normal(), &sine) + outer(&line.draws.normal(), &cosine);
            Pool::about(UNIT, &line.t.mapv(|t| 0.5 + 0.12 * (2.0 * PI * t).sin()), people)
        }
        "wide" => Pool::about((40.0, 400.0), &((mean - 0.5) * 150.0 + 110.0), people * (20.0 / SD)),
        "edge" => Pool::about(UNIT, &((mean - 0.5) * 0.2 + 0.93), people * (0.02 / SD)),
        "low" => Pool::about(UNIT, &((mean - 0.5) * 0.5 + 0.2), people * (0.05 / SD)),
        // people of whom all differ three times as much at the end as at the start
        "widening" => Pool::about(UNIT, &mean, &people * &line.t.mapv(|t| (0.04 + 0.08 * t) / SD)),
        _ => hard(name, &mut line, people)?,
    })
}

/// Pools in which few people are far away, and that the allowance for those who are pulled in is too small for.
fn hard(name: &str, line: &mut Line, people: Array2<f64>) -> Result<Pool, Fault> {
    let (t, mean) = (line.t.clone(), line.spline());
    Ok(match name {
        "halves" => {
            let signs = line.draws.chosen(0.5) * 2.0 - 1.0;
            Pool::about(UNIT, &mean, people * 0.5 + outer(&signs, &(bump(t.view(), 0.5, 0.1) * 0.15)))
        }
        "lognormal" => {
            let sizes = line.draws.normal().mapv(f64::exp);
            let shape = t.mapv(|t| 0.05 * (0.5 + bump(Array1::from_elem(1, t).view(), 0.5, 0.15)[0]));
            Pool::about(UNIT, &mean, people * 0.5 + outer(&sizes, &shape))
        }
        "dip" => {
            let dip = t.mapv(|t| if (0.4..0.6).contains(&t) { -0.25 } else { 0.0 });
            Pool::about(UNIT, &mean, people * 0.5 + outer(&line.draws.chosen(0.3), &dip))
        }
        "few" => {
            Pool::about(UNIT, &mean, people * 0.5 + outer(&line.draws.chosen(0.05), &(bump(t.view(), 0.5, 0.1) * 0.4)))
        }
        _ => return Err(format!("no pool on a line is called {name}").into()),
    })
}

struct Line {
    draws: Draws,
    t: Array1<f64>,
}

impl Line {
    fn covariance(&self, kernel: &Kernel, sd: f64) -> Array2<f64> {
        of_distances(self.t.len(), kernel, sd, |i, j| (self.t[i] - self.t[j]).abs())
    }

    fn smooth(&mut self, sd: f64) -> Result<Array2<f64>, Fault> {
        let covariance = self.covariance(&matern(2.5, 0.2)?, sd);
        Ok(self.draws.process(&covariance))
    }

    /// A mean as a spline has it, about 0.5.
    fn spline(&self) -> Array1<f64> {
        self.t.mapv(|t| 0.5 + 0.1 * (2.0 * PI * (t - 0.1)).sin() + 0.04 * (5.0 * PI * t).cos())
    }
}
