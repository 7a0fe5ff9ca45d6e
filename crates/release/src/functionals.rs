//! Linear functionals of a mean function, released without the mean.

pub(crate) mod document;
pub(crate) mod functional;
pub(crate) mod map;
pub(crate) mod private;
pub(crate) mod span;
pub(crate) mod statistic;
