//! Parts of a data set: encoded apart, joined, released.

pub(crate) mod encode_files;
pub(crate) mod part;
