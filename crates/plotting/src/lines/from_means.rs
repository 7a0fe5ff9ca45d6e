//! From several means to the figure of all of them: in one panel, or in a panel each.

use dpfda_analysis::{Banded, CentileCurves, Difference, Estimate, Named, Outcome, PopulationMean, Several, Target};
use dpfda_kernels::Grid;
use dpfda_mechanism::{Labels, exact};
use ndarray::Array1;

use crate::about::{About, limits_of_difference};
use crate::canvas::numbers::percent;
use crate::error::FigureError;
use crate::figure::{Drawing, Figure, Frame};
use crate::lines::{AxisScale, LineFigure, LinePanel, MOST_PANELS, Series, SeriesStyle};
use crate::mean::from_release::{Drawn, drawn, drawn_difference};
use crate::mean::layer::Layer;
use crate::parts::stretches::without_zero;

/// From so many groups on, each has a panel of its own.
const SEVERAL: usize = 4;
/// How many points a curve is drawn through in a small panel, where the grid has fewer.
const POINTS: usize = 150;

/// Means of groups, and what is said of them.
#[derive(Debug, Clone, Copy)]
pub struct GroupMeans<'a> {
    /// The means under the names of their groups.
    pub means: &'a Several<PopulationMean>,
    /// How many records each group has, in words.
    pub sizes: &'a [String],
    /// The column that says who is in which group.
    pub column: Option<&'a str>,
}

impl GroupMeans<'_> {
    /// The name of a group with its size.
    fn name(&self, group: &Named<PopulationMean>, size: &str) -> String {
        let of = self.column.map_or_else(String::new, |column| format!("{column}\u{a0}=\u{a0}"));
        let size = if size.is_empty() { String::new() } else { format!(" (N\u{a0}=\u{a0}{size})") };
        of + group.name() + &size
    }

    /// The groups whose means are known, each with its size in words.
    fn known(&self) -> Vec<(&Named<PopulationMean>, &str, &Banded<PopulationMean>)> {
        let sizes = self.sizes.iter().map(String::as_str).chain(std::iter::repeat(""));
        let all = self.means.all().iter().zip(sizes);
        all.filter_map(|(group, size)| Some((group, size, group.mean().ok()?))).collect()
    }

    fn title(&self, shown: usize) -> String {
        let of = self.column.map_or_else(|| "Means of groups".to_owned(), |column| format!("Means by {column}"));
        match self.means.all().len() - shown {
            0 => of,
            rest => format!("{of} ({rest} more not shown)"),
        }
    }
}

/// A coefficient of a regression.
#[derive(Debug, Clone, Copy)]
pub struct Coefficient<'a> {
    /// What stands above its panel.
    pub name: &'a str,
    /// What it is for one unit of, such as `year`; nothing for a mean, and for a level against another.
    pub per: Option<&'a str>,
    /// The function.
    pub mean: &'a Banded<PopulationMean>,
    /// Whether it is a mean, and no difference from one.
    pub is_mean: bool,
}

impl Coefficient<'_> {
    /// The name of the vertical axis, with the unit of the coefficient.
    fn axis(&self, labels: &Labels) -> String {
        let per = self.per.map_or_else(String::new, |per| format!(" per {per}"));
        match (self.is_mean, labels.unit()) {
            (true, _) => labels.value().unwrap_or("value").to_owned(),
            (false, Some(unit)) => format!("change ({unit}{per})"),
            (false, None) => format!("change{per}"),
        }
    }
}

impl LineFigure {
    /// The figure of a regression: a panel for each coefficient with its band, its unit and 0.
    pub fn coefficients(all: &[Coefficient<'_>], about: &About<'_>) -> Result<Self, FigureError> {
        let panel = |one: &Coefficient<'_>| {
            let of = drawn(one.mean, POINTS);
            let panel = linear(one.name, with_band("estimate", &of).into())?.named(&one.axis(about.labels));
            if one.is_mean { Ok(panel.within(about.limits)) } else { panel.against_zero("no effect", &of) }
        };
        let panels: Vec<LinePanel> = all.iter().take(MOST_PANELS).map(panel).collect::<Result<_, FigureError>>()?;
        let rest = match all.len() - panels.len() {
            0 => String::new(),
            rest => format!(" ({rest} more not shown)"),
        };
        let figure = Self::new(panels)?.title(&format!("Coefficients of the regression{rest}"));
        Ok(figure.axes(about.argument(), about.value("value")).about(about))
    }

