//! From a release, or a curator's curves, to what a figure draws of it.

use std::ops::Range;

use dpfda_analysis::{Banded, Difference, Estimable, Estimated, PointEstimate, Population, PopulationMean};
use dpfda_kernels::{Kernel, KernelName};
use dpfda_mechanism::Fact;
use dpfda_privacy::NonPrivate;
use dpfda_release::{MeanMechanism, MeanRelease};
use dpfda_smoothing::{CurveSet, PenalizedMean};

use crate::about::About;
use crate::canvas::numbers::{exact, rounded};
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
const DENSE_POINTS: usize = 600;
/// A curve on more points than this is drawn through some of them.
const MOST_POINTS: usize = 2048;
/// What every panel shows of them at least.
const FEWEST_CURVES: usize = 100;

impl Figure {
    /// The figure of one release.
    pub fn release(release: &MeanRelease) -> Self {
        Self::of_few_layers(vec![layer("", release)])
    }

    /// The figure of an estimate: its curve and its band, on a dense grid, with the names that the release has for its axes. The parts of
    /// the domain that too few people were measured in are grey.
    pub fn estimate<S: Estimable<Means = Banded<PopulationMean>>>(estimated: &Estimated<S>) -> Self {
        Self::curve(estimated.mean(), estimated.unsupported(), &About::of(estimated.drawn(), &estimated.facts()))
    }

    /// The same of a mean that is known apart from its release; parts of the domain that are `unsupported` are grey.
    pub fn curve(mean: &Banded<PopulationMean>, unsupported: Vec<Range<f64>>, about: &About<'_>) -> Self {
        Self::of_few_layers(vec![layer_of_estimate(mean, unsupported, about)])
            .title("Estimated mean function")
            .axes(about.labels.argument().unwrap_or("t"), about.labels.value().unwrap_or("value"))
    }

    /// The difference of two estimated means with its band, and what each group is called.
    ///
    /// `facts` are what the caption says of the releases; noise from a seed is stamped unless `is_private`.
    pub fn difference(
        difference: &Difference<'_, PopulationMean>,
        [first, second]: [&str; 2],
        facts: &[Fact],
        is_private: bool,
    ) -> Self {
        let title = format!("{first} minus {second}");
        Self::of_few_layers(vec![layer_of_difference(difference, facts, is_private)])
            .title(&title)
            .axes("t", "difference of means")
    }

    /// Several releases side by side, each in a panel under its label, with common axes.
    ///
    /// What all releases share is said once, what differs above each panel.
    pub fn compare(releases: &[(&str, &MeanRelease)]) -> Result<Self, FigureError> {
        Self::of_layers(releases.iter().map(|(label, release)| layer(label, release)).collect())
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
    Layer {
        label: cleaned(label),
        t: thinned(grid.closed_points()),
        value,
        lower,
        upper,
        ribbon: NOISE_RIBBON.to_owned(),
        facts: facts(release),
        neighbours: Vec::new(),
        unsupported: Vec::new(),
        is_private: release.is_private(),
    }
}

/// The estimate on a grid so dense that no corner shows.
fn layer_of_estimate(mean: &Banded<PopulationMean>, unsupported: Vec<Range<f64>>, about: &About<'_>) -> Layer {
    let estimate = mean.estimate();
    let grid = mean.population().grid().closed_points();
    let points = mean.at(&drawn_through(grid));
    let points = points.unwrap_or_default();
    // outside the domain there is no point, and inside every point can be evaluated
    let of = |value: fn(&PointEstimate<f64>) -> f64| points.iter().map(value).collect::<Vec<f64>>();
    let percent = rounded(100.0 * estimate.level);
    Layer {
        label: String::new(),
        t: of(|point| point.at),
        value: of(|point| point.value),
        lower: of(|point| point.lower),
        upper: of(|point| point.upper),
        ribbon: format!("{percent} % band for {}", estimate.target),
        facts: captions(about.facts).collect(),
        neighbours: Vec::new(),
        unsupported,
        is_private: about.is_private,
    }
}

fn layer_of_difference(difference: &Difference<'_, PopulationMean>, facts: &[Fact], is_private: bool) -> Layer {
    let percent = rounded(100.0 * difference.level());
    let test = difference.equality().map(|test| format!("test of equal means: p = {}", rounded(test.p_value)));
    let mut facts: Vec<String> = facts.iter().filter_map(|fact| captions(std::slice::from_ref(fact)).next()).collect();
    facts.dedup();
    facts.extend(test);
    let shown = |values: Vec<f64>| thinned(difference.grid().closed_values(values));
    Layer {
        label: String::new(),
        t: thinned(difference.grid().closed_points()),
        value: shown(difference.values().to_vec()),
        lower: shown(difference.lower().to_vec()),
        upper: shown(difference.upper().to_vec()),
        ribbon: format!("{percent} % band for the difference of the population means"),
        facts,
        neighbours: vec![("no difference".to_owned(), shown(vec![0.0; difference.grid().len()]))],
        unsupported: Vec::new(),
        is_private,
    }
}

/// The points that a curve on this grid is drawn through.
pub(crate) fn drawn_through(grid: Vec<f64>) -> Vec<f64> {
    if grid.len() > MOST_POINTS { thinned(grid) } else { dense(&grid) }
}

/// The points of a grid, with points between where they are few.
fn dense(grid: &[f64]) -> Vec<f64> {
    let between = (DENSE_POINTS / grid.len().max(1)).max(1);
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

/// The words of facts for a caption, with Greek letters and powers of ten.
pub fn captions(facts: &[Fact]) -> impl Iterator<Item = String> {
    facts.iter().flat_map(|fact| &fact.caption).map(|words| typeset(words))
}

/// Symbols and numbers of plain text as figures write them: `(ε, δ) = (1, 10⁻⁵)`.
fn typeset(words: &str) -> String {
    let word = |word: &str| match word {
        "epsilon" => "ε".to_owned(),
        "delta" => "δ".to_owned(),
        "mu" => "μ".to_owned(),
        "~" => "≈".to_owned(),
        "Cameron-Martin" => "Cameron–Martin".to_owned(),
        other => match other.parse::<f64>() {
            Ok(number) if number.is_finite() => exact(number),
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
    match name.parameter() {
        Some(number) => format!("{} {} kernel", name.caption(), fraction(number)),
        None => format!("{} kernel", name.caption()),
    }
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
