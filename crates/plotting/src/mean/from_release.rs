//! From a release, or a curator's curves, to what a figure draws of it.

use std::fmt;
use std::ops::Range;

use dpfda_analysis::{Banded, Difference, Estimable, Estimated, Feature, Population, PopulationMean, Target};
use dpfda_kernels::{Kernel, KernelName};
use dpfda_mechanism::Fact;
use dpfda_privacy::NonPrivate;
use dpfda_release::{Mean, MeanMechanism, MeanRelease};
use dpfda_smoothing::{CurveSet, PenalizedMean};

use crate::about::{About, captions_of_sides, limits_of_difference};
use crate::canvas::numbers::{exact, percent, rounded};
use crate::canvas::text::cleaned;
use crate::error::FigureError;
use crate::figure::Figure;
use crate::mean::layer::{Layer, NOISE_RIBBON, PrivateLayer, noise_ribbon, step_between_shown};

#[cfg(test)]
#[path = "from_release_tests.rs"]
mod tests;

/// More raw curves than this, over all panels, are a grey area and a slow figure.
pub(crate) const MOST_CURVES: usize = 400;
/// How many points a curve is drawn through, where the grid has fewer.
pub(crate) const DENSE_POINTS: usize = 600;
/// A curve on more points than this is drawn through some of them.
const MOST_POINTS: usize = 2048;
/// What every panel shows of them at least.
const FEWEST_CURVES: usize = 100;

impl Figure {
    /// The figure of one release, with the names that it has for its axes.
    pub fn release(release: &MeanRelease) -> Self {
        let about = About::of::<Mean>(release, &[]);
        Self::of_few_layers(vec![layer("", release)]).axes(about.argument(), about.value("value"))
    }

    /// The figure of an estimate: its curve and its band, on a dense grid, with the names that the release has for its axes. The parts of
    /// the domain that too few people were measured in are grey.
    pub fn estimate<S: Estimable<Means = Banded<PopulationMean>>>(estimated: &Estimated<S>) -> Self {
        Self::curve(estimated.mean(), estimated.unsupported(), &About::of(estimated.drawn(), &estimated.facts()))
    }

    /// The same of a mean that is known apart from its release; parts of the domain that are `unsupported` are grey.
    pub fn curve(mean: &Banded<PopulationMean>, unsupported: Vec<Range<f64>>, about: &About<'_>) -> Self {
        let layer = Layer { unsupported, ..layer_of_estimate(mean, "estimated mean", about) };
        let title = match mean.estimate().target {
            Target::NewPerson => "Estimated mean, and where a new person may lie",
            Target::MostPeople => "Estimated mean, and where most people lie",
            _ => "Estimated mean function",
        };
        Self::of_few_layers(vec![layer]).title(title).axes(about.argument(), about.value("value"))
    }

    /// The figure of a mean change: 0 is marked, and where the band leaves it out.
    pub fn change(mean: &Banded<PopulationMean>, about: &About<'_>) -> Self {
        let layer = Layer { zero: Some("no change"), ..layer_of_estimate(mean, "estimated mean change", about) };
        Self::of_few_layers(vec![layer]).title("Estimated mean change").axes(about.argument(), about.value("change"))
    }

    /// The difference of two estimated means with its band, and of each side what it is called and what is said of it.
    pub fn difference(difference: &Difference<'_, PopulationMean>, sides: [(&str, About<'_>); 2]) -> Self {
        let [(first, about), (second, _)] = sides;
        Self::of_few_layers(vec![layer_of_difference(difference, &sides)])
            .title(&format!("{first} minus {second}"))
            .axes(about.argument(), &difference_of(about.labels.value()))
    }

    /// Several releases side by side, each in a panel under its label, with common axes.
    ///
    /// What all releases share is said once, what differs above each panel.
    pub fn compare(releases: &[(&str, &MeanRelease)]) -> Result<Self, FigureError> {
        let figure = Self::of_layers(releases.iter().map(|(label, release)| layer(label, release)).collect())?;
        let Some((_, first)) = releases.first() else { return Ok(figure) };
        let about = About::of::<Mean>(first, &[]);
        Ok(figure.axes(about.argument(), about.value("value")))
    }

    /// The same release through other smoothers, as thin lines under the function: the chosen fit against its neighbours.
    ///
    /// `neighbours` are [`MeanRelease::smoothed`] of the release in the figure, at most 6, each with its name for the
    /// legend. All of it is public; a neighbour whose noise came from a seed gets the figure its stamp.
    ///
    /// # Errors
    /// - [`FigureError::SeveralReleases`] if the figure compares releases.
    /// - [`FigureError::TooMany`] for more than 6 neighbours.
    /// - [`FigureError::OtherGrid`] if a neighbour lives on other points.
    /// - [`FigureError::OtherRelease`] if the caption is not true of a neighbour: another privacy, unit or ball.
    pub fn with_neighbours(self, neighbours: &[(&str, &MeanRelease)]) -> Result<Self, FigureError> {
        self.with_neighbouring_layers(neighbours.iter().map(|(label, release)| layer(label, release)).collect())
    }

    /// The curator's view: raw curves in grey and their mean in black under every release.
    ///
    /// This figure is private data. Every part of it is watermarked `NOT PRIVATE - CURATOR ONLY`. Of more than 400
    /// curves (over all panels), rows at equal distances are shown.
    #[must_use]
    pub fn with_private_curves(self, curves: NonPrivate<&CurveSet>) -> Self {
        let most = (MOST_CURVES / self.panels()).max(FEWEST_CURVES);
        self.with_private_layer(curves.map(|curves| private_layer(curves, most)))
    }
}

