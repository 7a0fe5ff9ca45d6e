//! What should make a reader careful.

use dpfda_analysis::{Band, Estimated};
use dpfda_mechanism::{exact, rounded};
use dpfda_privacy::{NeighbouringRelation, PrivacyUnit};
use dpfda_release::{Bought, Covariate, InBall, Mean, Regression};
use dpfda_smoothing::{Ball, Center};
use ndarray::Array1;

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

/// What is said of a density: noise beside which a cell is nothing, and rows that may be of one person. `{subject}` stands for the setting.
#[cfg(feature = "density")]
pub fn of_density(density: &dpfda_density::PiecewiseDensity, noise_sd: Option<f64>, unit: PrivacyUnit) -> Vec<String> {
    let is_drowned = noise_sd.is_some_and(|sd| sd > 1.0 / density.cells().count() as f64);
    let drowned = "the noise in a cell exceeds the average number of records in it, so the released density is mostly noise. More people, \
                   fewer cells or a larger budget would help.";
    let several = "each row is protected alone. If a person has several, release with {subject} instead.";
    let said = [(drowned, is_drowned), (several, unit == PrivacyUnit::Curve)];
    said.into_iter().filter(|(_, is_said)| *is_said).map(|(text, _)| text.to_owned()).collect()
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

/// What is said of bands that are as wide as what is possible.
pub(super) fn nothing_told(picture: &Picture, (lower, upper): (f64, f64)) -> Option<String> {
    let is_wide = |half_width: f64| 2.0 * half_width >= upper - lower;
    match picture {
        Picture::Together { means, .. } => {
            let known = means.all().iter().filter_map(|one| Some((one.name(), one.estimate().ok()?)));
            let wide: Vec<&str> =
                known.filter(|(_, estimate)| is_wide(estimate.half_width())).map(|(name, _)| name).collect();
            let of_whom = if wide.len() > MOST_NAMED { wide.len().to_string() + " groups" } else { wide.join(", ") };
            (!wide.is_empty()).then(|| {
                format!("The band is as wide as the bounds for {of_whom}: the release says next to nothing there.")
            })
        }
        Picture::Curve { mean, is_change: false, .. } => is_wide(mean.estimate().half_width()).then(|| WIDE.to_owned()),
        Picture::Surface(mean) => is_wide(mean.estimate().half_width()).then(|| WIDE.to_owned()),
        _ => None,
    }
}

/// The most groups that a note names.
const MOST_NAMED: usize = 3;

const WIDE: &str = "The band is as wide as the bounds: the release says next to nothing.";

/// The values of estimated means.
fn means_of(picture: &Picture) -> Option<Vec<f64>> {
    Some(match picture {
        Picture::Curve { mean, .. } => mean.estimate().values.to_vec(),
        Picture::Together { means, .. } => {
            let known = means.all().iter().filter_map(|one| one.estimate().ok());
            known.flat_map(|one| one.values.to_vec()).collect()
        }
        Picture::Surface(mean) => mean.estimate().values.to_vec(),
        Picture::Panels(regression) => in_the_middle(regression)?,
        _ => return None,
    })
}

/// The mean of people in the middle of the ranges of the covariates, from the estimated coefficients.
fn in_the_middle(regression: &Estimated<Regression>) -> Option<Vec<f64>> {
    let covariates = regression.statistic().covariates();
    let of_one = |covariate: &Covariate| match covariate {
        Covariate::Number { lower, upper, .. } => vec![f64::midpoint(*lower, *upper)],
        // of the reference
        Covariate::Category { levels, .. } => vec![0.0; levels.len().saturating_sub(1)],
    };
    let design = [1.0].into_iter().chain(covariates.iter().flat_map(of_one));
    let mut sum: Option<Array1<f64>> = None;
    for (number, coefficient) in design.zip(regression.means().all()) {
        let part = &coefficient.estimate().ok()?.values * number;
        sum = Some(sum.map_or_else(|| part.clone(), |sum| sum + &part));
    }
    sum.map(|sum| sum.to_vec())
}

/// What records of a release are held to, as far as it is one number: the centre, and the radius about it.
pub(super) struct Held {
    /// `None` for a centre that was found, or that is a curve.
    center: Option<f64>,
    radius: f64,
    is_found: bool,
    /// Whether the centre is the middle of stated bounds.
    is_middle: bool,
    /// The part of the records that lie near the stated radius or beyond it, where a smaller one than that of bounds was stated.
    crowd: Option<f64>,
}

impl Held {
    /// By the ball of a release.
    pub(super) fn by(statistic: &impl InBall) -> Self {
        let (ball, bought) = (statistic.ball(), statistic.bought());
        let has_found_center = bought.is_some_and(|bought| bought.shares().center().is_some());
        let center = match ball.center() {
            Center::Constant(center) if !has_found_center => Some(*center),
            _ => None,
        };
        let middle =
            bought.map_or(ball, Bought::stated_ball).bounds().map(|(lower, upper)| f64::midpoint(lower, upper));
        Self {
            center,
            radius: ball.radius(),
            is_found: bought.is_some_and(|bought| bought.shares().radius().is_some()),
            is_middle: center.is_some() && middle == center,
            crowd: bought.filter(|bought| !holds_all(bought.stated_ball())).and_then(Bought::crowd),
        }
    }
}

/// Whether a ball holds all that lies between its bounds.
fn holds_all(ball: &Ball) -> bool {
    let Some((lower, upper)) = ball.bounds() else { return false };
    let farthest = |center: f64| (center - lower).max(upper - center);
    let farthest = match ball.center() {
        Center::Constant(center) => farthest(*center),
        Center::Curve(values) => values.iter().copied().map(farthest).fold(0.0, f64::max),
    };
    ball.radius() >= farthest * (1.0 - ROUNDED)
}

/// What is said where most records lie near the largest radius that was allowed, or at it: those beyond are pulled in, and how many is not
/// counted.
pub(super) fn crowded(picture: &Picture, held: &Held) -> Option<String> {
    let at_radius = match picture {
        Picture::Centiles(curves) => curves.distance_at_radius(),
        _ => None,
    };
    let crowd = held.crowd.filter(|crowd| *crowd > 0.5);
    let radius = rounded(held.radius);
    let who = match (crowd, at_radius) {
        (Some(crowd), _) => format!(
            "By noisy counts about {}% of the people lie farther from the centre than seven tenths of the largest radius that was allowed, {radius}",
            rounded((100.0 * crowd.min(1.0)).round())
        ),
        (None, Some(distance)) => {
            format!(
                "In the mean, people lie {} from the centre, and {radius} is the most that was allowed",
                rounded(distance)
            )
        }
        (None, None) => return None,
    };
    Some(format!(
        "{who}. Those beyond it are pulled in, and no band allows for it. State a larger {{radius}}, or a nearer {{center}}."
    ))
}

/// A radius that falls short of another by less than this part of it was rounded.
const ROUNDED: f64 = 1e-9;

/// The part of a radius that a far centre takes up where another centre would give much less noise: of one that was found, which holds most
/// curves, and of one that was stated, which holds many more.
const FAR: [f64; 2] = [0.7, 0.5];

/// What is said where the estimate is far from the centre, so that much of the radius only leads there: a function of the release alone.
pub(super) fn far_center(picture: &Picture, held: &Held, finds_centres: bool) -> Option<String> {
    let (values, center, radius) = (typical(picture)?, held.center?, held.radius);
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    let distance = (squares / values.len() as f64).sqrt();
    let (far, part) = if held.is_found { (FAR[0], "Most") } else { (FAR[1], "More than half") };
    let from = if held.is_middle { "the middle of the bounds" } else { "the centre" };
    // the centre and the radius of bounds follow from them
    let nearer = match (held.is_middle, held.is_found) {
        // a chart has bounds whatever its centre
        _ if matches!(picture, Picture::Centiles(_)) => "a nearer {center}",
        (true, _) => "{center} and {radius} in place of {bounds}",
        (false, true) => "a nearer {center}",
        (false, false) => "a nearer {center} and a smaller {radius}",
    };
    // of few people, no radius is found about a centre that is
    let or_find = if finds_centres && held.is_found { ", or have the centre found by {center_share} 0.1" } else { "" };
    (distance > far * radius).then(|| {
        format!(
            "{part} of the radius, {}, only leads from {from}, {}, to this estimate, which is public. For less noise state \
             {nearer}{or_find}.",
            rounded(radius),
            exact(center)
        )
    })
}

/// The values of a typical curve: of estimated means, or of the centile nearest to the median. Changes are near 0 by their nature.
fn typical(picture: &Picture) -> Option<Vec<f64>> {
    match picture {
        Picture::Curve { is_change: true, .. } => None,
        Picture::Centiles(curves) => {
            let from_median = |p: f64| (p - 50.0).abs();
            let nearest = curves.all().min_by(|(p, _), (q, _)| from_median(*p).total_cmp(&from_median(*q)));
            nearest.filter(|(p, _)| from_median(*p) <= 25.0).map(|(_, curve)| curve.values.to_vec())
        }
        other => means_of(other).filter(|values| !values.is_empty()),
    }
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
