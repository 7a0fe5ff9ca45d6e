//! How curves vary: eigenvalues, modes, covariance, and synthetic curves.

use dpfda_analysis::{Banded, Component, Components, PopulationMean};
use dpfda_kernels::Grid;
use dpfda_mechanism::rounded;
use ndarray::{Array2, ArrayView1};

use crate::about::About;
use crate::canvas::numbers::percent;
use crate::error::FigureError;
use crate::lines::from_means::{linear, with_band};
use crate::lines::{LineFigure, LinePanel, Series, SeriesStyle};
use crate::maps::covariance::CovarianceFigure;
use crate::mean::from_release::{DENSE_POINTS, drawn};

/// The most smoothed eigenvalues that are shown.
const SHOWN: usize = 10;

/// How far a smoothed eigenvalue is to the right of its own, which it would hide.
const BESIDE: f64 = 0.15;

/// The most components that get a panel.
const PANELS: usize = 4;

/// The most synthetic curves that are shown.
const CURVES: usize = 25;

impl LineFigure {
    /// Eigenvalues with error bars, and what noise alone reaches.
    pub fn scree(components: &Components, about: &About<'_>) -> Result<Self, FigureError> {
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
        let x = (0..smoothed.len()).map(|index| place(index) + BESIDE).collect();
        all.push(series("smoothed eigenvalue, compared with the dashes", x, smoothed, SeriesStyle::Points));
        let panel = linear("", all)?
            .reference(components.threshold(), "noise alone stays below the dashes in 399 of 400 draws")?;
        let title = match components.rank() {
            0 => "No component can be told from the privacy noise".to_owned(),
            1 => "1 component can be told from the privacy noise".to_owned(),
            rank => format!("{rank} components can be told from the privacy noise"),
        };
        let unit = squared(about).unwrap_or_else(|| " (squared units of the data)".to_owned());
        let figure = Self::new(vec![panel])?.title(&title).about(about);
        Ok(figure.axes("component", &format!("eigenvalue{unit}")))
    }

    /// The mean, and the mean with two standard deviations of each component added and taken away; `None` where the release tells of none.
    pub fn modes(components: &Components, about: &About<'_>) -> Result<Option<Self>, FigureError> {
        if components.rank() == 0 {
            return Ok(None);
        }
        let panels = components.all().iter().take(PANELS).enumerate();
        let panels = panels.map(|(index, component)| mode(components, index, component)).collect::<Result<_, _>>()?;
        let figure =
            Self::new(panels)?.with_one_scale().title("The mean, and 2 standard deviations along each component");
        Ok(Some(figure.axes(about.argument(), about.value("value")).about(about)))
    }

    /// The mean with its band, above some of the synthetic curves, in rows.
    pub fn synthetic(
        mean: &Banded<PopulationMean>,
        (grid, curves): (&Grid, &Array2<f64>),
        about: &About<'_>,
    ) -> Result<Self, FigureError> {
        let estimate = mean.estimate();
        let band = format!("mean, with its {} band", percent(estimate.level));
        let label = format!("{} of {} synthetic curves", curves.nrows().min(CURVES), curves.nrows());
        let thin = |curve: ArrayView1<'_, f64>| Series {
            label: label.clone(),
            x: grid.closed_points(),
            y: grid.closed_values(curve.to_vec()),
            style: SeriesStyle::Thin,
        };
        let shown = curves.rows().into_iter().take(CURVES).map(thin);
        let series = with_band(&band, &drawn(mean, DENSE_POINTS)).into_iter().chain(shown).collect();
        let figure =
            Self::new(vec![linear("", series)?])?.title("Synthetic curves, and the mean that they are drawn about");
        Ok(figure.axes(about.argument(), about.value("value")).about(about))
    }
}

/// The square of the unit of the values behind a name, where it is known: ` (cm²)`, `, (mg/dL)²`.
fn squared(about: &About<'_>) -> Option<String> {
    let unit = about.labels.unit()?;
    let is_simple = unit.chars().all(char::is_alphanumeric);
    Some(if is_simple { format!(" ({unit}²)") } else { format!(", ({unit})²") })
}

fn mode(components: &Components, index: usize, component: &Component) -> Result<LinePanel, FigureError> {
    let grid = components.grid();
    let size = component.eigenvalue.max(0.0).sqrt();
    let series = |label: &str, sds: f64| Series {
        label: label.to_owned(),
        x: grid.closed_points(),
        y: grid.closed_values((&components.mean() + &(&component.function * (sds * size))).to_vec()),
        style: SeriesStyle::Line,
    };
    let share = match (component.explained, component.explained_sd) {
        (Some(share), Some(sd)) => format!(": {}% of the variance (sd\u{a0}{}%)", tenths(share), tenths(sd)),
        _ => String::new(),
    };
    let apart = if component.is_separately_identified { "" } else { ", not separately identified" };
    let label = format!("component {}{share}{apart}", index + 1);
    let all = vec![series("mean", 0.0), series("mean + 2 sd", 2.0), series("mean − 2 sd", -2.0)];
    linear(&label, all)
}

fn tenths(share: f64) -> String {
    rounded((1000.0 * share).round() / 10.0)
}

impl CovarianceFigure {
    /// The covariance of curves about their mean.
    pub fn of_components(components: &Components, about: &About<'_>) -> Result<Self, FigureError> {
        let points = components.grid().points().to_vec();
        let facts = about.captions();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let figure = Self::new(&points, &components.covariance())?.caption(&facts).axis(about.argument());
        let figure = squared(about).map_or(figure.clone(), |unit| figure.unit(&unit));
        Ok(if about.is_private { figure } else { figure.noise_from_a_seed() })
    }
}
