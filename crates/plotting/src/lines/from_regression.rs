//! From a regression to the figure of its coefficients.

use dpfda_analysis::{Estimate, Estimated};
use dpfda_kernels::Grid;
use dpfda_mechanism::rounded;
use dpfda_release::Regression;

use crate::error::FigureError;
use crate::lines::{AxisScale, LineFigure, LinePanel, MOST_PANELS, Series, SeriesStyle};

impl LineFigure {
    /// The figure of a regression: the intercept and the first coefficients with their bands, a panel for each, with the names that the
    /// release has for its axes. The title says how many are left out, and whether the noise came from a seed.
    ///
    /// # Errors
    /// [`FigureError`] for coefficients that axes cannot show.
    pub fn regression(estimated: &Estimated<Regression>) -> Result<Self, FigureError> {
        let known = estimated.means().all().iter();
        let coefficients: Vec<_> = known.filter_map(|one| Some((one.name(), one.estimate().ok()?))).collect();
        let grid = estimated.statistic().grid();
        let panel = |(place, &(name, function)): (usize, &(&str, &Estimate<f64>))| {
            let panel = LinePanel::new(name, AxisScale::Linear, AxisScale::Linear, with_band(grid, function).into())?;
            if place == 0 { Ok(panel) } else { panel.reference(0.0, "no effect") }
        };
        let panels: Vec<LinePanel> =
            coefficients.iter().take(MOST_PANELS).enumerate().map(panel).collect::<Result<_, FigureError>>()?;
        let left_out = coefficients.len() - panels.len();
        let rest = if left_out > 0 { format!("; {left_out} more not shown") } else { String::new() };
        let stamp = if estimated.is_private() { "" } else { " (noise from a seed: NOT PRIVATE)" };
        let percent = rounded(100.0 * estimated.means().level());
        let title = format!("Private regression: coefficients with {percent} % bands{rest}{stamp}");
        let labels = estimated.labels();
        let axes = (labels.argument().unwrap_or("t"), labels.value().unwrap_or("change per unit"));
        Ok(Self::new(panels)?.title(&title).axes(axes.0, axes.1))
    }
}

/// A line within its band, in one colour.
fn with_band(grid: &Grid, function: &Estimate<f64>) -> [Series; 2] {
    let Estimate { values, lower, upper, .. } = function;
    let [values, lower, upper] = [values, lower, upper].map(|of| grid.closed_values(of.to_vec()));
    let points = grid.closed_points();
    let there = points.iter().zip(&lower);
    let back = points.iter().zip(&upper).rev();
    let (x, y) = there.chain(back).map(|(t, value)| (*t, *value)).unzip();
    let series = |x, y, style| Series { label: "estimate".to_owned(), x, y, style };
    [series(x, y, SeriesStyle::Area), series(points, values, SeriesStyle::Line)]
}