    /// The means of two or three groups with their bands in one panel, and beside them the difference of two; of more groups, each in a
    /// panel of its own before the others.
    ///
    /// # Errors
    /// [`FigureError`] where no mean is known, and for numbers that axes cannot show.
    pub fn groups(groups: &GroupMeans<'_>, about: &About<'_>) -> Result<Drawing, FigureError> {
        let known = groups.known();
        if known.len() >= SEVERAL {
            return Ok(apart(groups, about)?.framed(&Frame::default()));
        }
        let mut series = Vec::new();
        for (group, size, mean) in &known {
            series.extend(with_band(&groups.name(group, size), &drawn(mean, POINTS)));
        }
        let mut panels = vec![linear("means", series)?.within(about.limits)];
        if let [(one, _, first), (other, _, second)] = &known[..]
            && let Ok(difference) = Difference::new(first.population(), second.population(), groups.means.level())
        {
            let of = drawn_difference(&difference);
            let [one, other] = [one, other].map(|group| groups.name(group, ""));
            let panel = linear(&format!("{one} minus {other}"), with_band("difference", &of).into())?;
            let unit = about.labels.unit().map_or_else(String::new, |unit| format!(" ({unit})"));
            let limits = limits_of_difference(&[("", *about), ("", *about)]);
            let panel = panel.named(&format!("difference{unit}")).within(limits);
            panels.push(panel.against_zero("no difference", &of)?);
        }
        let figure = Self::new(panels)?.title(&groups.title(known.len())).about(about);
        Ok(figure.axes(about.argument(), about.value("value")).framed(&Frame::default()))
    }

    /// The chart of centile curves, shaded between those that mirror each other, and a panel for each curve in its band, before the others.
    pub fn centiles(curves: &CentileCurves, about: &About<'_>) -> Result<Self, FigureError> {
        let grid = curves.grid();
        let all: Vec<(f64, &Estimate<f64>)> = curves.all().collect();
        let mirror = |p: f64| all.iter().find(|(other, _)| (*other + p - 100.0).abs() < 1e-9 && *other != p);
        // one name, and so one colour, for a centile and its mirror
        let label = |p: f64| match mirror(p) {
            Some((other, _)) => format!("{}% and {}%", exact(p.min(*other)), exact(p.max(*other))),
            None => format!("{}%", exact(p)),
        };
        let of = |numbers: [&Array1<f64>; 3]| on_grid(grid, numbers);
        let behind = |at: &f64| -> Vec<Series> {
            let others = all.iter().filter(|(p, _)| p != at);
            let thin = |(_, curve): &(f64, &Estimate<f64>)| {
                let [_, line] = with_band("the other centiles", &of([&curve.values; 3]));
                Series { style: SeriesStyle::Thin, ..line }
            };
            others.map(thin).collect()
        };
        let (mut chart, mut each) = (Vec::new(), Vec::new());
        for (p, curve) in &all {
            let [own, line] = with_band(&label(*p), &of([&curve.values, &curve.lower, &curve.upper]));
            let series = [own, line.clone()].into_iter().chain(behind(p)).collect();
            each.push(linear(&format!("{}% in its band", exact(*p)), series)?);
            if let Some((_, other)) = mirror(*p).filter(|(other, _)| *other > *p) {
                let [between, _] = with_band(&label(*p), &of([&curve.values, &curve.values, &other.values]));
                chart.push(between);
            }
            chart.push(line);
        }
        // what is shaded in the chart is no band, and no cut of it is marked
        let each = each.into_iter().map(|panel| panel.within(Some(curves.bounds())));
        let has_pairs = chart.iter().any(|series| series.style == SeriesStyle::Area);
        let together = if has_pairs { "all centiles, shaded between pairs" } else { "all centiles" };
        let panels: Vec<LinePanel> = [linear(together, chart)?].into_iter().chain(each).take(MOST_PANELS).collect();
        let title = match all.len() + 1 - panels.len() {
            0 => "Centile curves".to_owned(),
            rest => format!("Centile curves ({rest} more bands not shown)"),
        };
        let figure = Self::new(panels)?.with_one_scale().title(&title).about(about);
        Ok(figure.axes(about.argument(), about.value("value")))
    }
}