pub(crate) fn private_layer(curves: &CurveSet, most: usize) -> PrivateLayer {
    let total = curves.len();
    let step = step_between_shown(total, most);
    let grid = curves.grid();
    PrivateLayer {
        t: grid.closed_points(),
        curves: curves.values().rows().into_iter().step_by(step).map(|row| grid.closed_values(row.to_vec())).collect(),
        total,
        mean: grid.closed_values(curves.raw_mean().into_revealed().to_vec()),
    }
}

fn layer(label: &str, release: &MeanRelease) -> Layer {
    let function = release.function();
    let grid = function.grid();
    let value = thinned(grid.closed_values(function.values().to_vec()));
    let (lower, upper) = noise_ribbon(&value, &thinned(grid.closed_values(function.noise_sd().to_vec())));
    let drawn = Drawn { t: thinned(grid.closed_points()), value, lower, upper };
    Layer {
        label: cleaned(label),
        facts: facts(release),
        is_private: release.is_private(),
        ..Layer::of(drawn, "released function", NOISE_RIBBON)
    }
}

/// A curve in its band, at the points that it is drawn through.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) t: Vec<f64>,
    pub(crate) value: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

/// The estimate on a grid of about so many points at least, so dense that no corner shows.
pub(crate) fn drawn(mean: &Banded<PopulationMean>, points: usize) -> Drawn {
    let grid = mean.population().grid().closed_points();
    let t = drawn_through(grid, points);
    // no point lies outside the domain, and inside every point can be evaluated
    let band = mean.band_at(&t).unwrap_or_default();
    let of = |which: usize| band.iter().map(|point| point[which]).collect::<Vec<f64>>();
    Drawn { value: of(0), lower: of(1), upper: of(2), t }
}

/// The difference of two means on a grid so dense that no corner shows.
pub(crate) fn drawn_difference(difference: &Difference<'_, PopulationMean>) -> Drawn {
    let t = drawn_through(difference.grid().closed_points(), DENSE_POINTS);
    // no point lies outside the domain, and inside every point can be evaluated
    let band = difference.at(&t).unwrap_or_default();
    let of = |end: fn(&Feature) -> f64| band.iter().map(end).collect::<Vec<f64>>();
    Drawn { value: of(|point| point.value), lower: of(|point| point.lower), upper: of(|point| point.upper), t }
}

fn layer_of_estimate(mean: &Banded<PopulationMean>, line: &'static str, about: &About<'_>) -> Layer {
    let estimate = mean.estimate();
    Layer {
        facts: about.captions_without_band(),
        limits: about.limits,
        is_private: about.is_private,
        ..Layer::of(drawn(mean, DENSE_POINTS), line, &band_for(estimate.level, &estimate.target))
    }
}

/// What a band is called in a legend.
pub(crate) fn band_for(level: f64, target: &dyn fmt::Display) -> String {
    format!("{} band for {target}", percent(level))
}

/// What the axis of a difference of these values is called.
pub(crate) fn difference_of(value: Option<&str>) -> String {
    value.map_or_else(|| "difference of means".to_owned(), |value| format!("difference in {value}"))
}

fn layer_of_difference(difference: &Difference<'_, PopulationMean>, sides: &[(&str, About<'_>); 2]) -> Layer {
    let test = difference.equality().map(|test| format!("test of equal means: p = {}", rounded(test.p_value)));
    Layer {
        facts: captions_of_sides(sides).into_iter().chain(test).collect(),
        zero: Some("no difference"),
        limits: limits_of_difference(sides),
        is_private: sides.iter().all(|(_, about)| about.is_private),
        ..Layer::of(
            drawn_difference(difference),
            "difference",
            &band_for(difference.level(), &"the difference of the population means"),
        )
    }
}

/// The points that a curve on this grid is drawn through.
pub(crate) fn drawn_through(grid: Vec<f64>, points: usize) -> Vec<f64> {
    if grid.len() > MOST_POINTS { thinned(grid) } else { dense(&grid, points) }
}

/// The points of a grid, with points between where they are few.
fn dense(grid: &[f64], points: usize) -> Vec<f64> {
    let between = (points / grid.len().max(1)).max(1);
    let mut points: Vec<f64> = grid
        .windows(2)
        .flat_map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            (0..between).map(move |step| from + (to - from) * step as f64 / between as f64)
        })
        .collect();
    points.extend(grid.last());
    points
}

