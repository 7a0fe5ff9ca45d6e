//! The figure of a release of groups: the means with their bands, and of two groups the difference.

use dpfda::analysis::{Difference, Estimated};
use dpfda::plotting::{AxisScale, FigureError, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::release::Groups;

use ndarray::Array1;

use crate::look::Look;
use crate::summary::rounded;

/// The most groups that can be told apart in one panel.
const SHOWN: usize = 11;

/// The means of the groups, and beside them the difference of two.
pub fn of(estimated: &Estimated<Groups>, look: &Look) -> Result<LineFigure, FigureError> {
    let shown: Vec<_> = estimated.means().all().iter().filter(|group| group.estimate().is_ok()).take(SHOWN).collect();
    let grid = estimated.statistic().grid();
    let points = grid.closed_points();
    let closed = |values: &Array1<f64>| grid.closed_values(values.to_vec());
    let mut series = Vec::new();
    for group in &shown {
        let Ok(estimate) = group.estimate() else { continue };
        let [values, lower, upper] = [&estimate.values, &estimate.lower, &estimate.upper].map(closed);
        series.extend(with_band(group.name(), &points, &values, &lower, &upper));
    }
    if series.is_empty() {
        let y = estimated.statistic().ball().center_at(estimated.statistic().grid());
        let y = y.map_or_else(|_| vec![0.0; points.len()], |center| closed(&center));
        series.push(Series {
            label: "the public centre: no group is large enough".to_owned(),
            x: points.clone(),
            y,
            style: SeriesStyle::Line,
        });
    }
    let percent = rounded(100.0 * estimated.means().level());
    let left_out = estimated.means().all().len() - shown.len();
    let rest = if left_out > 0 { format!(" ({left_out} more not shown)") } else { String::new() };
    let heading = format!("means with {percent} % bands{rest}");
    let mut panels = vec![LinePanel::new(&heading, AxisScale::Linear, AxisScale::Linear, series)?];
    if let [first, second] = &shown[..]
        && let (Ok(one), Ok(other)) = (first.population(), second.population())
        && let Ok(difference) = Difference::new(one, other, estimated.means().level())
    {
        let heading = format!("{} minus {}, with a {percent} % band", first.name(), second.name());
        let [values, lower, upper] =
            [difference.values().clone(), difference.lower(), difference.upper()].map(|of| closed(&of));
        let series = with_band("difference", &points, &values, &lower, &upper).into();
        let panel = LinePanel::new(&heading, AxisScale::Linear, AxisScale::Linear, series)?;
        panels.push(panel.reference(0.0, "no difference")?);
    }
    let stamp = if estimated.is_private() { "" } else { " (noise from a seed: NOT PRIVATE)" };
    let title = format!("Private means of {} groups{stamp}", estimated.means().all().len());
    let labels = estimated.labels();
    let axes = (labels.argument().unwrap_or("t"), labels.value().unwrap_or("value"));
    Ok(look.over(LineFigure::new(panels)?.title(&title), axes))
}

/// A line within its band, in one colour.
fn with_band(label: &str, points: &[f64], values: &[f64], lower: &[f64], upper: &[f64]) -> [Series; 2] {
    let there = points.iter().zip(lower);
    let back = points.iter().zip(upper).rev();
    let (x, y) = there.chain(back).map(|(t, value)| (*t, *value)).unzip();
    let series = |x, y, style| Series { label: label.to_owned(), x, y, style };
    [series(x, y, SeriesStyle::Area), series(points.to_vec(), values.to_vec(), SeriesStyle::Line)]
}
