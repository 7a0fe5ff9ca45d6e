//! Means without a delta: what their estimates and bands are worth.

use std::fmt::Write as _;

use dpfda::analysis::{DEFAULT_LEVEL, share_outside};
use dpfda::prelude::*;
use dpfda::release::Mean;
use ndarray::Array1;

use super::{Outcome, Subjects, ball, budget};
use crate::measured::{Measured, of_seeds};

const DRAWS: u64 = 100;

/// The largest error with 12 coordinates at epsilon 1.
const TARGET: f64 = 0.0177;

fn plan(guarantee: (f64, f64), coordinates: usize) -> Outcome<PrivateMean> {
    let plan = PrivateMean::isonormal(ball()?, budget(guarantee)?).buying(BallShares::NONE);
    Ok(if guarantee.1 == 0.0 { plan.coordinates(coordinates) } else { plan })
}

fn released(plan: &PrivateMean, curves: &CurveSet, seed: u64) -> Outcome<MeanRelease> {
    Ok(plan.release(curves, &mut SeededRandomness::from_seed(seed))?)
}

/// The root-mean-square distance of the estimate from the raw mean.
fn distances(plan: &PrivateMean, curves: &CurveSet) -> Outcome<Measured> {
    let raw: Array1<f64> = curves.raw_mean().into_revealed();
    let squares = of_seeds(DRAWS, |seed| {
        let release = released(plan, curves, seed)?;
        let posterior = Posterior::of(&release, &Ladder::default())?;
        Ok((posterior.values().to_owned() - &raw).mapv(|d| d * d))
    })?;
    let weights = curves.unit_grid().weights();
    let squared = Measured::of(squares.iter().map(|square| weights.dot(square)));
    let mean = squared.mean.sqrt();
    Ok(Measured { mean, error: squared.error / (2.0 * mean) })
}

/// How often the default band holds the mean of the population.
fn covered(plan: &PrivateMean, subjects: &Subjects, records: usize) -> Outcome<Measured> {
    let held = of_seeds(DRAWS, |seed| {
        let release = released(plan, &subjects.complete(records, seed)?, 5000 + seed)?;
        let points = Estimated::<Mean>::new(release, &Band::Population, DEFAULT_LEVEL)?.points();
        let holds = points.iter().all(|point| (point.lower..=point.upper).contains(&subjects.mean_at(point.at)));
        Ok(f64::from(u8::from(holds)))
    })?;
    Ok(Measured::of(held.into_iter()))
}

/// The section of the page.
pub fn section(subjects: &Subjects) -> Outcome<String> {
    let (curves, records) = (subjects.people(), subjects.people().units());
    let mut page = format!(
        "## Without a delta\n\nThe mean of the {records} complete profiles themselves, in the stated ball, {DRAWS} draws: root-mean-square distance \
         of the default estimate from the raw mean. K-norm noise on d public coordinates, beside normal noise with a delta. The last two \
         columns are for as many draws of new people from the same process: how often the default band ({DEFAULT_LEVEL}, for the population) \
         holds the whole true mean, and the share of the variance of a mean under the public prior that lies outside the coordinates.\n\n\
         | guarantee | coordinates | error | bands that hold | share outside |\n|---|---|---|---|---|\n"
    );
    for number in [5, 8, 12, 15, 20, 30] {
        let plan = plan((1.0, 0.0), number)?;
        let target = (number == 12).then_some(TARGET);
        let error = distances(&plan, curves)?.at_most(target);
        let holds = covered(&plan, subjects, records)?.at_least((number == 12).then_some(0.9));
        let mechanism = MeanMechanism::Coordinates(number);
        let basis = Mean::new(ball()?, curves.grid().clone(), &mechanism)?.map().ok_or("coordinates have a map")?;
        let outside = share_outside(curves.grid(), basis, &Ladder::default())?;
        writeln!(page, "| (1, 0) | {number} | {error} | {holds} | {outside:.3} |")?;
    }
    for guarantee in [(1.0, 1e-5), (1.0, 1e-9)] {
        let plan = plan(guarantee, 0)?;
        let (error, holds) = (distances(&plan, curves)?.shown(), covered(&plan, subjects, records)?.shown());
        writeln!(page, "| ({}, {:e}) | all | {error} | {holds} | 0 |", guarantee.0, guarantee.1)?;
    }
    Ok(page)
}
