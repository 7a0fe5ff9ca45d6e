//! What should make a reader careful.

use dpfda_analysis::{Band, Estimated};
use dpfda_mechanism::{exact, rounded};
use dpfda_privacy::{NeighbouringRelation, PrivacyUnit};
use dpfda_release::Mean;

use super::picture::Picture;

/// A delta that would allow to publish a record in full: one above `1/N`.
pub fn weak_delta(delta: f64, units: f64, neighbours: NeighbouringRelation) -> Option<String> {
    let noisy = match neighbours {
        NeighbouringRelation::SubstituteOne => "",
        NeighbouringRelation::AddRemoveOne => " by the noisy N",
    };
    (delta > 1.0 / units).then(|| {
        format!(
            "delta = {} is above 1/N = {}{noisy}. That is weak: publishing one record, drawn at random, in full would meet \
             such a delta. Choose one well below 1/N.",
            exact(delta),
            rounded(1.0 / units)
        )
    })
}

/// What is said of a mean alone: a smoother that leaves little, and rows that may be of one person.
pub(super) fn of_mean(estimated: &Estimated<Mean>) -> Vec<String> {
    let is_smoothed = matches!(estimated.estimate().band, Band::Smoothed(_));
    let several = "each curve is protected alone. If a person has several, release with {subject} instead.";
    let several = (estimated.unit() == PrivacyUnit::Curve).then(|| several.to_owned());
    is_smoothed.then(|| drowned(estimated)).flatten().into_iter().chain(several).collect()
}

/// How near to a bound an estimate is at it, as a share of their distance.
const AT_BOUND: f64 = 0.02;

/// What is said of an estimate that lies at a bound: values beyond it were clamped, as they are where they have other units.
pub(super) fn at_bound(picture: &Picture, (lower, upper): (f64, f64)) -> Option<String> {
    let values = means_of(picture)?;
    let near = AT_BOUND * (upper - lower);
    [(lower, "least"), (upper, "largest")].into_iter().find_map(|(bound, which)| {
        let count = values.iter().filter(|value| (*value - bound).abs() < near).count();
        (2 * count > values.len()).then(|| {
            format!(
                "the estimate lies at the {which} value that was stated, {}, on most of its domain: values beyond it were clamped. They \
                 may be in other units, such as percent for fractions.",
                exact(bound)
            )
        })
    })
}

/// The values of estimated means.
fn means_of(picture: &Picture) -> Option<Vec<f64>> {
    Some(match picture {
        Picture::Curve { mean, .. } => mean.estimate().values.to_vec(),
        Picture::Together { means, .. } => {
            let known = means.all().iter().filter_map(|one| one.estimate().ok());
            known.flat_map(|one| one.values.to_vec()).collect()
        }
        Picture::Surface(mean) => mean.estimate().values.to_vec(),
        _ => return None,
    })
}

/// The part of the radius that a far centre takes up where another centre would give much less noise.
const FAR: f64 = 0.7;

/// What is said where the middle of the bounds is far from the estimate, so that most of the radius only leads there: a function of the
/// release alone.
pub(super) fn far_middle(
    picture: &Picture,
    (lower, upper): (f64, f64),
    radius: f64,
    finds_centres: bool,
) -> Option<String> {
    let (values, middle) = (means_of(picture)?, f64::midpoint(lower, upper));
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    let distance = (squares / values.len() as f64).sqrt();
    let or_find = if finds_centres { ", or find it with a part of the budget (center_share = 0.1)" } else { "" };
    (distance > FAR * radius).then(|| {
        format!(
            "the estimate lies {} from the middle of the bounds, {}, and most of the radius, {}, only leads there. The noise grows with the \
             radius. A release with a nearer centre has less noise: state one (this estimate is public){or_find}.",
            rounded(distance),
            exact(middle),
            rounded(radius)
        )
    })
}

/// What is left of the curves where the smoother or the noise leaves little.
fn drowned(release: &Estimated<Mean>) -> Option<String> {
    const HELP: &str = "More people, a smaller radius or a larger budget would help.";
    let kept = release.function().leading_shrinkage();
    let share = format!("the smoother keeps at most a share of {} of any feature", rounded(kept));
    if kept < 0.1 {
        Some(format!(
            "the released curve is little more than the centre: {share}. noise_sd does not include this shrinkage. {HELP}"
        ))
    } else if release.relative_noise() > 0.5 {
        Some(format!(
            "the noise exceeds what the ball allows curves to differ by, so the released curve is mostly noise. {HELP}"
        ))
    } else if kept < 0.5 {
        Some(format!(
            "{share}: the released curve is mostly the public centre. noise_sd does not include this shrinkage."
        ))
    } else {
        None
    }
}
