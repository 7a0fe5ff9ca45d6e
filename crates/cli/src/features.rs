//! Numbers of a curve as programs and readers see them: slopes, an integral, the maximum and the minimum.

use dpfda::analysis::{AnalysisError, Extreme, Feature, Features, Place, Slope, Within};
use serde::Serialize;
use thiserror::Error;

use crate::arguments::FeatureArguments;
use crate::error::own_refusals;
use crate::summary::{exact, rounded, rounded_beside, wrapped};
use crate::values::{IntegralArgument, SlopesArgument};

/// Why a number of a curve was refused.
#[derive(Debug, Error)]
#[error("{argument}: {reason}")]
pub struct FeatureRefusal {
    argument: &'static str,
    reason: AnalysisError,
}

own_refusals!(FeatureRefusal);

/// Everything that was asked of a curve.
#[derive(Serialize)]
pub struct Told {
    /// What slopes and the integral are about.
    target: String,
    /// The probability that each statement has.
    level: f64,
    /// The length of the window of each slope.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    derivative: Vec<SlopeAbout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    integral: Option<Integral>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<Extreme>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<Extreme>,
}

#[derive(Serialize)]
struct SlopeAbout {
    t: f64,
    #[serde(flatten)]
    slope: Slope,
}

#[derive(Serialize)]
struct Integral {
    from: f64,
    to: f64,
    #[serde(flatten)]
    feature: Feature,
}

impl Told {
    /// What is asked of a curve; `None` where nothing is.
    pub fn of(features: &Features, asked: &FeatureArguments) -> Result<Option<Self>, FeatureRefusal> {
        if !asked.any() {
            return Ok(None);
        }
        let refused = |argument| move |reason| FeatureRefusal { argument, reason };
        let window = asked.derivative.as_ref().map(|_| features.window(asked.window).map_err(refused("--window")));
        let window = window.transpose()?;
        let about = match &asked.derivative {
            Some(SlopesArgument::All) => features.points().to_vec(),
            Some(SlopesArgument::About(points)) => points.0.clone(),
            None => Vec::new(),
        };
        let slopes = features.slopes(&about, window).map_err(refused("--derivative"))?;
        let integral = asked.integral.map(|ends| {
            let (from, to) = match ends {
                IntegralArgument::All => features.domain(),
                IntegralArgument::Between(from, to) => (from, to),
            };
            features.integral(from, to).map(|feature| Integral { from, to, feature }).map_err(refused("--integral"))
        });
        Ok(Some(Self {
            target: features.target().to_string(),
            level: features.level(),
            window,
            derivative: about.into_iter().zip(slopes).map(|(t, slope)| SlopeAbout { t, slope }).collect(),
            integral: integral.transpose()?,
            maximum: asked.maximum.then(|| features.maximum()),
            minimum: asked.minimum.then(|| features.minimum()),
        }))
    }

    /// A line for each number.
    pub fn words(&self) -> String {
        let percent = rounded(100.0 * self.level);
        let mut text = String::new();
        for SlopeAbout { t, slope } in &self.derivative {
            text += &wrapped("slope", &format!("at {}, {}", exact(*t), slope_in_words(slope, &percent)));
        }
        if let Some(Integral { from, to, feature }) = &self.integral {
            let over = over_the_end(*from, *to);
            let ends = format!("from {}{over} to {}", exact(*from), exact(*to));
            text += &wrapped("integral", &format!("{ends}: {}", feature_in_words(feature, &percent)));
        }
        for (extreme, [name, value]) in
            [(&self.maximum, ["maximum", "largest"]), (&self.minimum, ["minimum", "smallest"])]
        {
            let Some(Extreme { at, value: Within { value: number, lower, upper }, .. }) = extreme else { continue };
            let half = 0.5 * (upper - lower);
            let [number, lower, upper] = [number, lower, upper].map(|number| rounded_beside(*number, half));
            text += &wrapped(name, &place_in_words(at));
            text += &wrapped(value, &format!("{number}, {percent}%\u{a0}interval from {lower} to {upper}"));
        }
        text
    }

    /// What the numbers mean, in sentences.
    pub fn meaning(&self) -> String {
        let mut sentences = Vec::new();
        if self.window.is_some() || self.integral.is_some() {
            sentences.push(format!(
                "Slopes and integrals are those of the posterior mean, and their standard deviations and intervals are about {}, if the \
                 prior describes the mean.",
                self.target
            ));
        }
        if let Some(window) = self.window {
            sentences.push(slopes_in_words(&format!("a window of length {}", rounded(window))));
        }
        if let Some(extreme) = self.maximum.as_ref().or(self.minimum.as_ref()) {
            sentences.push(format!(
                "The largest and the smallest value and their places follow from the band for {}, and hold whenever the band holds.",
                extreme.target
            ));
        }
        sentences.join(" ")
    }
}

/// What a slope is, and that none at a point is told.
pub fn slopes_in_words(window: &str) -> String {
    format!(
        "Each slope is over {window}, since no slope at a point can be told without a bound on how the curve bends; the intervals of \
         all slopes hold together."
    )
}

/// A slope with its window.
pub fn slope_in_words(Slope { from, to, slope }: &Slope, percent: &str) -> String {
    let window = format!("from {}{} to {}", rounded(*from), over_the_end(*from, *to), rounded(*to));
    format!("{window}: {}", feature_in_words(slope, percent))
}

fn feature_in_words(Feature { value, sd, lower, upper }: &Feature, percent: &str) -> String {
    let [value, lower, upper] = [value, lower, upper].map(|number| rounded_beside(*number, *sd));
    format!("{value}, sd\u{a0}{}, {percent}%\u{a0}interval from {lower} to {upper}", rounded(*sd))
}

fn place_in_words(Place { value, lower, upper, stretches }: &Place) -> String {
    let width = stretches.iter().map(|(from, to)| (to - from).abs()).fold(f64::INFINITY, f64::min);
    let shown = |place: f64| if width > 0.0 { rounded_beside(place, 0.5 * width) } else { exact(place) };
    let stretch = |&(from, to): &(f64, f64)| format!("from {}{} to {}", shown(from), over_the_end(from, to), shown(to));
    let where_to = if stretches.len() > 1 {
        stretches.iter().map(stretch).collect::<Vec<_>>().join(", or ")
    } else {
        stretch(&(*lower, *upper))
    };
    format!("at {}, and it may lie {where_to}", shown(*value))
}

/// An arc of a circle.
fn over_the_end(from: f64, to: f64) -> &'static str {
    if from > to { " over the end of the domain" } else { "" }
}
