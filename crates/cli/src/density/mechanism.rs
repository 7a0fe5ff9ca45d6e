//! Which mechanism makes a density private: one arm for each, here and nowhere else.

use dpfda::density::{CellDraws, Histogram, HistogramRelease, Points, Series, SeriesRelease};
use dpfda::mechanism::Release;
use dpfda_study::MechanismName;

use super::plan::Plan;
use super::published::ReleasedDensity;
use super::released::Released;
use super::{exponential, perturbed, series, smoothed};
use crate::error::CliError;
use crate::publication::Door;

/// Runs the mechanism: **spends the budget**, unless it is refused.
pub fn publish(plan: &Plan, points: &Points, door: Door<'_>) -> Result<String, CliError> {
    let seen = |released: Result<Released, CliError>| released.map(|released| ReleasedDensity { plan, released });
    let drawn = |release: CellDraws| Ok(release.labelled(plan.labels()).read_from(plan.source.clone()));
    match plan.mechanism {
        MechanismName::Perturbed | MechanismName::Isonormal | MechanismName::CameronMartin => {
            let release = |drawn: Release<Histogram>| {
                Ok(HistogramRelease::from(drawn.labelled(plan.labels()).read_from(plan.source.clone())))
            };
            door.publish(plan.histogram(points)?.prepare(points)?, release, HistogramRelease::to_json, |release| {
                seen(perturbed::released(plan, &release))
            })
        }
        MechanismName::Smoothed => {
            let histogram = plan.smoothed(points)?;
            door.publish(histogram.prepare(points)?, drawn, CellDraws::to_json, |release| {
                seen(smoothed::released(plan, &histogram, &release))
            })
        }
        MechanismName::Exponential => {
            let exponential = plan.exponential(points)?;
            door.publish(exponential.prepare(points)?, drawn, CellDraws::to_json, |release| {
                seen(exponential::released(plan, &exponential, &release))
            })
        }
        MechanismName::Series | MechanismName::SeriesExponential => {
            let release = |drawn: Release<Series>| {
                Ok(SeriesRelease::from(drawn.labelled(plan.labels()).read_from(plan.source.clone())))
            };
            door.publish(plan.series()?.prepare(points)?, release, SeriesRelease::to_json, |release| {
                seen(series::released(plan, &release))
            })
        }
    }
}
