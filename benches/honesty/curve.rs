//! The quantities of a curve: its band, slopes, area and maximum. Every kind that has curves can list them.

#![allow(clippy::unnecessary_wraps, reason = "quantities of one list have one type")]

use dpfda::analysis::{Banded, Feature, Features, PopulationMean, Slope};
use ndarray::{Array1, Array2, Axis};

use crate::Fault;
use crate::claim::{Claim, Outcome, Quantity, Unit, outcomes, tilted};
use crate::truth::Truth;

/// A quantity of a curve with its band.
pub type OfBand = fn(&Banded<PopulationMean>, &Truth) -> Result<Option<Claim>, Fault>;
/// A quantity of what a curve does.
pub type OfFeatures = fn(&Features, &Truth) -> Result<Option<Claim>, Fault>;

/// What every curve of every kind is asked.
const BANDS: [Quantity<OfBand>; 1] = [Quantity { name: "band", of: band }];

pub const FEATURES: [Quantity<OfFeatures>; 4] = [
    Quantity { name: "slopes", of: slopes },
    Quantity { name: "integral", of: integral },
    Quantity { name: "maximum", of: maximum },
    Quantity { name: "place", of: place },
];

/// The length of the window that a slope is over, as a part of the domain, and the number of windows.
const WINDOW: f64 = 0.1;
const WINDOWS: usize = 21;
/// Means that differ by less than this part of their standard deviation over people are equal: such a mean has no place of its maximum.
const FLAT: f64 = 0.1;

/// What a curve with this name says, the only one of a release without one; nothing where the release does not know it.
pub fn outcomes_of(name: &str, mean: Option<&Banded<PopulationMean>>, truth: &Truth) -> Result<Vec<Outcome>, Fault> {
    let mut found = outcomes(&BANDS, |of| mean.map_or(Ok(None), |mean| of(mean, truth)))?;
    if !name.is_empty() {
        for outcome in &mut found {
            outcome.quantity = format!("{name}: {}", outcome.quantity);
        }
    }
    Ok(found)
}

/// A band of an estimate is at points of its own: the truth is linear between the points of its grid.
fn band(mean: &Banded<PopulationMean>, truth: &Truth) -> Result<Option<Claim>, Fault> {
    let estimate = mean.estimate();
    let (values, lower, upper) = (estimate.values.clone(), estimate.lower.clone(), estimate.upper.clone());
    let is_same = truth.grid.points().iter().eq(&estimate.at);
    let (truth, unit) =
        if is_same { (truth.values.clone(), truth.unit()) } else { truth.through(&truth.interpolation(&estimate.at)) };
    Ok(Some(Claim { values, lower, upper, truth, unit }))
}

/// Slopes over windows of a tenth of the domain, all at once, ends included: there the window slides inside, but on a
/// circle.
fn slopes(features: &Features, truth: &Truth) -> Result<Option<Claim>, Fault> {
    let (lower, length, is_closed) = (truth.grid.lower(), truth.grid.length(), truth.grid.is_periodic());
    let half = WINDOW * length / 2.0;
    let steps = if is_closed { WINDOWS } else { WINDOWS - 1 };
    let centres: Vec<f64> = (0..WINDOWS).map(|k| lower + length * k as f64 / steps as f64).collect();
    let ends = |side: f64| -> Vec<f64> {
        let end = |centre: &f64| {
            if is_closed {
                return lower + (centre + side - lower).rem_euclid(length);
            }
            let middle = centre.clamp(lower + half, lower + length - half);
            (middle + side).clamp(lower, lower + length)
        };
        centres.iter().map(end).collect()
    };
    let chords: Array2<f64> = (truth.interpolation(&ends(half)) - truth.interpolation(&ends(-half))) / (2.0 * half);
    let slopes: Vec<Feature> = features.slopes(&centres, None)?.into_iter().map(|Slope { slope, .. }| slope).collect();
    let (values, unit) = truth.through(&chords);
    Ok(Some(Claim::numbers(&slopes, values, unit)))
}

/// The integral over the domain.
fn integral(features: &Features, truth: &Truth) -> Result<Option<Claim>, Fault> {
    let feature = features.integral(truth.grid.lower(), truth.grid.upper())?;
    let weights = truth.grid.weights().to_owned().insert_axis(Axis(0));
    let (values, unit) = truth.through(&weights);
    Ok(Some(Claim::number((feature.value, feature.lower, feature.upper), values[0], unit)))
}

fn maximum(features: &Features, truth: &Truth) -> Result<Option<Claim>, Fault> {
    let (place, value) = largest(&truth.values);
    let mut at = Array2::zeros((1, truth.values.len()));
    at[[0, place]] = 1.0;
    let unit = Unit::of_variances(&tilted(&at, &truth.covariance).diag().to_owned(), 1.96);
    let found = features.maximum().value;
    Ok(Some(Claim::number((found.value, found.lower, found.upper), value, unit)))
}

/// Where the maximum is; widths and errors are parts of the domain.
fn place(features: &Features, truth: &Truth) -> Result<Option<Claim>, Fault> {
    let (place, value) = largest(&truth.values);
    let least = truth.values.iter().copied().fold(f64::INFINITY, f64::min);
    if value - least < FLAT * truth.unit().half_width {
        return Ok(None);
    }
    let (length, at) = (truth.grid.length(), truth.grid.points()[place]);
    let mut found = features.maximum().at;
    if found.lower > found.upper {
        // an arc over the end of a circle
        if at >= found.lower {
            found.upper += length;
        } else {
            found.lower -= length;
        }
    }
    if truth.grid.is_periodic() {
        found.value -= length * ((found.value - at) / length).round();
    }
    Ok(Some(Claim::number((found.value, found.lower, found.upper), at, Unit { half_width: length, error: length })))
}

fn largest(values: &Array1<f64>) -> (usize, f64) {
    values.iter().copied().enumerate().fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best })
}
