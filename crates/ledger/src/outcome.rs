//! What came of asking a ledger for a release.

use std::fmt;

use dpfda_mechanism::LedgerReference;

/// A release that a ledger paid for, and that is stored in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<D> {
    /// The release.
    pub release: D,
    /// Whether the noise was drawn now.
    pub origin: Origin,
    /// Where the release stands in the ledger.
    pub reference: LedgerReference,
    /// What the curator should know. No note depends on the data.
    pub notes: Vec<LedgerNote>,
}

/// Where a release comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The ledger paid, and the noise was drawn.
    Drawn,
    /// The ledger held the release already. Nothing was spent and nothing was drawn.
    GivenBack,
}

/// What the curator should know of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerNote {
    /// The total holds for planned amounts only.
    PlanAmounts,
    /// The noise came from a seed.
    KnownSeed,
}

impl LedgerNote {
    /// The same in a sentence or two.
    pub fn in_brief(self) -> String {
        match self {
            Self::PlanAmounts => {
                "The ledger holds releases of more than one kind. The total then holds if noise, epsilon and delta of every release were \
                 planned beforehand (dpfda ledger show says more)."
                    .to_owned()
            }
            Self::KnownSeed => self.to_string(),
        }
    }
}

impl fmt::Display for LedgerNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PlanAmounts => {
                "The ledger holds releases of more than one kind: they do not all have Gaussian noise, and they do not all have delta = 0. \
                 The total then holds if noise, epsilon and delta of every release were planned beforehand. No proof covers amounts that \
                 are chosen after earlier releases were seen. What is released may depend on earlier releases in any case \
                 (docs/proofs/composition.md, section 5)."
            }
            Self::KnownSeed => {
                "The noise of this release came from a seed: the release protects nobody. The ledger says so, and the cost \
                 stands."
            }
        })
    }
}
