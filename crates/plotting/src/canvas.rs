//! What is drawn, in CSS pixels, and how it becomes a file.

pub(crate) mod area;
pub(crate) mod bitmap;
pub(crate) mod clip;
pub(crate) mod font;
pub(crate) mod numbers;
pub(crate) mod palette;
pub(crate) mod pdf;
pub(crate) mod plotters;
pub(crate) mod scene;
pub(crate) mod stroke;
pub(crate) mod text;
