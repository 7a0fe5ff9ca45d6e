//! The figures of `dpfda components`.

use dpfda::analysis::{Component, Components};
use dpfda::plotting::{AxisScale, CovarianceFigure, FigureError, LineFigure, LinePanel, Series, SeriesStyle, captions};

use crate::curve::Curve;
use crate::summary::rounded;

/// The most smoothed eigenvalues that are shown.
const SHOWN: usize = 10;

/// The most components that get a panel.
const PANELS: usize = 4;

/// Eigenvalues with error bars, and what noise alone reaches.
pub fn scree(estimated: &Curve, components: &Components) -> Result<LineFigure, FigureError> {
    let place = |index: usize| (index + 1) as f64;
    let smoothed: Vec<f64> = components.smoothed_eigenvalues().iter().take(SHOWN).copied().collect();
    let series = |label: &str, x, y, style| Series { label: label.to_owned(), x, y, style };
    let mut all = Vec::new();
    if components.rank() > 0 {
        let shown: Vec<&Component> = components.all().iter().take(SHOWN).collect();
        let x: Vec<f64> = (0..shown.len()).map(place).collect();
        let y = shown.iter().map(|component| component.eigenvalue).collect();
        all.push(series("eigenvalue, ±2 sd of privacy noise", x, y, SeriesStyle::Points));
        for (index, component) in shown.iter().enumerate() {
            let half = 2.0 * component.eigenvalue_sd;
            let y = vec![component.eigenvalue - half, component.eigenvalue + half];
            all.push(series("eigenvalue, ±2 sd of privacy noise", vec![place(index); 2], y, SeriesStyle::Line));
        }
    }
    let x = (0..smoothed.len()).map(place).collect();
    all.push(series("smoothed eigenvalue, compared with the dashes", x, smoothed, SeriesStyle::Points));
    let panel = LinePanel::new("", AxisScale::Linear, AxisScale::Linear, all)?
        .reference(components.threshold(), "noise alone stays below the dashes in 399 of 400 draws")?;
    let title = match components.rank() {
        0 => "No component can be told from the privacy noise".to_owned(),
        1 => "1 component can be told from the privacy noise".to_owned(),
        rank => format!("{rank} components can be told from the privacy noise"),
    };
    let figure = LineFigure::new(vec![panel])?.title(&(title + &stamp(estimated)));
    Ok(figure.axes("component", "eigenvalue (squared units of the data)"))
}

/// The mean, and the mean with two standard deviations of each component added and taken away.
pub fn modes(estimated: &Curve, components: &Components) -> Result<Option<LineFigure>, FigureError> {
    if components.rank() == 0 {
        return Ok(None);
    }
    let panels = components.all().iter().take(PANELS).enumerate();
    let panels = panels.map(|(index, component)| mode(components, index, component)).collect::<Result<_, _>>()?;
    let title = format!("The mean, and 2 standard deviations along each component{}", stamp(estimated));
    Ok(Some(LineFigure::new(panels)?.with_one_scale().title(&title).axes("t", "value")))
}

fn mode(components: &Components, index: usize, component: &Component) -> Result<LinePanel, FigureError> {
    let points = components.grid().points().to_vec();
    let size = component.eigenvalue.max(0.0).sqrt();
    let series = |label: &str, sds: f64| Series {
        label: label.to_owned(),
        x: points.clone(),
        y: (&components.mean() + &(&component.function * (sds * size))).to_vec(),
        style: SeriesStyle::Line,
    };
    let share = match (component.explained, component.explained_sd) {
        (Some(share), Some(sd)) => format!(": {} % of the variance (sd\u{a0}{})", percent(share), percent(sd)),
        _ => String::new(),
    };
    let apart = if component.is_separately_identified { "" } else { ", not separately identified" };
    let label = format!("component {}{share}{apart}", index + 1);
    let all = vec![series("mean", 0.0), series("mean + 2 sd", 2.0), series("mean − 2 sd", -2.0)];
    LinePanel::new(&label, AxisScale::Linear, AxisScale::Linear, all)
}

/// The covariance surface.
pub fn covariance(estimated: &Curve, components: &Components) -> Result<CovarianceFigure, FigureError> {
    let points = components.grid().points().to_vec();
    let facts: Vec<String> = captions(&estimated.of_release).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let figure = CovarianceFigure::new(&points, &components.covariance())?.caption(&facts);
    let figure = figure.title("Private covariance of the curves");
    Ok(if estimated.private { figure } else { figure.noise_from_a_seed() })
}

fn percent(share: f64) -> String {
    rounded((1000.0 * share).round() / 10.0)
}

/// What the title of a figure says of noise from a seed.
pub fn stamp(estimated: &Curve) -> String {
    if estimated.private { String::new() } else { " (noise from a seed: NOT PRIVATE)".to_owned() }
}
