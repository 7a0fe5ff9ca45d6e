//! The correlation of an outcome with curves, the slope function, and the part of the outcome that it explains of new people.
//!
//! The true slope is `sin(2 pi t) + cos(pi t) / 2` up to its size, the outcome has a standard deviation of a third of its half range, and the
//! rest of it is normal. Errors and widths are in units of the correlation.

use std::f64::consts::PI;

use dpfda::analysis::{DEFAULT_LEVEL, Outcome as OutcomeOfCurves};
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use ndarray::{Array1, Array2};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{OneRelease, RECORDS, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Claim, Outcome, Seen, Unit};
use crate::line::Measure;
use crate::pools::{Pool, line};

/// The parts of the outcome that curves explain.
const EXPLAINED: [(&str, f64); 3] = [("none", 0.0), ("tenth", 0.1), ("two fifths", 0.4)];

/// The standard deviation of the outcome in half ranges.
const SPREAD: f64 = 1.0 / 3.0;

pub fn settings() -> Vec<Setting> {
    every(&EXPLAINED.map(|one| one.0), &["smooth", "cluster", "rough", "t3", "skewed", "cca"], &RECORDS[1..4])
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid, records) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?, cell.records);
    let explained = EXPLAINED.into_iter().find(|one| one.0 == cell.variant).ok_or("no such part")?.1;
    let age = Covariate::Number { name: "outcome".to_owned(), lower: -1.0, upper: 1.0 };
    let settings =
        PrivateRegression::new(pool.ball()?, budget(cell)?, vec![age]).of_outcome("outcome").wanting(Wanted::default());
    let truth = Truth::of(&pool, &grid, explained)?;
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let people = pool.drawn(records, &mut generator);
        let outcomes = truth.drawn(&people, &mut generator);
        let cells = TextColumn::new(outcomes.iter().map(|y| Some(y.to_string())).collect());
        let release = settings.release(&CurveSet::new(grid.clone(), people)?, &[cells], &mut noise(seed))?;
        let estimated = Estimated::<Regression>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let hidden = || {
            let numbers = ["slope", "explained of new people", "stated", "at least"].map(|name| number(name, None));
            [Outcome::unknown("correlation")].into_iter().chain(numbers).collect()
        };
        Ok(estimated.outcome("outcome").map_or_else(|_| hidden(), |found| truth.said(&found)))
    }))
}

/// What is true of a pool and an outcome.
struct Truth {
    mean: Array1<f64>,
    covariance: Array2<f64>,
    /// The slope, with the weights of an integral.
    weighted: Array1<f64>,
    weights: Array1<f64>,
    correlation: Array1<f64>,
    explained: f64,
}

impl Truth {
    fn of(pool: &Pool, grid: &Grid, explained: f64) -> Result<Self, Fault> {
        let unit = grid.to_unit()?;
        let weights = unit.weights().to_owned();
        let shape = unit.points().mapv(|t| (2.0 * PI * t).sin() + (PI * t).cos() / 2.0) * &weights;
        let across = pool.covariance.dot(&shape);
        let weighted = &shape * (SPREAD * (explained / shape.dot(&across)).sqrt());
        let sds = pool.covariance.diag().mapv(f64::sqrt);
        let correlation = pool.covariance.dot(&weighted) / &sds / SPREAD;
        let (mean, covariance) = (pool.mean.clone(), pool.covariance.clone());
        Ok(Self { mean, covariance, weighted, weights, correlation, explained })
    }

    /// The outcomes of these people.
    fn drawn(&self, people: &Array2<f64>, generator: &mut ChaCha20Rng) -> Vec<f64> {
        let rest = SPREAD * (1.0 - self.explained).sqrt();
        let outcome = |person: ndarray::ArrayView1<'_, f64>| {
            let noise: f64 = StandardNormal.sample(generator);
            (&person - &self.mean).dot(&self.weighted) + rest * noise
        };
        people.rows().into_iter().map(outcome).collect()
    }

    fn said(&self, found: &OutcomeOfCurves) -> Vec<Outcome> {
        let correlation = found.correlation();
        let claim = Claim {
            values: correlation.values.clone(),
            lower: correlation.lower.clone(),
            upper: correlation.upper.clone(),
            truth: self.correlation.clone(),
            unit: Unit { half_width: 1.0, error: 1.0 },
        };
        let (slope, explained) = (found.slope().ok(), found.explained().ok());
        let of_new = slope.map(|slope| {
            // of a linear prediction b of b0: 1 - Var((b0 - b) x + rest) / Var y
            let error = &self.weighted - &(&slope.values * &self.weights);
            let missed = error.dot(&self.covariance.dot(&error)) / (SPREAD * SPREAD);
            self.explained - missed
        });
        vec![
            claim.outcome("correlation"),
            // how often it is shown: falsely where nothing is explained
            number("slope", Some(f64::from(u8::from(slope.is_some())))),
            number("explained of new people", of_new),
            number("stated", explained.and_then(|part| part.of_new)),
            // how often curves explain at least as much as is said
            number("at least", explained.map(|part| f64::from(u8::from(part.at_least <= self.explained)))),
        ]
    }
}

/// A number, in the place of a share.
fn number(name: &str, value: Option<f64>) -> Outcome {
    let seen = value.map(|value| Seen { share: Some(value), width: f64::NAN, squared_error: f64::NAN });
    Outcome { quantity: name.to_owned(), measure: Measure::Power, seen }
}
