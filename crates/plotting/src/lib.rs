//! Figures of released functions and densities, as SVG and PNG, without any system library.
//!
//! - A [`Figure`] is made of releases alone. Private curves get onto one only through [`Figure::with_private_curves`].
//! - A [`SurfaceFigure`] shows a score over two parameters.
//! - A [`RatioFigure`] shows where a ratio over two parameters is above 1 and where below.
//! - A [`LineFigure`] shows labelled series of points on linear or logarithmic axes.
//! - A [`DensityFigure`] shows a released density: a step line, a heat map, or its marginals side by side.
//! - A [`PanelGrid`] compares means with and without privacy, over the curves themselves.
//!
//! Whatever is private comes as [`NonPrivate`](dpfda_privacy::NonPrivate) and stamps the whole figure.
//!
//! The chain inside is release -> layer (what is drawn of it) -> scene (lines, areas and texts in CSS pixels) -> file.

mod axis;
mod clip;
mod colour_bar;
mod columns;
mod contour;
mod density;
mod error;
mod figure;
mod font;
mod from_release;
mod from_surface;
mod header;
mod layer;
mod layout;
mod legend;
mod lines;
mod look;
mod numbers;
mod panel;
mod panel_grid;
mod parameter_grid;
mod plots;
mod ratio;
mod render;
#[cfg(test)]
mod samples;
mod scene;
mod source;
mod stroke;
mod surface;
mod text;

pub use density::DensityFigure;
pub use error::FigureError;
pub use figure::Figure;
pub use from_release::privacy_fact;
pub use lines::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
pub use panel_grid::{GridPanel, PanelGrid};
pub use ratio::{RatioFigure, RatioPanel};
pub use surface::{SurfaceFigure, SurfacePanel};
