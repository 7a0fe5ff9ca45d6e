//! Data in several places: the public plan, parts of exact sums, and what they are released from.

pub(crate) mod encode_files;
pub(crate) mod encode_rows;
pub(crate) mod part;
pub(crate) mod plan;
