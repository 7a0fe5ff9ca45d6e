//! The attack on supports: which numbers can be released at all must not depend on the data.

/// Values that come from one data set and can never come from its neighbour (Mironov 2012).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SupportAttack {
    /// Values looked at.
    pub values: u64,
    /// Of those, values that are no whole number of steps of the public lattice.
    pub off_lattice: u64,
    /// Residues of the whole numbers of steps that were seen from one side alone, of [`RESIDUES`].
    pub one_sided_residues: u64,
}

/// Low-order digits that are compared: the lattice point modulo this.
pub const RESIDUES: u8 = 16;

/// Compares the supports of two neighbours' releases on the lattice `offset + k step`.
///
/// ```text
/// value = (k as f64) * step + offset, to the bit, for some integer k that fits
/// ```
///
/// A mechanism on a public lattice has no value off it, whatever the data are, and with noise of many steps all residues of
/// `k` are seen from both sides. Noise in floating point, `x + sigma z` rounded to a double, has a support of its own for each
/// `x`, on no common lattice: one value can then tell two data sets apart for certain.
pub fn support_attack(left: &[f64], right: &[f64], offset: f64, step: f64) -> SupportAttack {
    let mut off_lattice = 0;
    let mut residues = |values: &[f64]| {
        let mut seen = [false; RESIDUES as usize];
        for value in values {
            match lattice_point(*value, offset, step) {
                Some(k) => seen[usize::try_from(k.rem_euclid(i64::from(RESIDUES))).unwrap_or(0)] = true,
                None => off_lattice += 1,
            }
        }
        seen
    };
    let (left_seen, right_seen) = (residues(left), residues(right));
    let one_sided = left_seen.iter().zip(&right_seen).filter(|(a, b)| a != b).count() as u64;
    SupportAttack { values: (left.len() + right.len()) as u64, off_lattice, one_sided_residues: one_sided }
}

impl SupportAttack {
    /// Whether nothing was seen that depends on the data.
    pub fn is_harmless(&self) -> bool {
        self.off_lattice == 0 && self.one_sided_residues == 0
    }
}

/// The integer that decodes to exactly this value.
fn lattice_point(value: f64, offset: f64, step: f64) -> Option<i64> {
    let nearest = ((value - offset) / step).round();
    if nearest.is_nan() || nearest.abs() > 9e15 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "below 2^53")]
    let k = nearest as i64;
    (k - 1..=k + 1).find(|k| (*k as f64 * step + offset).to_bits() == value.to_bits())
}
