//! From several means to the figure of all of them: in one panel, or in a panel each.

use dpfda_analysis::{Banded, CentileCurves, Difference, Estimate, Estimated, Population, PopulationMean, Several};
use dpfda_kernels::Grid;
use dpfda_mechanism::{exact, rounded};
use dpfda_release::Regression;
use ndarray::Array1;

use crate::about::About;
use crate::error::FigureError;
use crate::lines::{AxisScale, LineFigure, LinePanel, MOST_PANELS, Series, SeriesStyle};

/// The most means that can be told apart in one panel.
const MOST_IN_A_PANEL: usize = 11;

impl LineFigure {
    /// The figure of a regression: the intercept and the first coefficients with their bands, a panel for each, with the names that the
    /// release has for its axes. The title says how many are left out, and whether the noise came from a seed.
    pub fn regression(estimated: &Estimated<Regression>) -> Result<Self, FigureError> {
        Self::coefficients(estimated.means(), &About::of(estimated.drawn(), &[]))
    }

    /// The same of coefficients that are known apart from their release.
    pub fn coefficients(means: &Several<PopulationMean>, about: &About<'_>) -> Result<Self, FigureError> {
        let known = means.all().iter().filter_map(|one| Some((one.name(), one.mean().ok()?)));
        let coefficients: Vec<_> = known.collect();
        let panel = |(place, (name, mean)): (usize, &(&str, &Banded<PopulationMean>))| {
            let Estimate { values, lower, upper, .. } = mean.estimate();
            let series = with_band("estimate", mean.population().grid(), [values, lower, upper]).into();
            let panel = LinePanel::new(name, AxisScale::Linear, AxisScale::Linear, series)?;
            if place == 0 { Ok(panel) } else { panel.reference(0.0, "no effect") }
        };
        let panels: Vec<LinePanel> =
            coefficients.iter().take(MOST_PANELS).enumerate().map(panel).collect::<Result<_, FigureError>>()?;
        let left_out = coefficients.len() - panels.len();
        let rest = if left_out > 0 { format!("; {left_out} more not shown") } else { String::new() };
        let percent = rounded(100.0 * means.level());
        let title = format!("Private regression: coefficients with {percent} % bands{rest}{}", stamp(about));
        let labels = about.labels;
        let axes = (labels.argument().unwrap_or("t"), labels.value().unwrap_or("change per unit"));
        Ok(Self::new(panels)?.title(&title).axes(axes.0, axes.1))
    }

    /// The means of several groups with their bands in one panel, and beside them the difference of two. Where no mean is known, the public
    /// `center` on the grid is shown.
    pub fn groups(
        means: &Several<PopulationMean>,
        (grid, center): (&Grid, &Array1<f64>),
        about: &About<'_>,
    ) -> Result<Self, FigureError> {
        let shown: Vec<_> = means.all().iter().filter(|group| group.estimate().is_ok()).take(MOST_IN_A_PANEL).collect();
        let mut series = Vec::new();
        for group in &shown {
            let Ok(Estimate { values, lower, upper, .. }) = group.estimate() else { continue };
            series.extend(with_band(group.name(), grid, [values, lower, upper]));
        }
        if series.is_empty() {
            let label = "the public centre: no group is large enough".to_owned();
            let (x, y) = (grid.closed_points(), grid.closed_values(center.to_vec()));
            series.push(Series { label, x, y, style: SeriesStyle::Line });
        }
        let percent = rounded(100.0 * means.level());
        let left_out = means.all().len() - shown.len();
        let rest = if left_out > 0 { format!(" ({left_out} more not shown)") } else { String::new() };
        let heading = format!("means with {percent} % bands{rest}");
        let mut panels = vec![LinePanel::new(&heading, AxisScale::Linear, AxisScale::Linear, series)?];
        if let [first, second] = &shown[..]
            && let (Ok(one), Ok(other)) = (first.population(), second.population())
            && let Ok(difference) = Difference::new(one, other, means.level())
        {
            let heading = format!("{} minus {}, with a {percent} % band", first.name(), second.name());
            let [lower, upper] = [difference.lower(), difference.upper()];
            let series = with_band("difference", grid, [difference.values(), &lower, &upper]).into();
            let panel = LinePanel::new(&heading, AxisScale::Linear, AxisScale::Linear, series)?;
            panels.push(panel.reference(0.0, "no difference")?);
        }
        let title = format!("Private means of {} groups{}", means.all().len(), stamp(about));
        let labels = about.labels;
        let axes = (labels.argument().unwrap_or("t"), labels.value().unwrap_or("value"));
        Ok(Self::new(panels)?.title(&title).axes(axes.0, axes.1))
    }
}

impl LineFigure {
    /// The chart of centile curves, shaded between those that mirror each other, and beside it each curve in its band.
    pub fn centiles(curves: &CentileCurves, about: &About<'_>) -> Result<Self, FigureError> {
        let grid = curves.grid();
        let all: Vec<(f64, &Estimate<f64>)> = curves.all().collect();
        let mirror = |p: f64| all.iter().find(|(other, _)| (*other + p - 100.0).abs() < 1e-9 && *other != p);
        // one name, and so one colour, for a centile and its mirror
        let label = |p: f64| match mirror(p) {
            Some((other, _)) => format!("{}% and {}%", exact(p.min(*other)), exact(p.max(*other))),
            None => format!("{}%", exact(p)),
        };
        let (mut chart, mut bands) = (Vec::new(), Vec::new());
        for (p, curve) in &all {
            let [own, line] = with_band(&label(*p), grid, [&curve.values, &curve.lower, &curve.upper]);
            bands.extend([own, line.clone()]);
            if let Some((_, other)) = mirror(*p).filter(|(other, _)| *other > *p) {
                let [between, _] = with_band(&label(*p), grid, [&curve.values, &curve.values, &other.values]);
                chart.push(between);
            }
            chart.push(line);
        }
        let percent = rounded(100.0 * all.first().map_or(0.0, |(_, curve)| curve.level));
        let panel = |heading: &str, series| LinePanel::new(heading, AxisScale::Linear, AxisScale::Linear, series);
        let panels =
            vec![panel("centiles", chart)?, panel(&format!("the same with one {percent}% band for all"), bands)?];
        let title = format!("Private centile curves{}", stamp(about));
        let labels = about.labels;
        let axes = (labels.argument().unwrap_or("t"), labels.value().unwrap_or("value"));
        Ok(Self::new(panels)?.with_one_scale().title(&title).axes(axes.0, axes.1))
    }
}

/// What a title says of noise that was no secret.
pub(crate) fn stamp(about: &About<'_>) -> &'static str {
    if about.is_private { "" } else { " (noise from a seed: NOT PRIVATE)" }
}

/// A line within its band, in one colour: values, and the lower and the upper end.
fn with_band(label: &str, grid: &Grid, numbers: [&Array1<f64>; 3]) -> [Series; 2] {
    let [values, lower, upper] = numbers.map(|of| grid.closed_values(of.to_vec()));
    let points = grid.closed_points();
    let there = points.iter().zip(&lower);
    let back = points.iter().zip(&upper).rev();
    let (x, y) = there.chain(back).map(|(t, value)| (*t, *value)).unzip();
    let series = |x, y, style| Series { label: label.to_owned(), x, y, style };
    [series(x, y, SeriesStyle::Area), series(points, values, SeriesStyle::Line)]
}
