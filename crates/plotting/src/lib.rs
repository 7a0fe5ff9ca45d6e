//! Figures of released functions, as SVG and PNG, without any system library.
//!
//! A [`Figure`] is made of releases alone. Private curves get onto one only through
//! [`Figure::with_private_curves`], which takes them as [`NonPrivate`](dpfda_privacy::NonPrivate) and stamps the whole
//! figure.
//!
//! The chain inside is release -> layer (what is drawn of it) -> scene (lines, areas and texts in CSS pixels) -> file.

mod axis;
mod error;
mod figure;
mod font;
mod from_release;
mod header;
mod layer;
mod layout;
mod numbers;
mod panel;
mod render;
#[cfg(test)]
mod samples;
mod scene;
mod stroke;
mod text;

pub use error::FigureError;
pub use figure::Figure;
