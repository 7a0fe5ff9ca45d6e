//! Plans, parts and documents.

use super::Fault;

pub const FAULTS: &[Fault] = &[];
