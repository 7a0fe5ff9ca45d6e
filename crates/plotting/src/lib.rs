//! Figures of released functions and densities, as SVG, PDF and PNG, without any system library.
//!
//! | to show | use |
//! |---|---|
//! | one released mean function, or several side by side | [`Figure`] |
//! | a score over two parameters, such as an estimated risk | [`SurfaceFigure`] |
//! | labelled series of points on linear or logarithmic axes | [`LineFigure`] |
//! | a released density | [`DensityFigure`] |
//! | an estimated mean surface | [`MeanSurfaceFigure`] |
//! | a covariance between the points of a domain | [`CovarianceFigure`] |
//! | curves with their means, with and without privacy | [`PanelGrid`] |
//! | a page with texts and figures | [`Sheet`] |
//!
//! All of them are a [`Figure`] of some content: every figure has [`title`](Figure::title), [`to_svg`](Figure::to_svg),
//! [`to_pdf`](Figure::to_pdf) and [`to_png`](Figure::to_png).
//!
//! Private data reach a figure only as [`NonPrivate`](dpfda_privacy::NonPrivate), and stamp the whole figure.
//! [`Figure::with_private_curves`] is the one way to private curves on a figure of a release.
//!
//! Inside, a content becomes a scene (lines, areas and texts in CSS pixels), and a scene becomes a file.

mod about;
mod canvas;
mod components;
mod density;
mod error;
mod figure;
mod lines;
mod maps;
mod mean;
mod panel_grid;
mod parts;
#[cfg(test)]
#[path = "tests/samples.rs"]
mod samples;
mod sheet;

pub use about::About;
pub use density::DensityFigure;
pub use error::FigureError;
pub use figure::{Drawing, Figure, FigureSize, Format, Frame};
pub use lines::from_means::{Coefficient, GroupMeans};
pub use lines::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
pub use maps::covariance::CovarianceFigure;
pub use maps::mean_surface::MeanSurfaceFigure;
pub use maps::scores::{SurfaceFigure, SurfacePanel};
pub use mean::from_release::captions;
pub use mean::people::CurvesFigure;
pub use panel_grid::{GridPanel, PanelGrid};
pub use sheet::{Ink, Sheet, sheets_to_pdf};
