//! A cell: what is released, of whom, of how many, with which budget.

use std::fmt;

/// The pools that no constant cures: few people are far away, and hide in the noise of the counts.
pub const HARD: [&str; 5] = ["halves", "lognormal", "dip", "few", "far"];

/// The budgets, from the largest to the smallest.
pub const BUDGETS: [Budget; 3] = [Budget::A, Budget::B, Budget::C];

/// Epsilon and delta under a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Budget {
    A,
    B,
    C,
}

impl Budget {
    /// Epsilon and delta.
    pub fn numbers(self) -> (f64, f64) {
        match self {
            Self::A => (1.0, 0.1),
            Self::B => (1.0, 1e-5),
            Self::C => (0.3, 1e-5),
        }
    }

    pub fn of(letter: &str) -> Option<Self> {
        BUDGETS.into_iter().find(|budget| budget.to_string() == letter)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// One cell. Its name is all of it: `kind/variant/pool/records/budget`, without the variant where a kind has but one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub kind: String,
    pub variant: String,
    pub pool: String,
    pub records: usize,
    pub budget: Budget,
}

impl Cell {
    /// The cell of a name; `None` for a text that is no name of a cell.
    pub fn of(name: &str) -> Option<Self> {
        let parts: Vec<&str> = name.split('/').collect();
        let (kind, variant, pool, records, budget) = match parts[..] {
            [kind, pool, records, budget] => (kind, "", pool, records, budget),
            [kind, variant, pool, records, budget] => (kind, variant, pool, records, budget),
            _ => return None,
        };
        let (records, budget) = (records.parse().ok()?, Budget::of(budget)?);
        Some(Self { kind: kind.to_owned(), variant: variant.to_owned(), pool: pool.to_owned(), records, budget })
    }

    /// Whether nobody claims that its bands hold: of a hard pool, of a peak that is narrower than a bin of rows, and of people who are not normal.
    pub fn is_hard(&self) -> bool {
        HARD.contains(&self.pool.as_str())
            || (self.kind == "rows" && self.pool == "peak")
            || (self.kind == "person" && self.pool == "t3")
    }

    /// The seed of a release: a function of the name and of its place, so that no other cell, and no order, changes it.
    pub fn seed(&self, release: u64) -> u64 {
        hash(&format!("{self}/{release}"))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, variant, pool, records, budget } = self;
        let slash = if variant.is_empty() { "" } else { "/" };
        write!(f, "{kind}{slash}{variant}/{pool}/{records}/{budget}")
    }
}

/// The hash FNV-1a of a text: the same on every machine.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
