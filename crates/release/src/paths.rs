//! A path of a mean function: released at points that are asked for one by one.

pub(crate) mod kept;
pub(crate) mod private;
pub(crate) mod released;
pub(crate) mod statistic;