/// Every few of the points of a long grid, and the last. What is drawn is smooth between its neighbours on so long a grid.
fn thinned<T: Copy>(values: Vec<T>) -> Vec<T> {
    if values.len() <= MOST_POINTS {
        return values;
    }
    let step = values.len().div_ceil(MOST_POINTS);
    let last = values.len() - 1;
    values.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last).map(|(_, value)| *value).collect()
}

/// Always the same kinds of facts in the same order; see [`Layer::facts`]: those of the release, and the smoother.
fn facts(release: &MeanRelease) -> Vec<String> {
    let smoother = match release.statistic().mechanism() {
        MeanMechanism::CameronMartin(own) if own != *release.smoother() => {
            format!("{} ({})", smoother_fact("smoother", release.smoother()), smoother_fact("after", &own))
        }
        _ => smoother_fact("smoother", release.smoother()),
    };
    captions(&release.facts()).chain([smoother + &shrinkage_warning(release)]).collect()
}

/// The words of facts for a caption, with Greek letters and powers of ten. What epsilon and delta amount to for Gaussian noise is told in
/// summaries, and not here.
pub fn captions(facts: &[Fact]) -> impl Iterator<Item = String> {
    let words = facts.iter().flat_map(|fact| &fact.caption).filter(|words| !words.starts_with("mu = "));
    words.map(|words| typeset(words))
}

/// Symbols, kernels and numbers of plain text as figures write them: `(ε, δ) = (1, 10⁻⁵)`. All but whole numbers have four digits.
fn typeset(words: &str) -> String {
    // a budget and a centre are stated to their last digit
    let is_stated = ["(epsilon", "centre "].iter().any(|start| words.starts_with(start));
    let stated = |number: f64| {
        if is_stated || number.fract() == 0.0 { exact(number) } else { rounded(number) }
    };
    let word = |word: &str| match word {
        "epsilon" => "ε".to_owned(),
        "delta" => "δ".to_owned(),
        "~" => "≈".to_owned(),
        "R^2" => "R²".to_owned(),
        "Cameron-Martin" => "Cameron–Martin".to_owned(),
        other => match (other.parse::<f64>(), other.parse::<KernelName>()) {
            (Ok(number), _) if number.is_finite() => stated(number),
            (_, Ok(kernel)) => kernel_in_words(kernel),
            _ => other.to_owned(),
        },
    };
    let is_end = |c: char| matches!(c, ' ' | ',' | '(' | ')' | ':');
    words
        .split_inclusive(is_end)
        .map(|piece| match piece.strip_suffix(is_end) {
            Some(inner) => word(inner) + &piece[inner.len()..],
            None => word(piece),
        })
        .collect()
}

fn smoother_fact(word: &str, smoother: &PenalizedMean) -> String {
    let kernel = kernel_fact(smoother.kernel());
    format!("{word} {kernel}, penalty {}, power {}", rounded(smoother.penalty()), exact(smoother.power()))
}

/// A ribbon does not show what was shrunk away: a function that is mostly the centre must say so beside it.
fn shrinkage_warning(release: &MeanRelease) -> String {
    let kept = release.function().leading_shrinkage();
    if kept < 0.5 {
        format!(" · mostly the centre: only {:.0} % of the leading component is kept", 100.0 * kept)
    } else {
        String::new()
    }
}

fn kernel_fact(kernel: &Kernel) -> String {
    let joined =
        |terms: &[Kernel], sign: &str| format!("({})", terms.iter().map(kernel_fact).collect::<Vec<_>>().join(sign));
    match kernel {
        Kernel::Sum(sum) => joined(sum.terms(), " + "),
        Kernel::Product(product) => joined(product.terms(), " × "),
        Kernel::Scaled(scaled) => format!("{} × {}", exact(scaled.factor()), kernel_fact(scaled.kernel())),
        named => KernelName::of(named)
            .map_or_else(String::new, |(name, range)| format!("{}, range {}", kernel_caption(name), exact(range))),
    }
}

/// A kernel without its range, such as `Matérn 5/2 kernel`.
pub(crate) fn kernel_caption(name: KernelName) -> String {
    kernel_in_words(name) + " kernel"
}

/// The same without the word: `Matérn 5/2`.
fn kernel_in_words(name: KernelName) -> String {
    name.parameter()
        .map_or_else(|| name.caption().to_owned(), |number| format!("{} {}", name.caption(), fraction(number)))
}

/// Half-integers as fractions, as everyone writes them.
fn fraction(number: f64) -> String {
    let doubled = 2.0 * number;
    if doubled.fract() == 0.0 && doubled % 2.0 != 0.0 && doubled < 100.0 {
        format!("{doubled}/2")
    } else {
        exact(number)
    }
}
