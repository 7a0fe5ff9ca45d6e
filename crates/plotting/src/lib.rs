//! Figures of released functions, as SVG and PNG, without any system library.
//!
//! - A [`Figure`] is made of releases alone. Private curves get onto one only through [`Figure::with_private_curves`].
//! - A [`SurfaceFigure`] shows a score over two parameters.
//! - A [`PanelGrid`] compares means with and without privacy, over the curves themselves.
//!
//! Whatever is private comes as [`NonPrivate`](dpfda_privacy::NonPrivate) and stamps the whole figure.
//!
//! The chain inside is release -> layer (what is drawn of it) -> scene (lines, areas and texts in CSS pixels) -> file.

mod axis;
mod clip;
mod columns;
mod error;
mod figure;
mod font;
mod from_release;
mod from_surface;
mod header;
mod layer;
mod layout;
mod legend;
mod numbers;
mod panel;
mod panel_grid;
mod render;
#[cfg(test)]
mod samples;
mod scene;
mod source;
mod stroke;
mod surface;
mod text;

pub use error::FigureError;
pub use figure::Figure;
pub use panel_grid::{GridPanel, PanelGrid};
pub use surface::{SurfaceFigure, SurfacePanel};
