//! Whether the noise of a release is what its proof is about, to the last bit.

use serde::{Deserialize, Serialize};

/// The arithmetic in which noise was drawn and added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// Integers and exact samplers: the guarantee holds for the numbers that were written.
    Exact,
    /// Floating point: the guarantee is that of real numbers, which doubles only approach. Low-order bits of such noise can
    /// tell neighbours apart (Mironov 2012).
    Idealised,
}
