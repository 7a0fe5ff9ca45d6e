//! The hardest pairs of neighbours for each kind of release.

pub(crate) mod bought;
pub(crate) mod centiles;
pub(crate) mod change;
pub(crate) mod curves;
pub(crate) mod encoded_centiles;
pub(crate) mod encoded_rows;
pub(crate) mod groups;
pub(crate) mod pairs;
pub(crate) mod points;
pub(crate) mod regression;
pub(crate) mod rows;
pub(crate) mod steps;
