//! Figures of mean functions, and of the curves behind them.

pub(crate) mod from_release;
pub(crate) mod layer;
pub(crate) mod people;
pub(crate) mod releases;