impl LineFigure {
    /// The correlation of curves with an outcome in its band, and beside it the slope function where it is told from noise.
    pub fn outcome(outcome: &Outcome, about: &About<'_>) -> Result<Self, FigureError> {
        let (grid, correlation) = (outcome.grid(), outcome.correlation());
        let of = |numbers: [&Array1<f64>; 3]| on_grid(grid, numbers);
        let drawn = of([&correlation.values, &correlation.lower, &correlation.upper]);
        let panel = linear("correlation", with_band("estimate", &drawn).into())?.named("correlation");
        let mut panels = vec![panel.within(Some((-1.0, 1.0))).against_zero("no association", &drawn)?];
        if let Ok(slope) = outcome.slope() {
            let [_, line] = with_band("estimate", &of([&slope.values; 3]));
            // of one unit of the curve all over the domain
            let unit = about.labels.unit().unwrap_or("unit of the curve");
            let name = format!("slope ({} per {unit})", outcome.name());
            panels.push(
                linear("slope function (without a band)", vec![line])?.named(&name).reference(0.0, "no association")?,
            );
        }
        let title = format!("Correlation of curves with {}{}", outcome.name(), outcome.given());
        let figure = Self::new(panels)?.title(&title).about(about);
        Ok(figure.axes(about.argument(), "correlation"))
    }
}

/// Values with their band, on a circle closed up.
fn on_grid(grid: &Grid, numbers: [&Array1<f64>; 3]) -> Drawn {
    let [value, lower, upper] = numbers.map(|values| grid.closed_values(values.to_vec()));
    Drawn { t: grid.closed_points(), value, lower, upper }
}

/// A panel for each group, before the others.
fn apart(groups: &GroupMeans<'_>, about: &About<'_>) -> Result<Figure, FigureError> {
    let known = groups.known();
    let shown: Vec<Drawn> = known.iter().take(MOST_PANELS).map(|(.., mean)| drawn(mean, POINTS)).collect();
    let target = known.first().map_or(Target::PopulationMean, |(.., mean)| mean.estimate().target);
    let ribbon = format!("{} band for {target} of a group", percent(groups.means.level()));
    let facts = about.captions_without_band();
    let layer = |(place, ((group, size, _), of)): (usize, (&(&Named<PopulationMean>, &str, _), &Drawn))| {
        let others = shown.iter().enumerate().filter(|(other, _)| *other != place);
        Layer {
            label: groups.name(group, size),
            facts: facts.clone(),
            behind: others.map(|(_, other)| other.value.clone()).collect(),
            limits: about.limits,
            is_private: about.is_private,
            ..Layer::of(of.clone(), "mean of the group", &ribbon)
        }
    };
    let layers = known.iter().zip(&shown).enumerate().map(layer).collect();
    let figure = Figure::of_layers(layers)?.title(&groups.title(shown.len()));
    Ok(figure.axes(about.argument(), about.value("value")))
}

impl LinePanel {
    /// Marks 0 and the stretches where the band leaves it out.
    fn against_zero(mut self, words: &str, of: &Drawn) -> Result<Self, FigureError> {
        self.without_zero = without_zero(&of.t, &of.lower, &of.upper);
        self.reference(0.0, words)
    }
}

/// A panel with linear axes.
pub(crate) fn linear(label: &str, series: Vec<Series>) -> Result<LinePanel, FigureError> {
    LinePanel::new(label, AxisScale::Linear, AxisScale::Linear, series)
}

/// A line within its band, in one colour.
pub(crate) fn with_band(label: &str, of: &Drawn) -> [Series; 2] {
    let there = of.t.iter().zip(&of.lower);
    let back = of.t.iter().zip(&of.upper).rev();
    let (x, y) = there.chain(back).map(|(t, value)| (*t, *value)).unzip();
    let series = |x, y, style| Series { label: label.to_owned(), x, y, style };
    [series(x, y, SeriesStyle::Area), series(of.t.clone(), of.value.clone(), SeriesStyle::Line)]
}
